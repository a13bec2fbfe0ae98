import { problem } from '@ensaio/domain'

/**
 * Lets `atOnce` works run and `inLine` wait; more is refused at once with 503. For work that takes a whole
 * processor or many connections: a flood of it makes everybody slow and nobody faster.
 */
export function turnstile({ atOnce, inLine }: { atOnce: number; inLine: number }) {
  let running = 0
  const line: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (line.length >= inLine) throw problem('server.busy')
      // Whoever leaves hands the place over, so that nobody slips in between.
      await new Promise<void>((next) => line.push(next))
    } else running += 1
    try {
      return await work()
    } finally {
      const next = line.shift()
      if (next) next()
      else running -= 1
    }
  }
}
