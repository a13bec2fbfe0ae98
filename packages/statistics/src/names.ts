/** Treatments of several trials are the same when their names are, case, accents and spaces apart. */

/** A name as it is matched: no accents, one case, single spaces. */
export function plainName(name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim()
}

/** Names that stand in every list, as and in the order in which the first list has them. */
export function commonTreatments(lists: readonly (readonly string[])[]): string[] {
  const [first, ...others] = lists
  const sets = others.map((list) => new Set(list.map(plainName)))
  const seen = new Set<string>()
  return (first ?? []).filter((name) => {
    const plain = plainName(name)
    if (seen.has(plain) || !sets.every((set) => set.has(plain))) return false
    seen.add(plain)
    return true
  })
}
