/** Holm (1979): the m p-values in rising order times m, m - 1, ..., never falling. */
export function holm(p: readonly number[]): number[] {
  const order = p.map((_, i) => i).sort((a, b) => (p[a] ?? 0) - (p[b] ?? 0) || a - b)
  const adjusted = new Array<number>(p.length).fill(1)
  let reached = 0
  order.forEach((i, place) => {
    reached = Math.max(reached, Math.min(1, (p.length - place) * (p[i] ?? 1)))
    adjusted[i] = reached
  })
  return adjusted
}
