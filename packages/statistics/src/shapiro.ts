/** Normality of residuals: W of Shapiro & Wilk by Royston's approximation (1995, Remark AS R94). */
import { normalQuantile, normalUpper } from './distributions.ts'
import type { Assumptions } from './result.ts'

/** c0 + c1 x + c2 x² + ... */
function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduceRight((value, c) => value * x + c, 0)
}

/** Coefficients a of the upper half, largest order statistic first; Σ a² over both halves is 1. */
function weights(n: number): number[] {
  const half = Math.floor(n / 2)
  if (n === 3) return [Math.SQRT1_2]
  const m = Array.from({ length: half }, (_, i) => -normalQuantile((i + 1 - 0.375) / (n + 0.25)))
  const squares = 2 * m.reduce((sum, value) => sum + value * value, 0)
  const u = 1 / Math.sqrt(n)
  const root = Math.sqrt(squares)
  const [m1 = 0, m2 = 0] = m
  const a1 = m1 / root + polynomial([0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056], u)
  if (n <= 5) {
    const phi = (squares - 2 * m1 * m1) / (1 - 2 * a1 * a1)
    return m.map((value, i) => (i === 0 ? a1 : value / Math.sqrt(phi)))
  }
  const a2 = m2 / root + polynomial([0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633], u)
  const phi = (squares - 2 * m1 * m1 - 2 * m2 * m2) / (1 - 2 * a1 * a1 - 2 * a2 * a2)
  return m.map((value, i) => (i === 0 ? a1 : i === 1 ? a2 : value / Math.sqrt(phi)))
}

/** p of W, `rest` being 1 - W. */
function significance(rest: number, n: number): number {
  if (n === 3) {
    const p = (6 / Math.PI) * (Math.asin(Math.sqrt(1 - rest)) - Math.asin(Math.sqrt(0.75)))
    return Math.min(1, Math.max(0, p))
  }
  const log = Math.log(rest)
  if (n <= 11) {
    const gamma = -2.273 + 0.459 * n
    if (log >= gamma) return 0
    const mean = polynomial([0.544, -0.39978, 0.025054, -0.0006714], n)
    const sd = Math.exp(polynomial([1.3822, -0.77857, 0.062767, -0.0020322], n))
    return normalUpper((-Math.log(gamma - log) - mean) / sd)
  }
  const x = Math.log(n)
  const mean = polynomial([-1.5861, -0.31082, -0.083751, 0.0038915], x)
  const sd = Math.exp(polynomial([-0.4803, -0.082676, 0.0030302], x))
  return normalUpper((log - mean) / sd)
}

/**
 * W = (Σ a_i x_(i))² / Σ (x - x̄)² and its p.
 * @param values 3 to 5000 of them, in any unit: W has none
 */
export function shapiroWilk(values: readonly number[]): Assumptions['shapiro'] {
  const n = values.length
  if (n < 3 || n > 5000) return { motivo: 'o teste de Shapiro-Wilk pede de 3 a 5000 valores' }
  const mean = values.reduce((sum, value) => sum + value, 0) / n
  const x = values.map((value) => value - mean).sort((a, b) => a - b)
  const squares = x.reduce((sum, value) => sum + value * value, 0)
  if (!(squares > 0) || x[0] === x[n - 1]) return { motivo: 'todos os valores são iguais' }
  const top = weights(n).reduce((sum, a, i) => sum + a * ((x[n - 1 - i] ?? 0) - (x[i] ?? 0)), 0)
  const w = Math.min(1, (top * top) / squares)
  return { w, p: significance(1 - w, n), n }
}
