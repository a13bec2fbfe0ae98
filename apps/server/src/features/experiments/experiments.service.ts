import { createHash } from 'node:crypto'
import {
  type Conclusion,
  can,
  type Document,
  type Experiment,
  type ExperimentInput,
  type ExperimentUpdate,
  meanProductivity,
  Problem,
  problem,
  totalCost,
  UNIQUE_FIELDS,
} from '@ensaio/domain'
import { v7 as uuid } from 'uuid'
import { addMissingNames, type ExperimentNames, noteSpellings } from '../../catalogue/names.ts'
import type { Handle } from '../../database/handle.ts'
import type { Wall } from '../../database/wall.ts'
import type { Actor } from '../../http/contract-routes.ts'
import type { AccountsFeature } from '../accounts/accounts.feature.ts'
import type { Documents, StoredFile } from '../documents/documents.service.ts'
import { note } from '../organizations/organizations.service.ts'
import type { Effects } from '../trials/effects.service.ts'
import type { QualityKeeper } from '../trials/quality.service.ts'
import { heldByPlots } from '../trials/yields.ts'
import { batchOf } from './batch.ts'
import { type ExperimentRecord, insertExperiment, replaceExperiment } from './experiment-writes.repository.ts'
import {
  deleteOlder,
  experimentById,
  isDeleted,
  type Locked,
  lockExperiment,
  markDeleted,
  markRestored,
  ownerOf,
  putConclusion,
  putEmbargo,
  putYields,
  type StoredExperiment,
  setMainDocument,
  settleDocuments,
  takenField,
} from './experiments.repository.ts'
import { enterTeam, isInTeam, unsentOn } from './field-team.repository.ts'
import { recordChange } from './history.repository.ts'
import { changedFields } from './history.ts'
import { type IdempotencyKey, madeByKey } from './idempotency.repository.ts'
import { presentExperiment } from './presenter.ts'
import { wholeOf } from './whole.ts'

/** How long an administrator can bring a deleted experiment back. */
export const RESTORABLE_DAYS = 30

export interface UploadedPdf {
  filename: string
  bytes: Buffer
}

export interface NewExperiment {
  input: ExperimentInput
  pdf: UploadedPdf | null
  /** The header of a request that may be sent again. */
  idempotencyKey: string | null
}

export function createExperiments(input: {
  wall: Wall
  /** Of the tables' owner, for what nobody asks for. */
  owner: Handle
  documents: Documents
  namesOf: AccountsFeature['namesOf']
  effects: Effects
  quality: QualityKeeper
  /** Resolves when figures hold what was changed before. */
  settled(): Promise<void>
}) {
  const { wall, owner, documents, namesOf, effects, quality, settled } = input

  const present = async (stored: StoredExperiment, actor: Actor, handle: Handle): Promise<Experiment> => {
    const own = stored.organizacao_id === actor.organization && stored.created_by !== null
    const known = await namesOf(handle, own && stored.created_by ? [stored.created_by] : [])
    return presentExperiment(stored, actor, known.get(stored.created_by ?? '') ?? null)
  }

  /** @throws permission.denied, or what says that the trial is another organisation's, or its own is closed */
  const permit = (
    actor: Actor,
    action: Parameters<typeof can>[1],
    subject: NonNullable<Parameters<typeof can>[2]>,
  ) => {
    if (can(actor, action, subject).allowed) return
    if (subject.organization !== actor.organization) throw problem('share.received')
    throw problem(actor.closed ? 'organization.closed' : 'permission.denied')
  }

  /** For a change, until the transaction ends; what is another organisation's is seen and not locked. */
  const lock = async (handle: Handle, id: string): Promise<Locked> => {
    // One that moved to another set while it was waited for is there, but not for the statement that waited.
    const locked = (await lockExperiment(handle, id)) ?? (await lockExperiment(handle, id))
    if (!locked) throw problem((await ownerOf(handle, id)) ? 'share.received' : 'experiment.not_found')
    return locked
  }

  /** @throws trial.phones_waiting with their number, where phones have said that entries are waiting there */
  const askUnsent = async (handle: Handle, id: string): Promise<void> => {
    const n = await unsentOn(handle, id)
    if (n > 0) throw problem('trial.phones_waiting', { current: { n } })
  }

  const reread = async (handle: Handle, id: string): Promise<StoredExperiment> => {
    const stored = await experimentById(handle, id)
    if (!stored) throw problem('experiment.not_found')
    return stored
  }

  const record = (given: ExperimentInput): ExperimentRecord => ({
    input: given,
    produtividadeMedia: meanProductivity(given.tratamentos) ?? 0,
    custoTotal: totalCost(given.tratamentos),
    qualidade: quality.ofInput(given),
  })

  /** Writes what needs a key for every name: once more, after giving them one, if a name is new. */
  const withNames = async <T>(handle: Handle, given: ExperimentInput, write: () => Promise<T>) => {
    const written = await write()
    if (written) return written
    await addMissingNames(handle, [namesIn(given)])
    return write()
  }

  /** @throws validation.failed where another experiment has what tells experiments apart */
  const apart = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      const key = takenField(error)
      const field = UNIQUE_FIELDS.find((unique) => unique.key === key)
      if (!field) throw error
      throw problem('validation.failed', {
        fields: [{ path: field.key, message: field.taken }],
        cause: error,
      })
    }
  }

  /** What the key of a request has made before, if it has. @throws request.key_reused */
  const repeated = async (handle: Handle, key: IdempotencyKey | null, file: StoredFile | null) => {
    const earlier = key && (await madeByKey(handle, key))
    if (!earlier) return null
    if (earlier.sha256 !== key.sha256) throw problem('request.key_reused')
    if (file) await documents.discard(file)
    return reread(handle, earlier.experimentId)
  }

  /** Makes the file the experiment's main document. @returns its document's id */
  const attach = async (handle: Handle, file: StoredFile, experimentId: string, userId: string) => {
    const { document } = await documents.name(handle, file, { experimentId, userId, replaces: true })
    await setMainDocument(handle, experimentId, document.id)
    return document.id
  }

  /** A document came or went: the history tells its name, and the version goes up. */
  const settle = async (
    handle: Handle,
    { id, quem, antes, depois }: { id: string; quem: string; antes: string | null; depois: string | null },
  ) => {
    await settleDocuments(handle, id)
    await recordChange(handle, id, {
      acao: 'alterado',
      quem,
      antes: { documentos: antes },
      depois: { documentos: depois },
    })
  }

  const lockFor = async (handle: Handle, actor: Actor, action: Change, id: string) => {
    const team = action === 'plots.collect' && (await enterTeam(handle, id, actor.id))
    const locked = await lockExperiment(handle, id)
    if (!locked) {
      const seen = await ownerOf(handle, id)
      // A leitor reads the organisation's own and may lock none of them.
      if (seen) permit(actor, action, seen)
      throw problem(seen ? 'share.received' : 'experiment.not_found')
    }
    if (locked.deleted_at) throw problem('experiment.not_found')
    permit(actor, action, { owner: locked.created_by, organization: locked.organizacao_id, team })
    return locked
  }

  /**
   * Stores the file, does the work, and takes the file back if the work was refused. After any other failure
   * the row may be there all the same, its commit done and only the answer lost: then the sweep decides.
   */
  const withFile = async <T>(pdf: UploadedPdf | null, work: (file: StoredFile | null) => Promise<T>) => {
    const file = pdf && (await documents.keep(pdf))
    try {
      return await apart(() => work(file))
    } catch (error) {
      if (file && error instanceof Problem) await documents.discard(file).catch(() => undefined)
      throw error
    }
  }

  return {
    async get(actor: Actor, id: string, handle: Handle = wall.for(actor)): Promise<Experiment> {
      return present(await reread(handle, id), actor, handle)
    },

    ...wholeOf(wall, present),

    ...batchOf({ record, withNames, namesIn, lockFor, lock, reread, effects, quality }),

    /** The experiment and its document come to be together or not at all; a repeated key makes nothing new. */
    async create(actor: Actor, { input: given, pdf, idempotencyKey }: NewExperiment): Promise<Experiment> {
      permit(actor, 'experiment.create', { owner: actor.id, organization: actor.organization })
      const key =
        idempotencyKey === null
          ? null
          : {
              userId: actor.id,
              key: idempotencyKey,
              sha256: createHash('sha256')
                .update(JSON.stringify(given))
                .update(pdf?.bytes ?? '')
                .digest('hex'),
            }
      const id = uuid()
      const handle = wall.for(actor)
      const insert = (handle: Handle) =>
        insertExperiment(handle, { ...record(given), id, createdBy: actor.id, key })
      if (actor.several) await noteSpellings(handle, namesIn(given))
      const stored = await withFile(pdf, async (file) => {
        // Without new names, a document and what a report tells it is one statement, which needs no transaction around it.
        const told = given.estatistica_informada != null
        const made = file || told ? null : await insert(handle)
        if (made) return made
        return handle.transaction().execute(async (transaction) => {
          const before = await repeated(transaction, key, file)
          if (before) return before
          const made = await withNames(transaction, given, () => insert(transaction))
          if (!made) return (await repeated(transaction, key, file)) ?? nameless()
          if (told) await effects.keep(transaction, id)
          if (!file) return made
          await attach(transaction, file, id, actor.id)
          return reread(transaction, id)
        })
      })
      return presentExperiment(stored, actor, actor.name)
    },

    /** @throws experiment.stale with the version that stands, when it is not the one that was edited */
    async update(
      actor: Actor,
      id: string,
      { input: given, pdf }: { input: ExperimentUpdate; pdf: UploadedPdf | null },
    ): Promise<Experiment> {
      let afterwards = async () => {}
      let set: number | undefined
      const stored = await withFile(pdf, (file) =>
        wall
          .for(actor)
          .transaction()
          .execute(async (transaction) => {
            const locked = await lockFor(transaction, actor, 'experiment.edit', id)
            set = locked.acervo_id
            const before = await reread(transaction, id)
            if (given.versao !== locked.versao)
              throw problem('experiment.stale', {
                current: { experimento: await present(before, actor, transaction) },
              })
            if (actor.several) await noteSpellings(transaction, namesIn(given))
            const { tratamentos, sheet } = await heldByPlots(
              transaction,
              id,
              before.tratamentos,
              given.tratamentos,
            )
            const replaced = await withNames(transaction, given, () =>
              replaceExperiment(transaction, { ...record({ ...given, tratamentos: [...tratamentos] }), id }),
            )
            if (!replaced) nameless()
            if (before.dados !== null || before.estatistica_informada || given.estatistica_informada)
              await effects.keep(transaction, id)
            if (locked.more_to_judge) await quality.keep(transaction, id, sheet)
            if (file) {
              const main = await attach(transaction, file, id, actor.id)
              if (locked.documento_id && locked.documento_id !== main)
                afterwards = await documents.remove(transaction, locked.documento_id)
            }
            const after = await reread(transaction, id)
            await recordChange(transaction, id, {
              acao: 'alterado',
              quem: actor.id,
              ...changedFields(before, after),
            })
            return after
          }),
      )
      await afterwards()
      // Who saw it by a list that it has left may not go on seeing its figures: which set it is in, the commit found.
      if (actor.several && (await ownerOf(wall.for(actor), id))?.set !== set) await settled()
      return present(stored, actor, wall.for(actor))
    },

    /** @throws experiment.stale with the version that stands, when it is not the one that was read */
    async conclude(actor: Actor, id: string, { texto, versao }: Conclusion): Promise<Experiment> {
      const stored = await wall
        .for(actor)
        .transaction()
        .execute(async (transaction) => {
          const locked = await lockFor(transaction, actor, 'experiment.edit', id)
          const before = await reread(transaction, id)
          const conclusao = texto === '' ? null : texto
          // A lost answer is asked for again with the version of before.
          if (before.conclusao === conclusao) return before
          if (versao !== locked.versao)
            throw problem('experiment.stale', {
              current: { experimento: await present(before, actor, transaction) },
            })
          await putConclusion(transaction, id, conclusao)
          const after = await reread(transaction, id)
          await recordChange(transaction, id, {
            acao: 'alterado',
            quem: actor.id,
            ...changedFields(before, after),
          })
          return after
        })
      return present(stored, actor, wall.for(actor))
    },

    askUnsent,
    unsentIn: unsentOn,
    unsent: (actor: Actor, id: string): Promise<number> => unsentOn(wall.for(actor), id),

    /** @throws trial.phones_waiting, unless it is to go even so */
    async remove(actor: Actor, id: string, evenSo = false): Promise<void> {
      await wall
        .for(actor)
        .transaction()
        .execute(async (transaction) => {
          await lockFor(transaction, actor, 'experiment.delete', id)
          if (!evenSo) await askUnsent(transaction, id)
          await markDeleted(transaction, [id], actor.id)
          await recordChange(transaction, id, { acao: 'excluído', quem: actor.id })
        })
    },

    /** `undo`: asked by who has just deleted it, not by who leads. */
    async restore(actor: Actor, id: string, { undo }: { undo: boolean }): Promise<Experiment> {
      const restored = await apart(() =>
        wall
          .for(actor)
          .transaction()
          .execute(async (transaction) => {
            const locked = await lockExperiment(transaction, id)
            const agoMs = locked?.deleted_at ? Date.now() - locked.deleted_at.getTime() : null
            if (!locked || agoMs === null || agoMs > RESTORABLE_DAYS * 86_400_000)
              // A leitor of its organisation changes nothing, and may know that it is there.
              throw problem(
                actor.papel === 'leitor' && (await isDeleted(transaction, id))
                  ? 'permission.denied'
                  : 'experiment.not_found',
              )
            permit(actor, 'experiment.restore', {
              owner: locked.created_by,
              organization: locked.organizacao_id,
              ...(undo && { deleted: { by: locked.deleted_by, agoMs } }),
            })
            await markRestored(transaction, [id])
            await recordChange(transaction, id, { acao: 'restaurado', quem: actor.id })
            return reread(transaction, id)
          }),
      )
      return present(restored, actor, wall.for(actor))
    },

    /** Removes for good what nobody can restore any more; the files follow by the sweep. */
    purge: () => deleteOlder(owner, RESTORABLE_DAYS),

    /**
     * For what hangs on an experiment, and is read of a closed organisation too.
     * @throws experiment.not_found or permission.denied
     */
    async authorise(actor: Actor, action: SeenAction, id: string): Promise<void> {
      const record = await ownerOf(wall.for(actor), id)
      if (!record) throw problem('experiment.not_found')
      const team = action === 'plots.collect' && (await isInTeam(wall.for(actor), id, actor.id))
      permit({ ...actor, closed: false }, action, { ...record, team })
    },

    /** Until the day before, its own organisation alone sees it; null ends that at once. */
    async embargo(actor: Actor, id: string, ate: string | null): Promise<Experiment> {
      const stored = await wall
        .for(actor)
        .transaction()
        .execute(async (transaction) => {
          await lockFor(transaction, actor, 'experiment.embargo', id)
          const before = await reread(transaction, id)
          if (before.embargo_ate === ate) return before
          await putEmbargo(transaction, id, ate)
          const after = await reread(transaction, id)
          await recordChange(transaction, id, {
            acao: 'alterado',
            quem: actor.id,
            ...changedFields(before, after),
          })
          await note(transaction, actor.organization, ate === null ? 'embargo.ended' : 'embargo.set', {
            experimento: id,
            ...(ate !== null && { ate }),
          })
          return after
        })
      return present(stored, actor, wall.for(actor))
    },

    permit,

    lockFor,

    /**
     * What a trial's plots change of it, inside the transaction that changes them: told in its history, and its
     * yields follow, if they are others than before.
     */
    async plotsChanged(
      handle: Handle,
      actor: Actor,
      id: string,
      { yields, antes, depois }: PlotsChange,
    ): Promise<void> {
      const before = await reread(handle, id)
      const others = yields.filter(
        ({ numero, produtividade }) => before.tratamentos[numero - 1]?.produtividade !== produtividade,
      )
      if (others.length > 0) await putYields(handle, id, others)
      const changed = others.length > 0 ? changedFields(before, await reread(handle, id)) : null
      await recordChange(handle, id, {
        acao: 'alterado',
        quem: actor.id,
        antes: { ...changed?.antes, parcelas: antes },
        depois: { ...changed?.depois, parcelas: depois },
      })
    },

    /** The prices of a trial that is locked changed: the history tells it in one line. */
    pricesChanged: (
      handle: Handle,
      actor: Actor,
      id: string,
      { antes, depois }: Record<'antes' | 'depois', string>,
    ) =>
      recordChange(handle, id, {
        acao: 'alterado',
        quem: actor.id,
        antes: { precos: antes },
        depois: { precos: depois },
      }),

    /** Adds a kept file; an experiment's first document is its main one. */
    addDocument: (actor: Actor, id: string, file: StoredFile): Promise<Document> =>
      wall
        .for(actor)
        .transaction()
        .execute(async (transaction) => {
          await lockFor(transaction, actor, 'experiment.edit', id)
          const named = await documents.name(transaction, file, { experimentId: id, userId: actor.id })
          const { document, isNew } = named
          if (isNew) await settle(transaction, { id, quem: actor.id, antes: null, depois: document.filename })
          return document
        }),

    /** Takes a document away; of those that are left the oldest becomes the main one if that is gone. */
    async removeDocument(
      actor: Actor,
      id: string,
      document: { id: string; filename: string },
    ): Promise<void> {
      const removeFile = await wall
        .for(actor)
        .transaction()
        .execute(async (transaction) => {
          await lockFor(transaction, actor, 'document.delete', id)
          const afterwards = await documents.remove(transaction, document.id)
          await settle(transaction, { id, quem: actor.id, antes: document.filename, depois: null })
          return afterwards
        })
      await removeFile()
    },
  }
}

/** What changes a trial or what hangs on it. */
type Change =
  | 'experiment.edit'
  | 'experiment.delete'
  | 'experiment.embargo'
  | 'document.delete'
  | 'plots.edit'
  | 'plots.collect'
  | 'analysis.record'
  | 'prices.edit'
/** What the history tells of plots, and the yields that they give, kg/ha. */
export interface PlotsChange {
  yields: readonly { numero: number; produtividade: number }[]
  antes: unknown
  depois: unknown
}
/** What is asked of a trial that is seen, for what hangs on it. */
type SeenAction =
  | 'experiment.edit'
  | 'plots.edit'
  | 'plots.collect'
  | 'analysis.record'
  | 'document.delete'
  | 'experiment.history'
  | 'experiment.share'
  | 'experiment.comment'

/** Somebody renamed it in that very moment: another attempt finds it. */
function nameless(): never {
  throw new Error('a name without a key')
}

const namesIn = (given: ExperimentInput): ExperimentNames => ({
  ...given,
  modalidades: given.tratamentos.map(({ modalidade }) => modalidade),
  produtos: given.tratamentos.flatMap(({ produtos_aplicados }) => produtos_aplicados.map(({ nome }) => nome)),
})

export type Experiments = ReturnType<typeof createExperiments>
