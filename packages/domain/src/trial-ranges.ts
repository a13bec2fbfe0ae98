import { formatNumber } from './format.ts'
import type { PlotValue, TrialVariable } from './trial-sheet.ts'

/** A level of a quantitative factor, in either notation. */
export function levelNumber(level: string): number | null {
  const bare = level.trim()
  if (!/^-?\d{1,12}([.,]\d{1,12})?$/.test(bare)) return null
  return Number(bare.replace(',', '.'))
}

type RangedVariable = Pick<TrialVariable, 'tipo' | 'escala' | 'produtividade'>
const MOST_YIELD = 1_000_000

/** The least and the most that a variable can be; null for no end. */
export function rangeOf({ tipo, escala, produtividade }: RangedVariable): [number | null, number | null] {
  if (produtividade) return [0, MOST_YIELD]
  if (tipo === 'percentual') return [0, 100]
  if (tipo === 'contagem') return [0, null]
  return tipo === 'nota' && escala ? escala : [null, null]
}

/** 'Valor fora do intervalo: informe de 0 a 100', or null where the value fits. */
export function outOfRange(variable: RangedVariable, value: PlotValue): string | null {
  const [least, most] = rangeOf(variable)
  const inside = (number: number) => (least === null || number >= least) && (most === null || number <= most)
  if (value === null || (Array.isArray(value) ? value.every(inside) : inside(value))) return null
  if (least !== null && most !== null)
    return `Valor fora do intervalo: informe de ${formatNumber(least)} a ${formatNumber(most)}`
  return `Valor fora do intervalo: informe ${least === null ? '' : `${formatNumber(least)} ou mais`}`
}
