/**
 * Random effects: y_i ~ N(x_i'b, v_i + τ²). τ² by REML and by moments. Sources: VIECHTBAUER (2005), KNAPP & HARTUNG
 * (2003), DERSIMONIAN & LAIRD (1986). Effects are centred before anything is squared.
 */
import { root } from './numeric.ts'

/** The part of a model that τ² is estimated against: one mean, a mean of each group, or a line. */
export interface Mean {
  /** Number of coefficients. */
  p: number
  /** Fits at weights w: fills the residuals and gives tr P and ln |X'WX|. */
  fit(w: Float64Array, residuals: Float64Array): { trace: number; logDeterminant: number }
}

/** Sums of w and w² over a class, with the weighted mean of y in it. */
interface Sums {
  w: number
  w2: number
  mean: number
}

/** A mean of each group; one group is the plain mean. `codes` 0..count-1, every group with an effect. */
export function groupMeans(y: Float64Array, codes: Int32Array, count: number): Mean {
  // The largest weight stands apart, so that tr P = [r (r + 2 m) - r2]/(r + m) keeps its digits beside it.
  const largest = new Float64Array(count)
  const rest = new Float64Array(count)
  const rest2 = new Float64Array(count)
  const wy = new Float64Array(count)
  return {
    p: count,
    fit(w, residuals) {
      for (const sums of [largest, rest, rest2, wy]) sums.fill(0)
      for (let i = 0; i < y.length; i++) {
        const g = codes[i] as number
        const weight = w[i] as number
        wy[g] = (wy[g] as number) + weight * (y[i] as number)
        const smaller = Math.min(weight, largest[g] as number)
        if (weight > (largest[g] as number)) largest[g] = weight
        rest[g] = (rest[g] as number) + smaller
        rest2[g] = (rest2[g] as number) + smaller * smaller
      }
      let trace = 0
      let logDeterminant = 0
      for (let g = 0; g < count; g++) {
        const most = largest[g] as number
        const others = rest[g] as number
        const sum = most + others
        trace += (others * (others + 2 * most) - (rest2[g] as number)) / sum
        logDeterminant += Math.log(sum)
        wy[g] = (wy[g] as number) / sum
      }
      for (let i = 0; i < y.length; i++) residuals[i] = (y[i] as number) - (wy[codes[i] as number] as number)
      return { trace, logDeterminant }
    },
  }
}

/** A straight line on one moderator; x should be centred and of size one. */
export function line(y: Float64Array, x: Float64Array): Mean & { coefficients(w: Float64Array): LineFit } {
  const coefficients = (w: Float64Array): LineFit => {
    const at = weighted(x, w)
    const my = weighted(y, w).mean
    let sxx = 0
    let sxy = 0
    for (let i = 0; i < y.length; i++) {
      const d = (x[i] as number) - at.mean
      sxx += (w[i] as number) * d * d
      sxy += (w[i] as number) * d * ((y[i] as number) - my)
    }
    return { slope: sxy / sxx, meanX: at.mean, meanY: my, w: at.w, w2: at.w2, sxx }
  }
  return {
    p: 2,
    coefficients,
    fit(w, residuals) {
      const c = coefficients(w)
      let second = 0
      for (let i = 0; i < y.length; i++) {
        const d = (x[i] as number) - c.meanX
        residuals[i] = (y[i] as number) - c.meanY - c.slope * d
        second += ((w[i] as number) * d) ** 2
      }
      // (X'WX)^-1 is diagonal about the weighted mean of x.
      return { trace: c.w - c.w2 / c.w - second / c.sxx, logDeterminant: Math.log(c.w) + Math.log(c.sxx) }
    },
  }
}

export interface LineFit {
  slope: number
  meanX: number
  meanY: number
  w: number
  w2: number
  sxx: number
}

function weighted(values: Float64Array, w: Float64Array): Sums {
  let sum = 0
  let squares = 0
  let all = 0
  for (let i = 0; i < values.length; i++) {
    const weight = w[i] as number
    sum += weight
    squares += weight * weight
    all += weight * (values[i] as number)
  }
  return { w: sum, w2: squares, mean: all / sum }
}

export function weightsAt(v: Float64Array, tau2: number, w = new Float64Array(v.length)): Float64Array {
  for (let i = 0; i < v.length; i++) w[i] = 1 / ((v[i] as number) + tau2)
  return w
}

/** Σ w e². */
export function residualSquares(w: Float64Array, residuals: Float64Array): number {
  let sum = 0
  for (let i = 0; i < w.length; i++) sum += (w[i] as number) * (residuals[i] as number) ** 2
  return sum
}

const GRID = 32

/**
 * τ² of greatest restricted likelihood, never negative. Its score is Σ w²e² - tr P (times one half); it is below zero
 * where τ⁴ > s² (τ² + max v), s² the unweighted residual variance, so every root lies below. Roots are bracketed on a grid and found to
 * the last digits; where there are several, or the border is one too, the likelihood decides.
 * @param v variances, all above 0
 */
export function remlTau2(v: Float64Array, mean: Mean): number {
  const k = v.length
  const free = k - mean.p
  if (free < 1) return 0
  const w = new Float64Array(k)
  const residuals = new Float64Array(k)
  const score = (tau2: number): number => {
    weightsAt(v, tau2, w)
    const { trace } = mean.fit(w, residuals)
    let sum = 0
    for (let i = 0; i < k; i++) sum += ((w[i] as number) * (residuals[i] as number)) ** 2
    return sum - trace
  }
  const likelihood = (tau2: number): number => {
    weightsAt(v, tau2, w)
    const { logDeterminant } = mean.fit(w, residuals)
    let logs = 0
    for (let i = 0; i < k; i++) logs += Math.log((v[i] as number) + tau2)
    return -0.5 * (logs + logDeterminant + residualSquares(w, residuals))
  }
  let widest = 0
  for (let i = 0; i < k; i++) widest = Math.max(widest, v[i] as number)
  mean.fit(w.fill(1), residuals)
  const s2 = residualSquares(w, residuals) / free
  const top = (s2 / 2 + Math.sqrt(s2 * (s2 / 4 + widest))) * (1 + 1e-9)
  const maxima: number[] = []
  let before = 0
  let above = score(0) > 0
  if (!above) maxima.push(0)
  for (let step = 1; top > 0 && step <= GRID; step++) {
    const at = top * 10 ** ((8 * (step - GRID)) / GRID)
    const positive = score(at) > 0
    if (above && !positive) maxima.push(root(score, before, at) ?? at)
    before = at
    above = positive
  }
  let best = maxima[0] ?? top
  if (maxima.length > 1) {
    const values = maxima.map(likelihood)
    best = maxima[values.indexOf(Math.max(...values))] as number
  }
  return best
}

/** Moments: τ² = (Q - (k - p)) / tr P at the weights 1/v, never negative. */
export function momentTau2(v: Float64Array, mean: Mean): number {
  const w = weightsAt(v, 0)
  const residuals = new Float64Array(v.length)
  const { trace } = mean.fit(w, residuals)
  return trace > 0 ? Math.max(0, (residualSquares(w, residuals) - (v.length - mean.p)) / trace) : 0
}
