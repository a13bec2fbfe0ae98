import {
  type CellChange,
  type CellConflict,
  fieldProblems,
  holdsText,
  outOfRange,
  type PlotColumn,
  problem,
  type SheetAnswer,
  type TrialSheet,
  TrialSheetInput,
  yieldMeans,
} from '@ensaio/domain'
import type { Handle } from '../../database/handle.ts'
import type { Reader, Wall } from '../../database/wall.ts'
import type { Actor } from '../../http/contract-routes.ts'
import type { AccountsFeature } from '../accounts/accounts.feature.ts'
import type { Experiments } from '../experiments/experiments.service.ts'
import { type EnteredColumns, NO_PLACE } from './cell-plan.ts'
import { createCellWrites, type WordEntry } from './cell-writes.ts'
import { addChanges, openChanges, shelveConflicts } from './changes.repository.ts'
import type { Effects } from './effects.service.ts'
import { withIds } from './kept-ids.ts'
import type { QualityKeeper } from './quality.service.ts'
import { columnIds, deskChanges, withEntries } from './sheet-cells.ts'
import { sameValue, sheetChanges } from './sheet-changes.ts'
import {
  type Informed,
  isBlind,
  lastVersion,
  putColumns,
  putSheet,
  removeSheet,
  type StoredColumn,
  type StoredSheet,
  sheetOf,
  sheetWithEntries,
} from './sheets.repository.ts'
import { plainSheet } from './yields.ts'

type Exclusions = StoredSheet['corpo']['exclusoes']

/** The sheet of plots behind a trial: read, put whole, changed cell by cell. */
export function createTrials({
  wall,
  experiments,
  effects,
  quality,
  namesOf,
}: {
  wall: Wall
  experiments: Experiments
  effects: Effects
  quality: QualityKeeper
  namesOf: AccountsFeature['namesOf']
}) {
  /** @throws experiment.not_found, trial.none */
  const read = async (actor: Actor, id: string, handle: Handle = wall.for(actor)) => {
    const experiment = await experiments.get(actor, id)
    const stored = await sheetOf(handle, id)
    if (!stored) throw problem('trial.none')
    return { experiment, stored }
  }

  const present = async (stored: StoredSheet, own: boolean, handle: Handle): Promise<TrialSheet> => {
    const people = [...stored.corpo.exclusoes.map(({ quem }) => quem), stored.alterada_por]
    const names = own ? await namesOf(handle, [...new Set(people.filter((one) => one !== null))]) : new Map()
    return {
      ...plainSheet(stored),
      alterada_por: names.get(stored.alterada_por ?? '') ?? null,
      exclusoes: stored.corpo.exclusoes.map((out) => ({ ...out, quem: names.get(out.quem ?? '') ?? null })),
    }
  }

  const answer = async (stored: StoredSheet, own: boolean, handle: Handle): Promise<SheetAnswer> => ({
    ficha: await present(stored, own, handle),
    medias: (yieldMeans(plainSheet(stored)) ?? []).map(({ numero, produtividade }) => ({
      numero,
      produtividade,
      informada: stored.informadas[numero] ?? null,
    })),
  })

  /** Stores what a person made of the sheet, with all that follows from it, in the transaction that locked the trial. */
  const store = async (
    handle: Handle,
    actor: Actor,
    id: string,
    {
      before,
      sheet,
      entries,
    }: {
      before: StoredSheet | null
      sheet: TrialSheetInput
      /** As entries made them, where those are what changed. */
      entries?: EnteredColumns
    },
  ): Promise<StoredSheet> => {
    const experiment = await experiments.get(actor, id, handle)
    const { versao: _, valores, exclusoes, ...body } = sheet
    const corpo = {
      ...{ ...body, ...withIds(before?.corpo ?? null, sheet) },
      // Left out, what is stored stays.
      registro: body.registro === undefined ? before?.corpo.registro : body.registro,
      exclusoes: withAuthors(before?.corpo.exclusoes ?? [], exclusoes, actor.id),
    }
    const next: StoredSheet = {
      versao: (before?.versao ?? (await lastVersion(handle, id))) + 1,
      corpo,
      valores: entries?.columns ?? withEntries(before, corpo, valores),
      informadas: before?.informadas ?? {},
      alterada_em: new Date(),
      alterada_por: actor.id,
    }
    checkTreatments(sheet, experiment.tratamentos.length)
    const yields = meansOf(next)
    checkYields(yields)
    const known = new Set(before && meansOf(before).map(({ numero }) => numero))
    next.informadas = informed(next.informadas, { yields, known, treatments: experiment.tratamentos })
    const given = new Set(yields.map(({ numero }) => numero))
    const typed = [...known].flatMap((numero) => {
      const produtividade = given.has(numero) ? undefined : next.informadas[numero]
      return produtividade === undefined ? [] : [{ numero, produtividade }]
    })
    if (entries) {
      const touched = next.valores.flatMap((column, at) =>
        entries.touched.has(column) ? [{ ...column, ordem: at + 1 }] : [],
      )
      await putColumns(handle, id, {
        versao: next.versao,
        informadas: next.informadas,
        columns: touched,
        by: actor.id,
      })
    } else {
      const desk = deskChanges(before, next, actor.id)
      next.valores = desk.columns
      await putSheet(handle, id, { ...next, by: actor.id })
      await addChanges(handle, id, desk.changes)
    }
    await experiments.plotsChanged(handle, actor, id, {
      yields: [...yields, ...typed],
      ...sheetChanges(before, next),
    })
    await (entries
      ? effects.keepSoon(handle, id, next.valores.length * corpo.parcelas.length)
      : effects.keep(handle, id))
    if (before && !entries) await shelve(handle, id, corpo)
    // After single values, once their entries are written, too.
    if (!entries) await quality.keep(handle, id, next)
    return next
  }

  /** Values that wait for a decision in a cell that is no more cannot be decided there. */
  const shelve = (handle: Handle, id: string, corpo: StoredSheet['corpo'] | null) => {
    const ids = (of: readonly { id: string }[] | undefined) => (of ?? []).map((one) => one.id)
    return shelveConflicts(handle, id, {
      stays: {
        ...{ parcelas: ids(corpo?.parcelas), variaveis: ids(corpo?.variaveis) },
        avaliacoes: ids(corpo?.avaliacoes),
      },
      reason: NO_PLACE,
    })
  }

  const cellWrites = createCellWrites({ wall, experiments, quality, store, asInput })

  const guardPlots = async (handle: Handle, id: string, before: StoredSheet, sheet: TrialSheetInput) => {
    const seed = sheet.semente
    if (seed != null && seed !== before.corpo.semente) {
      const filled = before.valores.some(({ valores }) => valores.some((value) => value !== null))
      if (filled || (await experiments.unsentIn(handle, id)) > 0) throw problem('trial.has_values')
    }
    const stay = new Set(sheet.parcelas.map(({ numero }) => numero))
    if (before.corpo.parcelas.some(({ numero }) => !stay.has(numero))) await experiments.askUnsent(handle, id)
  }

  /** What was typed stands again. @throws trial.phones_waiting, unless it is to go even so */
  const removeIn = async (handle: Handle, actor: Actor, id: string, before: StoredSheet, evenSo = false) => {
    if (!evenSo) await experiments.askUnsent(handle, id)
    await removeSheet(handle, id)
    await shelve(handle, id, null)
    const typed = Object.entries(before.informadas)
    await experiments.plotsChanged(handle, actor, id, {
      yields: typed.map(([numero, produtividade]) => ({ numero: Number(numero), produtividade })),
      ...sheetChanges(before, null),
    })
    await effects.keep(handle, id)
    await quality.keep(handle, id)
  }

  const change = <T>(
    actor: Actor,
    id: string,
    work: (handle: Handle, before: StoredSheet | null) => Promise<T>,
  ) =>
    wall
      .for(actor)
      .transaction()
      .execute(async (transaction) => {
        await experiments.lockFor(transaction, actor, 'plots.edit', id)
        return work(transaction, await sheetWithEntries(transaction, id))
      })

  return {
    cells: cellWrites,

    async get(actor: Actor, id: string): Promise<SheetAnswer> {
      const handle = wall.for(actor)
      const { experiment, stored } = await read(actor, id, handle)
      return answer(stored, experiment.relacao === 'propria', handle)
    },

    /** The trial with its sheet as an analysis takes them. @throws experiment.not_found */
    async forAnalysis(actor: Actor, id: string) {
      const experiment = await experiments.get(actor, id)
      const handle = wall.for(actor)
      const stored = await sheetOf(handle, id)
      const open = stored ? await openChanges(handle, id, 'conflito') : []
      return {
        experiment,
        sheet: stored && withoutGone(plainSheet(stored), experiment.n_tratamentos),
        informed: stored?.informadas ?? {},
        /** Cells with values that nobody has decided between. */
        conflicts: open.map(({ parcela, variavel, avaliacao }) => ({
          parcela: stored?.corpo.parcelas.find(({ id }) => id === parcela)?.numero ?? null,
          variavel: stored?.corpo.variaveis.find(({ id }) => id === variavel)?.chave ?? null,
          avaliacao: stored?.corpo.avaliacoes.find(({ id }) => id === avaliacao)?.chave ?? null,
        })),
      }
    },

    /** The sheets of all trials that a person created, for the export of their account. */
    async *createdBy(reader: Reader) {
      const handle = wall.for(reader)
      for (const id of await experiments.idsCreatedBy(reader)) {
        const stored = await sheetOf(handle, id)
        if (stored)
          yield { experimento: id, ...plainSheet(stored), produtividade_informada: stored.informadas }
      }
    },

    /**
     * @throws trial.stale with the sheet that stands; trial.has_values where it is drawn anew, and trial.phones_waiting
     * where plots go, under what was entered or waits on phones
     */
    put: (actor: Actor, id: string, sheet: TrialSheetInput): Promise<SheetAnswer> =>
      change(actor, id, async (handle, before) => {
        if ((before?.versao ?? 0) !== sheet.versao)
          throw problem('trial.stale', {
            current: { ficha: before && (await present(before, true, handle)) },
          })
        if (before) await guardPlots(handle, id, before, sheet)
        return answer(await store(handle, actor, id, { before, sheet }), true, handle)
      }),

    /** Whether those who collect get letters in place of its treatments. */
    isBlind: async (reader: Reader, id: string): Promise<boolean> =>
      (await isBlind(wall.for(reader), id)) === true,

    /** The sheet of a trial of so many treatments as this transaction has it. */
    async sheetIn(handle: Handle, id: string, treatments: number): Promise<TrialSheet | null> {
      const stored = await sheetWithEntries(handle, id)
      return stored && withoutGone(plainSheet(stored), treatments)
    },
    /** The version of its sheet; null where it has none. */
    sheetVersion: async (handle: Handle, id: string): Promise<number | null> =>
      (await sheetOf(handle, id))?.versao ?? null,

    /**
     * Puts a sheet in this transaction, over the one that stands; null takes that away.
     * @throws trial.has_values, trial.phones_waiting as `put`
     */
    async putIn(handle: Handle, actor: Actor, id: string, sheet: TrialSheetInput | null): Promise<void> {
      await experiments.lockFor(handle, actor, 'plots.edit', id)
      const before = await sheetWithEntries(handle, id)
      if (sheet === null) {
        if (before) await removeIn(handle, actor, id, before)
        return
      }
      if (before) await guardPlots(handle, id, before, sheet)
      await store(handle, actor, id, { before, sheet })
    },

    /**
     * Cells that were read before and changed since, one by one: a phone sends them when it is back. Whoever read the
     * same value as stands, or sends the one that stands, changes nothing of anybody else.
     * @throws trial.stale with the cells that others changed first; then none is written
     */
    patch: (actor: Actor, id: string, cells: readonly CellChange[]): Promise<{ versao: number }> =>
      change(actor, id, async (handle, before) => {
        if (!before) throw problem('trial.none')
        const worded = wordsOf(before)
        const [words, numbers] = [cells.filter(worded), cells.filter((cell) => !worded(cell))]
        const { valores, conflicts, changed } = withCells(plainSheet(before), numbers)
        const told = wordChanges(before, words)
        const clashes = [...conflicts, ...told.conflicts]
        if (clashes.length > 0) throw problem('trial.stale', { current: { celulas: clashes } })
        const { n_tratamentos: count } = await experiments.get(actor, id, handle)
        const sheet = parsed({ ...withoutGone(plainSheet(before), count), valores })
        const stored = changed ? await store(handle, actor, id, { before, sheet }) : before
        if (told.entries.length === 0) return { versao: stored.versao }
        const now = changed ? ((await sheetWithEntries(handle, id)) ?? stored) : before
        await cellWrites.enterIn(handle, actor, id, { before: now, entries: told.entries })
        return { versao: now.versao + 1 }
      }),

    /** Entries that phones have said are waiting there. */
    unsent: experiments.unsent,

    /** @throws trial.phones_waiting, unless it is to go even so */
    remove: (actor: Actor, id: string, evenSo = false): Promise<void> =>
      change(actor, id, async (handle, before) => {
        if (!before) throw problem('trial.none')
        await removeIn(handle, actor, id, before, evenSo)
      }),
  }
}
export type Trials = ReturnType<typeof createTrials>
export type { CellWrite, Outcome } from './cell-plan.ts'
export type { OpenCell, TakenSheet } from './cell-writes.ts'
export type { StoredChange as KeptRow } from './changes.repository.ts'

/** Treatments that the trial has no more went away without plots: the sheet goes on without them. */
const withoutGone = (sheet: TrialSheet, count: number): TrialSheet => ({
  ...sheet,
  tratamentos: sheet.tratamentos.filter(({ numero }) => numero <= count),
})

const asInput = (before: StoredSheet, columns: StoredColumn[], count: number): TrialSheetInput => ({
  ...withoutGone(plainSheet(before), count),
  valores: columns,
})

/** The schema holds for what is made of stored parts, too. @throws validation.failed */
function parsed(sheet: unknown): TrialSheetInput {
  const result = TrialSheetInput.safeParse(sheet)
  if (!result.success) throw problem('validation.failed', { fields: fieldProblems(result.error) })
  return result.data
}

function checkTreatments({ tratamentos }: TrialSheetInput, count: number): void {
  const fields = tratamentos.flatMap(({ numero }, at) =>
    numero > count
      ? [{ path: `tratamentos.${at}.numero`, message: `O experimento não tem o tratamento T${numero}` }]
      : [],
  )
  if (fields.length > 0) throw problem('validation.failed', { fields: fields.slice(0, 100) })
}

function checkYields(yields: readonly { numero: number; produtividade: number }[]): void {
  const fields = yields.flatMap(({ numero, produtividade }) =>
    outOfRange({ tipo: 'continua', escala: null, produtividade: true }, produtividade) === null
      ? []
      : [{ path: 'valores', message: `A produtividade média de T${numero} está fora do intervalo` }],
  )
  if (fields.length > 0) throw problem('validation.failed', { fields: fields.slice(0, 1) })
}

/** Whoever left a plot out before is still who left it out. */
function withAuthors(before: Exclusions, given: TrialSheetInput['exclusoes'], by: string): Exclusions {
  const now = new Date().toISOString()
  const key = ({ parcela, variavel, avaliacao, motivo }: TrialSheetInput['exclusoes'][number]) =>
    JSON.stringify([parcela, variavel, avaliacao, motivo])
  const known = new Map(before.map((out) => [key(out), out]))
  return given.map((out) => known.get(key(out)) ?? { ...out, quem: by, quando: now })
}

/** Of the treatments that have valid plots, kg/ha. */
const meansOf = (stored: StoredSheet): { numero: number; produtividade: number }[] =>
  (yieldMeans(plainSheet(stored)) ?? []).flatMap(({ numero, produtividade }) =>
    produtividade === null ? [] : [{ numero, produtividade }],
  )

/**
 * What was typed before the plots gave it, kept where it is another. A treatment that had no plots until now has a
 * typed yield, which may be newer than what is kept.
 */
function informed(
  kept: Informed,
  {
    yields,
    known,
    treatments,
  }: {
    yields: readonly { numero: number; produtividade: number }[]
    /** Treatments whose yield was the plots' already. */
    known: ReadonlySet<number>
    treatments: readonly { produtividade: number }[]
  },
): Informed {
  const now: Informed = { ...kept }
  for (const { numero, produtividade } of yields) {
    const typed = treatments[numero - 1]?.produtividade
    if (!known.has(numero) && typed !== undefined && typed !== produtividade) now[numero] = typed
  }
  return now
}

const columnKey = ({ variavel, avaliacao }: { variavel: string; avaliacao: string | null }) =>
  `${variavel} ${avaliacao ?? ''}`

/** Whether a cell is of a variable that holds words or days. */
const wordsOf = ({ corpo }: StoredSheet) => {
  const keys = new Set(corpo.variaveis.flatMap((variable) => (holdsText(variable) ? [variable.chave] : [])))
  return ({ variavel }: { variavel: string }) => keys.has(variavel)
}

/** Words that were read before and changed since, as entries; what others changed first is a conflict. */
function wordChanges(before: StoredSheet, cells: readonly CellChange[]) {
  const columns = new Map(before.valores.map((column) => [columnKey(column), column]))
  const conflicts: CellConflict[] = []
  const entries: WordEntry[] = []
  for (const { parcela, variavel, avaliacao, valor, antes } of cells) {
    const row = before.corpo.parcelas.findIndex(({ numero }) => numero === parcela)
    const plot = before.corpo.parcelas[row]
    if (!plot) throw problem('validation.failed', noPlot(parcela))
    if (valor !== null && typeof valor !== 'string')
      throw problem('validation.failed', { fields: [{ path: 'celulas', message: 'Informe um texto' }] })
    const column = columns.get(columnKey({ variavel, avaliacao }))
    const stands = column?.textos?.[row] ?? null
    const wanted = valor === '' ? null : valor
    if (stands === wanted) continue
    if (stands !== (antes === '' ? null : antes)) {
      conflicts.push({ parcela, variavel, avaliacao, atual: stands })
      continue
    }
    const place = columnIds(before.corpo, { variavel, avaliacao })
    entries.push({ parcela: plot.id, ...place, valor: wanted, base: column?.registros[row] ?? null })
  }
  return { conflicts, entries }
}

function withCells(sheet: TrialSheet, cells: readonly CellChange[]) {
  const rows = new Map(sheet.parcelas.map(({ numero }, at) => [numero, at]))
  const columns = new Map(
    sheet.valores.map((column): [string, PlotColumn] => [
      columnKey(column),
      { ...column, valores: [...column.valores] },
    ]),
  )
  const conflicts: CellConflict[] = []
  let changed = false
  for (const { parcela, variavel, avaliacao, valor, antes } of cells) {
    const at = rows.get(parcela)
    if (at === undefined) throw problem('validation.failed', noPlot(parcela))
    const key = columnKey({ variavel, avaliacao })
    const column = columns.get(key) ?? { variavel, avaliacao, valores: sheet.parcelas.map(() => null) }
    columns.set(key, column)
    const stands = column.valores[at] ?? null
    if (typeof valor === 'string' || typeof antes === 'string')
      throw problem('validation.failed', { fields: [{ path: 'celulas', message: 'Informe um número' }] })
    if (sameValue(stands, valor)) continue
    if (sameValue(stands, antes)) {
      column.valores[at] = valor
      changed = true
    } else conflicts.push({ parcela, variavel, avaliacao, atual: stands })
  }
  return { valores: [...columns.values()], conflicts, changed }
}

const noPlot = (plot: number) => ({
  fields: [{ path: 'celulas', message: `A parcela ${plot} não existe` }],
})
