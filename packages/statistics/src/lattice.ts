/**
 * Multivariate t probabilities of a box by a fixed lattice (Genz & Bretz 2002; Richtmyer's generators, tent
 * transformation). No random numbers: the same matrix gives the same bytes.
 *
 * What is estimated is not the tail itself but its ratio to that of a product correlation near it, known by quadrature,
 * with the same points for both: the error they share cancels.
 */
import { normalQuantile, studentQuantile } from './distributions.ts'
import { scaleNodes } from './scale-mixture.ts'
import { erfc } from './special.ts'

type Correlation = ArrayLike<ArrayLike<number>>

const NODES = 12
/** t = SPREAD x / (1 - x): half the nodes lie where t decides. */
const SPREAD = 3

const cdf = (z: number) => 0.5 * erfc(-z * Math.SQRT1_2)

/** Lower triangle with L L' = R, row by row; a dependent variable gets a zero pivot. */
function cholesky(size: number, r: (i: number, j: number) => number): Float64Array[] {
  const l = Array.from({ length: size }, (_, i) => new Float64Array(i + 1))
  for (let i = 0; i < size; i++) {
    const row = l[i] ?? new Float64Array(0)
    for (let j = 0; j <= i; j++) {
      const other = l[j] ?? row
      let sum = r(i, j)
      for (let k = 0; k < j; k++) sum -= (row[k] ?? 0) * (other[k] ?? 0)
      if (j === i) row[j] = Math.sqrt(Math.max(0, sum))
      else row[j] = (other[j] ?? 0) > 1e-9 ? sum / (other[j] ?? 1) : 0
    }
  }
  return l
}

/** Fractional parts of the square roots of the first primes. */
function generators(count: number): number[] {
  const primes: number[] = []
  for (let n = 2; primes.length < count; n++) {
    if (primes.every((p) => p * p > n || n % p !== 0)) primes.push(n)
  }
  return primes.map((p) => Math.sqrt(p) % 1)
}

/** s with P(S <= s) = u for every u asked, by the mean of the trapezoidal density of ln S on a fine grid. */
function scaleQuantiles(df: number, us: readonly number[]): number[] {
  if (df === Infinity) return us.map(() => 1)
  const { scale, weight } = scaleNodes(df)
  const order = Array.from(scale, (_, i) => i).sort((i, j) => (scale[i] ?? 0) - (scale[j] ?? 0))
  const logs = order.map((i) => Math.log(scale[i] ?? 1))
  const density = order.map((i) => Math.log(weight[i] ?? 0))
  // Between two nodes ln(density) is all but a parabola: 32 pieces by quadratic interpolation.
  const v: number[] = []
  const cumulated: number[] = []
  let sum = 0
  for (let i = 1; i + 1 < logs.length; i++) {
    const [before = 0, now = 0, after = 0] = density.slice(i - 1, i + 2)
    const step = (logs[i + 1] ?? 0) - (logs[i] ?? 0)
    for (let piece = 0; piece < 32; piece++) {
      const x = (piece + 0.5) / 32 - 0.5
      sum += Math.exp(now + (x * (after - before)) / 2 + (x * x * (after - 2 * now + before)) / 2) / 32
      v.push((logs[i] ?? 0) + ((piece + 1) / 32 - 0.5) * step)
      cumulated.push(sum)
    }
  }
  return us.map((u) => {
    const goal = u * sum
    let low = 0
    let high = cumulated.length - 1
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((cumulated[middle] ?? 0) < goal) low = middle
      else high = middle
    }
    const [below = 0, above = 0] = [cumulated[low], cumulated[high]]
    const part = above > below ? Math.min(1, Math.max(0, (goal - below) / (above - below))) : 0
    return Math.exp((v[low] ?? 0) + part * ((v[high] ?? 0) - (v[low] ?? 0)))
  })
}

/** P(all |X_i| <= w) of one lattice point: variables in turn, each within what the earlier ones leave. */
function boxAt(l: readonly Float64Array[], w: number, point: Float64Array, x: Float64Array): number {
  let product = 1
  for (let i = 0; i < l.length; i++) {
    const row = l[i] ?? point
    let centre = 0
    for (let k = 0; k < i; k++) centre += (row[k] ?? 0) * (x[k] ?? 0)
    const pivot = row[i] ?? 0
    if (pivot < 1e-9) {
      // Wholly given by the earlier ones.
      if (Math.abs(centre) > w) return 0
      x[i] = 0
      continue
    }
    const low = cdf((-w - centre) / pivot)
    const high = cdf((w - centre) / pivot)
    if (!(high > low)) return 0
    product *= high - low
    const u = low + (point[i] ?? 0.5) * (high - low)
    x[i] = u > 0 && u < 1 ? normalQuantile(u) : Math.sign(u - 0.5) * 8
  }
  return product
}

/**
 * P(max |T| > t) of correlation r over that of the product λ_i λ_j, as a function of t > 0.
 * Interpolated in t: the ratio is smooth and near 1.
 */
export function latticeRatio(r: Correlation, lambda: readonly number[], df: number): (t: number) => number {
  const m = lambda.length
  const points = Math.max(256, Math.min(512, Math.ceil(16000 / m)))
  const alpha = generators(m + 1)
  const lattice = Array.from({ length: points }, (_, n) =>
    Float64Array.from({ length: m }, (_, j) => Math.abs(2 * (((n + 1) * (alpha[j + 1] ?? 0)) % 1) - 1)),
  )
  const scales = scaleQuantiles(
    df,
    lattice.map((_, n) => (n + 0.5) / points),
  )
  // A sign that the product form has lost is put back: the tails are two-sided.
  const sign = Array.from({ length: m }, (_, i) => ((r[0]?.[i] ?? 0) < 0 ? -1 : 1))
  const real = cholesky(m, (i, j) => (sign[i] ?? 1) * (sign[j] ?? 1) * (r[i]?.[j] ?? 0))
  const near = cholesky(m, (i, j) => (i === j ? 1 : (lambda[i] ?? 0) * (lambda[j] ?? 0)))
  const work = new Float64Array(m)
  // Farther out the tail is below 0.004 and few points decide: the ratio keeps the value it has here.
  const farthest = -studentQuantile(2e-3 / m, df)
  const end = farthest / (farthest + SPREAD)
  const nodes = Array.from(
    { length: NODES },
    (_, i) => end * (0.5 - 0.5 * Math.cos((Math.PI * (i + 0.5)) / NODES)),
  )
  const values = nodes.map((x) => {
    const t = (SPREAD * x) / (1 - x)
    let above = 0
    let aboveNear = 0
    lattice.forEach((point, n) => {
      const w = t * (scales[n] ?? 1)
      above += 1 - boxAt(real, w, point, work)
      aboveNear += 1 - boxAt(near, w, point, work)
    })
    return aboveNear > 0 ? above / aboveNear : 1
  })
  // Barycentric interpolation on Chebyshev nodes (Berrut & Trefethen 2004).
  const weights = nodes.map((_, i) => (i % 2 === 0 ? 1 : -1) * Math.sin((Math.PI * (i + 0.5)) / NODES))
  return (t) => {
    const x = Math.min(end, t / (t + SPREAD))
    let top = 0
    let bottom = 0
    for (let i = 0; i < NODES; i++) {
      const apart = x - (nodes[i] ?? 0)
      if (Math.abs(apart) < 1e-14) return values[i] ?? 1
      const weight = (weights[i] ?? 0) / apart
      top += weight * (values[i] ?? 1)
      bottom += weight
    }
    return Math.min(1.5, Math.max(0.5, top / bottom))
  }
}
