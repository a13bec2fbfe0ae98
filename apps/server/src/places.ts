import { problem } from '@ensaio/domain'
import { fairLine } from './fair-line.ts'

export interface PlaceLimits {
  atOnce: number
  /** So that one person's slowness is their own; as many as there are unless told. */
  perPerson?: number
  inLine: number
  /** In line of one person: twice their places, where they have a share, unless told. */
  perPersonInLine?: number
  /** Longest wait; who waits longer is better told to come back. Without it nobody is told. */
  patienceMs?: number
}

/** Whose work it is, where people have a share of the places. */
const NOBODY = ''

/**
 * Places for work that takes a whole processor, many connections, or as long as a slow sender likes: so many at
 * once, so many of one person, a bounded line in which people take turns, and a bounded wait. Whoever waits for a
 * place of their own holds up nobody behind them. More is refused at once with 503: a flood of it makes everybody
 * slow and nobody faster.
 */
export function places({ atOnce, perPerson = atOnce, inLine, patienceMs, ...rest }: PlaceLimits) {
  const { perPersonInLine = perPerson < atOnce ? perPerson * 2 : inLine } = rest
  const holding = new Map<string, number>()
  const line = fairLine<() => void>()
  let taken = 0

  const count = (who: string) => holding.get(who) ?? 0
  const isFree = (who: string) => taken < atOnce && count(who) < perPerson
  const hold = (who: string): (() => void) => {
    taken += 1
    holding.set(who, count(who) + 1)
    let left = false
    return () => {
      if (left) return
      left = true
      release(who)
    }
  }
  const release = (who: string) => {
    taken -= 1
    if (count(who) > 1) holding.set(who, count(who) - 1)
    else holding.delete(who)
    // Whoever leaves hands the place over, so that nobody slips in between.
    line.take(isFree)?.work()
  }

  /** Takes a place; the answer gives it back. @throws server.busy */
  const enter = async (who = NOBODY): Promise<() => void> => {
    if (isFree(who)) return hold(who)
    const retryAfter = patienceMs === undefined ? {} : { retryAfter: patienceMs / 1000 }
    if (line.length >= inLine || line.lengthOf(who) >= perPersonInLine)
      throw problem('server.busy', retryAfter)
    return new Promise((done, fail) => {
      const go = () => {
        clearTimeout(tooLong)
        done(hold(who))
      }
      const tooLong =
        patienceMs === undefined
          ? undefined
          : setTimeout(() => {
              if (line.leave(go)) fail(problem('server.busy', retryAfter))
            }, patienceMs)
      line.join(who, go)
    })
  }

  return {
    enter,
    /** Does the work in a place of its own. @throws server.busy */
    async run<T>(work: () => Promise<T>, who = NOBODY): Promise<T> {
      const leave = await enter(who)
      try {
        return await work()
      } finally {
        leave()
      }
    },
    counts: () => ({ working: taken, inLine: line.length }),
  }
}
