import { problem } from '@ensaio/domain'
import { fairLine } from './fair-line.ts'

export interface PlaceLimits {
  atOnce: number
  /** So that one person's slowness is their own; as many as there are unless told. */
  perPerson?: number
  /** Of people who come together, as from one address: accounts are free. */
  perGroup?: number
  inLine: number
  /** In line of one person: twice their places, where they have a share, unless told. */
  perPersonInLine?: number
  /** Longest wait; who waits longer is better told to come back. Without it nobody is told. */
  patienceMs?: number
}

/** Whose share of the places a request takes: where there are several organisations, none takes another's. */
export const shareOf = (reader: { id: string; organization: string; several?: boolean }): string =>
  reader.several ? reader.organization : reader.id

/** Whose work it is, where people have a share of the places. */
const NOBODY = ''

/**
 * Places for work that takes a whole processor, many connections, or as long as a slow sender likes: so many at
 * once, so many of one person, a bounded line in which people take turns, and a bounded wait. Whoever waits for a
 * place of their own holds up nobody behind them. More is refused at once with 503: a flood of it makes everybody
 * slow and nobody faster.
 */
export function places({
  atOnce,
  perPerson = atOnce,
  perGroup = atOnce,
  inLine,
  patienceMs,
  ...rest
}: PlaceLimits) {
  const { perPersonInLine = perPerson < atOnce ? perPerson * 2 : inLine } = rest
  const people = counter()
  const groups = counter()
  const line = fairLine<{ group: string; go: () => void }>()
  let taken = 0

  const isFree = (who: string, group: string) =>
    taken < atOnce && people.count(who) < perPerson && groups.count(group) < perGroup
  const hold = (who: string, group: string): (() => void) => {
    taken += 1
    people.add(who, 1)
    groups.add(group, 1)
    let left = false
    return () => {
      if (left) return
      left = true
      taken -= 1
      people.add(who, -1)
      groups.add(group, -1)
      // Whoever leaves hands the place over, so that nobody slips in between.
      line.take((next, work) => isFree(next, work.group))?.work.go()
    }
  }

  /** Takes a place; the answer gives it back. @throws server.busy */
  const enter = async (who = NOBODY, group = NOBODY): Promise<() => void> => {
    if (isFree(who, group)) return hold(who, group)
    const retryAfter = patienceMs === undefined ? {} : { retryAfter: patienceMs / 1000 }
    if (line.length >= inLine || line.lengthOf(who) >= perPersonInLine)
      throw problem('server.busy', retryAfter)
    return new Promise((done, fail) => {
      const work = {
        group,
        go: () => {
          clearTimeout(tooLong)
          done(hold(who, group))
        },
      }
      const tooLong =
        patienceMs === undefined
          ? undefined
          : setTimeout(() => {
              if (line.leave(work)) fail(problem('server.busy', retryAfter))
            }, patienceMs)
      line.join(who, work)
    })
  }

  return {
    enter,
    /** Does the work in a place of its own. @throws server.busy */
    async run<T>(work: () => Promise<T>, who = NOBODY, group = NOBODY): Promise<T> {
      const leave = await enter(who, group)
      try {
        return await work()
      } finally {
        leave()
      }
    },
    counts: () => ({ working: taken, inLine: line.length }),
  }
}

function counter() {
  const counts = new Map<string, number>()
  const count = (key: string) => counts.get(key) ?? 0
  return {
    count,
    add(key: string, by: 1 | -1) {
      const now = count(key) + by
      if (now > 0) counts.set(key, now)
      else counts.delete(key)
    },
  }
}
