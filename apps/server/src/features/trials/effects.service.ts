import { setTimeout as sleep } from 'node:timers/promises'
import {
  columnNumbers,
  datesOf,
  isExcluded,
  type ReportedStatistics,
  rebuildQuestionOf,
  searchable,
  type TrialSheet,
  type TrialVariable,
  trialInput,
} from '@ensaio/domain'
import {
  answerKernel,
  ENGINE,
  effectInputOfReport,
  type KeptEffects,
  packEffects,
  type TrialInput,
} from '@ensaio/statistics'
import type { Handle } from '../../database/handle.ts'
import type { Kernel } from '../../jobs/kernel.ts'
import {
  type EffectRow,
  effectsOfTrial,
  nextPending,
  noteAttempt,
  putEffects,
  reportOf,
  setEffectsAside,
  withEffects,
} from './effects.repository.ts'
import { type Informed, sheetOf } from './sheets.repository.ts'
import { plainSheet } from './yields.ts'

/** What is computed on the loop, in about a millisecond: values of plots, treatments. */
const SMALL = { values: 400, treatments: 30 }
/** A save waits no longer; the rest is done beside it. */
const PATIENCE_MS = 2_000
const BACKGROUND_PATIENCE_MS = 40_000
const MOST_ATTEMPTS = 5
const PAGE = 500

type Report = NonNullable<Awaited<ReturnType<typeof reportOf>>>
type Compute = (inputs: TrialInput[]) => Promise<(KeptEffects | null)[] | null>

/**
 * Effects of trials as syntheses read them (table `efeitos`), computed with what they rest on and in its transaction.
 * Where that takes too long the trial waits for `settle`, and counts as without an error meanwhile.
 */
export function createEffects({
  kernel,
  owner,
}: {
  kernel: Kernel
  /** Of the tables' owner, for what nobody asks for. */
  owner: Handle
}) {
  const within =
    (patienceMs: number): Compute =>
    async (inputs) => {
      if (isSmall(inputs)) return answerKernel({ kind: 'effects', inputs })
      const asked = kernel.ask({ kind: 'effects', inputs }, 'effects').catch(() => null)
      return Promise.race([asked, sleep(patienceMs, null, { ref: false })])
    }

  const keepWithin = async (handle: Handle, id: string, patienceMs: number): Promise<boolean> => {
    const rows = await rowsOf(handle, id, within(patienceMs))
    if (rows) await putEffects(handle, id, rows)
    return rows !== null
  }

  return {
    /** After a change of a trial's sheet, means or report, in its transaction. */
    async keep(handle: Handle, id: string): Promise<void> {
      if (!(await keepWithin(handle, id, PATIENCE_MS))) await setEffectsAside(handle, id)
    },

    /** Computes what waits, one trial after the other. */
    async settle(): Promise<void> {
      for (let left = true; left; )
        left = await owner.transaction().execute(async (transaction) => {
          const id = await nextPending(transaction, MOST_ATTEMPTS)
          if (id === null) return false
          if (!(await keepWithin(transaction, id, BACKGROUND_PATIENCE_MS))) await noteAttempt(transaction, id)
          return true
        })
    },
  }
}
export type Effects = ReturnType<typeof createEffects>

/** Computes the effects of all trials anew, mends those that differ, and says how many did. */
export async function mendEffects(handle: Handle): Promise<{ trials: number; wrong: number }> {
  let [trials, wrong] = [0, 0]
  const here: Compute = async (inputs) => answerKernel({ kind: 'effects', inputs })
  for (let after: string | null = null; ; ) {
    const page: string[] = await withEffects(handle, after, PAGE)
    for (const id of page) {
      trials += 1
      const rows = (await rowsOf(handle, id, here)) ?? []
      if (JSON.stringify(rows) === JSON.stringify(await effectsOfTrial(handle, id))) continue
      wrong += 1
      await handle.transaction().execute((transaction) => putEffects(transaction, id, rows))
    }
    after = page.at(-1) ?? null
    if (after === null) return { trials, wrong }
  }
}

const isSmall = (inputs: readonly TrialInput[]): boolean =>
  inputs.every(
    ({ delineamento, tratamentos }) =>
      tratamentos.length <= SMALL.treatments && delineamento !== 'PSUB' && delineamento !== 'FAIXAS',
  ) && inputs.reduce((sum, { y }) => sum + y.length, 0) <= SMALL.values

/** What is to be kept of a trial, by its variables' keys; null where it could not be computed in time. */
async function rowsOf(handle: Handle, id: string, compute: Compute): Promise<EffectRow[] | null> {
  const report = await reportOf(handle, id)
  if (!report) return []
  const stored = await sheetOf(handle, id)
  const told = reportRow(report, stored?.informadas ?? {})
  const measured = stored ? measuredIn(withoutGone(plainSheet(stored), report.tratamentos.length)) : []
  const kept = measured.length > 0 ? await compute(measured.map(({ input }) => input)) : []
  if (!kept) return null
  const rows = measured.map((one, at) => rowOf(one, kept[at] ?? null))
  const yieldAt = rows.findIndex(
    ({ produtividade, variavel }) => produtividade || variavel === told?.variavel,
  )
  if (told && yieldAt < 0) rows.push(told)
  // What the plots cannot tell the report may.
  else if (told && rows[yieldAt]?.produtividade && rows[yieldAt]?.origem === 'ausente') rows[yieldAt] = told
  return rows.sort((a, b) => (a.variavel < b.variavel ? -1 : 1))
}

const withoutGone = (sheet: TrialSheet, count: number): TrialSheet => ({
  ...sheet,
  tratamentos: sheet.tratamentos.filter(({ numero }) => numero <= count),
})

interface Measured {
  sheet: TrialSheet
  variable: TrialVariable
  input: TrialInput
  /** Mean of the valid plots by the treatment's number. */
  means: Map<number, number>
  plots: number
}

function measuredIn(sheet: TrialSheet): Measured[] {
  return sheet.variaveis
    .filter(({ papel }) => papel === 'resposta')
    .flatMap((variable) => {
      const avaliacao = datesOf(sheet, variable.chave).at(-1)
      if (avaliacao === undefined) return []
      const input = trialInput(sheet, { variavel: variable.chave, avaliacao })
      input.tratamentos = input.tratamentos.map((one) => ({ ...one, codigo: String(one.numero) }))
      const sums = new Map<number, { sum: number; n: number }>()
      const values = columnNumbers(sheet, variable.chave, avaliacao)
      sheet.parcelas.forEach(({ numero, tratamento }, at) => {
        const value = values[at] ?? null
        if (value === null || isExcluded(sheet, numero, variable.chave, avaliacao)) return
        const held = sums.get(tratamento) ?? { sum: 0, n: 0 }
        sums.set(tratamento, { sum: held.sum + value, n: held.n + 1 })
      })
      const plots = [...sums.values()].reduce((all, { n }) => all + n, 0)
      if (plots === 0) return []
      const means = new Map(
        [...sums].sort(([a], [b]) => a - b).map(([number, { sum, n }]) => [number, sum / n]),
      )
      return [{ sheet, variable, input, means, plots }]
    })
}

function rowOf({ sheet, variable, means, plots }: Measured, kept: KeptEffects | null): EffectRow {
  const known = kept?.dados.d ?? kept?.dados.t ?? kept?.dados.e
  return {
    variavel: variable.chave,
    nome: variable.nome,
    busca: searchable(variable.nome),
    produtividade: variable.produtividade,
    unidade: variable.unidade,
    umidade: variable.formula?.tipo === 'rendimento' ? variable.formula.u0 : null,
    origem: known ? 'parcelas' : 'ausente',
    testemunha: sheet.testemunha,
    n_parcelas: plots,
    repeticoes: plots / means.size,
    cv: kept?.cv ?? null,
    dados: kept?.dados ?? { n: [...means.keys()], m: [...means.values()], gl: null },
    ficha_versao: sheet.versao,
    motor: ENGINE,
  }
}

/** The yield as the report's statistics tell it; null where they tell too little. */
function reportRow({ estatistica_informada, tratamentos }: Report, informed: Informed) {
  const input = rebuildInput(estatistica_informada, tratamentos, informed)
  const effects = input && effectInputOfReport(input)
  if (!input || !effects || 'problema' in effects) return null
  const packed = packEffects({ ...effects, niveis: effects.niveis.map((_, at) => String(at + 1)) })
  if (!packed) return null
  const row: EffectRow = {
    ...{ variavel: 'produtividade', nome: 'Produtividade', busca: 'produtividade', produtividade: true },
    ...{ unidade: 'kg/ha', umidade: null, origem: 'reconstruida', testemunha: 1 },
    n_parcelas: input.repeticoes * tratamentos.length,
    repeticoes: input.repeticoes,
    cv: effects.cv ?? null,
    dados: packed,
    ficha_versao: null,
    motor: ENGINE,
  }
  return row
}

function rebuildInput(
  told: ReportedStatistics | null,
  tratamentos: readonly { produtividade: number }[],
  informed: Informed,
) {
  if (!told || told.delineamento === null || told.repeticoes === null || (told.cv ?? told.dms) === null)
    return null
  const { kernel } = rebuildQuestionOf({ estatistica_informada: told, tratamentos }, {}, informed)
  return kernel.kind === 'rebuild' ? kernel.input : null
}
