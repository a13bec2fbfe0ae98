/**
 * The studentised range: Q = (largest - smallest of k normal means) / S. Tukey's, SNK's and Duncan's tests rest on it
 * (Tukey 1949; Duncan 1955; Kramer 1956).
 *
 * At fixed scale P(range > w) = k ∫ φ(z) [Φ(z)^(k-1) - (Φ(z) - Φ(z-w))^(k-1)] dz, z the largest: written as a
 * difference it keeps its digits where 1 - cdf has none. Over z the trapezoidal rule, over S `scaleNodes`.
 */
import { studentQuantile, studentTwoSided } from './distributions.ts'
import {
  type FixedTail,
  mixedAt,
  mixedTail,
  type ScaleNodes,
  scaleNodes,
  type Tail,
  tablePoints,
  tailTable,
} from './scale-mixture.ts'
import { erfc } from './special.ts'

const FIRST = -6.6
/** Beyond a range of 17 the tail at fixed scale is below 1e-28 for a thousand means. */
const PANELS = 34
const WIDTH = 0.5
/** Of more means the largest has a narrower density, and Duncan's test reaches lower tails that 1 - upper has lost. */
const MANY = 100

const cdf = (z: number) => 0.5 * erfc(-z * Math.SQRT1_2)

/** Values of the largest mean with their distribution and weight. */
function lattice(step: number) {
  const z = Float64Array.from({ length: 24 / step }, (_, i) => FIRST + i * step)
  return {
    step,
    z,
    cdf: z.map(cdf),
    weight: z.map((x) => (step / Math.sqrt(2 * Math.PI)) * Math.exp(-0.5 * x * x)),
  }
}

type Lattice = ReturnType<typeof lattice>

const COARSE = lattice(0.2)
const FINE = lattice(0.1)

/** How many values of the largest matter for a range w: the integrand is centred at w / 2. */
function reach(w: number, { step, z }: Lattice): number {
  return Math.min(z.length, Math.ceil((Math.max(8.6, w / 2 + 6.6) - FIRST) / step))
}

function fixedUpper(w: number, k: number): number {
  if (w <= 0) return 1
  if (w >= PANELS * WIDTH) return 0
  const at = k > MANY ? FINE : COARSE
  let sum = 0
  for (let i = 0, end = reach(w, at); i < end; i++) {
    const all = at.cdf[i] ?? 0
    const below = cdf((at.z[i] ?? 0) - w)
    // all^(k-1) - (all - below)^(k-1)
    const lost = below >= all ? 1 : -Math.expm1((k - 1) * Math.log1p(-below / all))
    sum += (at.weight[i] ?? 0) * all ** (k - 1) * lost
  }
  return Math.min(1, k * sum)
}

/** From so many means on the range rises so steeply that few degrees of freedom, too, need small steps in ln s. */
const STEEP = 50

function nodesOf(k: number, df: number): ScaleNodes {
  return scaleNodes(df, k > STEEP ? 0.05 : 0.1)
}

function check(q: number, k: number): void {
  if (Number.isNaN(q) || !Number.isInteger(k) || k < 2) throw new RangeError(`No such range: q ${q}, k ${k}`)
}

/**
 * P(Q > q) by quadrature, 1e-9 relative down to 1e-12 and absolute below.
 * @param k means, an integer >= 2
 * @param df degrees of freedom of the error, fractional or Infinity
 */
export function studentizedRangeUpper(q: number, k: number, df: number): number {
  check(q, k)
  if (q <= 0) return 1
  // The range of two means is |difference| = √2 |t|.
  if (k === 2) return studentTwoSided(q * Math.SQRT1_2, df)
  return mixedAt(q, nodesOf(k, df), (w) => fixedUpper(w, k))
}

interface Table {
  above: FixedTail
  below?: FixedTail
}

/** Tables of the ranges of kFrom..kTo means at fixed scale. */
function build(kFrom: number, kTo: number, at: Lattice): Table[] {
  const points = tablePoints(WIDTH, PANELS)
  const zeros = () => new Float64Array(points.length)
  const above = Array.from({ length: kTo + 1 }, zeros)
  const below = Array.from({ length: kTo + 1 }, zeros)
  const sumsAbove = new Float64Array(kTo + 1)
  const sumsBelow = new Float64Array(kTo + 1)
  points.forEach((w, point) => {
    sumsAbove.fill(0)
    sumsBelow.fill(0)
    for (let i = 0, end = reach(w, at); i < end; i++) {
      const all = at.cdf[i] ?? 0
      const outside = cdf((at.z[i] ?? 0) - w)
      const within = all - outside
      // all^(k-1) - within^(k-1) for every k in turn, by sums of positive terms only.
      let power = (at.weight[i] ?? 0) * within
      let difference = (at.weight[i] ?? 0) * outside
      for (let k = 2; k <= kTo; k++) {
        sumsAbove[k] = (sumsAbove[k] ?? 0) + difference
        sumsBelow[k] = (sumsBelow[k] ?? 0) + power
        difference = all * difference + power * outside
        power *= within
      }
    }
    for (let k = kFrom; k <= kTo; k++) {
      const [up, down] = [above[k], below[k]]
      if (up) up[point] = Math.min(1, k * (sumsAbove[k] ?? 0))
      if (down) down[point] = Math.min(1, k * (sumsBelow[k] ?? 0))
    }
  })
  return above.slice(kFrom).map((row, n) => ({
    above: tailTable(WIDTH, PANELS, row),
    ...(kFrom > MANY ? { below: tailTable(WIDTH, PANELS, below[kFrom + n] ?? []) } : {}),
  }))
}

/**
 * The largest tables built so far, for 0..k means (0 and 1 are never asked). They depend on no data and not on the k
 * they were built for, so that keeping them changes no answer.
 */
let tables: Table[] = []

function tablesUpTo(kMax: number): Table[] {
  if (tables.length <= Math.min(kMax, MANY)) tables = build(0, Math.min(kMax, MANY), COARSE)
  if (tables.length <= kMax) tables = [...tables.slice(0, MANY + 1), ...build(MANY + 1, kMax, FINE)]
  return tables
}

function evaluator(k: number, df: number, nodes: ScaleNodes, table: Table | undefined): Tail {
  if (k > 2 && table) return mixedTail(table.above, nodes, table.below)
  const upper = (q: number) => (q > 0 ? studentTwoSided(q * Math.SQRT1_2, df) : 1)
  return {
    upper,
    lower: (q) => 1 - upper(q),
    quantile: (p) => {
      if (!(p > 0 && p < 1)) throw new RangeError(`Not a probability between 0 and 1: ${p}`)
      return -Math.SQRT2 * studentQuantile(p / 2, df)
    },
  }
}

/**
 * The studentised ranges of 2, 3, ... kMax means with one error: element k is that of k means (0 and 1 are those of
 * 2, as no range has fewer). Some microseconds a tail, 1e-9 relative.
 */
export function studentizedRanges(kMax: number, df: number): Tail[] {
  check(0, kMax)
  const [few, many] = [nodesOf(2, df), nodesOf(kMax, df)]
  const built = tablesUpTo(kMax)
  return Array.from({ length: kMax + 1 }, (_, k) =>
    evaluator(Math.max(2, k), df, k > STEEP ? many : few, built[k]),
  )
}

/** Fast tail and quantile of the studentised range of k means. */
export function studentizedRange(k: number, df: number): Tail {
  check(0, k)
  return evaluator(k, df, nodesOf(k, df), k === 2 ? undefined : tablesUpTo(k)[k])
}

/** q with P(Q > q) = pUpper, 0 < pUpper < 1; arguments as in studentizedRangeUpper. */
export function studentizedRangeQuantile(pUpper: number, k: number, df: number): number {
  return studentizedRange(k, df).quantile(pUpper)
}
