import { problem } from '@ensaio/domain'

export interface PlaceLimits {
  atOnce: number
  /** So that one person's slowness is their own. */
  perPerson: number
  inLine: number
  /** In line of one person: twice their places unless told. */
  perPersonInLine?: number
  /** Longest wait; who waits longer is better told to come back. */
  patienceMs: number
}

/**
 * Places for work of people who may be slow: so many at once, so many of one person, a bounded line and a bounded
 * wait. Whoever waits for a place of their own holds up nobody behind them.
 */
export function places({
  atOnce,
  perPerson,
  inLine,
  perPersonInLine = perPerson * 2,
  patienceMs,
}: PlaceLimits) {
  const holding = new Map<string, number>()
  const line: { who: string; enter: () => void }[] = []
  let taken = 0

  const count = (who: string) => holding.get(who) ?? 0
  const isFree = (who: string) => taken < atOnce && count(who) < perPerson
  const hold = (who: string) => {
    taken += 1
    holding.set(who, count(who) + 1)
  }
  const release = (who: string) => {
    taken -= 1
    if (count(who) > 1) holding.set(who, count(who) - 1)
    else holding.delete(who)
    const next = line.findIndex((waiting) => isFree(waiting.who))
    const [waiting] = next < 0 ? [] : line.splice(next, 1)
    waiting?.enter()
  }
  const leaving = (who: string) => {
    let left = false
    return () => {
      if (left) return
      left = true
      release(who)
    }
  }

  /** Takes a place; the answer gives it back. @throws server.busy */
  const enter = (who: string): Promise<() => void> => {
    if (isFree(who)) {
      hold(who)
      return Promise.resolve(leaving(who))
    }
    const theirs = line.filter((waiting) => waiting.who === who).length
    const retryAfter = patienceMs / 1000
    if (line.length >= inLine || theirs >= perPersonInLine) throw problem('server.busy', { retryAfter })
    return new Promise((done, fail) => {
      const waiting = { who, enter: () => {} }
      const tooLong = setTimeout(() => {
        line.splice(line.indexOf(waiting), 1)
        fail(problem('server.busy', { retryAfter }))
      }, patienceMs)
      waiting.enter = () => {
        clearTimeout(tooLong)
        hold(who)
        done(leaving(who))
      }
      line.push(waiting)
    })
  }
  return { enter, counts: () => ({ working: taken, inLine: line.length }) }
}
