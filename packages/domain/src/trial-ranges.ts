import { formatNumber } from './format.ts'
import type { PlotValue } from './trial-sheet.ts'
import type { TrialVariable } from './trial-variable.ts'

/** A level of a quantitative factor, in either notation. */
export function levelNumber(level: string): number | null {
  const bare = level.trim()
  if (!/^-?\d{1,12}([.,]\d{1,12})?$/.test(bare)) return null
  return Number(bare.replace(',', '.'))
}

/** Of a variable that holds words: characters. */
export const LONGEST_WORDS = 500

type RangedVariable = Pick<TrialVariable, 'tipo' | 'escala' | 'produtividade'>
const MOST_YIELD = 1_000_000

/** The least and the most that a variable can be; null for no end. */
export function rangeOf({ tipo, escala, produtividade }: RangedVariable): [number | null, number | null] {
  if (produtividade) return [0, MOST_YIELD]
  if (tipo === 'percentual') return [0, 100]
  if (tipo === 'contagem') return [0, null]
  return tipo === 'nota' && escala ? escala : [null, null]
}

type LimitedVariable = RangedVariable & Pick<TrialVariable, 'minimo' | 'maximo'>

/** The same with the limits that were set for the variable. */
export function limitsOf(variable: LimitedVariable): [number | null, number | null] {
  const [least, most] = rangeOf(variable)
  const { minimo = null, maximo = null } = variable
  return [narrower(least, minimo, Math.max), narrower(most, maximo, Math.min)]
}

const narrower = (a: number | null, b: number | null, choose: (...of: number[]) => number): number | null =>
  a === null ? b : b === null ? a : choose(a, b)

/** 'Valor fora do intervalo: informe de 0 a 100', or null where the value fits. */
export function outOfRange(variable: RangedVariable, value: PlotValue): string | null {
  const [least, most] = rangeOf(variable)
  const inside = (number: number) => (least === null || number >= least) && (most === null || number <= most)
  if (value === null || (Array.isArray(value) ? value.every(inside) : inside(value))) return null
  if (least !== null && most !== null)
    return `Valor fora do intervalo: informe de ${formatNumber(least)} a ${formatNumber(most)}`
  const [end, side] = least === null ? [most, 'menos'] : [least, 'mais']
  return `Valor fora do intervalo: informe ${formatNumber(end ?? 0)} ou ${side}`
}

export function limitSentence(least: number | null, most: number | null): string {
  if (least !== null && most !== null)
    return `O valor deve ficar entre ${formatNumber(least, 6)} e ${formatNumber(most, 6)}.`
  return least !== null
    ? `O valor deve ser ${formatNumber(least, 6)} ou mais.`
    : `O valor deve ser ${formatNumber(most, 6)} ou menos.`
}

/** What is wrong with a value that is typed: its variable cannot be so, or it is beyond the limits that were set. */
export function outOfLimits(variable: LimitedVariable, value: PlotValue): string | null {
  const [least, most] = limitsOf(variable)
  const inside = (number: number) => (least === null || number >= least) && (most === null || number <= most)
  const outside = outOfRange(variable, value)
  return outside ?? (value === null || [value].flat().every(inside) ? null : limitSentence(least, most))
}
