import {
  type Experiment,
  ExperimentInput,
  FIELD_KEYS,
  Problem,
  problem,
  TrialSheetInput,
} from '@ensaio/domain'
import { columnLetter } from '@ensaio/domain/imports'
import { apart } from '../../database/apart.ts'
import type { Handle } from '../../database/handle.ts'
import type { Wall } from '../../database/wall.ts'
import type { Actor } from '../../http/contract-routes.ts'
import type { Experiments } from '../experiments/experiments.service.ts'
import type { Trials } from '../trials/trials.service.ts'
import { changeImport, importById, lockImport, type StoredImport } from './imports.repository.ts'
import { type ReadPlots, sheetToPut } from './plots.ts'
import { LEASE_S } from './stages.ts'
import {
  codesTaken,
  lockWriting,
  markAlike,
  markRefused,
  markUndone,
  markWritten,
  nextToWrite,
  type StoredTrial,
  trialsByNumber,
  type WrittenTrial,
  writtenAfter,
} from './trials.repository.ts'
import { twinsOf } from './understanding.ts'

const AT_ONCE = 200
/** A trial with its plots is much more work, and others of the organisation wait for a batch to end. */
const PLANTED_AT_ONCE = 20

/** As it stands, in the shape of what it is made of: to come back to. */
function contentNow(before: Record<string, unknown>): ExperimentInput {
  const fields = Object.fromEntries(FIELD_KEYS.map((key) => [key, before[key]]))
  return ExperimentInput.parse({
    ...fields,
    tratamentos: before.tratamentos,
    estatistica_informada: before.estatistica_informada,
  })
}

/** The cell of its code, where what a trial cannot be written for is told. */
async function placeOfTrial(handle: Handle, { id, plano }: StoredImport, n: number) {
  const [trial] = await trialsByNumber(handle, id, [n])
  const folha = trial?.folhas[0] ?? 0
  const linha = trial?.linhas[0] ?? 1
  const column = plano?.colunas.find((one) => one.folha === folha && one.campo === 'codigo')
  const coluna = column ? columnLetter(column.index) : null
  const valor = (trial?.dados as { codigo?: string | null } | undefined)?.codigo ?? null
  return {
    ...{ folha: column?.nomeFolha ?? null, linha, coluna, valor, campo: column?.campo ?? null },
    celula: coluna && `${coluna}${linha}`,
    titulo: column?.titulo ?? null,
  }
}

interface Attempt {
  /** The trial that is being written, where it is written by itself. */
  n: number | null
  single: boolean
}

/** New, and nothing but its own rows: such trials are written many at once. */
const isPlain = ({ plano }: StoredImport, { estado, dados }: StoredTrial): boolean =>
  estado === 'novo' &&
  plano?.forma !== 'parcelas' &&
  !(dados as { estatistica_informada?: unknown }).estatistica_informada

const hasPlots = ({ plano }: StoredImport): boolean => plano?.forma === 'parcelas'

/** Known by nothing but what it says. */
const isOnlyContent = ({ estado, marca }: Pick<StoredTrial, 'estado' | 'marca'>): boolean =>
  estado === 'novo' && (marca?.startsWith('conteudo ') ?? false)
const asInput = ({ n, dados }: Pick<StoredTrial, 'n' | 'dados'>) => ({
  n,
  input: ExperimentInput.parse(dados),
})

/**
 * Writes what was understood, each batch whole or not at all; what is written is marked in the same transaction, so
 * that a kill loses nothing and doubles nothing.
 */
export function createWriting({
  wall,
  experiments,
  trials: sheets,
  plotsOf,
  settled,
}: {
  wall: Wall
  experiments: Experiments
  trials: Trials
  /** Resolves when everything that was written shows in the figures. */
  settled(): Promise<void>
  /** The plots that a spreadsheet of plots has for a trial, held against the one that is there before it is written. */
  plotsOf(
    handle: Handle,
    actor: Actor,
    stored: StoredImport,
    trial: StoredTrial,
    existing: Experiment | null,
  ): Promise<ReadPlots>
}) {
  const writeOne = async (
    handle: Handle,
    actor: Actor,
    stored: StoredImport,
    trial: StoredTrial,
  ): Promise<WrittenTrial> => {
    const origin = { importacao: stored.nome }
    const input = ExperimentInput.parse(trial.dados)
    if (trial.estado === 'novo') {
      const { id, versao } = await experiments.insertIn(handle, actor, input, origin)
      const made = { n: trial.n, experimento_id: id, gravado: 'criado' } as const
      if (!hasPlots(stored)) return { ...made, versao, antes: null }
      const put = await putPlots(handle, actor, id, await plotsOf(handle, actor, stored, trial, null))
      return { ...made, versao: put.versao, antes: { ficha_depois: put.ficha_depois } }
    }
    const id = trial.experimento_id ?? ''
    const changed = { n: trial.n, experimento_id: id, gravado: 'atualizado' } as const
    if (!hasPlots(stored)) {
      const { versao, before } = await experiments.replaceIn(handle, actor, id, { input, origin })
      return { ...changed, versao, antes: contentNow(before) }
    }
    const existing = await experiments.get(actor, id, handle)
    const ficha = await sheetNow(handle, existing)
    const { before, ...put } = await updateWithPlots(handle, actor, stored, trial, {
      existing,
      input,
      origin,
    })
    return {
      ...{ ...changed, versao: put.versao },
      antes: { ...contentNow(before), ficha, ficha_depois: put.ficha_depois },
    }
  }

  /** A trial and its plots. What was typed of its yields stays typed: the plots tell their means. */
  const updateWithPlots = async (
    handle: Handle,
    actor: Actor,
    stored: StoredImport,
    trial: StoredTrial,
    {
      existing,
      input,
      origin,
    }: { existing: Experiment; input: ExperimentInput; origin: { importacao: string } },
  ) => {
    const read = await plotsOf(handle, actor, stored, trial, existing)
    const tratamentos = input.tratamentos.map((one, at) => ({
      ...one,
      produtividade: existing.tratamentos[at]?.produtividade ?? one.produtividade,
    }))
    const { before } = await experiments.replaceIn(handle, actor, existing.id, {
      ...{ input: { ...input, tratamentos }, origin },
    })
    return { before, ...(await putPlots(handle, actor, existing.id, read)) }
  }

  const putPlots = async (handle: Handle, actor: Actor, id: string, read: ReadPlots) => {
    const experiment = await experiments.get(actor, id, handle)
    const sheet = await sheets.sheetIn(handle, id, experiment.n_tratamentos)
    await sheets.putIn(handle, actor, id, sheetToPut({ ...read, experiment, sheet }))
    return standsNow(handle, id)
  }

  const standsNow = async (handle: Handle, id: string) => ({
    versao: (await experiments.versionIn(handle, id))?.versao ?? 0,
    ficha_depois: await sheets.sheetVersion(handle, id),
  })

  const sheetNow = async (
    handle: Handle,
    { id, n_tratamentos }: Pick<Experiment, 'id' | 'n_tratamentos'>,
  ): Promise<TrialSheetInput | null> => {
    const sheet = await sheets.sheetIn(handle, id, n_tratamentos)
    return sheet && TrialSheetInput.parse(sheet)
  }

  /** New ones, in one statement. */
  const writeTogether = async (
    handle: Handle,
    actor: Actor,
    stored: StoredImport,
    trials: readonly StoredTrial[],
  ): Promise<WrittenTrial[]> => {
    if (trials.length === 0) return []
    const inputs = trials.map(({ dados }) => ExperimentInput.parse(dados))
    const ids = await experiments.insertManyIn(handle, actor, inputs, { importacao: stored.nome })
    return trials.map(({ n }, at) => ({
      ...{ n, experimento_id: ids[at] ?? '', gravado: 'criado', versao: 1, antes: null },
    }))
  }

  /** One batch; null when there is nothing left. @throws what a trial of it cannot be written for */
  const batch = (actor: Actor, id: string, attempt: Attempt) =>
    wall
      .for(actor)
      .transaction()
      .execute(async (transaction) => {
        const locked = await lockImport(transaction, id)
        const stored = await importById(transaction, id)
        if (locked?.estado !== 'gravando' || !stored?.gravar) return null
        const limit = hasPlots(stored) ? PLANTED_AT_ONCE : AT_ONCE
        const next = await nextToWrite(transaction, id, { ...stored.gravar, limit })
        // Somebody may have brought the same since they were looked at.
        const asked = next.filter(isOnlyContent).map(asInput)
        if (asked.length > 0) await lockWriting(transaction)
        const twins = await twinsOf({ experiments, actor, handle: transaction }, asked)
        await markAlike(
          transaction,
          id,
          [...twins].map(([n, experimento_id]) => ({ n, experimento_id })),
        )
        const trials = next.filter(({ n }) => !twins.has(n))
        const together = attempt.single ? [] : trials.filter((trial) => isPlain(stored, trial))
        const written = await writeTogether(transaction, actor, stored, together)
        for (const trial of trials) {
          if (together.includes(trial)) continue
          attempt.n = trial.n
          written.push(await writeOne(transaction, actor, stored, trial))
        }
        await markWritten(transaction, id, written)
        const left = next.length === limit
        if (left) await changeImport(transaction, id, { lease: LEASE_S })
        return left
      })

  /** What is wrong with the trial itself; anything else is not its fault and comes again. */
  const refusal = (error: unknown): string | null => {
    if (error instanceof Problem && error.extras.fields?.[0]) return error.extras.fields[0].message
    const taken =
      error instanceof Error &&
      'constraint' in error &&
      /^experimentos_\w+_unico$/.test(String(error.constraint))
    if (taken) return 'Já existe um experimento com este código'
    if (error instanceof Problem && /^(experiment|permission|share|trial|validation)\./.test(error.code))
      return error.message
    return null
  }

  return {
    /** Until nothing is left. */
    async write(actor: Actor, id: string, stopped: () => boolean): Promise<void> {
      let single = false
      while (!stopped()) {
        const attempt: Attempt = { n: null, single }
        try {
          const left = await batch(actor, id, attempt)
          if (left === null) return
          single = false
          if (left) continue
          // Whoever is told that it is done sees it in every figure.
          await settled()
          await changeImport(wall.for(actor), id, { estado: 'concluida', gravada: true, lease: null })
          return
        } catch (error) {
          const sentence = refusal(error)
          if (sentence !== null && attempt.n === null && !single) {
            // One of them is at fault: which one is found one by one.
            single = true
            continue
          }
          if (sentence === null || attempt.n === null) throw error
          const handle = wall.for(actor)
          const stored = await importById(handle, id)
          const { n } = attempt
          if (!stored) return
          await markRefused(handle, id, {
            n,
            problema: {
              ...(await placeOfTrial(handle, stored, n)),
              ...{ sugestao: null, gravidade: 'erro', mensagem: sentence },
            },
          })
        }
      }
    },

    /** Takes back, or does again, what nobody has changed since; answers with those that stay. */
    async turn(actor: Actor, id: string, { undo }: { undo: boolean }): Promise<string[]> {
      const kept: string[] = []
      let after = 0
      for (;;) {
        const last = await wall
          .for(actor)
          .transaction()
          .execute(async (transaction) => {
            const stored = await importById(transaction, id)
            if (!stored) throw problem('import.not_found')
            const trials = await writtenAfter(transaction, id, { after, desfeito: !undo, limit: AT_ONCE })
            const turned: Turned[] = []
            // Values that came to their plots since are nobody's to take back.
            const moved = await movedSince(transaction, trials)
            // Those that it made, which are most, at once.
            const made = trials.flatMap(({ n, gravado, experimento_id: id, versao }) =>
              gravado === 'criado' && id !== null && !moved.has(n) ? [{ id, versao }] : [],
            )
            // What has the code of one by now stays as it is, and is told instead.
            const taken = undo
              ? new Map<string, string>()
              : await codesTaken(
                  transaction,
                  made.map(({ id }) => id),
                )
            if (!undo) {
              await lockWriting(transaction)
              const asked = trials
                .filter((one) => one.gravado === 'criado' && isOnlyContent(one))
                .map(asInput)
              const twins = await twinsOf({ experiments, actor, handle: transaction }, asked)
              for (const { n, experimento_id: id } of trials) {
                const twin = twins.get(n)
                if (id !== null && twin !== undefined) taken.set(id, twin)
              }
            }
            const free = made.filter(({ id }) => !taken.has(id))
            const origin = { importacao: `${stored.nome} (${undo ? 'desfeita' : 'refeita'})` }
            const versions = await experiments.turnManyIn(transaction, actor, free, { origin, remove: undo })
            for (const trial of trials) {
              const id = trial.experimento_id
              const now = moved.has(trial.n)
                ? null
                : trial.gravado === 'criado'
                  ? { versao: versions.get(id ?? '') ?? null }
                  : await turnOne(transaction, actor, stored, trial, { origin, undo })
              if (now === null || now.versao === null) {
                if (id) kept.push(taken.get(id) ?? id)
              } else turned.push({ n: trial.n, desfeito: undo, ...now })
            }
            await markUndone(transaction, id, turned)
            return trials.at(-1)?.n ?? null
          })
        if (last === null) {
          await settled()
          return kept
        }
        after = last
      }
    },
  }

  /** Of a spreadsheet of plots: trials whose sheet is another than it left. */
  async function movedSince(handle: Handle, trials: readonly StoredTrial[]): Promise<Set<number>> {
    const moved = new Set<number>()
    for (const { n, antes, experimento_id: id } of trials)
      if (antes?.ficha_depois !== undefined && id !== null)
        if ((await sheets.sheetVersion(handle, id)) !== antes.ficha_depois) moved.add(n)
    return moved
  }

  /** What stands then; null where somebody has changed it since, where phones wait for it, or the person may not. */
  async function turnOne(
    handle: Handle,
    actor: Actor,
    stored: StoredImport,
    trial: StoredTrial,
    { origin, undo }: { origin: { importacao: string }; undo: boolean },
  ): Promise<Omit<Turned, 'n' | 'desfeito'> | null> {
    const id = trial.experimento_id
    if (id === null) return null
    const now = await experiments.versionIn(handle, id)
    if (now === null || now.versao !== trial.versao || trial.antes === null) return null
    const input = ExperimentInput.parse(undo ? trial.antes : trial.dados)
    const { ficha } = trial.antes
    try {
      return await apart(handle, async () => {
        if (ficha === undefined)
          return { versao: (await experiments.replaceIn(handle, actor, id, { input, origin })).versao }
        if (undo) {
          // The plots first: a treatment goes only without its own, and without plots what was typed stands again.
          await sheets.putIn(handle, actor, id, ficha)
          await experiments.replaceIn(handle, actor, id, { input, origin })
          return await standsNow(handle, id)
        }
        const existing = await experiments.get(actor, id, handle)
        const { versao, ficha_depois } = await updateWithPlots(handle, actor, stored, trial, {
          ...{ existing, input, origin },
        })
        return { versao, ficha_depois }
      })
    } catch (error) {
      if (error instanceof Problem && /^(permission\.denied|(trial|validation|share)\..+)$/.test(error.code))
        return null
      throw error
    }
  }
}

type Turned = Parameters<typeof markUndone>[2][number]
