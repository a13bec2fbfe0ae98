import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  can,
  IMPORT_DAYS,
  type Import,
  type ImportMapping,
  type ImportProblem,
  type ImportRow,
  isRefusal,
  Problem,
  problem,
} from '@ensaio/domain'
import { finishTrial } from '@ensaio/domain/imports'
import { v7 as uuid } from 'uuid'
import type { Handle } from '../../database/handle.ts'
import { oneAtATime } from '../../database/one-at-a-time.ts'
import type { Wall } from '../../database/wall.ts'
import type { Actor } from '../../http/contract-routes.ts'
import type { Workbooks } from '../../jobs/workbooks.ts'
import { places, shareOf } from '../../places.ts'
import type { AccountsFeature } from '../accounts/accounts.feature.ts'
import type { Experiments } from '../experiments/experiments.service.ts'
import type { Trials } from '../trials/trials.service.ts'
import { chosenWith, columnIndex, sheetIndex } from './choices.ts'
import { createCorrections, rowsOf } from './corrections.ts'
import {
  changeImport,
  fileOf,
  forgetImports,
  importById,
  importsOf,
  insertImport,
  lockImport,
  ownImports,
  problemsAfter,
  removeImport,
  type StoredImport,
  sameBytes,
  takeAbandoned,
} from './imports.repository.ts'
import { knownNames, standingPlan } from './looking.ts'
import { presentImport } from './presenter.ts'
import { createStages, LEASE_S } from './stages.ts'
import { templateById } from './templates.repository.ts'
import { countToWrite, removeTrials, trialsPage } from './trials.repository.ts'
import { understander } from './understanding.ts'
import { createWriting } from './writing.ts'

/** How long an answer waits for a file that is read quickly. */
const QUICK_MS = 4_000
/** How long an answer waits for what follows of new columns. */
const PATIENT_MS = 25_000
/** How often work is looked for that nobody is at any more. */
const RESUME_MS = 5_000
/** Of one person, written or not, while they are kept. */
const MOST_KEPT_BYTES = 4 * 1024 ** 3
/** Imports of one person that wait to be written, and the bytes of their files. */
const MOST_WAITING = { count: 1000, bytes: 500 * 1024 * 1024 }

export interface NewImport {
  nome: string
  bytes: Buffer
  /** Pasted, not a file. */
  texto: boolean
  /** The same bytes once more. */
  again: boolean
}

export function createImports({
  wall,
  owner,
  workbooks,
  experiments,
  trials,
  namesOf,
  settled,
  log,
}: {
  wall: Wall
  /** Of the tables' owner, for what nobody asks for. */
  owner: Handle
  workbooks: Workbooks
  experiments: Experiments
  trials: Trials
  namesOf: AccountsFeature['namesOf']
  /** Resolves when everything that was written shows in the figures. */
  settled(): Promise<void>
  log(error: unknown): void
}) {
  const line = places({ atOnce: 3, perPerson: 1, inLine: 500, perPersonInLine: 40 })
  const running = new Set<Promise<unknown>>()
  let stopping = false

  const writing = createWriting({
    wall,
    experiments,
    trials,
    settled,
    async plotsOf(handle, actor, stored, trial, existing) {
      if (!stored.plano) throw problem('import.not_read')
      const plan = standingPlan(stored, stored.plano, await knownNames(handle, actor.organization))
      const draft = await understander({ experiments, trials, actor, handle, stored, plan }).draft(trial)
      return { plots: draft.parcelas, lugares: finishTrial(draft, plan, { existing }).lugares }
    },
  })

  const found = async (handle: Handle, id: string): Promise<StoredImport> => {
    const stored = await importById(handle, id)
    if (!stored) throw problem('import.not_found')
    return stored
  }

  const present = async (handle: Handle, stored: StoredImport): Promise<Import> => {
    const names = await namesOf(handle, stored.criada_por ? [stored.criada_por] : [])
    return presentImport(stored, names.get(stored.criada_por ?? '') ?? null)
  }
  const presented = async (actor: Actor, id: string): Promise<Import> => {
    const handle = wall.for(actor)
    return present(handle, await found(handle, id))
  }

  /** Who may bring trials. */
  const permit = (actor: Actor) => {
    // What was brought to a closed organisation is still read; its changes are refused before they come here.
    if (!can({ ...actor, closed: false }, 'experiment.create').allowed) throw problem('permission.denied')
  }

  const { read, guess, understand } = createStages({ wall, workbooks, experiments, trials, found })

  /** A failure is told where the import stands; what is nobody's fault there waits for another try. */
  const settle = async (actor: Actor, id: string, error: unknown, otherwise: 'falhou' | 'colunas') => {
    if (!(error instanceof Problem) || error.code.startsWith('server.')) log(error)
    const known = error instanceof Problem ? error : problem('server.fault', { cause: error })
    const detail = known.extras.detail ?? known.message
    const stays = otherwise === 'colunas' && !known.code.startsWith('server.')
    await changeImport(wall.for(actor), id, {
      estado: stays ? 'colunas' : 'falhou',
      problema: stays ? null : { code: known.code, detail },
      lease: null,
    }).catch(log)
  }

  /** In a place of its own, beside the request that asked for it. */
  const start = (
    actor: Actor,
    id: string,
    work: () => Promise<unknown>,
    /** Where it stands if what was asked of it cannot be done. */
    otherwise: 'falhou' | 'colunas' = 'falhou',
  ): Promise<unknown> => {
    const done = line.run(work, shareOf(actor))
    const settled = done.catch(async (error: unknown) => {
      // A server that goes leaves it to the next.
      if (stopping) return
      await settle(actor, id, error, otherwise)
    })
    running.add(settled)
    void settled.finally(() => running.delete(settled))
    return done
  }

  /** Waits a while; longer work goes on beside. */
  const within = async (done: Promise<unknown>, ms: number): Promise<void> => {
    done.catch(() => undefined)
    await Promise.race([done, sleep(ms, undefined, { ref: false })])
  }

  const correct = createCorrections({ wall, experiments, trials, found, permit, present })

  /** Goes on with what a server left behind that was killed. */
  const resume = async (): Promise<void> => {
    for (const { id, pessoa, organizacao_id, nome, papel, varias, fechada } of await takeAbandoned(
      owner,
      LEASE_S,
    )) {
      const actor: Actor = {
        id: pessoa,
        name: nome,
        role: 'pesquisador',
        sessionId: '',
        organization: organizacao_id,
        papel: (papel ?? 'leitor') as Actor['papel'],
        closed: fechada,
        several: varias,
      }
      const handle = wall.for(actor)
      const stored = await importById(handle, id)
      if (!stored) continue
      const work =
        stored.estado === 'lendo' ? () => read(actor, id) : () => writing.write(actor, id, () => stopping)
      start(actor, id, work).catch(() => undefined)
    }
  }
  const watch = setInterval(() => void resume().catch(log), RESUME_MS)
  watch.unref()

  return {
    presented,
    permit,
    hasTemplate: async (actor: Actor, id: string) => (await templateById(wall.for(actor), id)) !== null,

    async list(actor: Actor): Promise<Import[]> {
      // It is the first thing that the page of imports asks for.
      workbooks.expect()
      const handle = wall.for(actor)
      const all = await importsOf(handle, IMPORT_DAYS)
      const names = await namesOf(handle, [...new Set(all.flatMap(({ criada_por }) => criada_por ?? []))])
      return all.map((stored) => presentImport(stored, names.get(stored.criada_por ?? '') ?? null))
    },

    /** @returns the import, and whether it is an earlier one of the same bytes */
    async create(actor: Actor, given: NewImport): Promise<{ importacao: Import; earlier: boolean }> {
      permit(actor)
      const handle = wall.for(actor)
      const sha256 = createHash('sha256').update(given.bytes).digest('hex')
      const id = uuid()
      const before = await handle.transaction().execute(async (transaction) => {
        await oneAtATime(transaction, 'importacoes', actor.organization)
        await oneAtATime(transaction, 'importacoes', actor.id)
        const same = given.again ? null : await sameBytes(transaction, sha256, IMPORT_DAYS)
        if (same !== null) return same
        const { esperando, bytes_esperando, bytes } = await ownImports(transaction)
        const more = given.bytes.length
        if (esperando >= MOST_WAITING.count || bytes_esperando + more > MOST_WAITING.bytes)
          throw problem('import.too_many')
        if (bytes + more > MOST_KEPT_BYTES) throw problem('import.too_many_kept')
        await insertImport(transaction, { ...given, id, by: actor.id, sha256, lease: LEASE_S })
        return null
      })
      if (before !== null) return { importacao: await presented(actor, before), earlier: true }
      try {
        await within(
          start(actor, id, () => read(actor, id)),
          QUICK_MS,
        )
      } catch (error) {
        // A refusal that is known at once is the answer, and leaves nothing.
        await removeImport(handle, id)
        throw error
      }
      return { importacao: await presented(actor, id), earlier: false }
    },

    /** What the columns are, as a person says; what they leave unsaid stays. */
    async map(actor: Actor, id: string, given: ImportMapping): Promise<Import> {
      permit(actor)
      const handle = wall.for(actor)
      const anew = given.codificacao !== undefined || given.separador !== undefined
      await handle.transaction().execute(async (transaction) => {
        const locked = await lockImport(transaction, id)
        if (!locked) throw problem('import.not_found')
        if (!['colunas', 'conferir', 'falhou', 'lendo'].includes(locked.estado))
          throw problem('import.written')
        const stored = await found(transaction, id)
        if (stored.cabeca === null && !anew) throw problem('import.not_read')
        const escolhas = await chosenWith(transaction, stored, given)
        await changeImport(
          transaction,
          id,
          { escolhas, lease: LEASE_S, ...(anew && { estado: 'lendo' as const }) },
          { next: true },
        )
      })
      const work = async () => {
        const planned = anew ? await read(actor, id) : await guess(actor, id, { titles: false })
        if (planned.faltam.length === 0) await understand(actor, id, planned)
        else await removeTrials(handle, id)
      }
      await within(start(actor, id, work, anew ? 'falhou' : 'colunas'), PATIENT_MS)
      return presented(actor, id)
    },

    async rows(
      actor: Actor,
      id: string,
      query: Omit<Parameters<typeof trialsPage>[2], 'after'> & { after: number },
    ): Promise<ImportRow[]> {
      const handle = wall.for(actor)
      const stored = await found(handle, id)
      return rowsOf(handle, stored, await trialsPage(handle, id, query))
    },

    correct,

    /** Begins to write; the same key again is the same request. */
    async commit(
      actor: Actor,
      id: string,
      { atualizar, so, key }: { atualizar: boolean; so: readonly number[] | null; key: string | null },
    ): Promise<Import> {
      permit(actor)
      const begun = await wall
        .for(actor)
        .transaction()
        .execute(async (transaction) => {
          const locked = await lockImport(transaction, id)
          if (!locked) throw problem('import.not_found')
          const stored = await found(transaction, id)
          if (key !== null && locked.chave === key) return false
          if (stored.estado === 'gravando') return false
          if (stored.estado !== 'conferir' && stored.estado !== 'concluida') throw problem('import.nothing')
          const gravar = { atualizar, so: so === null ? null : [...so] }
          if ((await countToWrite(transaction, id, gravar)) === 0) throw problem('import.nothing')
          await changeImport(
            transaction,
            id,
            { estado: 'gravando', gravar, chave: key, lease: LEASE_S },
            { next: true },
          )
          return true
        })
      if (begun) start(actor, id, () => writing.write(actor, id, () => stopping)).catch(() => undefined)
      return presented(actor, id)
    },

    /** @returns those that were changed since and stay */
    async turn(actor: Actor, id: string, { undo }: { undo: boolean }) {
      permit(actor)
      const handle = wall.for(actor)
      const stored = await found(handle, id)
      const until = stored.gravada_em && stored.gravada_em.getTime() + IMPORT_DAYS * 86_400_000
      if (stored.estado !== (undo ? 'concluida' : 'desfeita') || !until || until < Date.now())
        throw problem(undo ? 'import.not_written' : 'import.not_undone')
      const kept = await writing.turn(actor, id, { undo })
      await changeImport(handle, id, { estado: undo ? 'desfeita' : 'concluida' }, { next: true })
      const mantidos: { id: string; nome: string }[] = []
      for (const trial of kept) {
        const one = await experiments.get(actor, trial, handle).catch((error: unknown) => {
          if (isRefusal(error)) return null
          throw error
        })
        if (one) mantidos.push({ id: one.id, nome: one.nome })
      }
      return { importacao: await presented(actor, id), mantidos }
    },

    async remove(actor: Actor, id: string): Promise<void> {
      permit(actor)
      await wall
        .for(actor)
        .transaction()
        .execute(async (transaction) => {
          const locked = await lockImport(transaction, id)
          if (!locked) throw problem('import.not_found')
          const { gravada_em } = await found(transaction, id)
          if (gravada_em !== null || locked.estado === 'gravando') throw problem('import.written')
          await removeImport(transaction, id)
        })
    },

    /** Their own workbook, with what is wrong beside it. */
    async withProblems(actor: Actor, id: string): Promise<{ nome: string; bytes: Buffer }> {
      const handle = wall.for(actor)
      const stored = await found(handle, id)
      const bytes = await fileOf(handle, id)
      const head = stored.cabeca
      if (!bytes || !stored.plano || !head) throw problem('import.not_read')
      const byRow = new Map<string, { folha: number; linha: number; colunas: Set<number>; texts: string[] }>()
      for await (const all of problemPages(handle, id))
        for (const { folha, linha, coluna, titulo, mensagem } of all) {
          const at = folha === null ? sheetIndex(stored) : head.folhas.findIndex(({ nome }) => nome === folha)
          const key = `${at} ${linha}`
          const row = byRow.get(key) ?? { folha: at, linha, colunas: new Set(), texts: [] }
          byRow.set(key, row)
          if (coluna !== null) row.colunas.add(columnIndex(coluna))
          row.texts.push(
            coluna === null
              ? `Linha ${linha}: ${mensagem}`
              : `Linha ${linha}, coluna ${coluna} (${titulo ?? ''}): ${mensagem}`,
          )
        }
      const made = await workbooks.withProblems(bytes, {
        who: shareOf(actor),
        texto: stored.texto,
        codificacao: head.codificacao,
        separador: head.separador,
        titulos: Object.entries(stored.plano.inicio).map(([folha, from]) => ({
          folha: Number(folha),
          linha: from - 1,
        })),
        problemas: [...byRow.values()].map(({ folha, linha, colunas, texts }) => ({
          folha,
          linha,
          colunas: [...colunas],
          texto: texts.join(' · '),
        })),
      })
      return { nome: stored.nome, bytes: made }
    },

    async problems(actor: Actor, id: string) {
      const handle = wall.for(actor)
      await found(handle, id)
      const problemas = []
      for await (const all of problemPages(handle, id)) problemas.push(...all)
      return problemas
    },

    forget: () => forgetImports(owner, IMPORT_DAYS * 2),

    /** Nothing is begun any more; the batch that is being written is finished. */
    halt(): void {
      stopping = true
      clearInterval(watch)
    },

    async stop(): Promise<void> {
      stopping = true
      await Promise.allSettled([...running])
    },
  }
}
export type Imports = ReturnType<typeof createImports>

const PROBLEM_PAGE = 500
async function* problemPages(handle: Handle, id: string): AsyncGenerator<ImportProblem[]> {
  for (let after = 0; ; ) {
    const rows = await problemsAfter(handle, id, after, PROBLEM_PAGE)
    yield rows.flatMap(({ problemas }) => problemas)
    const last = rows.at(-1)
    if (!last || rows.length < PROBLEM_PAGE) return
    after = last.n
  }
}
