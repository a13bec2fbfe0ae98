import { problem } from '@ensaio/domain'
import { fairLine } from './fair-line.ts'

/** Whose work it is, where a person has a share of the places. */
export type Enter = <T>(work: () => Promise<T>, who?: string) => Promise<T>

/**
 * Lets `atOnce` works run and `inLine` wait, people in turn; more is refused at once with 503. For work that
 * takes a whole processor or many connections: a flood of it makes everybody slow and nobody faster. Of one
 * person at most `each` run at once, and half of the line is theirs at most; `waitMs` bounds the wait in the line.
 */
export function turnstile({
  atOnce,
  inLine,
  each = atOnce,
  waitMs,
}: {
  atOnce: number
  inLine: number
  each?: number
  waitMs?: number
}): Enter {
  const running = new Map<string, number>()
  const line = fairLine<() => void>()
  let total = 0
  const mostOfOne = Math.max(1, Math.floor(inLine / 2))
  const may = (who: string) => total < atOnce && (who === '' || (running.get(who) ?? 0) < each)
  const start = (who: string) => {
    total += 1
    running.set(who, (running.get(who) ?? 0) + 1)
  }
  const end = (who: string) => {
    total -= 1
    const left = (running.get(who) ?? 1) - 1
    if (left > 0) running.set(who, left)
    else running.delete(who)
    // Whoever leaves hands the place over, so that nobody slips in between.
    for (let next = line.take(may); next; next = line.take(may)) {
      start(next.who)
      next.work()
    }
  }
  const wait = (who: string) =>
    new Promise<void>((go, refuse) => {
      const timer =
        waitMs === undefined
          ? undefined
          : setTimeout(() => {
              if (line.leave(enter)) refuse(problem('server.busy'))
            }, waitMs)
      const enter = () => {
        clearTimeout(timer)
        go()
      }
      line.join(who, enter)
    })
  return async (work, who = '') => {
    if (may(who)) start(who)
    else {
      if (line.length >= inLine || (who !== '' && line.lengthOf(who) >= mostOfOne))
        throw problem('server.busy')
      await wait(who)
    }
    try {
      return await work()
    } finally {
      end(who)
    }
  }
}
