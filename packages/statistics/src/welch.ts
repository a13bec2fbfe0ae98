/** Means of treatments whose variances differ: Welch's F and Games and Howell's pairs. */
import { fUpper } from './distributions.ts'
import { lettersOfPairs } from './letters.ts'
import type { Absent, Welch } from './result.ts'
import { studentizedRange } from './studentized-range.ts'
import { spread } from './variances.ts'

/**
 * F of Welch (1951), w = n/s²: F = [Σ w (m - m̃)²/(k-1)] / [1 + 2 (k-2) A/(k²-1)], gl2 = (k²-1)/(3A),
 * A = Σ (1 - w/Σw)²/(n-1). Pairs by Games & Howell (1976): the studentised range of k means at
 * q = √2 |difference| / √(s²/n + s²/n) with Welch-Satterthwaite degrees of freedom.
 * @param niveis names, aligned with `groups`, one array of values per treatment
 * @param alfa level of the letters; without it there are none
 */
export function welchTest(
  niveis: readonly string[],
  groups: readonly (readonly number[])[],
  alfa?: number,
): Welch | Absent {
  const k = groups.length
  const spreads = groups.map(spread)
  if (k < 2 || spreads.some(({ n }) => n < 2)) {
    return { motivo: 'o teste de Welch pede repetições em todos os tratamentos' }
  }
  if (spreads.some(({ squares }) => squares === 0)) {
    return { motivo: 'há tratamento sem variação entre as parcelas' }
  }
  const rows = spreads.map(({ n, mean, squares }) => ({ n, mean, error: squares / (n - 1) / n }))
  const weight = rows.reduce((sum, row) => sum + 1 / row.error, 0)
  const first = rows[0]?.mean ?? 0
  const centre = first + rows.reduce((sum, row) => sum + (row.mean - first) / row.error, 0) / weight
  const a = rows.reduce((sum, row) => sum + (1 - 1 / (row.error * weight)) ** 2 / (row.n - 1), 0)
  const between = rows.reduce((sum, row) => sum + (row.mean - centre) ** 2 / row.error, 0) / (k - 1)
  const f = between / (1 + (2 * (k - 2) * a) / (k * k - 1))
  const gl2 = (k * k - 1) / (3 * a)
  const pares: Welch['pares'] = []
  rows.forEach((x, i) => {
    rows.slice(i + 1).forEach((y, next) => {
      const error = x.error + y.error
      const gl = (error * error) / (x.error ** 2 / (x.n - 1) + y.error ** 2 / (y.n - 1))
      const diferenca = x.mean - y.mean
      const q = (Math.SQRT2 * Math.abs(diferenca)) / Math.sqrt(error)
      pares.push({
        a: niveis[i] ?? '',
        b: niveis[i + 1 + next] ?? '',
        diferenca,
        gl,
        p: studentizedRange(k, gl).upper(q),
      })
    })
  })
  const answer: Welch = { f, gl1: k - 1, gl2, p: fUpper(f, k - 1, gl2), pares }
  if (alfa !== undefined) {
    const means = rows.map((row) => row.mean)
    answer.letras = lettersOfPairs(
      niveis,
      means,
      pares.map((pair) => pair.p),
      alfa,
    )
  }
  return answer
}
