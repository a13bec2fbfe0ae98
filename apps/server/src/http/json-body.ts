import { problem } from '@ensaio/domain'
import type { FastifyInstance } from 'fastify'

/**
 * Clients send DELETE and sign-out with a JSON content type and no body: empty is `{}`. Anything but an object
 * at the top is refused here, so that no handler has to think of null, arrays or scalars.
 */
export function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('remove', 'remove')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') return done(null, {})
    // The framework's parser answers by callback only.
    parse(request, text as string, (error, value) => {
      if (error || typeof value !== 'object' || value === null || Array.isArray(value)) {
        done(problem('request.bad_json'))
      } else done(null, value)
    })
  })
}
