import { contract, type Endpoint } from '@ensaio/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Gauge, type Registry } from 'prom-client'
import { places } from '../places.ts'
import { onceClosed } from './once-closed.ts'

/** At once twice the connections to the database: more would wait there, and everybody longer. */
const PLACES = { atOnce: 40, perPerson: 30, inLine: 400, perPersonInLine: 300, patienceMs: 3_000 }
const SERVICES = /^\/(api|auth\/v1|rest\/v1)\//
/** Streams last, and say so; what they do is bounded elsewhere. */
const STREAMS = new Set<string>(
  Object.values<Endpoint>(contract)
    .filter(({ media }) => media?.includes('text/event-stream'))
    .map(({ path }) => path),
)

/**
 * Lets so many requests work at once; others wait in line for a moment, and beyond that are told at once to come
 * back. A request counts from when its body is there until its answer begins, so that slow senders and readers
 * hold no place; uploads have a line of their own. One person, or one address of visitors, does not take them all.
 */
export function boundWork(
  app: FastifyInstance,
  { registry, who }: { registry: Registry; who(request: FastifyRequest): string },
): void {
  const work = places(PLACES)
  const leavers = new WeakMap<FastifyRequest, () => void>()
  new Gauge({
    name: 'ensaio_work',
    help: 'Requests that are worked on, and requests in line for that',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { working, inLine } = work.counts()
      this.set({ state: 'working' }, working)
      this.set({ state: 'in line' }, inLine)
    },
  })
  app.addHook('preHandler', async (request, reply) => {
    const { url = '' } = request.routeOptions
    if (!SERVICES.test(url) || STREAMS.has(url) || request.isMultipart()) return
    const leave = await work.enter(who(request))
    leavers.set(request, leave)
    onceClosed(reply, leave)
  })
  app.addHook('onSend', async (request, _reply, payload) => {
    leavers.get(request)?.()
    return payload
  })
}
