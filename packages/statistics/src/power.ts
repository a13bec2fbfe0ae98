/** Planning a trial: what a number of repetitions would see, and what a finished trial could have seen. */
import { fQuantile, studentQuantile } from './distributions.ts'
import { noncentralFUpper, noncentralStudentUpper } from './noncentral.ts'

export interface PowerInput {
  delineamento: 'DIC' | 'DBC'
  /** Treatments, at least 2. */
  tratamentos: number
  /** Coefficient of variation, %. */
  cv: number
  /** Difference between two means to be seen, % of the mean. */
  diferenca: number
  alfa: number
}

export interface PowerRow {
  /** Repetitions. */
  r: number
  gl: number
  /** Of the F test when two of the k means differ and the others lie halfway between: the least favourable case. */
  poder_f: number
  /** Of the two-sided t of one pair. */
  poder_t: number
  /** Difference that the t of one pair sees with 80 % power, % of the mean. */
  dif_detectavel_80: number
}

export interface PowerTable {
  linhas: PowerRow[]
  /** The fewest repetitions whose `poder_t` reaches 0.8, or null. */
  sugerido: number | null
}

const WANTED = 0.8

/** P(|T| > critical) of a non-central t. */
function pairPower(critical: number, gl: number, ncp: number): number {
  return noncentralStudentUpper(critical, gl, ncp) + noncentralStudentUpper(critical, gl, -ncp)
}

/** The non-centrality that gives the power: the power rises with it, so a bracket and false position (Illinois). */
function wantedNoncentrality(critical: number, gl: number, power: number): number {
  let low = 0
  let lowMiss = -power
  let high = critical + 2
  let highMiss = pairPower(critical, gl, high) - power
  while (highMiss < 0) {
    low = high
    lowMiss = highMiss
    high *= 1.5
    highMiss = pairPower(critical, gl, high) - power
  }
  let side = 0
  for (let step = 0; step < 100 && high - low > 1e-13 * high; step++) {
    const at = (low * highMiss - high * lowMiss) / (highMiss - lowMiss)
    const miss = pairPower(critical, gl, at) - power
    if (Math.abs(miss) < 1e-14) return at
    if (miss > 0) {
      high = at
      highMiss = miss
      if (side === 1) lowMiss /= 2
      side = 1
    } else {
      low = at
      lowMiss = miss
      if (side === -1) highMiss /= 2
      side = -1
    }
  }
  return (low + high) / 2
}

/**
 * Difference between two means that the two-sided t would see with a given power: δ √(2 qm / r), δ the non-centrality.
 * To be shown after an analysis; it does not look at the differences found.
 * @param r repetitions of a mean, or their harmonic mean
 * @param qm residual mean square; the answer is in its square root's unit
 * @returns null without an error to measure by
 */
export function detectableDifference(input: {
  gl: number
  qm: number
  r: number
  alfa: number
  poder?: number
}): number | null {
  const { gl, qm, r, alfa, poder = WANTED } = input
  if (!(gl > 0) || !(qm > 0) || !(r > 0)) return null
  if (!(alfa > 0 && poder > alfa && poder < 1)) throw new RangeError(`No such power: ${poder} at ${alfa}`)
  return wantedNoncentrality(studentQuantile(1 - alfa / 2, gl), gl, poder) * Math.sqrt((2 * qm) / r)
}

/**
 * Power for r = 2..20 repetitions. d = difference / CV; F: λ = r d²/2, gl (k-1, gl); t: δ = d √(r/2).
 * @throws RangeError for fewer than two treatments, or a cv, difference or alfa that is none
 */
export function powerTable(input: PowerInput): PowerTable {
  const { delineamento, tratamentos: k, cv, diferenca, alfa } = input
  if (!(Number.isInteger(k) && k >= 2 && cv > 0 && diferenca > 0 && alfa > 0 && alfa < 1)) {
    throw new RangeError('No such trial to plan')
  }
  const d = diferenca / cv
  const linhas = Array.from({ length: 19 }, (_, i): PowerRow => {
    const r = i + 2
    const gl = delineamento === 'DIC' ? k * (r - 1) : (k - 1) * (r - 1)
    const critical = studentQuantile(1 - alfa / 2, gl)
    return {
      r,
      gl,
      poder_f: noncentralFUpper(fQuantile(1 - alfa, k - 1, gl), k - 1, gl, (r * d * d) / 2),
      poder_t: Math.min(1, pairPower(critical, gl, d * Math.sqrt(r / 2))),
      dif_detectavel_80: detectableDifference({ gl, qm: cv * cv, r, alfa }) ?? 0,
    }
  })
  return { linhas, sugerido: linhas.find((row) => row.poder_t >= WANTED)?.r ?? null }
}
