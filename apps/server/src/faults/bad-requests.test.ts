import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createExtractionPool } from '../jobs/extraction-pool.ts'
import { experimentInput, form, type Person, pdf, startTestServer, type TestServer } from '../test-server.ts'
import { type BadRequest, badRequest, type Operation, operationsOf } from './test-bad-requests.ts'
import { report, sizeOf } from './test-client.ts'

const RUNS = sizeOf('FAULT_REQUESTS', 800)
const PATIENCE_MS = 10_000
/** Words of our inside: files, statements, libraries, addresses. */
const INTERNALS =
  /node_modules|\.ts:\d|at \w+ \(|\bselect .+ from\b|syntax error at|violates|relation "|column "|SQLSTATE|ECONN|postgres:\/\/|\/tmp\/|\/home\/|ZodError|TypeError|undefined is not/i

const extractor = createExtractionPool()
let server: TestServer
let user: Person
let admin: Person
let operations: Operation[]
let ids: string[]
const good = {
  'POST /api/experiments': experimentInput(),
  'PUT /api/experiments/{id}': { ...experimentInput(), versao: 1 },
}

beforeAll(async () => {
  server = await startTestServer({ env: { LOG_LEVEL: process.env.FAULT_LOG ?? 'silent' }, extractor })
  user = await server.person()
  admin = await server.person({ role: 'admin' })
  const { body } = await server.call('POST', '/api/experiments', {
    token: user.token,
    body: form({ dados: JSON.stringify(experimentInput()), pdf: pdf() }),
  })
  const list = await server.call('GET', `/api/uploads/documents?experimentId=${body.experimento.id}`, {
    token: user.token,
  })
  ids = [body.experimento.id, list.body.documents[0].id, user.id, admin.id]
  operations = [...operationsOf((await server.call('GET', '/api/openapi.json')).body), ...dialects]
})
afterAll(async () => {
  await server.stop()
  await extractor.close()
})

/** The two dialects that the document leaves to their own specifications. */
const any = (name: string) => ({ name, in: 'query' as const, schema: { type: 'string' } })
const dialects: Operation[] = [
  ...['signup', 'recover', 'otp', 'verify', 'resend', 'magiclink', 'logout', 'factors', 'sso', 'invite'].map(
    (name) => ({
      method: 'POST',
      path: `/auth/v1/${name}`,
      parameters: [any('redirect_to')],
      json: {
        type: 'object',
        properties: Object.fromEntries(
          [
            'email',
            'password',
            'data',
            'token',
            'type',
            'token_hash',
            'code_challenge',
            'factor_type',
            'domain',
          ].map((each) => [each, { type: 'string' }]),
        ),
      },
      multipart: null,
    }),
  ),
  ...['password', 'refresh_token', 'pkce', 'id_token', 'x'].map((grant) => ({
    method: 'POST',
    path: `/auth/v1/token?grant_type=${grant}`,
    parameters: [],
    json: {
      type: 'object',
      properties: Object.fromEntries(
        ['email', 'password', 'refresh_token', 'auth_code', 'code_verifier'].map((each) => [
          each,
          { type: 'string' },
        ]),
      ),
    },
    multipart: null,
  })),
  ...['user', 'authorize', 'callback', 'verify', 'settings', 'health', 'reauthenticate'].map((name) => ({
    method: 'GET',
    path: `/auth/v1/${name}`,
    parameters: ['provider', 'redirect_to', 'state', 'code', 'token', 'type'].map(any),
    json: null,
    multipart: null,
  })),
  {
    method: 'PUT',
    path: '/auth/v1/user',
    parameters: [],
    json: { type: 'object', properties: { email: { type: 'string' }, data: { type: 'object' } } },
    multipart: null,
  },
  ...[
    'experimentos',
    'culturas',
    'fabricantes',
    'regioes',
    'estados',
    'protocolos_experimentos',
    '{table}',
  ].map((table) => ({
    method: 'GET',
    path: `/rest/v1/${table}`,
    parameters: [
      ...(table === '{table}' ? [{ name: 'table', in: 'path' as const, schema: { type: 'string' } }] : []),
      ...['select', 'id', 'nome', 'or', 'and', 'not.or', 'order', 'limit', 'offset', 'created_at'].map(any),
    ],
    json: null,
    multipart: null,
  })),
]

async function send({ method, path, headers, body, who }: BadRequest) {
  const token = { nobody: null, garbage: 'eyJ.x.y', user: user.token, admin: admin.token }[who]
  const abort = new AbortController()
  const patience = setTimeout(() => abort.abort(), PATIENCE_MS)
  try {
    const answer = await fetch(`${server.url}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...headers, ...(token !== null && { authorization: `Bearer ${token}` }) },
      signal: abort.signal,
      ...(body !== undefined && { body }),
    })
    // A stream of events has no end.
    if (answer.headers.get('content-type')?.startsWith('text/event-stream')) {
      await answer.body?.cancel()
      return { status: answer.status, text: '', type: 'text/event-stream' }
    }
    return {
      status: answer.status,
      text: await answer.text(),
      type: answer.headers.get('content-type') ?? '',
    }
  } finally {
    clearTimeout(patience)
  }
}

test(
  'generated bad requests over every endpoint meet no fault, no silence and no word of the inside',
  async () => {
    const statuses = new Map<number, number>()
    let slowestMs = 0
    let sent = 0
    await fc.assert(
      fc.asyncProperty(badRequest(operations, { ids, good }), async (request) => {
        const start = performance.now()
        const { status, text, type } = await send(request)
        slowestMs = Math.max(slowestMs, performance.now() - start)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        expect(status, `${request.method} ${request.path}: ${text.slice(0, 200)}`).toBeLessThan(500)
        if (status >= 400) {
          expect(type).toMatch(/json/)
          expect(text).not.toMatch(INTERNALS)
          JSON.parse(text)
        }
        sent += 1
        if (sent % 50 === 0) await renew()
      }),
      {
        numRuns: RUNS,
        endOnFailure: true,
        ...(process.env.FAULT_SEED && { seed: Number(process.env.FAULT_SEED) }),
      },
    )
    expect((await server.call('GET', '/readyz')).status).toBe(200)
    report('bad requests', {
      requests: RUNS,
      operations: operations.length,
      'answers 5xx': 0,
      'slowest, ms': Math.round(slowestMs),
      statuses: [...statuses]
        .sort(([a], [b]) => a - b)
        .map(([status, n]) => `${status}×${n}`)
        .join(' '),
    })
  },
  60_000 + RUNS * 60,
)

/** Some requests end the sessions that they were sent in. */
async function renew(): Promise<void> {
  if ((await server.call('GET', '/api/profile', { token: user.token })).status !== 200)
    user = await server.person()
  if ((await server.call('GET', '/api/profile', { token: admin.token })).status !== 200)
    admin = await server.person({ role: 'admin' })
}
