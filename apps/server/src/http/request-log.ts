import { randomUUID } from 'node:crypto'
import { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import type { Config } from '../config.ts'

/**
 * One line a request: method, route pattern, status, time. Never the address asked for (it may hold tokens
 * or ids), nor headers, bodies, network or mail addresses.
 */
export function loggingOptions(config: Pick<Config, 'logLevel'>): FastifyServerOptions {
  return {
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    logger: {
      level: config.logLevel,
      base: null,
      serializers: { err: describeError, req: () => ({}), res: () => ({}) },
    },
  }
}

export function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    request.log.info({
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    })
  })
}

/** A driver's error carries the offending values in further members; they stay out. */
function describeError(error: unknown): { type: string; message: string; code?: string; stack: string } {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error), stack: '' }
  const cause = error.cause === undefined ? '' : `\ncaused by: ${describeError(error.cause).stack}`
  return {
    type: error.name,
    message: error.message,
    ...('code' in error && { code: String(error.code) }),
    stack: `${error.stack ?? ''}${cause}`,
  }
}
