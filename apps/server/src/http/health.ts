import type { FastifyInstance } from 'fastify'
import type { Pool } from '../database/pool.ts'

/** /healthz: the process answers. /readyz: so does the database. */
export function healthRoutes(app: FastifyInstance, { pool }: { pool: Pool }): void {
  let asking: Promise<boolean> | undefined
  /** However many ask, the database is asked once at a time. */
  const ping = () => {
    asking ??= pool.ping().finally(() => {
      asking = undefined
    })
    return asking
  }
  app.get('/healthz', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return { status: 'ok' }
  })
  app.get('/readyz', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    const ready = await ping()
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'unavailable' })
  })
}
