/**
 * Dense linear algebra on Float64Array, small enough to read. A matrix is an array of rows, or of columns where a
 * name says so. Sources: GOLUB, G. H.; VAN LOAN, C. F. Matrix computations. 4. ed. 2013 (Householder QR with column
 * pivoting, Cholesky, Jacobi).
 */

export type Matrix = Float64Array[]

export function zeros(rows: number, columns: number): Matrix {
  return Array.from({ length: rows }, () => new Float64Array(columns))
}

/** Element of a matrix that is known to be there. */
export function at(m: readonly Float64Array[], i: number, j: number): number {
  return (m[i] as Float64Array)[j] as number
}

export function row(m: readonly Float64Array[], i: number): Float64Array {
  return m[i] as Float64Array
}

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number)
  return sum
}

/** y += factor * x, in place. */
export function addScaled(y: Float64Array, factor: number, x: ArrayLike<number>): void {
  for (let i = 0; i < y.length; i++) y[i] = (y[i] as number) + factor * (x[i] as number)
}

/** Mean in two passes: the second removes what rounding left in the first. */
export function meanOf(values: ArrayLike<number>): number {
  if (values.length === 0) return 0
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i] as number
  const first = sum / values.length
  let rest = 0
  for (let i = 0; i < values.length; i++) rest += (values[i] as number) - first
  return first + rest / values.length
}

/** Sum of squares about the mean. */
export function sumOfSquares(values: ArrayLike<number>): number {
  const centre = meanOf(values)
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += ((values[i] as number) - centre) ** 2
  return sum
}

export function multiplyVector(m: readonly Float64Array[], v: ArrayLike<number>): Float64Array {
  return Float64Array.from(m, (r) => dot(r, v))
}

/** L V L' for L given by rows. */
export function sandwich(l: readonly Float64Array[], v: readonly Float64Array[]): Matrix {
  const size = l.length
  const lv = l.map((r) => {
    const out = new Float64Array(v.length)
    for (let i = 0; i < r.length; i++) {
      const factor = r[i] as number
      if (factor !== 0) addScaled(out, factor, row(v, i))
    }
    return out
  })
  const out = zeros(size, size)
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      const value = dot(row(lv, i), row(l, j))
      row(out, i)[j] = value
      row(out, j)[i] = value
    }
  }
  return out
}

export interface Qr {
  /** Number of columns that are independent, by tolerance. */
  rank: number
  /** pivot[j] is the original column in place j. */
  pivot: Int32Array
  /** Upper triangle by columns in pivoted order: r[j][i], i <= j. */
  r: Float64Array[]
  /** Q'v, as long as v: the first `rank` places are the part explained. */
  qt(v: ArrayLike<number>): Float64Array
  /** Qv. */
  q(v: ArrayLike<number>): Float64Array
}

/**
 * Householder QR with column pivoting of an n x p matrix given by columns. A column whose remainder is below
 * `tolerance` of its length (or of `lengths`, when the columns were projected before) depends on those before it.
 */
export function qrPivoted(
  columns: readonly Float64Array[],
  n: number,
  lengths?: ArrayLike<number>,
  tolerance = 1e-9,
): Qr {
  const p = columns.length
  const a = columns.map((c) => Float64Array.from(c))
  const pivot = Int32Array.from({ length: p }, (_, j) => j)
  const left = Float64Array.from(a, (c) => dot(c, c))
  const scale = Float64Array.from(left, (square, j) => (lengths ? (lengths[j] as number) : Math.sqrt(square)))
  const betas: number[] = []
  // The diagonal of R stands where the reflector begins, so it is kept beside the columns.
  const diagonals: number[] = []
  const limit = Math.min(n, p)
  let rank = 0
  for (let step = 0; step < limit; step++) {
    let best = -1
    let bestShare = tolerance * tolerance
    for (let j = step; j < p; j++) {
      const s = scale[j] as number
      // A length whose square falls out of range is none.
      const share = s > 1e-145 ? (left[j] as number) / (s * s) : 0
      if (share > bestShare * (1 + 1e-12)) {
        best = j
        bestShare = share
      }
    }
    if (best < 0) break
    swap(a, pivot, scale, left, step, best)
    const column = a[step] as Float64Array
    let norm = 0
    for (let i = step; i < n; i++) norm += (column[i] as number) ** 2
    norm = Math.sqrt(norm)
    if (norm <= tolerance * (scale[step] as number)) break
    const alpha = (column[step] as number) > 0 ? -norm : norm
    const head = (column[step] as number) - alpha
    const beta = -1 / (alpha * head)
    column[step] = head
    for (let j = step + 1; j < p; j++) {
      const other = a[j] as Float64Array
      let sum = 0
      for (let i = step; i < n; i++) sum += (column[i] as number) * (other[i] as number)
      sum *= beta
      if (sum !== 0)
        for (let i = step; i < n; i++) other[i] = (other[i] as number) - sum * (column[i] as number)
      // Down-dating loses digits after many steps: the length that is left is summed again when it has shrunk.
      const next = (left[j] as number) - (other[step] as number) ** 2
      if (next > 1e-6 * (scale[j] as number) ** 2) left[j] = next
      else {
        let again = 0
        for (let i = step + 1; i < n; i++) again += (other[i] as number) ** 2
        left[j] = again
      }
    }
    betas.push(beta)
    diagonals.push(alpha)
    rank++
  }
  const reflectors = a.slice(0, rank)
  const r = a.map((c, j) => {
    const out = new Float64Array(Math.min(rank, j + 1))
    for (let i = 0; i < out.length; i++)
      out[i] = i === j && j < rank ? (diagonals[j] as number) : (c[i] as number)
    return out
  })
  const reflect = (v: Float64Array, j: number): void => {
    const c = reflectors[j] as Float64Array
    let sum = 0
    for (let i = j; i < n; i++) sum += (c[i] as number) * (v[i] as number)
    sum *= betas[j] as number
    for (let i = j; i < n; i++) v[i] = (v[i] as number) - sum * (c[i] as number)
  }
  return {
    rank,
    pivot,
    r,
    qt(v) {
      const out = Float64Array.from(v)
      for (let j = 0; j < rank; j++) reflect(out, j)
      return out
    },
    q(v) {
      const out = new Float64Array(n)
      for (let i = 0; i < Math.min(n, v.length); i++) out[i] = v[i] as number
      for (let j = rank - 1; j >= 0; j--) reflect(out, j)
      return out
    },
  }
}

function swap(
  a: Float64Array[],
  pivot: Int32Array,
  scale: Float64Array,
  left: Float64Array,
  i: number,
  j: number,
): void {
  if (i === j) return
  const column = a[i] as Float64Array
  a[i] = a[j] as Float64Array
  a[j] = column
  for (const list of [pivot, scale, left]) {
    const kept = list[i] as number
    list[i] = list[j] as number
    list[j] = kept
  }
}

/** Solves R x = b for the leading rank x rank triangle. */
export function backSolve(qr: Qr, b: ArrayLike<number>): Float64Array {
  const x = new Float64Array(qr.rank)
  for (let i = 0; i < qr.rank; i++) x[i] = b[i] as number
  for (let j = qr.rank - 1; j >= 0; j--) {
    const column = qr.r[j] as Float64Array
    const value = (x[j] as number) / (column[j] as number)
    x[j] = value
    for (let i = 0; i < j; i++) x[i] = (x[i] as number) - value * (column[i] as number)
  }
  return x
}

/** (R'R)^-1 in pivoted order. */
export function inverseOfGram(qr: Qr): Matrix {
  const size = qr.rank
  const inverse = Array.from({ length: size }, (_, j) => {
    const unit = new Float64Array(size)
    unit[j] = 1
    return backSolve(qr, unit)
  })
  const out = zeros(size, size)
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0
      for (let c = i; c < size; c++) sum += at(inverse, c, i) * at(inverse, c, j)
      row(out, i)[j] = sum
      row(out, j)[i] = sum
    }
  }
  return out
}

/** Lower Cholesky factor of a symmetric positive definite matrix; null when a pivot falls below `tolerance` of its diagonal. */
export function cholesky(m: readonly Float64Array[], tolerance = 1e-13): Matrix | null {
  const size = m.length
  const l = zeros(size, size)
  for (let i = 0; i < size; i++) {
    const li = row(l, i)
    for (let j = 0; j <= i; j++) {
      const lj = row(l, j)
      let sum = at(m, i, j)
      for (let c = 0; c < j; c++) sum -= (li[c] as number) * (lj[c] as number)
      if (i === j) {
        if (!(sum > tolerance * Math.abs(at(m, i, i))) || sum <= 0) return null
        li[i] = Math.sqrt(sum)
      } else li[j] = sum / (lj[j] as number)
    }
  }
  return l
}

/** L^-1 b. */
export function forwardSolve(l: readonly Float64Array[], b: ArrayLike<number>): Float64Array {
  const x = Float64Array.from(b)
  for (let i = 0; i < l.length; i++) {
    const li = row(l, i)
    let sum = x[i] as number
    for (let j = 0; j < i; j++) sum -= (li[j] as number) * (x[j] as number)
    x[i] = sum / (li[i] as number)
  }
  return x
}

/** (L L')^-1 b. */
export function choleskySolve(l: readonly Float64Array[], b: ArrayLike<number>): Float64Array {
  const x = forwardSolve(l, b)
  for (let i = l.length - 1; i >= 0; i--) {
    const value = (x[i] as number) / at(l, i, i)
    x[i] = value
    const li = row(l, i)
    for (let j = 0; j < i; j++) x[j] = (x[j] as number) - value * (li[j] as number)
  }
  return x
}

/** Inverse of a symmetric positive definite matrix from its Cholesky factor. */
export function choleskyInverse(l: readonly Float64Array[]): Matrix {
  return l.map((_, j) => {
    const unit = new Float64Array(l.length)
    unit[j] = 1
    return choleskySolve(l, unit)
  })
}

/** Eigenvalues and vectors (rows of `vectors`) of a symmetric matrix, by cyclic Jacobi rotations. */
export function symmetricEigen(m: readonly Float64Array[]): { values: Float64Array; vectors: Matrix } {
  const size = m.length
  const a = m.map((r) => Float64Array.from(r))
  const vectors = zeros(size, size)
  for (let i = 0; i < size; i++) row(vectors, i)[i] = 1
  for (let sweep = 0; sweep < 60; sweep++) {
    let off = 0
    let all = 0
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < size; j++) {
        const square = at(a, i, j) ** 2
        all += square
        if (i !== j) off += square
      }
    }
    if (off <= 1e-30 * all) break
    for (let p = 0; p < size - 1; p++) for (let q = p + 1; q < size; q++) rotate(a, vectors, p, q)
  }
  return { values: Float64Array.from({ length: size }, (_, i) => at(a, i, i)), vectors }
}

function rotate(a: Matrix, vectors: Matrix, p: number, q: number): void {
  const apq = at(a, p, q)
  if (apq === 0) return
  const theta = (at(a, q, q) - at(a, p, p)) / (2 * apq)
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
  const c = 1 / Math.sqrt(t * t + 1)
  const s = t * c
  for (let i = 0; i < a.length; i++) {
    const aip = at(a, i, p)
    const aiq = at(a, i, q)
    row(a, i)[p] = c * aip - s * aiq
    row(a, i)[q] = s * aip + c * aiq
  }
  for (let i = 0; i < a.length; i++) {
    const api = at(a, p, i)
    const aqi = at(a, q, i)
    row(a, p)[i] = c * api - s * aqi
    row(a, q)[i] = s * api + c * aqi
    const vpi = at(vectors, p, i)
    const vqi = at(vectors, q, i)
    row(vectors, p)[i] = c * vpi - s * vqi
    row(vectors, q)[i] = s * vpi + c * vqi
  }
}
