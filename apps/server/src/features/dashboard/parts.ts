import type { View } from './fold.repository.ts'
import type { SeenSet } from './views.repository.ts'

/** What is seen is put into so many parts, each of about as many trials; one owner's trials stay together. */
const PARTS = 16
const MOST_PARTS = 32

/** The part that changes next, and what it is to hold; `null` stands for one more. */
export interface Step {
  part: View | null
  sets: SeenSet[]
}

/**
 * The next step towards parts that hold each set that is seen once; null when they do. What is no longer seen, or with
 * other costs, comes first: a set leaves a part before it is put into another, so that none is in two.
 */
export function nextStep(parts: readonly View[], seen: readonly SeenSet[]): Step | null {
  const byId = new Map(seen.map((set) => [set.id, set]))
  const held = parts.map((part) => ({
    part,
    sets: part.acervos.flatMap((id) => byId.get(id) ?? []),
  }))
  const fair = sum(seen) / PARTS
  const canGrow = parts.length < MOST_PARTS || held.some(({ sets }) => sets.length === 0)
  for (const { part, sets } of held) {
    const costs = sets.flatMap(({ id, costs: shown }) => (shown ? [id] : []))
    if (sets.length < part.acervos.length || costs.join() !== part.com_custos.join()) return { part, sets }
    const owners = byOwner(sets)
    const [largest] = owners
    // It has grown: what it holds most of gets a part of its own.
    if (largest && owners.length > 1 && sum(sets) > 2 * fair && canGrow)
      return { part, sets: sets.filter(({ owner }) => owner !== largest.owner) }
  }

  const placed = new Set(held.flatMap(({ sets }) => sets.map(({ id }) => id)))
  const [first, ...others] = byOwner(seen.filter(({ id }) => !placed.has(id)))
  if (!first) return null
  const room = held.toSorted((a, b) => sum(a.sets) - sum(b.sets))
  const partOf = (owner: string) => held.find(({ sets }) => sets.some((set) => set.owner === owner))
  const into =
    partOf(first.owner) ??
    room.find(({ sets }) => sets.length === 0 || sum(sets) + sum(first.sets) <= fair) ??
    (parts.length < MOST_PARTS ? null : room[0])
  const sets = [...(into?.sets ?? []), ...first.sets]
  // As many more as have a place there too: each step reads and writes much for one owner as for many.
  for (const more of others)
    if (!partOf(more.owner) && sum(sets) + sum(more.sets) <= fair) sets.push(...more.sets)
  return { part: into?.part ?? null, sets }
}

const sum = (sets: readonly SeenSet[]) => sets.reduce((n, set) => n + set.n, 0)

/** The sets of each owner, who has most first. */
function byOwner(sets: readonly SeenSet[]): { owner: string; sets: SeenSet[] }[] {
  const owners = new Map<string, SeenSet[]>()
  for (const set of sets) owners.set(set.owner, [...(owners.get(set.owner) ?? []), set])
  return [...owners]
    .map(([owner, theirs]) => ({ owner, sets: theirs }))
    .sort((a, b) => sum(b.sets) - sum(a.sets) || (a.owner < b.owner ? -1 : 1))
}
