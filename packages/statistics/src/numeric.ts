/** One-dimensional searches. Source: BRENT, R. P. Algorithms for minimization without derivatives. 1973. */

/** Least point of `f` in [low, high] (unimodal there), to a relative tolerance. */
export function minimise(
  f: (x: number) => number,
  low: number,
  high: number,
  tolerance = 1e-10,
): { x: number; value: number } {
  const golden = 0.3819660112501051
  let a = low
  let b = high
  let x = a + golden * (b - a)
  let w = x
  let v = x
  let fx = f(x)
  let fw = fx
  let fv = fx
  let step = 0
  let before = 0
  for (let i = 0; i < 200; i++) {
    const middle = (a + b) / 2
    const near = tolerance * Math.abs(x) + 1e-14 * (high - low) + 1e-300
    if (Math.abs(x - middle) <= 2 * near - (b - a) / 2) break
    let parabola = false
    if (Math.abs(before) > near) {
      const r = (x - w) * (fx - fv)
      let q = (x - v) * (fx - fw)
      let p = (x - v) * q - (x - w) * r
      q = 2 * (q - r)
      if (q > 0) p = -p
      q = Math.abs(q)
      if (Math.abs(p) < Math.abs(0.5 * q * before) && p > q * (a - x) && p < q * (b - x)) {
        before = step
        step = p / q
        const u = x + step
        if (u - a < 2 * near || b - u < 2 * near) step = x < middle ? near : -near
        parabola = true
      }
    }
    if (!parabola) {
      before = x < middle ? b - x : a - x
      step = golden * before
    }
    const u = x + (Math.abs(step) >= near ? step : step > 0 ? near : -near)
    const fu = f(u)
    if (fu <= fx) {
      if (u < x) b = x
      else a = x
      v = w
      fv = fw
      w = x
      fw = fx
      x = u
      fx = fu
    } else {
      if (u < x) a = u
      else b = u
      if (fu <= fw || w === x) {
        v = w
        fv = fw
        w = u
        fw = fu
      } else if (fu <= fv || v === x || v === w) {
        v = u
        fv = fu
      }
    }
  }
  return { x, value: fx }
}

/** Root of `f` between two points where its sign differs; null when it does not. */
export function root(f: (x: number) => number, low: number, high: number): number | null {
  let a = low
  let b = high
  let fa = f(a)
  let fb = f(b)
  if (fa === 0) return a
  if (fb === 0) return b
  if (fa > 0 === fb > 0) return null
  let c = a
  let fc = fa
  let d = b - a
  let e = d
  for (let i = 0; i < 300; i++) {
    if (fb > 0 === fc > 0) {
      c = a
      fc = fa
      d = b - a
      e = d
    }
    if (Math.abs(fc) < Math.abs(fb)) {
      a = b
      b = c
      c = a
      fa = fb
      fb = fc
      fc = fa
    }
    const near = 2 * Number.EPSILON * Math.abs(b) + 1e-300
    const middle = (c - b) / 2
    if (Math.abs(middle) <= near || fb === 0) return b
    if (Math.abs(e) >= near && Math.abs(fa) > Math.abs(fb)) {
      const s = fb / fa
      let p: number
      let q: number
      if (a === c) {
        p = 2 * middle * s
        q = 1 - s
      } else {
        const r = fb / fc
        const t = fa / fc
        p = s * (2 * middle * t * (t - r) - (b - a) * (r - 1))
        q = (t - 1) * (r - 1) * (s - 1)
      }
      if (p > 0) q = -q
      p = Math.abs(p)
      if (2 * p < Math.min(3 * middle * q - Math.abs(near * q), Math.abs(e * q))) {
        e = d
        d = p / q
      } else {
        d = middle
        e = d
      }
    } else {
      d = middle
      e = d
    }
    a = b
    fa = fb
    b += Math.abs(d) > near ? d : middle > 0 ? near : -near
    fb = f(b)
  }
  return b
}

/** Least point over a grid refined by `minimise` between the neighbours of the best one. */
export function minimiseFrom(
  f: (x: number) => number,
  points: readonly number[],
): { x: number; value: number } {
  let best = 0
  const values = points.map(f)
  values.forEach((value, i) => {
    if (value < (values[best] as number)) best = i
  })
  const refined = minimise(
    f,
    points[Math.max(0, best - 1)] as number,
    points[Math.min(points.length - 1, best + 1)] as number,
  )
  const value = values[best] as number
  return refined.value <= value ? refined : { x: points[best] as number, value }
}

export function spaced(low: number, high: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) =>
    i === count - 1 ? high : low + ((high - low) * i) / (count - 1),
  )
}
