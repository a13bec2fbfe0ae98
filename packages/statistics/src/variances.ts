/** Equality of variances between treatments. Groups are one array of values per treatment, in any one unit. */
import { chiSquareUpper, fUpper } from './distributions.ts'
import type { Assumptions } from './result.ts'

/** Number, mean and Σ (y - mean)²; a sum of squares that is nothing but rounding counts as 0. */
export function spread(values: readonly number[]): { n: number; mean: number; squares: number } {
  const n = values.length
  const first = values[0] ?? 0
  // Centred before anything is squared: 1e8 with a standard deviation of 1 keeps its digits.
  const shift = values.reduce((sum, value) => sum + (value - first), 0) / Math.max(1, n)
  let squares = 0
  let largest = 0
  for (const value of values) {
    squares += (value - first - shift) ** 2
    largest = Math.max(largest, Math.abs(value))
  }
  const rounding = n * (4e-16 * largest) ** 2
  return { n, mean: first + shift, squares: squares > rounding ? squares : 0 }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}

/**
 * Levene's test centred on the median (Brown & Forsythe 1974): the F of a one-way analysis of |y - median|.
 * Groups without values are passed over.
 */
export function brownForsythe(groups: readonly (readonly number[])[]): Assumptions['levene'] {
  const filled = groups.filter((group) => group.length > 0)
  const k = filled.length
  const total = filled.reduce((sum, group) => sum + group.length, 0)
  if (k < 2 || total <= k) return { motivo: 'o teste de Levene pede repetições em mais de um tratamento' }
  const largest = Math.max(
    ...filled.map((group) => group.reduce((most, y) => Math.max(most, Math.abs(y)), 0)),
  )
  const deviations = filled.map((group) => {
    const centre = median(group)
    return group.map((y) => Math.abs(y - centre))
  })
  const spreads = deviations.map(spread)
  const within = spreads.reduce((sum, { squares }) => sum + squares, 0)
  // With two plots each, both lie equally far from their median: nothing is left to compare with.
  if (within <= 16 * total * (4e-16 * largest) ** 2) {
    return { motivo: 'os desvios em relação à mediana não variam dentro dos tratamentos' }
  }
  const mean = spreads.reduce((sum, group) => sum + group.n * group.mean, 0) / total
  const between = spreads.reduce((sum, group) => sum + group.n * (group.mean - mean) ** 2, 0)
  const [gl1, gl2] = [k - 1, total - k]
  const f = between / gl1 / (within / gl2)
  return { f, gl1, gl2, p: fUpper(f, gl1, gl2) }
}

/**
 * Bartlett (1937): K² = [(N-k) ln s² - Σ (nᵢ-1) ln sᵢ²] / C against χ² with k - 1 degrees of freedom, s² pooled,
 * C = 1 + [Σ 1/(nᵢ-1) - 1/(N-k)] / (3 (k-1)). Only when every group has two values and some variance.
 */
export function bartlett(groups: readonly (readonly number[])[]): Assumptions['bartlett'] {
  const spreads = groups.map(spread)
  if (groups.length < 2 || spreads.some(({ n }) => n < 2)) {
    return { motivo: 'o teste de Bartlett pede repetições em todos os tratamentos' }
  }
  if (spreads.some(({ squares }) => squares === 0)) {
    return { motivo: 'há tratamento sem variação entre as parcelas' }
  }
  return bartlettOf(spreads.map(({ n, squares }) => ({ gl: n - 1, squares })))
}

/** The same of variances given by their sums of squares and degrees of freedom. */
export function bartlettOf(variances: readonly { gl: number; squares: number }[]): Assumptions['bartlett'] {
  const k = variances.length
  if (variances.some(({ squares }) => !(squares > 0))) {
    return { motivo: 'há ensaio sem variação entre as parcelas' }
  }
  const free = variances.reduce((sum, { gl }) => sum + gl, 0)
  const pooled = variances.reduce((sum, { squares }) => sum + squares, 0) / free
  let departure = 0
  let inverse = -1 / free
  for (const { gl, squares } of variances) {
    departure -= gl * Math.log(squares / gl / pooled)
    inverse += 1 / gl
  }
  const k2 = Math.max(0, departure) / (1 + inverse / (3 * (k - 1)))
  return { k2, gl: k - 1, p: chiSquareUpper(k2, k - 1) }
}
