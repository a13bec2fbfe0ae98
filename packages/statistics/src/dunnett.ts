/**
 * Dunnett's two-sided comparison of several means with a control: the tail of max |T_i| (Dunnett 1955).
 *
 * When the correlations are products, ρ_ij = λ_i λ_j, the differences are independent given one normal z, and
 * P(max |X_i| > w) = ∫ φ(z) [1 - Π (1 - u_i(z))] dz, u_i = Φ(-(w - λ_i z)/d_i) + Φ(-(w + λ_i z)/d_i), d² = 1 - λ².
 * Otherwise `lattice.ts` corrects the nearest product.
 */
import { studentQuantile, studentTwoSided } from './distributions.ts'
import { latticeRatio } from './lattice.ts'
import { type FixedTail, mixedTail, scaleNodes, type Tail, tablePoints, tailTable } from './scale-mixture.ts'
import { solveTail } from './solve-tail.ts'
import { erfc } from './special.ts'

export interface DunnettTail extends Tail {
  /** By quadrature (1e-9); false: by a lattice, within 5e-4. */
  exato: boolean
}

type Correlation = ArrayLike<ArrayLike<number>>

const PANELS = 26
const WIDTH = 0.5
/** λ nearer to 1 would need ever finer quadrature; it belongs to a control with hundreds of times fewer plots. */
const LARGEST = 0.9995

const at = (r: Correlation, i: number, j: number) => r[i]?.[j] ?? 0

/**
 * λ of a correlation matrix that is a product off its diagonal; otherwise the nearest by sums.
 * Two-sided tails do not see the sign of a variable, so signs are first made those of the first row.
 */
export function productForm(r: Correlation): { lambda: number[]; exact: boolean } {
  const m = r.length
  if (m === 1) return { lambda: [0], exact: true }
  const sign = Array.from({ length: m }, (_, i) => (at(r, 0, i) < 0 ? -1 : 1))
  const rho = (i: number, j: number) => (sign[i] ?? 1) * (sign[j] ?? 1) * at(r, i, j)
  if (m === 2) {
    const lambda = Math.sqrt(Math.min(LARGEST ** 2, Math.max(0, rho(0, 1))))
    return { lambda: [lambda, lambda], exact: lambda < LARGEST }
  }
  const sums = Array.from({ length: m }, (_, i) => {
    let sum = 0
    let squares = 0
    for (let j = 0; j < m; j++) {
      if (j === i) continue
      sum += rho(i, j)
      squares += rho(i, j) ** 2
    }
    return { sum, squares }
  })
  const total = sums.reduce((sum, row) => sum + row.sum, 0)
  const lambda = sums.map(({ sum, squares }) => {
    // Σ ρ_ij ρ_ik = λ_i² Σ λ_j λ_k over the pairs j, k other than i.
    const others = total - 2 * sum
    const square = others > 1e-12 ? (sum * sum - squares) / others : 0
    return Math.sqrt(Math.min(LARGEST ** 2, Math.max(0, square)))
  })
  let worst = 0
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < i; j++) {
      worst = Math.max(worst, Math.abs(rho(i, j) - (lambda[i] ?? 0) * (lambda[j] ?? 0)))
    }
  }
  return { lambda, exact: worst < 1e-9 && lambda.every((value) => value < LARGEST) }
}

/** P(max |X_i| > w) at fixed scale for correlations λ_i λ_j, as a table. */
function productTable(lambda: readonly number[]): FixedTail {
  // Balanced trials have one λ: equal ones are computed once.
  const groups = new Map<number, number>()
  for (const value of lambda) {
    const key = [...groups.keys()].find((known) => Math.abs(known - value) < 1e-12) ?? value
    groups.set(key, (groups.get(key) ?? 0) + 1)
  }
  const terms = [...groups].map(([value, count]) => ({
    lambda: value,
    scale: Math.SQRT1_2 / Math.sqrt(1 - value * value),
    count,
  }))
  const steepest = Math.max(0.5, ...terms.map((term) => term.lambda * term.scale * Math.SQRT2))
  // What a product of m factors leaves is the narrower the more they are.
  const step = Math.min(0.25, 1 / (steepest * (2.5 + Math.log(lambda.length))))
  const most = Math.max(...lambda)
  const values = tablePoints(WIDTH, PANELS).map((w) => {
    let sum = 0
    // The integrand is even in z; far out its weight is around λ w.
    const end = Math.ceil((most * w + 8) / step)
    for (let i = 0; i <= end; i++) {
      const z = i * step
      let kept = 0
      for (const term of terms) {
        const outside =
          0.5 * (erfc((w - term.lambda * z) * term.scale) + erfc((w + term.lambda * z) * term.scale))
        kept += term.count * Math.log1p(-Math.min(1, outside))
      }
      sum -= (i === 0 ? 1 : 2) * Math.exp(-0.5 * z * z) * Math.expm1(kept)
    }
    return Math.min(1, (sum * step) / Math.sqrt(2 * Math.PI))
  })
  return tailTable(WIDTH, PANELS, values)
}

/**
 * The distribution of max |T_i| over comparisons with one control.
 * @param r correlation matrix of the differences, at least 1 x 1
 * @param df degrees of freedom of the error, fractional or Infinity
 */
export function dunnett(r: Correlation, df: number): DunnettTail {
  if (r.length === 0) throw new RangeError('No comparison with the control')
  if (r.length === 1) {
    const upper = (t: number) => (t > 0 ? studentTwoSided(t, df) : 1)
    return { exato: true, upper, lower: (t) => 1 - upper(t), quantile: (p) => -studentQuantile(p / 2, df) }
  }
  const { lambda, exact } = productForm(r)
  const product = mixedTail(productTable(lambda), scaleNodes(df, r.length > 30 ? 0.05 : 0.1))
  if (exact) return { exato: true, ...product }
  const ratio = latticeRatio(r, lambda, df)
  const upper = (t: number) => {
    if (t <= 0) return 1
    // However rough the lattice, the answer lies between one comparison and Bonferroni's bound.
    const single = studentTwoSided(t, df)
    return Math.min(1, r.length * single, Math.max(single, product.upper(t) * ratio(t)))
  }
  return {
    exato: false,
    upper,
    lower: (t) => 1 - upper(t),
    quantile: (p) => {
      if (!(p > 0 && p < 1)) throw new RangeError(`Not a probability between 0 and 1: ${p}`)
      return solveTail(upper, p, 3)
    },
  }
}
