import {
  addScaled,
  at,
  backSolve,
  cholesky,
  dot,
  forwardSolve,
  inverseOfGram,
  type Matrix,
  meanOf,
  multiplyVector,
  type Qr,
  qrPivoted,
  row,
  sandwich,
  sumOfSquares,
  zeros,
} from './linear-algebra.ts'

/**
 * Least squares for y = cell + terms + error, where the cells (treatments) are absorbed and the other terms (blocks,
 * rows, columns, covariable) are eliminated by QR of their part within cells. Terms are coded by sum contrasts, or
 * centred, so that the cell's parameter is its adjusted mean with equal weights over every other factor (SEARLE;
 * SPEED; MILLIKEN, 1980) and a Wald statistic of it is the type III one.
 */

export interface Term {
  fonte: string
  /** Sum contrasts of a factor, or one centred covariable. */
  columns: Float64Array[]
}

export interface Fit {
  n: number
  k: number
  counts: Float64Array
  /** Adjusted means of the cells, in the unit of y. */
  means: Float64Array
  /** Their covariance divided by the error variance. */
  unscaled: Matrix
  /** Only the diagonal of `unscaled` is not zero. */
  diagonal: boolean
  centre: number
  rss: number
  gl: number
  fitted: Float64Array
  residuals: Float64Array
  total: { gl: number; sq: number }
  terms: { fonte: string; gl: number; sq: number; coefficients: Float64Array; unscaled: Matrix }[]
  /** What is left of a vector after the model. */
  residualise(v: ArrayLike<number>): Float64Array
}

/** Cells that cannot be compared with the rest, by index; `aliased` when a term is confounded but the cells are not. */
export interface Disconnected {
  cells: number[]
  aliased: string[]
}

/** Sum contrasts of a factor given by level codes 0..levels-1: +1, and -1 at the last level. */
export function sumContrasts(codes: ArrayLike<number>, levels: number): Float64Array[] {
  return Array.from({ length: Math.max(0, levels - 1) }, (_, j) =>
    Float64Array.from({ length: codes.length }, (_, i) => {
      const code = codes[i] as number
      return code === j ? 1 : code === levels - 1 ? -1 : 0
    }),
  )
}

/** The values of a covariable less their mean. */
export function centred(values: ArrayLike<number>): Float64Array {
  const centre = meanOf(values)
  return Float64Array.from(values, (value) => value - centre)
}

/**
 * Fits the model. `cell` holds the cell of each plot, 0..k-1, each with at least one plot. With `allowAliased` the
 * dependent columns are dropped (residuals and fitted values only are meaningful then).
 */
export function fitModel(
  y: Float64Array,
  cell: ArrayLike<number>,
  k: number,
  terms: readonly Term[],
  allowAliased = false,
): Fit | Disconnected {
  const n = y.length
  const counts = new Float64Array(k)
  for (let i = 0; i < n; i++) counts[cell[i] as number] = (counts[cell[i] as number] as number) + 1
  const centre = meanOf(y)
  const yc = Float64Array.from(y, (value) => value - centre)
  const within = (v: ArrayLike<number>): { means: Float64Array; rest: Float64Array } => {
    const means = cellMeans(v, cell, counts)
    return { means, rest: Float64Array.from(v, (value, i) => value - (means[cell[i] as number] as number)) }
  }
  const ySplit = within(yc)
  const columns = terms.flatMap((term) => term.columns)
  const owner = terms.flatMap((term, t) => term.columns.map(() => t))
  const split = columns.map(within)
  const lengths = columns.map((c) => Math.sqrt(dot(c, c)))
  const qr = qrPivoted(
    split.map((s) => s.rest),
    n,
    lengths,
  )
  if (qr.rank < columns.length && !allowAliased) return disconnected(qr, split, owner, terms, k)

  const qty = qr.qt(ySplit.rest)
  const solved = backSolve(qr, qty)
  const gamma = new Float64Array(columns.length)
  for (let j = 0; j < qr.rank; j++) gamma[qr.pivot[j] as number] = solved[j] as number
  for (let j = 0; j < qr.rank; j++) qty[j] = 0
  const residuals = qr.q(qty)
  const means = Float64Array.from(ySplit.means)
  split.forEach((s, j) => {
    addScaled(means, -(gamma[j] as number), s.means)
  })
  const { unscaled, diagonal, w } = covariance(qr, split, counts, columns.length)
  let start = 0
  const tests = terms.map((term) => {
    const size = term.columns.length
    const index = Array.from({ length: size }, (_, j) => start + j)
    start += size
    const coefficients = Float64Array.from(index, (j) => gamma[j] as number)
    const block = index.map((i) => Float64Array.from(index, (j) => at(w, i, j)))
    const factor = size > 0 ? cholesky(block) : []
    const half = factor ? forwardSolve(factor, coefficients) : new Float64Array()
    return { fonte: term.fonte, gl: size, sq: dot(half, half), coefficients, unscaled: block }
  })
  return {
    n,
    k,
    counts,
    means: means.map((value) => value + centre),
    unscaled,
    diagonal,
    centre,
    rss: dot(residuals, residuals),
    gl: n - k - qr.rank,
    fitted: Float64Array.from(y, (value, i) => value - (residuals[i] as number)),
    residuals,
    total: { gl: n - 1, sq: sumOfSquares(y) },
    terms: tests,
    residualise(v) {
      const c = meanOf(v)
      const rest = qr.qt(within(Float64Array.from(v, (value) => value - c)).rest)
      for (let j = 0; j < qr.rank; j++) rest[j] = 0
      return qr.q(rest)
    },
  }
}

export function isFit(value: Fit | Disconnected): value is Fit {
  return 'rss' in value
}

export function cellMeans(v: ArrayLike<number>, cell: ArrayLike<number>, counts: Float64Array): Float64Array {
  const sums = new Float64Array(counts.length)
  for (let i = 0; i < v.length; i++) {
    sums[cell[i] as number] = (sums[cell[i] as number] as number) + (v[i] as number)
  }
  return sums.map((sum, c) => sum / (counts[c] as number))
}

interface Split {
  means: Float64Array
  rest: Float64Array
}

/** D^-1 + G W G', G the cell means of the terms' columns and W the inverse of their cross-products within cells. */
function covariance(
  qr: Qr,
  split: readonly Split[],
  counts: Float64Array,
  p: number,
): { unscaled: Matrix; diagonal: boolean; w: Matrix } {
  const k = counts.length
  const inverse = inverseOfGram(qr)
  const w = zeros(p, p)
  for (let i = 0; i < qr.rank; i++) {
    for (let j = 0; j < qr.rank; j++) row(w, qr.pivot[i] as number)[qr.pivot[j] as number] = at(inverse, i, j)
  }
  const g = Array.from({ length: k }, (_, c) => Float64Array.from(split, (s) => s.means[c] as number))
  const diagonal = g.every((r) => r.every((value) => value === 0))
  const unscaled = diagonal ? zeros(k, k) : sandwich(g, w)
  for (let c = 0; c < k; c++) row(unscaled, c)[c] = at(unscaled, c, c) + 1 / (counts[c] as number)
  return { unscaled, diagonal, w }
}

/**
 * Which cells part: a null vector z of the within-cell columns moves each cell by its mean of Nz, so cells that it moves
 * alike can be compared and others cannot. The largest class is kept; the others are named.
 */
function disconnected(
  qr: Qr,
  split: readonly Split[],
  owner: readonly number[],
  terms: readonly Term[],
  k: number,
): Disconnected {
  const keys: string[] = Array.from({ length: k }, () => '')
  const aliased = new Set<string>()
  for (let j = qr.rank; j < split.length; j++) {
    const z = new Float64Array(split.length)
    const solved = backSolve(qr, qr.r[j] as Float64Array)
    z[qr.pivot[j] as number] = 1
    for (let i = 0; i < qr.rank; i++) z[qr.pivot[i] as number] = -(solved[i] as number)
    aliased.add((terms[owner[qr.pivot[j] as number] as number] as Term).fonte)
    for (let c = 0; c < k; c++) {
      let shift = 0
      split.forEach((s, i) => {
        shift += (z[i] as number) * (s.means[c] as number)
      })
      keys[c] += `${Math.round(shift * 1e6)};`
    }
  }
  const classes = new Map<string, number[]>()
  keys.forEach((key, c) => {
    const list = classes.get(key)
    if (list) list.push(c)
    else classes.set(key, [c])
  })
  let largest: number[] = []
  for (const list of classes.values()) if (list.length > largest.length) largest = list
  const kept = new Set(largest)
  return {
    cells: Array.from({ length: k }, (_, c) => c).filter((c) => !kept.has(c)),
    aliased: [...aliased],
  }
}

/**
 * Wald sum of squares of L m = 0, with m's covariance `unscaled` times the error variance: (Lm)'(L U L')^-1 (Lm).
 * Null when the rows of L depend on each other.
 */
export function waldSquares(
  l: readonly Float64Array[],
  m: ArrayLike<number>,
  unscaled: readonly Float64Array[],
): number | null {
  // The centre leaves a contrast as it was and keeps its digits.
  const c = meanOf(m)
  const lm = multiplyVector(
    l,
    Float64Array.from(m, (value) => value - c),
  )
  const factor = cholesky(sandwich(l, unscaled), 1e-12)
  if (!factor) return null
  const half = forwardSolve(factor, lm)
  return dot(half, half)
}

/** Sum of squares of 'all means are equal', with means' covariance U times the error variance. */
export function homogeneitySquares(m: ArrayLike<number>, unscaled: readonly Float64Array[]): number | null {
  const k = m.length
  if (k < 2) return 0
  let diagonal = true
  for (let i = 0; i < k && diagonal; i++) {
    for (let j = 0; j < i && diagonal; j++) diagonal = at(unscaled, i, j) === 0
  }
  if (diagonal) {
    let weights = 0
    let sum = 0
    const c = meanOf(m)
    for (let i = 0; i < k; i++) {
      const w = 1 / at(unscaled, i, i)
      weights += w
      sum += w * ((m[i] as number) - c)
    }
    const centre = sum / weights
    let sq = 0
    for (let i = 0; i < k; i++) sq += ((m[i] as number) - c - centre) ** 2 / at(unscaled, i, i)
    return sq
  }
  const last = k - 1
  const d = Float64Array.from({ length: last }, (_, i) => (m[i] as number) - (m[last] as number))
  const v = zeros(last, last)
  for (let i = 0; i < last; i++) {
    for (let j = 0; j < last; j++) {
      row(v, i)[j] =
        at(unscaled, i, j) - at(unscaled, i, last) - at(unscaled, last, j) + at(unscaled, last, last)
    }
  }
  const factor = cholesky(v, 1e-12)
  if (!factor) return null
  const half = forwardSolve(factor, d)
  return dot(half, half)
}

/** How much of v'v columns explain that were projected off the model (`lengths`: theirs before), and their rank. */
export function explainedBy(
  columns: readonly Float64Array[],
  lengths: ArrayLike<number>,
  v: Float64Array,
): { rank: number; explained: number } {
  const qr = qrPivoted(columns, v.length, lengths)
  const qtv = qr.qt(v)
  let explained = 0
  for (let j = 0; j < qr.rank; j++) explained += (qtv[j] as number) ** 2
  return { rank: qr.rank, explained }
}
