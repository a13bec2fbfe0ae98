/**
 * x > 0 where a tail equals p: Newton on ln(tail) against ln(x), in which every tail here is concave, so that the
 * steps close in from one side; a bracket keeps a wild first step. `rising` says whether the tail grows with x.
 */
export function solveTail(tail: (x: number) => number, p: number, start: number, rising = false): number {
  const goal = Math.log(p)
  let low = -745
  let high = 709
  let at = Math.min(high, Math.max(low, Math.log(start)))
  for (let step = 0; step < 200; step++) {
    const x = Math.exp(at)
    const miss = Math.log(tail(x)) - goal
    if (miss === 0) return x
    if (miss > 0 === rising) high = at
    else low = at
    // The slope by a small step is enough: only the end of the iteration needs its digits from `miss`.
    const slope = (Math.log(tail(x * (1 + 1e-5))) - goal - miss) / 1e-5
    let next = at - miss / slope
    const moved = Math.abs(next - at)
    // The rest of the way is rounding: of x, or of a tail that is flat or comes from a table.
    if (moved < (2e-15 * Math.max(1, Math.abs(at))) / Math.min(1, Math.abs(slope) + 1e-6))
      return Math.exp(next)
    const inside = next > low && next < high
    if (!inside && moved < 1e-9) return Math.exp(next)
    if (!inside) next = (low + high) / 2
    else if (moved > 3) next = at + 3 * Math.sign(next - at)
    at = next
  }
  return Math.exp(at)
}
