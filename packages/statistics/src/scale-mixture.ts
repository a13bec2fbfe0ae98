/**
 * Ratios X / S whose denominator is an independent error estimate, S² ~ χ²(df) / df: the studentised range, Dunnett's
 * maximum. Their tail is a mean of the tail of X at fixed scale, P(X > q s), over s.
 */
import { solveTail } from './solve-tail.ts'
import { stirlingError } from './special.ts'

/** Upper tail of one distribution and its inverse. */
export interface Tail {
  /** P(X > x); x < 0 counts as 0. */
  upper(x: number): number
  /** P(X <= x). */
  lower(x: number): number
  /** x with P(X > x) = p, 0 < p < 1; `rest` is 1 - p where the caller knows it better. */
  quantile(p: number, rest?: number): number
}

export interface ScaleNodes {
  scale: Float64Array
  weight: Float64Array
}

/**
 * Nodes s and weights w of a mean over S: trapezoidal rule in ln s, exponentially convergent since the integrand is
 * analytic and dies at both ends (Trefethen & Weideman 2014, The exponentially convergent trapezoidal rule).
 * Density of v = ln S: √(df/π) e^-δ(df/2) exp(-(df/2) (e^2v - 1 - 2v)), δ the error of Stirling's formula.
 * @param df > 0, fractional, or Infinity (one node, s = 1)
 * @param finest longest step in ln s, for what changes faster than the ranges do
 */
export function scaleNodes(df: number, finest = 0.1): ScaleNodes {
  if (!(df > 0)) throw new RangeError(`No such degrees of freedom: ${df}`)
  if (df === Infinity) return { scale: Float64Array.of(1), weight: Float64Array.of(1) }
  const step = Math.min(finest, 0.1, 0.7 / Math.sqrt(2 * df))
  const constant = step * Math.sqrt(df / Math.PI) * Math.exp(-stirlingError(df / 2))
  const scale: number[] = []
  const weight: number[] = []
  const add = (v: number): boolean => {
    const exponent = (df / 2) * (Math.expm1(2 * v) - 2 * v)
    if (exponent > 50) return false
    scale.push(Math.exp(v))
    weight.push(constant * Math.exp(-exponent))
    return true
  }
  for (let i = 0; add(i * step); i++);
  for (let i = -1; add(i * step); i--);
  return { scale: Float64Array.from(scale), weight: Float64Array.from(weight) }
}

/** P(X / S > q) from the tail of X at fixed scale, or any other mean over S. */
export function mixedAt(q: number, nodes: ScaleNodes, fixed: FixedTail): number {
  let sum = 0
  for (let i = 0; i < nodes.scale.length; i++) {
    sum += (nodes.weight[i] ?? 0) * fixed(q * (nodes.scale[i] ?? 0))
  }
  return Math.min(1, sum)
}

/** Points in a panel of the table. */
const ORDER = 16
const POINTS = Array.from({ length: ORDER }, (_, i) => Math.cos((Math.PI * (i + 0.5)) / ORDER))
/** Values at the points to coefficients of Chebyshev polynomials (discrete cosine transform). */
const TRANSFORM = POINTS.map((_, j) =>
  POINTS.map((_, i) => ((j === 0 ? 1 : 2) / ORDER) * Math.cos((Math.PI * j * (i + 0.5)) / ORDER)),
)

/** A tail at fixed scale, of w >= 0. */
export type FixedTail = (w: number) => number

/** Where a table of `panels` panels must know its tail. */
export function tablePoints(width: number, panels: number): Float64Array {
  const at = new Float64Array(panels * ORDER)
  for (let i = 0; i < at.length; i++) {
    at[i] = (Math.floor(i / ORDER) + 0.5 + 0.5 * (POINTS[i % ORDER] ?? 0)) * width
  }
  return at
}

/**
 * A fast tail over w = 0..panels * width: its logarithm piecewise in Chebyshev polynomials. 0 beyond.
 * @param values the tail at each of `tablePoints(width, panels)`
 */
export function tailTable(width: number, panels: number, values: ArrayLike<number>): FixedTail {
  const c = new Float64Array(panels * ORDER)
  const logs = new Float64Array(ORDER)
  for (let first = 0; first < c.length; first += ORDER) {
    for (let i = 0; i < ORDER; i++) logs[i] = Math.log(Math.max(1e-300, values[first + i] ?? 0))
    for (let j = 0; j < ORDER; j++) {
      let sum = 0
      for (let i = 0; i < ORDER; i++) sum += (TRANSFORM[j]?.[i] ?? 0) * (logs[i] ?? 0)
      c[first + j] = sum
    }
  }
  return (w) => {
    const place = w / width
    const panel = Math.floor(place)
    if (panel >= panels) return 0
    const x = 4 * (place - panel) - 2
    const first = panel * ORDER
    // Clenshaw's recurrence.
    let later = 0
    let last = 0
    for (let j = ORDER - 1; j > 0; j--) {
      const now = (c[first + j] ?? 0) + x * last - later
      later = last
      last = now
    }
    return Math.exp((c[first] ?? 0) + 0.5 * x * last - later)
  }
}

/**
 * The tail of X / S from that of X at fixed scale.
 * @param below P(X <= w), for those whose lower tail matters where the upper one is all but 1
 */
export function mixedTail(above: FixedTail, nodes: ScaleNodes, below?: FixedTail): Tail {
  const upper = (x: number) => (x > 0 ? mixedAt(x, nodes, above) : 1)
  const lower = below ? (x: number) => (x > 0 ? mixedAt(x, nodes, below) : 0) : (x: number) => 1 - upper(x)
  return {
    upper,
    lower,
    quantile: (p, rest = 1 - p) => {
      if (!(p > 0 && rest > 0)) throw new RangeError(`Not a probability between 0 and 1: ${p}`)
      return below && rest < 0.5 ? solveTail(lower, rest, 3, true) : solveTail(upper, p, 3)
    },
  }
}
