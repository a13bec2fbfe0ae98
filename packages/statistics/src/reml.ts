import {
  addScaled,
  at,
  cholesky,
  choleskyInverse,
  choleskySolve,
  dot,
  type Matrix,
  multiplyVector,
  row,
  zeros,
} from './linear-algebra.ts'
import { minimise } from './numeric.ts'

/**
 * Linear model with one random class: y = X b + Z u + e, var(u) = s2p I, var(e) = s2 I, each observation in one class.
 * REML by its profile over the ratio s2p/s2 (PATTERSON; THOMPSON, 1971), and the observed information of the two
 * variances for SATTERTHWAITE's (1946) degrees of freedom.
 */
export interface Reml {
  beta: Float64Array
  covariance: Matrix
  parcela: number
  residuo: number
  /** Satterthwaite's degrees of freedom of the variance of l'b. */
  degrees(l: Float64Array): number
}

interface Data {
  n: number
  p: number
  xx: Matrix
  xy: Float64Array
  /** Column sums of X in each class, and sizes. */
  sums: Matrix
  sizes: Float64Array
}

/** X given by rows, full column rank; classes 0..count-1. Null when there is nothing left to estimate a variance from. */
export function reml(x: Matrix, y: Float64Array, classes: Int32Array, count: number): Reml | null {
  const n = y.length
  const p = row(x, 0).length
  if (n <= p) return null
  const data = crossProducts(x, y, classes, count)
  const solve = (ratio: number): { loss: number; beta: Float64Array; factor: Matrix; q: number } | null => {
    const weights = data.sizes.map((size) => ratio / (1 + ratio * size))
    const a = data.xx.map((r) => Float64Array.from(r))
    const b = Float64Array.from(data.xy)
    const ySums = classSums(y, classes, count)
    for (let g = 0; g < count; g++) {
      const w = weights[g] as number
      if (w === 0) continue
      const s = row(data.sums, g)
      addScaled(b, -w * (ySums[g] as number), s)
      for (let i = 0; i < p; i++) if (s[i] !== 0) addScaled(row(a, i), -w * (s[i] as number), s)
    }
    const factor = cholesky(a)
    if (!factor) return null
    const beta = choleskySolve(factor, b)
    const e = y.map((value, i) => value - dot(row(x, i), beta))
    const eSums = classSums(e, classes, count)
    let q = dot(e, e)
    let logs = 0
    for (let g = 0; g < count; g++) {
      q -= (weights[g] as number) * (eSums[g] as number) ** 2
      logs += Math.log1p(ratio * (data.sizes[g] as number))
    }
    for (let i = 0; i < p; i++) logs += 2 * Math.log(at(factor, i, i))
    return { loss: (n - p) * Math.log(q / (n - p)) + logs, beta, factor, q }
  }
  const best = bestRatio((ratio) => solve(ratio)?.loss ?? Number.POSITIVE_INFINITY)
  const found = solve(best)
  if (!found) return null
  const residuo = found.q / (n - p)
  const parcela = best * residuo
  const covariance = choleskyInverse(found.factor).map((r) => r.map((value) => value * residuo))
  const degrees =
    parcela > 0 ? satterthwaite(data, x, y, classes, found.beta, covariance, parcela, residuo) : () => n - p
  return { beta: found.beta, covariance, parcela, residuo, degrees }
}

function crossProducts(x: Matrix, y: Float64Array, classes: Int32Array, count: number): Data {
  const p = row(x, 0).length
  const xx = zeros(p, p)
  const xy = new Float64Array(p)
  const sums = zeros(count, p)
  const sizes = new Float64Array(count)
  x.forEach((r, i) => {
    for (let j = 0; j < p; j++) if (r[j] !== 0) addScaled(row(xx, j), r[j] as number, r)
    addScaled(xy, y[i] as number, r)
    const g = classes[i] as number
    addScaled(row(sums, g), 1, r)
    sizes[g] = (sizes[g] as number) + 1
  })
  return { n: y.length, p, xx, xy, sums, sizes }
}

function classSums(v: Float64Array, classes: Int32Array, count: number): Float64Array {
  const sums = new Float64Array(count)
  v.forEach((value, i) => {
    const g = classes[i] as number
    sums[g] = (sums[g] as number) + value
  })
  return sums
}

/** Least loss over ratios 0 and 1e-6..1e6; a variance whose best ratio is on the edge of 0 is 0. */
function bestRatio(loss: (ratio: number) => number): number {
  const logs = Array.from({ length: 57 }, (_, i) => Math.log(1e-6) + (i * Math.log(1e12)) / 56)
  const at0 = loss(0)
  const values = logs.map((value) => loss(Math.exp(value)))
  let best = 0
  values.forEach((value, i) => {
    if (value < (values[best] as number)) best = i
  })
  if (!((values[best] as number) < at0 - 1e-12 * Math.abs(at0))) return 0
  const refined = minimise(
    (value) => loss(Math.exp(value)),
    logs[Math.max(0, best - 1)] as number,
    logs[Math.min(logs.length - 1, best + 1)] as number,
    1e-11,
  )
  return refined.value < at0 ? Math.exp(refined.x) : 0
}

/**
 * nu(l) = 2 (l'Cl)^2 / (g' A g), g the gradient of l'Cl in (s2, s2p) and A the inverse observed information:
 * I_ij = -tr(P Vi P Vj)/2 + y'P Vi P Vj P y with V1 = I, V2 = ZZ'.
 */
function satterthwaite(
  data: Data,
  x: Matrix,
  y: Float64Array,
  classes: Int32Array,
  beta: Float64Array,
  c: Matrix,
  s2p: number,
  s2: number,
): (l: Float64Array) => number {
  const { n, p, sums, sizes } = data
  const count = sizes.length
  const lambda = sizes.map((size) => 1 / (s2 + size * s2p))
  // X'V^-m X: a class mean is scaled by lambda^m, what is within a class by s2^-m.
  const power = (m: number): Matrix => {
    const out = data.xx.map((r) => r.map((value) => value / s2 ** m))
    for (let g = 0; g < count; g++) {
      const s = row(sums, g)
      const w = ((lambda[g] as number) ** m - s2 ** -m) / (sizes[g] as number)
      for (let i = 0; i < p; i++) if (s[i] !== 0) addScaled(row(out, i), w * (s[i] as number), s)
    }
    return out
  }
  const m2 = power(2)
  const m3 = power(3)
  const cm2 = c.map((r) => product(r, m2))
  const traceV2 = traceOfPower(lambda, s2, n)
  let trace11 = traceV2 - 2 * traceOfProduct(c, m3)
  for (let i = 0; i < p; i++) for (let j = 0; j < p; j++) trace11 += at(cm2, i, j) * at(cm2, j, i)
  let trace12 = 0
  let trace22 = 0
  const cs = sums.map((s) => multiplyVector(c, s))
  for (let g = 0; g < count; g++) {
    const lg = lambda[g] as number
    const own = dot(row(sums, g), row(cs, g))
    trace12 +=
      lg * lg * ((sizes[g] as number) - 2 * lg * own + dot(row(cs, g), multiplyVector(m2, row(cs, g))))
    for (let h = 0; h < count; h++) {
      const cross = -lg * (lambda[h] as number) * dot(row(sums, g), row(cs, h))
      trace22 += ((g === h ? lg * (sizes[g] as number) : 0) + cross) ** 2
    }
  }
  const vInverse = (v: Float64Array): Float64Array => {
    const sum = classSums(v, classes, count)
    return v.map((value, i) => {
      const g = classes[i] as number
      return (value - s2p * (lambda[g] as number) * (sum[g] as number)) / s2
    })
  }
  const xt = (v: Float64Array): Float64Array => {
    const out = new Float64Array(p)
    v.forEach((value, i) => {
      addScaled(out, value, row(x, i))
    })
    return out
  }
  const project = (v: Float64Array): Float64Array => {
    const w = vInverse(v)
    const b = multiplyVector(c, xt(w))
    return vInverse(v.map((value, i) => value - dot(row(x, i), b)))
  }
  const w = vInverse(y.map((value, i) => value - dot(row(x, i), beta)))
  const wSums = classSums(w, classes, count)
  const zw = w.map((_, i) => wSums[classes[i] as number] as number)
  const pw = project(w)
  const pzw = project(zw)
  const i11 = -trace11 / 2 + dot(w, pw)
  const i12 = -trace12 / 2 + dot(w, pzw)
  const i22 = -trace22 / 2 + dot(zw, pzw)
  const determinant = i11 * i22 - i12 * i12
  const ok = determinant > 0 && i11 > 0
  return (l) => {
    const cl = multiplyVector(c, l)
    const variance = dot(l, cl)
    const g1 = dot(cl, multiplyVector(m2, cl))
    let g2 = 0
    for (let g = 0; g < count; g++) g2 += ((lambda[g] as number) * dot(row(sums, g), cl)) ** 2
    if (!ok) return n - p
    const spread = (g1 * g1 * i22 - 2 * g1 * g2 * i12 + g2 * g2 * i11) / determinant
    const nu = (2 * variance * variance) / spread
    return Number.isFinite(nu) && nu > 0 ? nu : n - p
  }
}

function product(r: Float64Array, m: Matrix): Float64Array {
  const out = new Float64Array(r.length)
  for (let i = 0; i < r.length; i++) addScaled(out, r[i] as number, row(m, i))
  return out
}

function traceOfPower(lambda: Float64Array, s2: number, n: number): number {
  let trace = (n - lambda.length) / (s2 * s2)
  for (const value of lambda) trace += value * value
  return trace
}

function traceOfProduct(a: Matrix, b: Matrix): number {
  let trace = 0
  for (let i = 0; i < a.length; i++) trace += dot(row(a, i), row(b, i))
  return trace
}
