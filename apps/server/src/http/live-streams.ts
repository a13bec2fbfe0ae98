import { PROBLEMS, Problem, problem } from '@ensaio/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { onceClosed } from './once-closed.ts'

/** A browser has one; somebody with many of them is no browser. */
const PER_PERSON = 20
/** Of all people: the rest of the connections is for those who ask. */
const ALTOGETHER = 2_500
const RETRY_AFTER_S = 60
const LOOK_EVERY_MS = 10_000
/** So long a refusal stands for the next ones of that session, which then cost next to nothing. */
const REFUSED_MS = 5_000
const REMEMBERED = 10_000

/** Streams of events: so many of one person, and each as long as its session lives. */
export function liveStreams() {
  const open = new Map<string, number>()
  const refused = new Map<string, { until: number; why: Problem }>()
  let all = 0

  const refuse = (request: FastifyRequest, why: Problem): never => {
    if (refused.size >= REMEMBERED) refused.clear()
    refused.set(sessionOf(request), { until: performance.now() + REFUSED_MS, why })
    throw why
  }
  return {
    /** Before anybody is looked up: whether this very session was refused a moment ago. @throws as then */
    recall(request: FastifyRequest): void {
      const last = refused.get(sessionOf(request))
      if (last && last.until > performance.now()) throw last.why
    },
    /** Ends the stream when `look` finds the session ended or its person blocked. @throws request.too_many */
    watch(reply: FastifyReply, person: string, look: () => Promise<unknown>): void {
      const theirs = open.get(person) ?? 0
      const retryAfter = RETRY_AFTER_S
      if (theirs >= PER_PERSON) refuse(reply.request, problem('request.too_many', { retryAfter }))
      if (all >= ALTOGETHER) refuse(reply.request, problem('server.busy', { retryAfter }))
      open.set(person, theirs + 1)
      all += 1
      const timer = setInterval(() => {
        look().catch((error: unknown) => {
          // A database that is away says nothing about the session.
          const status = error instanceof Problem ? PROBLEMS[error.code].status : 0
          if (status === 401 || status === 403 || status === 404) reply.raw.destroy()
        })
      }, LOOK_EVERY_MS)
      onceClosed(reply, () => {
        clearInterval(timer)
        refused.delete(sessionOf(reply.request))
        all -= 1
        const left = (open.get(person) ?? 1) - 1
        if (left > 0) open.set(person, left)
        else open.delete(person)
      })
    },
  }
}

/** The end of a token is its signature, which nobody else has. */
const sessionOf = ({ headers }: FastifyRequest): string => headers.authorization?.slice(-64) ?? ''
