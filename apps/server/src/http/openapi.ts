import { contract, type Endpoint, ProblemBody } from '@ensaio/domain'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

const LIFE_S = 300

/** A registered address that is not in the contract. */
export interface OtherRoute {
  method: string
  url: string
}

type Operations = Record<string, Record<string, unknown>>

/**
 * The API as OpenAPI 3.1: the product's own from the contract that its routes are registered by, and the
 * addresses of the two public dialects, whose bodies their own documents describe.
 */
export function openApiDocument(
  siteUrl: string,
  others: readonly OtherRoute[] = [],
): { paths: Operations } & Record<string, unknown> {
  const paths: Operations = {}
  for (const [operationId, endpoint] of Object.entries<Endpoint>(contract)) {
    const path = documentedPath(endpoint.path)
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(operationId, endpoint) }
  }
  for (const { method, url } of others) {
    const path = documentedPath(url)
    paths[path] ??= {}
    paths[path][method.toLowerCase()] ??= otherOperation(url)
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

/** ':id' of a route is '{id}' in the document. */
export const documentedPath = (url: string): string => url.replace(/:(\w+)/g, '{$1}')

function operation(operationId: string, endpoint: Endpoint): Record<string, unknown> {
  const { status, output, media = [], others = {} } = endpoint
  const good = Object.entries(others).map(([code, { description, output: other }]) => [
    code,
    { description, ...(other && { content: { 'application/json': { schema: schemaOf(other, 'output') } } }) },
  ])
  return {
    operationId,
    summary: endpoint.summary,
    tags: [endpoint.path.split('/')[2] ?? 'api'],
    security: endpoint.access === 'public' ? [] : [{ bearer: [] }],
    parameters: [...parameters(endpoint.params, 'path'), ...parameters(endpoint.query, 'query')],
    ...requestBody(endpoint),
    responses: {
      [status]: {
        description: 'OK',
        ...((output || media.length > 0) && {
          content: {
            ...Object.fromEntries(media.map((type) => [type, {}])),
            ...(output && { 'application/json': { schema: schemaOf(output, 'output') } }),
          },
        }),
      },
      ...Object.fromEntries(good),
      default: {
        description: 'Problema (RFC 9457)',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  }
}

const DIALECTS: readonly [prefix: string, tag: string, summary: string][] = [
  ['/auth/v1', 'auth/v1', 'Contas e sessões no dialeto do GoTrue; use @supabase/auth-js'],
  ['/rest/v1', 'rest/v1', 'Leitura de tabelas no dialeto do PostgREST; use @supabase/postgrest-js'],
  ['/brapi/v2', 'brapi/v2', 'Ensaios, parcelas e valores no dialeto BrAPI v2.1'],
  ['', 'serviço', 'Para quem opera o servidor'],
]

function otherOperation(url: string): Record<string, unknown> {
  const [, tag, summary] = DIALECTS.find(([prefix]) => url.startsWith(prefix)) ?? ['', 'serviço', '']
  return {
    summary,
    tags: [tag],
    security: [],
    parameters: [...url.matchAll(/:(\w+)/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    responses: { default: { description: 'Conforme o dialeto' } },
  }
}

function parameters(schema: z.ZodObject | undefined, place: 'path' | 'query') {
  return Object.entries(schema?.shape ?? {}).map(([name, member]) => ({
    name,
    in: place,
    required: place === 'path' || !(member as z.ZodType).safeParse(undefined).success,
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

/** Serves the document; call it before any other route is registered, so that it hears of all of them. */
export function openApiRoute(app: FastifyInstance, { siteUrl }: { siteUrl: string }): void {
  const others: OtherRoute[] = []
  const own = new Set(Object.values<Endpoint>(contract).map(({ method, path }) => `${method} ${path}`))
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) {
      if (each !== 'HEAD' && each !== 'OPTIONS' && SERVICES.test(url) && !own.has(`${each} ${url}`))
        others.push({ method: each, url })
    }
  })
  let document: Record<string, unknown> | undefined
  app.get('/api/openapi.json', async (_request, reply) => {
    document ??= openApiDocument(siteUrl, others)
    reply.header('cache-control', `public, max-age=${LIFE_S}`)
    return document
  })
}

/** Pages and their files are no part of the API, nor is what only tests have. */
const SERVICES = /^\/(api|auth\/v1|rest\/v1|brapi\/v2)\/.|^\/(healthz|readyz|metrics)$/
