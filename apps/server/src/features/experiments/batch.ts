import { can, type ExperimentInput, isRefusal } from '@ensaio/domain'
import { v7 as uuid } from 'uuid'
import { addMissingNames, noteSpellings } from '../../catalogue/names.ts'
import type { Handle } from '../../database/handle.ts'
import type { Actor } from '../../http/contract-routes.ts'
import type { Effects } from '../trials/effects.service.ts'
import type { QualityKeeper } from '../trials/quality.service.ts'
import { heldByPlots } from '../trials/yields.ts'
import {
  type ExperimentRecord,
  insertExperiment,
  insertExperiments,
  replaceExperiment,
} from './experiment-writes.repository.ts'
import {
  type Locked,
  lockExperiments,
  markDeleted,
  markRestored,
  type StoredExperiment,
} from './experiments.repository.ts'
import { waitedFor } from './field-team.repository.ts'
import { recordChange, recordChanges } from './history.repository.ts'
import { changedFields } from './history.ts'

/** What the history tells of a change besides its fields: by which import it came. */
export interface Origin {
  importacao: string
}

/** Trials written inside a transaction that somebody else holds, many in a row. */
export function batchOf({
  record,
  withNames,
  namesIn,
  lockFor,
  lock,
  reread,
  effects,
  quality,
}: {
  record(given: ExperimentInput): ExperimentRecord
  withNames<T>(handle: Handle, given: ExperimentInput, write: () => Promise<T>): Promise<T>
  namesIn(given: ExperimentInput): Parameters<typeof noteSpellings>[1]
  lockFor(handle: Handle, actor: Actor, action: 'experiment.edit', id: string): Promise<Locked>
  lock(handle: Handle, id: string): Promise<Locked>
  reread(handle: Handle, id: string): Promise<StoredExperiment>
  effects: Effects
  quality: QualityKeeper
}) {
  return {
    async insertIn(
      handle: Handle,
      actor: Actor,
      given: ExperimentInput,
      origin: Origin,
    ): Promise<{ id: string; versao: number }> {
      if (actor.several) await noteSpellings(handle, namesIn(given))
      const id = uuid()
      const made = await withNames(handle, given, () =>
        insertExperiment(handle, {
          ...record(given),
          id,
          createdBy: actor.id,
          key: null,
          depois: { ...origin },
        }),
      )
      if (!made) throw new Error('a name without a key')
      return { id, versao: made.versao }
    },

    /** The same for many, in one statement; each is in its first version. @returns their ids, in order */
    async insertManyIn(
      handle: Handle,
      actor: Actor,
      given: readonly ExperimentInput[],
      origin: Origin,
    ): Promise<string[]> {
      const names = given.map(namesIn)
      if (actor.several) for (const own of distinct(names)) await noteSpellings(handle, own)
      await addMissingNames(handle, names)
      const records = given.map((one) => ({ ...record(one), id: uuid() }))
      const made = await insertExperiments(handle, records, { createdBy: actor.id, depois: { ...origin } })
      if (made !== records.length) throw new Error('a name without a key')
      return records.map(({ id }) => id)
    },

    /** @returns the version that stands now, and what stood before */
    async replaceIn(
      handle: Handle,
      actor: Actor,
      id: string,
      { input: given, origin }: { input: ExperimentInput; origin: Origin },
    ): Promise<{ versao: number; before: StoredExperiment }> {
      const locked = await lockFor(handle, actor, 'experiment.edit', id)
      const before = await reread(handle, id)
      if (actor.several) await noteSpellings(handle, namesIn(given))
      const { tratamentos, sheet } = await heldByPlots(handle, id, before.tratamentos, given.tratamentos)
      const replaced = await withNames(handle, given, () =>
        replaceExperiment(handle, { ...record({ ...given, tratamentos: [...tratamentos] }), id }),
      )
      if (!replaced) throw new Error('a name without a key')
      if (before.dados !== null || before.estatistica_informada) await effects.keep(handle, id)
      if (locked.more_to_judge) await quality.keep(handle, id, sheet)
      const after = await reread(handle, id)
      const changed = changedFields(before, after)
      await recordChange(handle, id, {
        acao: 'alterado',
        quem: actor.id,
        antes: { ...changed.antes, importacao: null },
        depois: { ...changed.depois, ...origin },
      })
      return { versao: after.versao, before }
    },

    /**
     * Takes away those that stand in the version that is named and that the person may delete, or brings back what
     * was taken away so. @returns the versions that stand then, of those that it did
     */
    async turnManyIn(
      handle: Handle,
      actor: Actor,
      trials: readonly { id: string; versao: number | null }[],
      { origin, remove }: { origin: Origin; remove: boolean },
    ): Promise<ReadonlyMap<string, number>> {
      if (trials.length === 0) return new Map()
      const named = new Map(trials.map(({ id, versao }) => [id, versao]))
      const action = remove ? 'experiment.delete' : 'experiment.edit'
      const locked = await lockExperiments(handle, [...named.keys()])
      // What phones still have for a trial would find no place.
      const waited = remove ? await waitedFor(handle, [...named.keys()]) : new Set<string>()
      const own = locked.filter(
        ({ id, versao, deleted_at, created_by: owner, organizacao_id: organization }) =>
          versao === named.get(id) &&
          !waited.has(id) &&
          (deleted_at === null) === remove &&
          can(actor, action, { owner, organization }).allowed,
      )
      if (own.length === 0) return new Map()
      const ids = own.map(({ id }) => id)
      if (remove) await markDeleted(handle, ids, actor.id)
      else await markRestored(handle, ids)
      const acao = remove ? 'excluído' : 'restaurado'
      await recordChanges(handle, ids, { acao, quem: actor.id, depois: { ...origin } })
      return new Map(own.map(({ id, versao }) => [id, versao + 1]))
    },

    /** Locked, its version; null when it is deleted or gone. */
    async versionIn(handle: Handle, id: string): Promise<{ versao: number; deleted: boolean } | null> {
      const locked = await lock(handle, id).catch((error: unknown) => {
        if (isRefusal(error)) return null
        throw error
      })
      return locked && { versao: locked.versao, deleted: locked.deleted_at !== null }
    },
  }
}

/** Many trials of a spreadsheet use the same names. */
const distinct = <T>(names: readonly T[]): T[] => [
  ...new Map(names.map((own) => [JSON.stringify(own), own])).values(),
]
