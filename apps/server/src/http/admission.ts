import { contract, type Endpoint, problem } from '@ensaio/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Gauge, type Registry } from 'prom-client'

/** Twice the connections to the database: more at once would wait there, and everybody longer. */
const AT_ONCE = 40
const IN_LINE = 400
/** Who waits longer is better told to come back. */
const LONGEST_WAIT_MS = 3_000

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
 * hold no place; uploads have a line of their own.
 */
export function boundWork(app: FastifyInstance, { registry }: { registry: Registry }): void {
  let working = 0
  const line: { enter: () => void }[] = []
  const leavers = new WeakMap<FastifyRequest, () => void>()
  new Gauge({
    name: 'ensaio_work',
    help: 'Requests that are worked on, and requests in line for that',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'working' }, working)
      this.set({ state: 'in line' }, line.length)
    },
  })

  const enter = (): Promise<void> => {
    if (working < AT_ONCE) {
      working += 1
      return Promise.resolve()
    }
    if (line.length >= IN_LINE) throw problem('server.busy')
    return new Promise((done, fail) => {
      const place = { enter: () => {} }
      const tooLong = setTimeout(() => {
        line.splice(line.indexOf(place), 1)
        fail(problem('server.busy'))
      }, LONGEST_WAIT_MS)
      place.enter = () => {
        clearTimeout(tooLong)
        done()
      }
      line.push(place)
    })
  }
  const leave = () => {
    // Whoever leaves hands the place over.
    const next = line.shift()
    if (next) next.enter()
    else working -= 1
  }

  app.addHook('preHandler', async (request, reply) => {
    const { url = '' } = request.routeOptions
    if (!SERVICES.test(url) || STREAMS.has(url) || request.isMultipart()) return
    await enter()
    let left = false
    const once = () => {
      if (left) return
      left = true
      leave()
    }
    leavers.set(request, once)
    reply.raw.once('close', once)
    if (reply.raw.destroyed) once()
  })
  app.addHook('onSend', async (request, _reply, payload) => {
    leavers.get(request)?.()
    return payload
  })
}
