import { ENDPOINTS, fieldProblems, problem } from '@ensaio/domain'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'

/** The largest experiment has a third of them: what only costs time is refused before anything is made of it. */
const MOST_VALUES = 100_000
/** A route that takes a longer body takes as many more: a sheet of plots alone has 100,000 values. */
const BYTES_A_VALUE = 32
/** More than any client nests, and less than what recursion behind this can bear. */
const DEEPEST = 64

/** The characters that give JSON its shape. */
const MARK = { quote: 34, comma: 44, openList: 91, escape: 92, closeList: 93, open: 123, close: 125 } as const

/** Reads the text once from end to end; whether it is JSON at all is the parser's to say. @throws Problem */
export function checkJson(text: string, most = MOST_VALUES): void {
  let quoted = false
  let depth = 0
  let values = 0
  for (let at = 0; at < text.length; at += 1) {
    const mark = text.charCodeAt(at)
    if (mark === MARK.quote) quoted = !quoted
    else if (quoted) {
      if (mark === MARK.escape) at += 1
    } else if (mark === MARK.closeList || mark === MARK.close) depth -= 1
    else if (mark === MARK.comma) values += 1
    else if (mark === MARK.openList || mark === MARK.open) {
      values += 1
      depth += 1
    }
    if (depth > DEEPEST) throw problem('request.bad_json')
    if (values > most) throw problem('request.too_large')
  }
}

/**
 * Clients send DELETE and sign-out with a JSON content type and no body: empty is `{}`. Anything but an object
 * at the top is refused here, so that no handler has to think of null, arrays or scalars; a dialect whose bodies are
 * lists says so.
 */
export function acceptJson(app: FastifyInstance, { lists = false }: { lists?: boolean } = {}): void {
  const parse = app.getDefaultJsonParser('remove', 'remove')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body)
    if (text === '') return done(null, {})
    try {
      checkJson(text, Math.max(MOST_VALUES, request.routeOptions.bodyLimit / BYTES_A_VALUE))
    } catch (error) {
      return done(error instanceof Error ? error : problem('request.bad_json'))
    }
    // The framework's parser answers by callback only.
    parse(request, text, (error, value) => {
      if (error || typeof value !== 'object' || value === null || (Array.isArray(value) && !lists)) {
        done(problem('request.bad_json'))
      } else done(null, value)
    })
  })
  // The one click of a mail program sends a form of its own (RFC 8058), which says nothing more.
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (request, _body, done) =>
      request.routeOptions.url === ENDPOINTS.unsubscribeAlert.path
        ? done(null, {})
        : done(problem('request.unsupported_media')),
  )
}

/** A field of a form that holds JSON. @throws Problem */
export function parseField<S extends z.ZodType>(schema: S, text: string): z.output<S> {
  checkJson(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw problem('request.bad_json', { cause })
  }
  const result = schema.safeParse(value)
  if (!result.success) throw problem('validation.failed', { fields: fieldProblems(result.error) })
  return result.data
}
