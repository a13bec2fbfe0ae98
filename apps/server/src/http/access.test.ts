import { contract, type Endpoint, urlOf } from '@ensaio/domain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD, type Person, startTestServer, type TestServer } from '../test-server.ts'

const endpoints = Object.entries<Endpoint>(contract)
const guarded = endpoints.filter(([, { access }]) => access !== 'public')
const NOWHERE = { id: '0190b3a0-0000-7000-8000-000000000000', kind: 'marcas' }

let server: TestServer
let user: Person
let gone: Person

beforeAll(async () => {
  server = await startTestServer()
  user = await server.person()
  gone = await server.person()
  await server.call('POST', '/auth/v1/logout', { token: gone.token })
})
afterAll(() => server.stop())

const ask = (endpoint: Endpoint, token?: string) => {
  const path = urlOf(endpoint, {
    params: endpoint.path.includes('lookups/:kind/:id') ? { kind: 'marcas', id: 1 } : NOWHERE,
  })
  return server.call(endpoint.method, path, {
    ...(token !== undefined && { token }),
    ...(endpoint.method !== 'GET' && { body: {} }),
  })
}

/** The payload changed, the signature kept. */
function forged(token: string): string {
  const [head, payload = '', signature] = token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const lie = { ...claims, sub: gone.id, app_metadata: { role: 'admin' } }
  return [head, Buffer.from(JSON.stringify(lie)).toString('base64url'), signature].join('.')
}

/** No signature at all. */
function unsigned(token: string): string {
  const [, payload] = token.split('.')
  return [Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url'), payload, ''].join('.')
}

describe.each(guarded)('%s', (_name, endpoint) => {
  test('is closed to a visitor, to forged tokens and to an ended session', async () => {
    for (const token of [
      undefined,
      'sb_publishable_x',
      forged(user.token),
      unsigned(user.token),
      gone.token,
    ]) {
      const { status, body } = await ask(endpoint, token)
      expect({ status, code: body.code }).toEqual({ status: 401, code: 'auth.required' })
    }
  })

  if (endpoint.access === 'admin')
    test('is closed to who is no administrator', async () => {
      const { status, body } = await ask(endpoint, user.token)
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'permission.denied' })
    })
})

test('every endpoint of the contract is served', async () => {
  const admin = await server.person({ role: 'admin' })
  for (const [name, endpoint] of endpoints) {
    // The last is a stream without an end; it has a test of its own.
    if (name === 'eraseAccount' || name === 'logout' || name === 'events') continue
    const { status, body } = await ask(endpoint, admin.token)
    expect.soft(status, name).toBeLessThan(500)
    expect
      .soft(['request.not_found', 'request.method'].includes(body.code) && status === 405, name)
      .toBe(false)
  }
})

test('an unknown path and a wrong method are told apart', async () => {
  expect(await server.call('GET', '/api/nada')).toMatchObject({
    status: 404,
    body: { code: 'request.not_found' },
  })
  const wrong = await server.call('PUT', '/api/lookups/marcas')
  expect(wrong).toMatchObject({ status: 405, body: { code: 'request.method' } })
  expect(wrong.headers.get('allow')).toBe('GET')
})

test('pages carry a strict policy without inline script', async () => {
  const { headers } = await server.call('GET', '/dashboard')
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';")
  expect(policy).not.toMatch(/script-src[^;]*'unsafe-inline'/)
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).toContain('https://tile.openstreetmap.org')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

test('behind TLS the browser is told to stay there, and a named proxy alone speaks for the visitor', async () => {
  const secured = await startTestServer({
    env: { SITE_URL: 'https://ensaio.exemplo.com.br', LIMITS: 'on', TILE_URL: 'off' },
  })
  const { headers } = await secured.call('GET', '/login')
  expect(headers.get('strict-transport-security')).toContain('max-age=31536000')
  expect(headers.get('content-security-policy')).toContain('upgrade-insecure-requests')
  expect(headers.get('content-security-policy')).not.toContain('openstreetmap')
  // A forged address does not get round the limit.
  const statuses = await Promise.all(
    Array.from({ length: 45 }, (_, index) =>
      secured.call('POST', '/auth/v1/recover', {
        body: { email: 'x@y.br' },
        headers: { 'x-forwarded-for': `10.0.0.${index}` },
      }),
    ),
  )
  expect(statuses.some(({ status }) => status === 429)).toBe(true)
  await secured.stop()
})

test('a sign-in takes the same time for known and unknown addresses', async () => {
  const time = async (email: string) => {
    const start = performance.now()
    await server.call('POST', '/auth/v1/token?grant_type=password', {
      body: { email, password: `${PASSWORD}x` },
    })
    return performance.now() - start
  }
  const known: number[] = []
  const unknown: number[] = []
  for (let round = 0; round < 15; round += 1) {
    known.push(await time(user.email))
    unknown.push(await time(`ninguem${round}@exemplo.com.br`))
  }
  // The quickest of many: the rest is the machine's other work.
  const ratio = Math.min(...known) / Math.min(...unknown)
  expect(ratio).toBeGreaterThan(0.6)
  expect(ratio).toBeLessThan(1.6)
})

test.each([
  ['a NUL in a query', 'GET', '/api/experiments?busca=%00', undefined],
  ['a NUL in metadata', 'PUT', '/auth/v1/user', { data: { x: 'a\u0000b' } }],
  ['half a surrogate pair in metadata', 'PUT', '/auth/v1/user', '{"data":{"x":"\\ud800"}}'],
  ['a poisoned prototype', 'PUT', '/auth/v1/user', '{"data":{"__proto__":{"admin":true}}}'],
  ['a deep nest', 'PUT', '/auth/v1/user', `{"data":${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}}`],
  ['a list for a text', 'POST', '/api/auth/login', { email: ['a'], password: { x: 1 } }],
  ['the wrong media type', 'POST', '/api/experiments', 'x'],
])('%s is no fault of the server', async (_what, method, path, body) => {
  const { status } = await server.call(method, path, {
    token: user.token,
    ...(body !== undefined && { body }),
  })
  expect(status).toBeLessThan(500)
})
