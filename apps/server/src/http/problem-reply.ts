import { detailOf, PROBLEMS, Problem, type ProblemBody, type ProblemCode, problem } from '@ensaio/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { StoreUnavailable } from '../storage/document-store.ts'

const RETRY_AFTER_S = 2

/** The one place where a failure becomes an answer of the product API (RFC 9457). */
export function replyProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const body = problemBody(error, request)
  const retryAfter = toProblem(error).extras.retryAfter ?? (body.status === 503 ? RETRY_AFTER_S : undefined)
  if (retryAfter !== undefined) reply.header('retry-after', String(Math.ceil(retryAfter)))
  if (body.status === 401) reply.header('www-authenticate', 'Bearer')
  return reply
    .code(body.status)
    .header('cache-control', 'no-store')
    .type('application/problem+json; charset=utf-8')
    .serializer((value: unknown) => JSON.stringify(value))
    .send(body)
}

/** The answer's body; a fault is logged under the id that it carries. */
export function problemBody(error: unknown, request: FastifyRequest): ProblemBody {
  const known = toProblem(error)
  const { status: usual, detail: sentence } = PROBLEMS[known.code]
  const status = known.extras.status ?? usual
  const detail = detailOf(known)
  // Who went away in the middle reads no answer, and is no fault of ours.
  if (request.raw.socket.destroyed) request.log.info({ reason: 'gone' }, known.code)
  // Nor does a flood that is refused fill the log; the metrics count it.
  else if (known.code === 'server.busy') request.log.info(known.code)
  else if (status === 503)
    request.log.warn({ reason: error instanceof Error ? error.message : '' }, known.code)
  else if (status >= 500) request.log.error({ err: error }, detail)
  return {
    type: 'about:blank',
    title: sentence,
    status,
    code: known.code,
    detail,
    ...(known.extras.fields && { fields: [...known.extras.fields] }),
    ...(known.extras.erros && { erros: [...known.extras.erros] }),
    ...(known.extras.current !== undefined && { current: known.extras.current }),
    ...(status >= 500 && { id: request.id }),
  }
}

/** What a failure means, whoever threw it. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof StoreUnavailable)
    return problem(error.full ? 'server.storage_full' : 'server.storage_away', { cause: error })
  const code = codeOf(error)
  if (code === DISK_FULL) return problem('server.storage_full', { cause: error })
  if (isDatabaseAway(error)) return problem('server.database_away', { cause: error })
  const mapped = code === undefined ? undefined : (FRAMEWORK_CODES[code] ?? sqlProblem(error, code))
  if (mapped) return problem(mapped, { cause: error })
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined
  if (status === 413) return problem('request.too_large', { cause: error })
  if (status === 415) return problem('request.unsupported_media', { cause: error })
  if (typeof status === 'number' && status >= 400 && status < 500)
    return problem('request.invalid', { cause: error })
  return problem('server.fault', { cause: error })
}

const FRAMEWORK_CODES: Readonly<Record<string, ProblemCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'request.too_large',
  FST_REQ_FILE_TOO_LARGE: 'document.too_large',
  FST_FILES_LIMIT: 'document.too_many',
  FST_PARTS_LIMIT: 'request.too_large',
  FST_FIELDS_LIMIT: 'request.too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'request.unsupported_media',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'request.unsupported_media',
  FST_ERR_CTP_INVALID_JSON_BODY: 'request.bad_json',
}

/**
 * SQLSTATE codes and classes: a value that PostgreSQL cannot hold, such as text with a NUL, or that a rule of a
 * table refuses; a row that has just come or gone (23503, 23505); a lock that was not to be had (40P01, 40001).
 */
const SQL_PROBLEMS: Readonly<Record<string, ProblemCode>> = {
  '22': 'request.invalid',
  '23': 'request.invalid',
  '23503': 'request.conflict',
  '23505': 'request.conflict',
  // Two writers that waited for each other: the other one is done by now.
  '40': 'server.busy',
  '55P03': 'server.busy',
  // More than the database can hold in one place, as a key that is too long.
  '54': 'request.invalid',
  // Our own (migration 0027): nobody would own an organisation with members.
  EN001: 'organization.last_owner',
}

const sqlProblem = (error: unknown, code: string): ProblemCode | undefined => {
  if (!(error instanceof Error && 'severity' in error)) return undefined
  // What a row policy refused was not the person's to do; a right that our role lacks is a fault of ours.
  if (code === '42501' && /row-level security|acting organisation/.test(error.message))
    return 'permission.denied'
  return SQL_PROBLEMS[code] ?? SQL_PROBLEMS[code.slice(0, 2)]
}

/** PostgreSQL's own word for it. */
const DISK_FULL = '53100'

/** SQLSTATE classes and system errors that say "not now" rather than "wrong". */
const AWAY = /^(08|53|57P|57014|25P03|ECONN|ENOENT|EPIPE|ETIMEDOUT|EAI_AGAIN)/
const AWAY_MESSAGE =
  /timeout exceeded when trying to connect|Query read timeout|Connection terminated|pool is draining/

export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const isDatabaseError =
    'severity' in error || 'routine' in error || ('syscall' in error && 'address' in error)
  return (isDatabaseError && AWAY.test(codeOf(error) ?? '')) || AWAY_MESSAGE.test(error.message)
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
