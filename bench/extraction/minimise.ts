const REMEMBERED = 8
const MOST_STEPS = 200
const FLAT = 1e-4

const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0)

/**
 * The lowest point of a smooth convex function, from zero, by L-BFGS (Nocedal and Wright, Numerical Optimization, 7.2).
 * `loss` writes its gradient into what it is given.
 */
export function minimise(
  size: number,
  loss: (at: Float64Array, gradient: Float64Array) => number,
): Float64Array {
  let at: Float64Array = new Float64Array(size)
  let gradient: Float64Array = new Float64Array(size)
  let value = loss(at, gradient)
  const steps: { moved: Float64Array; turned: Float64Array; rho: number }[] = []
  for (let n = 0; n < MOST_STEPS && Math.sqrt(dot(gradient, gradient)) > FLAT * Math.max(1, value); n++) {
    const direction = gradient.map((g) => -g)
    const alphas = steps.toReversed().map(({ moved, turned, rho }) => {
      const alpha = rho * dot(moved, direction)
      turned.forEach((t, i) => {
        direction[i] = (direction[i] ?? 0) - alpha * t
      })
      return alpha
    })
    const last = steps.at(-1)
    const scale = last
      ? 1 / (last.rho * dot(last.turned, last.turned))
      : 1 / Math.sqrt(dot(gradient, gradient))
    for (let i = 0; i < size; i++) direction[i] = (direction[i] ?? 0) * scale
    steps.forEach(({ moved, turned, rho }, k) => {
      const beta = rho * dot(turned, direction)
      const alpha = alphas[steps.length - 1 - k] ?? 0
      moved.forEach((m, i) => {
        direction[i] = (direction[i] ?? 0) + (alpha - beta) * m
      })
    })
    const slope = dot(gradient, direction)
    let length = 1
    for (;;) {
      const next = at.map((x, i) => x + length * (direction[i] ?? 0))
      const turned = new Float64Array(size)
      const below = loss(next, turned)
      if (below <= value + 1e-4 * length * slope) {
        const moved = next.map((x, i) => x - (at[i] ?? 0))
        const change = turned.map((g, i) => g - (gradient[i] ?? 0))
        const curved = dot(moved, change)
        if (curved > 1e-10) steps.push({ moved, turned: change, rho: 1 / curved })
        if (steps.length > REMEMBERED) steps.shift()
        at = next
        gradient = turned
        value = below
        break
      }
      length /= 2
      if (length < 1e-10) return at
    }
  }
  return at
}
