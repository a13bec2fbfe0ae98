import { contract, type Endpoint } from '@ensaio/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Gauge, type Registry } from 'prom-client'
import { places } from '../places.ts'
import { onceClosed } from './once-closed.ts'

/** At once twice the connections to the database: more would wait there, and everybody longer. */
const PLACES = { atOnce: 40, perPerson: 12, inLine: 400, perPersonInLine: 300, patienceMs: 3_000 }
/**
 * Writes hold a connection and what they were sent, and may take long: they leave connections to reading, one
 * person's leave some to others' writes, and few of them wait with a large body in hand.
 */
const WRITES = { atOnce: 16, perPerson: 4, inLine: 200, perPersonInLine: 40, patienceMs: 3_000 }
const READS = new Set(['GET', 'HEAD', 'OPTIONS'])
const SERVICES = /^\/(api|auth\/v1|rest\/v1)\//
/** Streams last, and say so; what they do is bounded elsewhere. */
const STREAMS = new Set<string>(
  Object.values<Endpoint>(contract)
    .filter(({ media }) => media?.includes('text/event-stream'))
    .map(({ path }) => path),
)

const waiting = new WeakMap<FastifyRequest, () => Promise<void>>()
/** For a request with an upload, which was read in a line of its own: takes the place for what is done with it. */
export const startWork = async (request: FastifyRequest): Promise<void> => waiting.get(request)?.()

/**
 * Lets so many requests work at once; others wait in line for a moment, and beyond that are told at once to come
 * back. A request counts from when its body is there until its answer begins, so that slow senders and readers
 * hold no place. One person, or one address of visitors, does not take them all.
 */
export function boundWork(
  app: FastifyInstance,
  input: {
    registry: Registry
    who(request: FastifyRequest): string
    /** The account of a request with a session: those of one address that visitors share are no one person's. */
    account(request: FastifyRequest): string | null
  },
): void {
  const work = places(PLACES)
  const writing = places(WRITES)
  const leavers = new WeakMap<FastifyRequest, () => void>()
  new Gauge({
    name: 'ensaio_work',
    help: 'Requests that are worked on, and requests in line for that',
    labelNames: ['state'],
    registers: [input.registry],
    collect() {
      const { working, inLine } = work.counts()
      this.set({ state: 'working' }, working)
      this.set({ state: 'in line' }, inLine + writing.counts().inLine)
    },
  })
  const enter = async (request: FastifyRequest, reply: FastifyReply) => {
    const writer = READS.has(request.method) ? null : input.account(request)
    const held = [writer === null ? () => {} : await writing.enter(writer)]
    const leave = () => {
      for (const leaveOne of held) leaveOne()
    }
    leavers.set(request, leave)
    onceClosed(reply, leave)
    if (!reply.raw.destroyed) held.push(await work.enter(input.who(request)))
    if (reply.raw.destroyed) leave()
  }
  app.addHook('preHandler', async (request, reply) => {
    const { url = '' } = request.routeOptions
    if (!SERVICES.test(url) || STREAMS.has(url)) return
    if (request.isMultipart()) waiting.set(request, () => enter(request, reply))
    else await enter(request, reply)
  })
  app.addHook('onSend', async (request, _reply, payload) => {
    leavers.get(request)?.()
    return payload
  })
}
