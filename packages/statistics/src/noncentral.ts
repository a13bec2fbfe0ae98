/** Non-central t and F: the distributions that the power of a trial is read from. */
import { fUpper } from './distributions.ts'
import { mixedAt, scaleNodes } from './scale-mixture.ts'
import { erfc, logGamma } from './special.ts'

/**
 * P(T > t), T = (Z + ncp) / S with S² ~ χ²(df)/df: the mean of P(Z > t s - ncp) over s by the trapezoidal rule in ln s.
 * Absolute error below 1e-12.
 * @param df > 0, fractional or Infinity
 */
export function noncentralStudentUpper(t: number, df: number, ncp: number): number {
  if (!Number.isFinite(t) || !Number.isFinite(ncp)) {
    throw new RangeError(`No such tail: t ${t}, non-centrality ${ncp}`)
  }
  // In ln s the normal tail falls over a width of 1 / |ncp|.
  const nodes = scaleNodes(df, 0.6 / (1 + Math.abs(ncp)))
  return mixedAt(t, nodes, (ts) => 0.5 * erfc((ts - ncp) * Math.SQRT1_2))
}

/**
 * P(F > f) with non-centrality ncp >= 0: central tails with df1 + 2j degrees of freedom weighted by Poisson(ncp/2), from
 * the most likely j outwards (Johnson, Kotz & Balakrishnan 1995, ch. 30). Every term is positive.
 */
export function noncentralFUpper(f: number, df1: number, df2: number, ncp: number): number {
  if (!(ncp >= 0 && Number.isFinite(ncp))) throw new RangeError(`No such non-centrality: ${ncp}`)
  if (ncp === 0 || f <= 0) return fUpper(f, df1, df2)
  const mean = ncp / 2
  const centre = Math.floor(mean)
  // Poisson weights of a large mean are all but a normal density: every quarter of a standard deviation will do.
  const stride = Math.max(1, Math.floor(Math.sqrt(mean) / 4))
  const highest = logGamma(centre + 1)
  let sum = 0
  let weights = 0
  const add = (j: number): boolean => {
    const weight = Math.exp((j - centre) * Math.log(mean) - logGamma(j + 1) + highest)
    weights += weight
    sum += weight * fUpper((f * df1) / (df1 + 2 * j), df1 + 2 * j, df2)
    return weight > 1e-18
  }
  for (let j = centre; add(j); j += stride);
  for (let j = centre - stride; j >= 0 && add(j); j -= stride);
  return Math.min(1, sum / weights)
}
