import type { TrialInput } from '@ensaio/statistics'
import type { PlotValue, TrialSheet } from './trial-sheet.ts'
import type { TrialVariable } from './trial-variable.ts'

/** Of a sheet, what numbers are made from. */
export type AnalysedSheet = Pick<
  TrialSheet,
  | 'delineamento'
  | 'testemunha'
  | 'fatores'
  | 'tratamentos'
  | 'variaveis'
  | 'avaliacoes'
  | 'parcelas'
  | 'valores'
  | 'exclusoes'
>

/** What the analysis sees of a plot: the mean of its sub-samples, never more than one number. */
export const plotNumber = (value: PlotValue): number | null =>
  Array.isArray(value) ? value.reduce((sum, one) => sum + one, 0) / value.length : value

/** A typed or derived column as numbers, aligned with the plots; null where it is lost or an input of it is. */
export function columnNumbers(
  sheet: AnalysedSheet,
  variavel: string,
  avaliacao: string | null,
): (number | null)[] {
  const variable = sheet.variaveis.find(({ chave }) => chave === variavel)
  if (variable?.formula) return derived(sheet, variable, avaliacao)
  const column = sheet.valores.find((one) => one.variavel === variavel && one.avaliacao === avaliacao)
  return sheet.parcelas.map((_, at) => plotNumber(column?.valores[at] ?? null))
}

function derived(
  sheet: AnalysedSheet,
  { formula }: TrialVariable,
  avaliacao: string | null,
): (number | null)[] {
  if (formula === null) return []
  if (formula.tipo === 'percentual_testemunha') {
    const of = columnNumbers(sheet, formula.de, avaliacao)
    const controls = controlByBlock(sheet, of)
    return of.map((value, at) => {
      const control = controls.get(sheet.parcelas[at]?.bloco ?? null)
      return value === null || !control ? null : (100 * value) / control
    })
  }
  const weights = columnNumbers(sheet, formula.peso, avaliacao)
  const moistures = formula.umidade === null ? null : columnNumbers(sheet, formula.umidade, avaliacao)
  return weights.map((weight, at) => {
    const area = sheet.parcelas[at]?.area_m2 ?? null
    const moisture = moistures === null ? formula.u0 : (moistures[at] ?? null)
    if (weight === null || area === null || moisture === null) return null
    return ((weight * 10_000) / area) * ((100 - moisture) / (100 - formula.u0))
  })
}

/** Mean of the control's plots in each block. */
function controlByBlock({ parcelas, testemunha }: AnalysedSheet, values: readonly (number | null)[]) {
  const sums = new Map<number | null, { sum: number; n: number }>()
  parcelas.forEach(({ tratamento, bloco }, at) => {
    const value = values[at] ?? null
    if (tratamento !== testemunha || value === null) return
    const held = sums.get(bloco) ?? { sum: 0, n: 0 }
    sums.set(bloco, { sum: held.sum + value, n: held.n + 1 })
  })
  return new Map([...sums].map(([block, { sum, n }]) => [block, sum / n]))
}

/** The dates that a variable has values on, the earliest first; null stands for none. */
export function datesOf(sheet: AnalysedSheet, variavel: string): (string | null)[] {
  const variable = sheet.variaveis.find(({ chave }) => chave === variavel)
  const formula = variable?.formula ?? null
  const from = formula === null ? variavel : formula.tipo === 'rendimento' ? formula.peso : formula.de
  const filled = new Set(
    sheet.valores
      .filter((column) => column.variavel === from && column.valores.some((value) => value !== null))
      .map(({ avaliacao }) => avaliacao),
  )
  const keys = sheet.avaliacoes.map(({ chave }) => chave)
  const days = daysOf(sheet, keys)
  // In the order of time where every date tells it; else as the sheet has them.
  const order = keys.map((_, at) => at)
  if (days.every((day) => day !== null)) order.sort((a, b) => (days[a] ?? 0) - (days[b] ?? 0))
  return [null, ...order.map((at) => keys[at] ?? null)].filter((key) => filled.has(key))
}

/** The yield of the trial, if the sheet measures it. */
export const yieldVariable = ({ variaveis }: Pick<AnalysedSheet, 'variaveis'>): TrialVariable | null =>
  variaveis.find(({ produtividade }) => produtividade) ?? null

/** Whether a person left the plot's value out, with a reason. */
export const isExcluded = (
  sheet: Pick<AnalysedSheet, 'exclusoes'>,
  plot: number,
  variavel: string,
  avaliacao: string | null,
): boolean =>
  sheet.exclusoes.some(
    (out) =>
      out.parcela === plot &&
      (out.variavel === null || out.variavel === variavel) &&
      (out.avaliacao === null || out.avaliacao === avaliacao),
  )

/**
 * Mean of the valid plots of each treatment for the yield's last date, kg/ha; null for one that lost all of them.
 * Null altogether where the sheet has no yield.
 */
export function yieldMeans(sheet: AnalysedSheet): { numero: number; produtividade: number | null }[] | null {
  const variable = yieldVariable(sheet)
  if (!variable) return null
  const date = datesOf(sheet, variable.chave).at(-1)
  if (date === undefined) return null
  const values = columnNumbers(sheet, variable.chave, date)
  const sums = new Map<number, { sum: number; n: number }>()
  sheet.parcelas.forEach(({ numero, tratamento }, at) => {
    const value = values[at] ?? null
    if (value === null || isExcluded(sheet, numero, variable.chave, date)) return
    const held = sums.get(tratamento) ?? { sum: 0, n: 0 }
    sums.set(tratamento, { sum: held.sum + value, n: held.n + 1 })
  })
  return sheet.tratamentos.map(({ numero }) => {
    const held = sums.get(numero)
    return { numero, produtividade: held ? held.sum / held.n : null }
  })
}

/** Means that were typed and those of the plots are not the same: by more than 0.5 % or 1 kg/ha. */
export const meansDiffer = (typed: number, ofPlots: number): boolean =>
  Math.abs(typed - ofPlots) > Math.max(1, 0.005 * Math.abs(typed))

/** Days of the dates, for the area under a curve: after application, else by the calendar. */
export function daysOf(sheet: AnalysedSheet, keys: readonly (string | null)[]): (number | null)[] {
  const dates = keys.map((key) => sheet.avaliacoes.find(({ chave }) => chave === key))
  if (dates.every((date) => date?.daa != null)) return dates.map((date) => date?.daa ?? null)
  return dates.map((date) => (date?.data ? Date.parse(`${date.data}T00:00:00Z`) / 86_400_000 : null))
}

const OWN_CODE = /^T\d{1,3}$/

/** What a treatment is called in an analysis: 'T3', or as the sheet numbers them itself, where it does so for all. */
export function levelsOf({ tratamentos }: Pick<AnalysedSheet, 'tratamentos'>): (numero: number) => string {
  const own = tratamentos.flatMap(({ nome }) => (nome !== null && OWN_CODE.test(nome) ? [nome] : []))
  if (new Set(own).size !== tratamentos.length) return (numero) => `T${numero}`
  const codes = new Map(tratamentos.map(({ numero, nome }) => [numero, nome ?? '']))
  return (numero) => codes.get(numero) ?? `T${numero}`
}

/** One variable of a sheet as the kernel takes it. */
export function trialInput(
  sheet: AnalysedSheet,
  {
    variavel,
    avaliacao,
    y = columnNumbers(sheet, variavel, avaliacao),
    covariavel,
    previa,
  }: {
    variavel: string
    avaliacao: string | null
    /** Values that stand in place of the column's: an area under its dates. */
    y?: (number | null)[]
    covariavel?: (number | null)[] | undefined
    previa?: (number | null)[] | undefined
  },
): TrialInput {
  const level = levelsOf(sheet)
  return {
    delineamento: sheet.delineamento,
    testemunha: sheet.testemunha,
    fatores: sheet.fatores.map(({ chave, tipo }) => ({ chave, tipo })),
    tratamentos: sheet.tratamentos.map(({ numero, niveis }) => ({
      numero,
      codigo: level(numero),
      niveis:
        niveis === null || sheet.fatores.length === 0
          ? null
          : Object.fromEntries(sheet.fatores.map(({ chave }) => [chave, niveis[chave] ?? ''])),
    })),
    parcelas: sheet.parcelas.map(({ numero, tratamento, bloco, linha, coluna, parcela_principal }) => ({
      numero,
      tratamento,
      bloco,
      linha,
      coluna,
      parcela_principal,
      excluida: isExcluded(sheet, numero, variavel, avaliacao),
    })),
    y,
    ...(covariavel && { covariavel }),
    ...(previa && { previa }),
  }
}
