import { contract, type Endpoint } from '@ensaio/domain'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { startTestServer } from '../test-server.ts'
import { openApiDocument } from './openapi.ts'
import { watchConformance } from './test-conformance.ts'

test('every endpoint of the contract stands in the OpenAPI document, with its input and output', () => {
  const document = JSON.parse(JSON.stringify(openApiDocument('http://localhost:3000')))
  for (const [operationId, endpoint] of Object.entries<Endpoint>(contract)) {
    const operation = document.paths[endpoint.path.replace(/:(\w+)/g, '{$1}')][endpoint.method.toLowerCase()]
    expect(operation.operationId).toBe(operationId)
    if (endpoint.output)
      expect(operation.responses[endpoint.status].content['application/json'].schema).not.toEqual({})
    if (endpoint.body) expect(operation.requestBody.content['application/json'].schema).not.toEqual({})
  }
  const login = document.paths['/api/auth/login'].post.requestBody.content['application/json'].schema
  expect(Object.keys(login.properties)).toEqual(['email', 'password'])
  const create = document.paths['/api/experiments'].post.requestBody.content['application/json'].schema
  expect(create.required).toContain('tratamentos')
  expect(create.properties.tratamentos).toMatchObject({ type: 'array', minItems: 1, maxItems: 500 })
})

test('every route of the server stands in the document that it serves', async () => {
  const server = await startTestServer({ env: { TEST_OUTBOX: '1' } })
  const { body } = await server.call('GET', '/api/openapi.json')
  const documented = new Set(
    Object.entries<Record<string, unknown>>(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    ),
  )
  // Tests alone read the outbox; pages and their files are no part of the API; the sign-in of other applications has a
  // document of its own, at its first address.
  const routes = server.routes.filter(
    (route) =>
      !/ (\/__outbox|\/oauth\/|\/\.well-known\/|\/assets|\/\*|\*|.*\.\w+$)/.test(route) ||
      route.endsWith('.json'),
  )
  expect(routes.length).toBeGreaterThan(80)
  expect(routes.filter((route) => !documented.has(route))).toEqual([])
  expect(documented).toContain('POST /auth/v1/token')
  expect(documented).toContain('GET /rest/v1/{table}')
  await server.stop()
})

test('an answer that the document does not promise is noticed', async () => {
  const app = Fastify()
  const deviations = watchConformance(app)
  app.get('/api/lookups/marcas', async () => ({ marcas: ['Aminoagro', 7] }))
  app.get('/api/lookups/culturas', async () => ({ culturas: ['Soja'], segredo: 'x' }))
  app.get('/api/lookups/estados', (_request, reply) => reply.code(202).send())
  app.get('/api/profile', (_request, reply) => reply.code(401).send({ erro: 'x' }))
  app.get('/api/lookups/regioes', async () => ({ regioes: [] }))
  for (const path of ['lookups/marcas', 'lookups/culturas', 'lookups/estados', 'profile', 'lookups/regioes'])
    await app.inject(`/api/${path}`)
  expect(deviations.map((each) => each.split(/[: ] ?/)[1])).toEqual([
    '/api/lookups/marcas',
    '/api/lookups/culturas',
    '/api/lookups/estados',
    '/api/profile',
  ])
})
