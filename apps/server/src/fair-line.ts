/**
 * A line in which people take turns: however many works one of them puts in, everybody else's next one comes
 * after at most one more of theirs. Nothing in it waits or times; whoever holds the line does.
 */
export interface FairLine<T> extends Iterable<T> {
  readonly length: number
  /** Works of one person that wait. */
  lengthOf(who: string): number
  join(who: string, work: T): void
  /** Answers whether it stood in the line. */
  leave(work: T): boolean
  /** Takes the first work that `may` go, in turn; its person goes to the end of the round. */
  take(may: (who: string, work: T) => boolean): { who: string; work: T } | null
  /** How many others come before it, were each taken in turn. */
  ahead(work: T): number
}

export function fairLine<T>(): FairLine<T> {
  // In the order of the round: a person who was served is put in anew, at the end.
  const round = new Map<string, T[]>()
  const place = (work: T): { who: string; at: number } | null => {
    for (const [who, works] of round) {
      const at = works.indexOf(work)
      if (at >= 0) return { who, at }
    }
    return null
  }
  return {
    get length() {
      let sum = 0
      for (const works of round.values()) sum += works.length
      return sum
    },
    *[Symbol.iterator]() {
      for (const works of round.values()) yield* works
    },
    lengthOf: (who) => round.get(who)?.length ?? 0,
    join(who, work) {
      const works = round.get(who)
      if (works) works.push(work)
      else round.set(who, [work])
    },
    leave(work) {
      const found = place(work)
      if (!found) return false
      const works = round.get(found.who) ?? []
      works.splice(found.at, 1)
      if (works.length === 0) round.delete(found.who)
      return true
    },
    take(may) {
      for (const [who, works] of round) {
        const at = works.findIndex((work) => may(who, work))
        const work = works[at]
        if (work === undefined) continue
        works.splice(at, 1)
        round.delete(who)
        if (works.length > 0) round.set(who, works)
        return { who, work }
      }
      return null
    },
    ahead(work) {
      const found = place(work)
      if (!found) return 0
      let sum = found.at
      let before = true
      for (const [who, works] of round) {
        if (who === found.who) before = false
        else sum += Math.min(works.length, before ? found.at + 1 : found.at)
      }
      return sum
    },
  }
}
