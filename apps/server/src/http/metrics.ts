import { createHash, timingSafeEqual } from 'node:crypto'
import { problem } from '@ensaio/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type Config, isLoopback } from '../config.ts'
import type { Pool } from '../database/pool.ts'
import { onceClosed } from './once-closed.ts'

const BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
/** What a proxy adds to a request that it hands on. */
const FORWARDED = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
]

type Settings = Pick<Config, 'siteUrl' | 'trustProxy' | 'metricsToken'>

/**
 * /metrics for Prometheus: numbers by route pattern, nothing about anybody. With METRICS_TOKEN for whoever
 * knows it; without, only for this machine itself, and not at all once a proxy may stand in front.
 * @returns where other parts add their numbers
 */
export function metricsRoute(
  app: FastifyInstance,
  { config, pool }: { config: Settings; pool: Pool },
): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'ensaio_http_request_seconds',
    help: 'Time to answer, by method, route pattern and status',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_S,
    registers: [registry],
  })
  const atWork = new Gauge({
    name: 'ensaio_http_requests_at_work',
    help: 'Requests that wait for their answer, event streams included',
    registers: [registry],
  })
  new Gauge({
    name: 'ensaio_database_connections',
    help: 'Connections to the database: open, idle, and requests that wait for one',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'open' }, pool.raw.totalCount)
      this.set({ state: 'idle' }, pool.raw.idleCount)
      this.set({ state: 'waiting' }, pool.raw.waitingCount)
    },
  })

  app.addHook('onRequest', async (_request, reply) => {
    atWork.inc()
    onceClosed(reply, () => atWork.dec())
  })
  app.addHook('onResponse', async (request, reply) => {
    const { url: route = 'none' } = request.routeOptions
    requests.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request, config)) throw problem('request.not_found')
    reply.header('cache-control', 'no-store').type(registry.contentType)
    return registry.metrics()
  })
  return registry
}

function mayRead(request: FastifyRequest, { siteUrl, trustProxy, metricsToken }: Settings): boolean {
  if (metricsToken !== null)
    return request.headers.authorization !== undefined && holdsToken(request, metricsToken)
  // The site's address is this machine's, and so are the caller's and the one that it asked for.
  return (
    !trustProxy &&
    isLoopback(new URL(siteUrl).hostname) &&
    isLoopback(request.raw.socket.remoteAddress ?? '') &&
    isLoopback(hostOf(request)) &&
    FORWARDED.every((name) => request.headers[name] === undefined)
  )
}

function holdsToken(request: FastifyRequest, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(request.headers.authorization ?? ''), digest(`Bearer ${token}`))
}

function hostOf(request: FastifyRequest): string {
  const address = `http://${request.headers.host ?? ''}`
  return URL.canParse(address) ? new URL(address).hostname : ''
}
