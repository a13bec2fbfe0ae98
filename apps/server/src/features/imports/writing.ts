import { ExperimentInput, FIELD_KEYS, Problem, problem, TrialSheetInput } from '@ensaio/domain'
import { columnLetter } from '@ensaio/domain/imports'
import type { Handle } from '../../database/handle.ts'
import type { Wall } from '../../database/wall.ts'
import type { Actor } from '../../http/contract-routes.ts'
import type { Experiments } from '../experiments/experiments.service.ts'
import type { Trials } from '../trials/trials.service.ts'
import { changeImport, importById, lockImport, type StoredImport } from './imports.repository.ts'
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
  putPlots,
  settled,
}: {
  wall: Wall
  experiments: Experiments
  trials: Trials
  /** Resolves when everything that was written shows in the figures. */
  settled(): Promise<void>
  /** The plots of a spreadsheet of plots, into a trial that has been written of it. */
  putPlots(handle: Handle, actor: Actor, stored: StoredImport, trial: StoredTrial, id: string): Promise<void>
}) {
  const writeOne = async (
    handle: Handle,
    actor: Actor,
    stored: StoredImport,
    trial: StoredTrial,
  ): Promise<WrittenTrial> => {
    const origin = { importacao: stored.nome }
    const input = ExperimentInput.parse(trial.dados)
    const plots = stored.plano?.forma === 'parcelas'
    const written = async (id: string, versao: number): Promise<number> => {
      if (!plots) return versao
      await putPlots(handle, actor, stored, trial, id)
      return (await experiments.versionIn(handle, id))?.versao ?? versao
    }
    if (trial.estado === 'novo') {
      const { id, versao } = await experiments.insertIn(handle, actor, input, origin)
      return {
        ...{ n: trial.n, experimento_id: id, gravado: 'criado', antes: null },
        versao: await written(id, versao),
      }
    }
    const id = trial.experimento_id ?? ''
    const ficha = plots ? { ficha: await sheetNow(handle, id) } : {}
    const { versao, before } = await experiments.replaceIn(handle, actor, id, { input, origin })
    return {
      ...{
        n: trial.n,
        experimento_id: id,
        gravado: 'atualizado',
        antes: { ...contentNow(before), ...ficha },
      },
      versao: await written(id, versao),
    }
  }

  const sheetNow = async (handle: Handle, id: string): Promise<TrialSheetInput | null> => {
    const sheet = await sheets.sheetIn(handle, id)
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
  const batch = (actor: Actor, id: string, limit: number, attempt: Attempt) =>
    wall
      .for(actor)
      .transaction()
      .execute(async (transaction) => {
        const locked = await lockImport(transaction, id)
        const stored = await importById(transaction, id)
        if (locked?.estado !== 'gravando' || !stored?.gravar) return null
        await lockWriting(transaction)
        const next = await nextToWrite(transaction, id, { ...stored.gravar, limit })
        // Somebody may have brought the same since they were looked at.
        const twins = await twinsOf(
          { experiments, actor, handle: transaction },
          next.filter(isOnlyContent).map(asInput),
        )
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
          const left = await batch(actor, id, AT_ONCE, attempt)
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
            const turned: { n: number; versao: number | null; desfeito: boolean }[] = []
            // Those that it made, which are most, at once.
            const made = trials.flatMap(({ gravado, experimento_id: id, versao }) =>
              gravado === 'criado' && id !== null ? [{ id, versao }] : [],
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
              const versao =
                trial.gravado === 'criado'
                  ? (versions.get(trial.experimento_id ?? '') ?? null)
                  : await turnOne(transaction, actor, stored, trial, { origin, undo })
              if (versao === null) {
                const id = trial.experimento_id
                if (id) kept.push(taken.get(id) ?? id)
              } else turned.push({ n: trial.n, versao, desfeito: undo })
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

  /** The version that stands then; null where somebody has changed it since, or the person may not. */
  async function turnOne(
    handle: Handle,
    actor: Actor,
    stored: StoredImport,
    trial: StoredTrial,
    { origin, undo }: { origin: { importacao: string }; undo: boolean },
  ): Promise<number | null> {
    const id = trial.experimento_id
    if (id === null) return null
    const now = await experiments.versionIn(handle, id)
    if (now === null || now.versao !== trial.versao) return null
    try {
      const input = undo ? trial.antes : ExperimentInput.parse(trial.dados)
      if (input === null) return null
      const { versao } = await experiments.replaceIn(handle, actor, id, { input, origin })
      const ficha = trial.antes?.ficha
      if (ficha === undefined) return versao
      if (undo) await sheets.putIn(handle, actor, id, ficha)
      else await putPlots(handle, actor, stored, trial, id)
      return (await experiments.versionIn(handle, id))?.versao ?? versao
    } catch (error) {
      if (error instanceof Problem && error.code === 'permission.denied') return null
      throw error
    }
  }
}
