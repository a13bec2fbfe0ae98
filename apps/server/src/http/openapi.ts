import { contract, type Endpoint, ProblemBody } from '@ensaio/domain'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

const LIFE_S = 300

/** The product API as OpenAPI 3.1, made from the contract that the routes are registered by. */
export function openApiDocument(siteUrl: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [operationId, endpoint] of Object.entries<Endpoint>(contract)) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(operationId, endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Ensaio', version: '1.0.0', description: 'Registro e análise de ensaios de campo.' },
    servers: [{ url: siteUrl }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Problem: schemaOf(ProblemBody, 'output') },
    },
  }
}

function operation(operationId: string, endpoint: Endpoint): Record<string, unknown> {
  return {
    operationId,
    summary: endpoint.summary,
    tags: [endpoint.path.split('/')[2] ?? 'api'],
    security: endpoint.access === 'public' ? [] : [{ bearer: [] }],
    parameters: [...parameters(endpoint.params, 'path'), ...parameters(endpoint.query, 'query')],
    ...requestBody(endpoint),
    responses: {
      [endpoint.status]: {
        description: 'OK',
        ...(endpoint.output && {
          content: { 'application/json': { schema: schemaOf(endpoint.output, 'output') } },
        }),
      },
      default: {
        description: 'Problema (RFC 9457)',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  }
}

function parameters(schema: z.ZodObject | undefined, place: 'path' | 'query') {
  return Object.entries(schema?.shape ?? {}).map(([name, member]) => ({
    name,
    in: place,
    required: place === 'path',
    schema: schemaOf(member as z.ZodType, 'input'),
  }))
}

function requestBody({ body, multipart }: Endpoint): Record<string, unknown> {
  if (!body && !multipart) return {}
  const content: Record<string, unknown> = {}
  if (body) content['application/json'] = { schema: schemaOf(body, 'input') }
  if (multipart) {
    const properties = Object.entries(multipart).map(([name, description]) => [
      name,
      name === 'pdf'
        ? { type: 'string', contentMediaType: 'application/pdf', description }
        : { type: 'string', description },
    ])
    content['multipart/form-data'] = {
      schema: { type: 'object', properties: Object.fromEntries(properties) },
    }
  }
  return { requestBody: { content } }
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return plain
}

export function openApiRoute(app: FastifyInstance, { siteUrl }: { siteUrl: string }): void {
  const document = openApiDocument(siteUrl)
  app.get('/api/openapi.json', async (_request, reply) => {
    reply.header('cache-control', `public, max-age=${LIFE_S}`)
    return document
  })
}
