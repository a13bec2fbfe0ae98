/**
 * How much a correlation says: two-sided p-value of Pearson's r by Student's t, and Fisher's 95 % interval.
 * The incomplete beta function is evaluated by its continued fraction (Lentz's method), the gamma function by
 * Lanczos' approximation (g = 7, n = 9).
 */

const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
]

function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.abs(Math.sin(Math.PI * x))) - logGamma(1 - x)
  const z = x - 1
  const t = z + 7.5
  const sum = LANCZOS.slice(1).reduce((total, term, index) => total + term / (z + index + 1), LANCZOS[0] ?? 1)
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(sum)
}

const TINY = 1e-300

function betaFraction(x: number, a: number, b: number): number {
  let c = 1
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1))
  let value = d
  for (let m = 1; m <= 500; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / nonZero(1 + even * d)
    c = nonZero(1 + even / c)
    value *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / nonZero(1 + odd * d)
    c = nonZero(1 + odd / c)
    const factor = d * c
    value *= factor
    if (Math.abs(factor - 1) < 1e-15) break
  }
  return value
}

const nonZero = (value: number): number => (Math.abs(value) < TINY ? TINY : value)

/** Regularised incomplete beta function I_x(a, b). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x))
  return x < (a + 1) / (a + b + 2)
    ? (front * betaFraction(x, a, b)) / a
    : 1 - (front * betaFraction(1 - x, b, a)) / b
}

/** Upper tail of Student's t: the probability of exceeding `t` with `df` degrees of freedom. */
export function studentUpperTail(t: number, df: number): number {
  const tail = incompleteBeta(df / (df + t * t), df / 2, 0.5) / 2
  return t >= 0 ? tail : 1 - tail
}

const NORMAL_975 = 1.959963984540054

export type Inference = { p: number; low: number | null; high: number | null }

/** p-value of r = 0 against r != 0, and the 95 % interval of r, which needs n > 3; null below three pairs. */
export function pearsonInference(r: number, n: number): Inference | null {
  if (n < 3) return null
  if (Math.abs(r) >= 1) return { p: 0, low: r, high: r }
  const t = Math.abs(r) * Math.sqrt((n - 2) / (1 - r * r))
  const p = 2 * studentUpperTail(t, n - 2)
  if (n <= 3) return { p, low: null, high: null }
  const half = NORMAL_975 / Math.sqrt(n - 3)
  return { p, low: Math.tanh(Math.atanh(r) - half), high: Math.tanh(Math.atanh(r) + half) }
}
