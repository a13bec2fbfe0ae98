/**
 * Distributions of an analysis: tails and quantiles of the normal, Student's t, Snedecor's F and χ².
 * Arguments are plain numbers without a unit. A tail too small for a double is 0; a quantile of probability 0 or 1
 * is the end of the distribution (it may be infinite). Impossible arguments throw RangeError: they are errors of
 * the caller, not of the data.
 */

import { solveTail } from './solve-tail.ts'
import { erfc, gammaLower, gammaUpper, incompleteBeta } from './special.ts'

function check(value: number, df: number, df2 = 1): void {
  if (Number.isNaN(value) || !(df > 0) || !(df2 > 0)) {
    throw new RangeError(`No such distribution: value ${value}, df ${df}, ${df2}`)
  }
}

function checkProbability(p: number): void {
  if (!(p >= 0 && p <= 1)) throw new RangeError(`Not a probability: ${p}`)
}

/** P(Z > z) = erfc(z / √2) / 2 of the standard normal. */
export function normalUpper(z: number): number {
  check(z, 1)
  return 0.5 * erfc(z * Math.SQRT1_2)
}

/** P(Z <= z) of the standard normal. */
export function normalCdf(z: number): number {
  return normalUpper(-z)
}

function polynomial(coefficients: readonly number[], x: number): number {
  let value = 0
  for (let i = coefficients.length - 1; i >= 0; i--) value = value * x + (coefficients[i] ?? 0)
  return value
}

// Wichura (1988), Algorithm AS 241: the percentage points of the normal distribution; lowest power first.
const CENTRE = [
  3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987,
  67265.7709270087, 33430.57558358813, 2509.0809287301227,
]
const CENTRE_BELOW = [
  1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271,
  28729.085735721943, 5226.495278852854,
]
const SIDE = [
  1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684,
  0.2417807251774506, 0.022723844989269184, 0.0007745450142783414,
]
const SIDE_BELOW = [
  1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
  0.0005475938084995345, 1.0507500716444169e-9,
]
const END = [
  6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
  0.0012426609473880784, 2.7115555687434876e-5, 2.0103343992922881e-7,
]
const END_BELOW = [
  1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133,
  1.8463183175100548e-5, 1.421511758316446e-7, 2.0442631033899397e-15,
]

/** z with P(Z <= z) = p (Wichura 1988); p 0 and 1 give -Infinity and Infinity. */
export function normalQuantile(p: number): number {
  checkProbability(p)
  const centred = p - 0.5
  if (Math.abs(centred) <= 0.425) {
    const r = 0.180625 - centred * centred
    return (centred * polynomial(CENTRE, r)) / polynomial(CENTRE_BELOW, r)
  }
  const tail = centred < 0 ? p : 1 - p
  if (tail === 0) return centred < 0 ? -Infinity : Infinity
  const r = Math.sqrt(-Math.log(tail))
  const size =
    r <= 5
      ? polynomial(SIDE, r - 1.6) / polynomial(SIDE_BELOW, r - 1.6)
      : polynomial(END, r - 5) / polynomial(END_BELOW, r - 5)
  return centred < 0 ? -size : size
}

/** P(T > t) of Student's t; df > 0, fractional or Infinity (the normal). */
export function studentUpper(t: number, df: number): number {
  check(t, df)
  const half = studentTwoSided(t, df) / 2
  return t >= 0 ? half : 1 - half
}

/** P(|T| > |t|) = I_x(df/2, 1/2), x = df / (df + t²). */
export function studentTwoSided(t: number, df: number): number {
  check(t, df)
  if (df === Infinity) return erfc(Math.abs(t) * Math.SQRT1_2)
  return fUpper(t * t, 1, df)
}

/** P(F > f) of Snedecor's F; df1, df2 > 0, fractional, df2 may be Infinity. */
export function fUpper(f: number, df1: number, df2: number): number {
  check(f, df1, df2)
  if (f <= 0) return 1
  if (df2 === Infinity) return gammaUpper(df1 / 2, (df1 / 2) * f)
  if (f === Infinity) return 0
  const ratio = (df1 / df2) * f
  return incompleteBeta(df2 / 2, df1 / 2, 1 / (1 + ratio), 1 / (1 + 1 / ratio))
}

function fLower(f: number, df1: number, df2: number): number {
  if (f <= 0) return 0
  if (f === Infinity) return 1
  if (df2 === Infinity) return gammaLower(df1 / 2, (df1 / 2) * f)
  const ratio = (df1 / df2) * f
  return incompleteBeta(df1 / 2, df2 / 2, 1 / (1 + 1 / ratio), 1 / (1 + ratio))
}

/** P(X > x) of χ² with df > 0 degrees of freedom, fractional too. */
export function chiSquareUpper(x: number, df: number): number {
  check(x, df)
  return gammaUpper(df / 2, x / 2)
}

/** F value from whichever tail is the smaller; both are given so that neither is rounded away. */
function fInverse(lower: number, upper: number, df1: number, df2: number): number {
  if (lower <= 0) return 0
  if (upper <= 0) return Infinity
  const rising = lower < upper
  // Wilson & Hilferty (1931), enough to begin with.
  const z = rising ? normalQuantile(lower) : -normalQuantile(upper)
  const a = 2 / (9 * df1)
  const start = df2 > 3 ? Math.max(1e-3, 1 - a + z * Math.sqrt(a)) ** 3 : 1
  return rising
    ? solveTail((x) => fLower(x, df1, df2), lower, start, true)
    : solveTail((x) => fUpper(x, df1, df2), upper, start, false)
}

/** t with P(T <= t) = p; df > 0, fractional or Infinity. */
export function studentQuantile(p: number, df: number): number {
  checkProbability(p)
  check(0, df)
  if (df === Infinity) return normalQuantile(p)
  const tail = p < 0.5 ? p : 1 - p
  const size = Math.sqrt(fInverse(1 - 2 * tail, 2 * tail, 1, df))
  return p < 0.5 ? -size : size
}

/** f with P(F <= f) = p; degrees of freedom as in fUpper. */
export function fQuantile(p: number, df1: number, df2: number): number {
  checkProbability(p)
  check(0, df1, df2)
  return fInverse(p, 1 - p, df1, df2)
}

/** x with P(X <= x) = p of χ² with df > 0 degrees of freedom, fractional too. */
export function chiSquareQuantile(p: number, df: number): number {
  checkProbability(p)
  check(0, df)
  return df * fInverse(p, 1 - p, df, Infinity)
}
