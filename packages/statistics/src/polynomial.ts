import { addScaled, backSolve, dot, type Matrix, qrPivoted, row, zeros } from './linear-algebra.ts'

/** Means at rising doses, less `centre`, with weights qm/SE^2 and their covariance. */
export interface WeightedMeans {
  x: Float64Array
  y: Float64Array
  centre: number
  weights: Float64Array
  covariance: Matrix
  qm: number
  gl: number
  /** Two-sided critical t of the intervals. */
  t: number
}

export interface Regression {
  coefficients: number[]
  /** Covariance of the coefficients by that of the means. */
  covariance: Matrix
  /** Weighted residual sum of squares: in the scale of the analysis of variance. */
  rss: number
}

/** Weighted least squares of the means on columns; the coefficients' covariance is H V H' with H the estimator. */
export function regress(data: WeightedMeans, columns: readonly Float64Array[]): Regression {
  const k = data.x.length
  const p = columns.length
  const roots = data.weights.map(Math.sqrt)
  const scale = columns.map((c) => Math.sqrt(dot(c, c)) || 1)
  const qr = qrPivoted(
    columns.map((c, j) => c.map((value, i) => (value / (scale[j] as number)) * (roots[i] as number))),
    k,
    undefined,
    1e-12,
  )
  const solve = (v: Float64Array): Float64Array => {
    const out = new Float64Array(p)
    const solved = backSolve(qr, qr.qt(v))
    solved.forEach((value, j) => {
      const place = qr.pivot[j] as number
      out[place] = value / (scale[place] as number)
    })
    return out
  }
  const wy = data.y.map((value, i) => value * (roots[i] as number))
  const rest = qr.qt(wy)
  for (let j = 0; j < qr.rank; j++) rest[j] = 0
  // Column i of H: what a unit change of mean i does to the coefficients.
  const h = Array.from({ length: k }, (_, i) => {
    const unit = new Float64Array(k)
    unit[i] = roots[i] as number
    return solve(unit)
  })
  const covariance = zeros(p, p)
  for (let i = 0; i < k; i++) {
    const mixed = new Float64Array(p)
    for (let j = 0; j < k; j++) addScaled(mixed, data.covariance[i]?.[j] as number, row(h, j))
    for (let a = 0; a < p; a++) addScaled(row(covariance, a), row(h, i)[a] as number, mixed)
  }
  return { coefficients: Array.from(solve(wy)), covariance, rss: dot(rest, rest) }
}

/** Polynomial of a degree. Powers of centred, scaled doses would lose nothing; plain ones are what the answer prints. */
export function polynomial(data: WeightedMeans, degree: number): Regression {
  const columns = Array.from({ length: degree + 1 }, (_, g) => data.x.map((value) => value ** g))
  return regress(data, columns)
}

/**
 * Interval of the ratio num/den for num = s - b and den = 2c of a quadratic with coefficients' covariance v (FIELLER,
 * 1954); null when it is not bounded.
 */
export function fieller(v: Matrix, t: number, num: number, den: number): [number, number] | null {
  const v11 = v[1]?.[1] as number
  const v12 = -2 * (v[1]?.[2] as number)
  const v22 = 4 * (v[2]?.[2] as number)
  const a = den * den - t * t * v22
  const b = -2 * (num * den - t * t * v12)
  const c = num * num - t * t * v11
  const d = b * b - 4 * a * c
  if (!(a > 0) || d < 0) return null
  const rootOfD = Math.sqrt(d)
  return [(-b - rootOfD) / (2 * a), (-b + rootOfD) / (2 * a)]
}
