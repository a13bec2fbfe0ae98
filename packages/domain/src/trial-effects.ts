import type * as Statistics from '@ensaio/statistics'
import type { KeptEffects, StoredEffects, TrialInput } from '@ensaio/statistics'
import { rebuildQuestionOf } from './analysis-question.ts'
import { searchable } from './format.ts'
import type { ReportedStatistics } from './reported-statistics.ts'
import type { TrialSheet } from './trial-sheet.ts'
import { columnNumbers, datesOf, isExcluded, trialInput } from './trial-values.ts'
import type { TrialVariable } from './trial-variable.ts'

/** What a synthesis reads of one variable of a trial. */
export interface EffectRow {
  variavel: string
  nome: string
  busca: string
  produtividade: boolean
  unidade: string
  umidade: number | null
  origem: 'parcelas' | 'reconstruida' | 'ausente'
  testemunha: number | null
  n_parcelas: number
  repeticoes: number | null
  cv: number | null
  dados: StoredEffects
  ficha_versao: number | null
  motor: string
}

/** What the effects of a trial rest on. */
export interface EffectSource {
  ficha: TrialSheet | null
  estatistica_informada: ReportedStatistics | null
  tratamentos: readonly { produtividade: number }[]
  /** Means as the report has them, where plots have given others since: kg/ha by the treatment's number. */
  informadas: Readonly<Record<string, number>>
}

/** The kernel's functions that effects of a report are made with; the domain knows their shapes alone. */
export type EffectsKernel = Pick<typeof Statistics, 'effectInputOfReport' | 'packEffects' | 'ENGINE'>

export interface MeasuredVariable {
  sheet: TrialSheet
  variable: TrialVariable
  /** The question `effects` that the kernel answers. */
  input: TrialInput
  /** Mean of the valid plots by the treatment's number. */
  means: Map<number, number>
  plots: number
}

/** Variables of the plots that have values, each at its last date. */
export const measuredVariables = ({ ficha, tratamentos }: EffectSource): MeasuredVariable[] =>
  ficha ? measuredIn(withoutGone(ficha, tratamentos.length)) : []

/** What is kept of a trial, by its variables' keys; `kept` answers the inputs of `measured`, in their order. */
export function effectRows(
  source: EffectSource,
  {
    measured,
    kept,
    kernel,
  }: {
    measured: readonly MeasuredVariable[]
    kept: readonly (KeptEffects | null)[]
    kernel: EffectsKernel
  },
): EffectRow[] {
  const told = reportRow(source, kernel)
  const rows = measured.map((one, at) => rowOf(one, kept[at] ?? null, kernel))
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

function measuredIn(sheet: TrialSheet): MeasuredVariable[] {
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

function rowOf(
  { sheet, variable, means, plots }: MeasuredVariable,
  kept: KeptEffects | null,
  { ENGINE }: EffectsKernel,
): EffectRow {
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
function reportRow(
  { estatistica_informada, tratamentos, informadas }: EffectSource,
  { effectInputOfReport, packEffects, ENGINE }: EffectsKernel,
): EffectRow | null {
  const input = rebuildInput(estatistica_informada, tratamentos, informadas)
  const effects = input && effectInputOfReport(input)
  if (!input || !effects || 'problema' in effects) return null
  const packed = packEffects({ ...effects, niveis: effects.niveis.map((_, at) => String(at + 1)) })
  if (!packed) return null
  return {
    ...{ variavel: 'produtividade', nome: 'Produtividade', busca: 'produtividade', produtividade: true },
    ...{ unidade: 'kg/ha', umidade: null, origem: 'reconstruida', testemunha: 1 },
    n_parcelas: input.repeticoes * tratamentos.length,
    repeticoes: input.repeticoes,
    cv: effects.cv ?? null,
    dados: packed,
    ficha_versao: null,
    motor: ENGINE,
  }
}

function rebuildInput(
  told: ReportedStatistics | null,
  tratamentos: readonly { produtividade: number }[],
  informed: EffectSource['informadas'],
) {
  if (!told || told.delineamento === null || told.repeticoes === null || (told.cv ?? told.dms) === null)
    return null
  const { kernel } = rebuildQuestionOf({ estatistica_informada: told, tratamentos }, {}, informed)
  return kernel.kind === 'rebuild' ? kernel.input : null
}
