import { PROBLEMS, Problem, problem } from '@ensaio/domain'
import type { FastifyReply } from 'fastify'
import { onceClosed } from './once-closed.ts'

/** A browser has one; somebody with many of them is no browser. */
const PER_PERSON = 20
/** Of all people: the rest of the connections is for those who ask. */
const ALTOGETHER = 2_500
const RETRY_AFTER_S = 60
const LOOK_EVERY_MS = 10_000

/** Streams of events: so many of one person, and each as long as its session lives. */
export function liveStreams() {
  const open = new Map<string, number>()
  let all = 0
  return {
    /** Ends the stream when `look` finds the session ended or its person blocked. @throws request.too_many */
    watch(reply: FastifyReply, person: string, look: () => Promise<unknown>): void {
      const theirs = open.get(person) ?? 0
      if (theirs >= PER_PERSON) throw problem('request.too_many', { retryAfter: RETRY_AFTER_S })
      if (all >= ALTOGETHER) throw problem('server.busy', { retryAfter: RETRY_AFTER_S })
      open.set(person, theirs + 1)
      all += 1
      const timer = setInterval(() => {
        look().catch((error: unknown) => {
          // A database that is away says nothing about the session.
          const status = error instanceof Problem ? PROBLEMS[error.code].status : 0
          if (status === 401 || status === 403) reply.raw.destroy()
        })
      }, LOOK_EVERY_MS)
      onceClosed(reply, () => {
        clearInterval(timer)
        all -= 1
        const left = (open.get(person) ?? 1) - 1
        if (left > 0) open.set(person, left)
        else open.delete(person)
      })
    },
  }
}
