import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ env: { LIMITS: 'on', TRUST_PROXY: '127.0.0.1' } })
})
afterAll(() => server.stop())

const recover = (from: string) =>
  server.call('POST', '/auth/v1/recover', {
    body: { email: 'x@y.br' },
    headers: { 'x-forwarded-for': from },
  })

/** Answers how many of so many were refused, each from another address. */
async function refused(count: number, address: (index: number) => string): Promise<number> {
  const answers = await Promise.all(Array.from({ length: count }, (_, index) => recover(address(index))))
  return answers.filter(({ status }) => status === 429).length
}

test('the addresses of one IPv6 subscriber count as one', async () => {
  expect(await refused(45, (index) => `2001:db8:0:1::${index}`)).toBeGreaterThan(10)
  expect((await recover('2001:db8:0:2::1')).status).toBe(200)
})

test('an address counts as one in whatever spelling', async () => {
  const spellings = ['198.51.100.9', '::ffff:198.51.100.9', '::FFFF:C633:6409']
  expect(await refused(45, (index) => spellings[index % 3] ?? '')).toBeGreaterThan(10)
  expect((await recover('198.51.100.10')).status).toBe(200)
})

test.each(['/auth/v1/recover', '/auth/v1/signup', '/api/auth/login', '/api/auth/forgot-password'])(
  'who asks %s too often is answered before the body is there',
  async (path) => {
    const headers = { 'x-forwarded-for': '192.0.2.77', 'content-type': 'application/json' }
    for (let round = 0; round < 32; round += 1)
      await server.call('POST', path, { headers, body: { email: 'x@y.br', password: 'x' } })
    const half = request(`${server.url}${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-length': 50_000 },
    })
    half.on('error', () => undefined)
    half.write('{"email":"')
    const [answer] = await once(half, 'response')
    expect(answer.statusCode).toBe(429)
    half.destroy()
  },
)

test.each(['login', 'register', 'forgot-password', 'reset-password', 'refresh'])(
  'a visitor may not send a long body to %s',
  async (name) => {
    const { status, body } = await server.call('POST', `/api/auth/${name}`, {
      headers: { 'x-forwarded-for': '192.0.2.78' },
      body: { email: `a@${'a.'.repeat(100_000)}@`, password: 'x', name: 'Fulano' },
    })
    expect({ status, code: body.code }).toEqual({ status: 413, code: 'request.too_large' })
  },
)
