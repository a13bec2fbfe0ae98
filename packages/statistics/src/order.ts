/**
 * Indices of means, the largest first. Equal means stand as in an array of rising means that keeps their own order: the
 * later one first.
 * @param negligible a difference that is rounding; means that lie no farther apart count as equal
 */
export function largestFirst(means: ArrayLike<number>, negligible = 0): number[] {
  const order = Array.from(means, (_, i) => i).sort((i, j) => (means[j] ?? 0) - (means[i] ?? 0) || j - i)
  for (let from = 0; from < order.length; ) {
    let to = from + 1
    while (
      to < order.length &&
      (means[order[to - 1] ?? 0] ?? 0) - (means[order[to] ?? 0] ?? 0) <= negligible
    ) {
      to++
    }
    const tied = order.slice(from, to).sort((i, j) => j - i)
    order.splice(from, tied.length, ...tied)
    from = to
  }
  return order
}
