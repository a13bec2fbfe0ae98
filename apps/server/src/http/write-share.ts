/** What one person may write at once, and how fast it comes back, in bytes: a bulk load passes, a flood does not. */
const CAPACITY = 512 * 1024 ** 2
const PER_SECOND = 50 * 1024
/** Of so many people is remembered what they wrote; who wrote nothing lately has all of their share anyway. */
const MOST_PEOPLE = 10_000

/** Each person's share of what is written to the disk. */
export function writeShares(now: () => number = () => performance.now()) {
  const people = new Map<string, { left: number; at: number }>()
  const leftOf = (person: string): number => {
    const known = people.get(person)
    return known ? Math.min(CAPACITY, known.left + ((now() - known.at) / 1000) * PER_SECOND) : CAPACITY
  }
  return {
    /** Takes so many bytes; answers the seconds to wait where they are more than is left, which then takes none, else 0. */
    take(person: string, bytes: number): number {
      const left = leftOf(person)
      if (bytes > left) return Math.ceil((bytes - left) / PER_SECOND)
      // Who wrote last stands last.
      people.delete(person)
      people.set(person, { left: left - bytes, at: now() })
      for (const [other] of people) {
        if (people.size <= MOST_PEOPLE && leftOf(other) < CAPACITY) break
        people.delete(other)
      }
      return 0
    },
  }
}
