import { Problem } from '@ensaio/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { toProblem } from '../../../http/problem-reply.ts'
import { AuthError, authError, invalid } from '../errors/auth-error.ts'

export const API_VERSION = '2024-01-01'
const VERSION_HEADER = 'x-supabase-api-version'
/** An identity provider's answer is the longest: a signed assertion of some tens of kilobytes. */
export const BODY_LIMIT = 128 * 1024

/** The envelope and conventions that every endpoint of auth/v1 shares. */
export function speakAuthV1(app: FastifyInstance): void {
  app.removeContentTypeParser('application/x-www-form-urlencoded')
  // What a browser posts from an identity provider's page.
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: BODY_LIMIT },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  // Before a body is read.
  app.addHook('onRequest', async (request) => {
    if (request.is404) throw authError('not_found')
  })
  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
  app.setErrorHandler((error, request, reply) => replyAuthError(error, request, reply))
  app.setNotFoundHandler((request, reply) => replyAuthError(authError('not_found'), request, reply))
}

export function replyAuthError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = toAuthError(error)
  // A flood that is refused fills no log; the metrics count it.
  if (error instanceof Problem && error.code === 'server.busy') request.log.info(known.code)
  else if (known.status === 503)
    request.log.warn({ reason: error instanceof Error ? error.message : '' }, known.code)
  else if (known.status >= 500) request.log.error({ err: error }, known.message)
  if (known.extras.retryAfterS !== undefined)
    reply.header('retry-after', String(Math.ceil(known.extras.retryAfterS)))
  const asked = request.headers[VERSION_HEADER]
  const modern = typeof asked === 'string' && Date.parse(asked) >= Date.parse(API_VERSION)
  if (modern) reply.header(VERSION_HEADER, API_VERSION)
  return reply
    .code(known.status)
    .header('x-sb-error-code', known.code)
    .type('application/json; charset=utf-8')
    .send({
      code: modern ? known.code : known.status,
      error_code: known.code,
      msg: known.message,
      ...(modern && { message: known.message }),
      ...(known.extras.reasons && { weak_password: { reasons: known.extras.reasons } }),
      ...(known.status >= 500 && { error_id: request.id }),
    })
}

function toAuthError(error: unknown): AuthError {
  if (error instanceof AuthError) return error
  if (error instanceof z.ZodError) return invalid(`Invalid field: ${error.issues[0]?.path.join('.') ?? ''}`)
  const problem = error instanceof Problem ? error : toProblem(error)
  switch (problem.code) {
    case 'request.bad_json':
      return authError('bad_json', { message: 'Could not parse request body as JSON: not an object' })
    case 'request.too_large':
      return authError('request_entity_too_large')
    case 'request.invalid':
    case 'request.unsupported_media':
      return invalid('Invalid request')
    case 'server.unavailable':
    case 'server.busy':
    case 'server.database_away':
    case 'server.storage_full':
      return authError('request_timeout', { retryAfterS: 2 })
    default:
      return authError('unexpected_failure')
  }
}

/** Tokens in an address stay out of caches and of the next site's sight. */
export const seeOther = (reply: FastifyReply, address: string): FastifyReply =>
  reply.code(303).header('location', address).header('referrer-policy', 'no-referrer').send()
