import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'
import { documentedPath, openApiDocument } from './openapi.ts'

interface Responses {
  [status: string]: { content?: Record<string, { schema?: object }> }
}

/** What was answered otherwise than the OpenAPI document says. */
export type Deviations = string[]

/** Holds every answer of the product API against the document; call it before the server listens. */
export function watchConformance(app: FastifyInstance): Deviations {
  const deviations: Deviations = []
  const document = JSON.parse(JSON.stringify(openApiDocument('http://localhost')))
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'document', components: document.components })
  const compiled = new WeakMap<object, ValidateFunction>()
  const validatorOf = (schema: object) => {
    const known = compiled.get(schema)
    if (known) return known
    const made = ajv.compile(
      JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components')),
    )
    compiled.set(schema, made)
    return made
  }
  const responsesOf = (method: string, url: string | undefined): Responses | undefined =>
    url && document.paths[documentedPath(url)]?.[method.toLowerCase()]?.responses

  // Before it becomes text, and before it is compressed.
  app.addHook('preSerialization', async (request, reply, payload) => {
    const responses = responsesOf(request.method, request.routeOptions.url)
    const answer = responses?.[reply.statusCode] ?? responses?.default
    const schema =
      answer?.content?.['application/json']?.schema ?? answer?.content?.['application/problem+json']?.schema
    if (!responses) return payload
    const where = `${request.method} ${request.routeOptions.url} ${reply.statusCode}`
    const asked = request.url.slice(0, 120)
    if (!schema) deviations.push(`${where}: a body that the document does not know (${asked})`)
    else {
      const validate = validatorOf(schema)
      if (!validate(JSON.parse(JSON.stringify(payload))))
        deviations.push(`${where}: ${ajv.errorsText(validate.errors)} (${asked})`)
    }
    return payload
  })
  app.addHook('onResponse', async (request, reply) => {
    const responses = responsesOf(request.method, request.routeOptions.url)
    if (!responses || reply.statusCode >= 400 || responses[reply.statusCode]) return
    deviations.push(
      `${request.method} ${request.routeOptions.url}: ${reply.statusCode} is not in the document`,
    )
  })
  return deviations
}
