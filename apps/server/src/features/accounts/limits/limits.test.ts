import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test-server.ts'

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
    await Promise.all(
      Array.from({ length: 45 }, () =>
        server.call('POST', path, { headers, body: { email: 'x@y.br', password: 'x' } }),
      ),
    )
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

describe('wrong passwords', () => {
  const signIn = (email: string, password: string, from: string) =>
    server.call('POST', '/auth/v1/token?grant_type=password', {
      body: { email, password },
      headers: { 'x-forwarded-for': from },
    })

  test('of many strangers do not keep the owner out', async () => {
    const owner = await server.person()
    expect((await signIn(owner.email, owner.password, '203.0.113.1')).status).toBe(200)
    for (let guess = 0; guess < 30; guess += 1)
      await signIn(owner.email, 'errada-mesmo', `198.51.100.${guess}`)
    const stranger = await signIn(owner.email, owner.password, '198.51.100.200')
    expect(stranger.status).toBe(429)
    expect(Number(stranger.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    expect((await signIn(owner.email, owner.password, '203.0.113.1')).status).toBe(200)
  })

  test('of one address make only that address wait', async () => {
    const { email, password } = await server.person()
    for (let guess = 0; guess < 6; guess += 1) await signIn(email, 'errada-mesmo', '198.51.100.201')
    expect((await signIn(email, password, '198.51.100.201')).status).toBe(429)
    expect((await signIn(email, password, '198.51.100.202')).status).toBe(200)
  })

  test('all at once are counted before they are looked at', async () => {
    const { email } = await server.person()
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => signIn(email, 'errada-mesmo', '198.51.100.203')),
    )
    expect(answers.filter(({ status }) => status === 400).length).toBeLessThanOrEqual(5)
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(20)
  })

  test('before the right one are forgotten', async () => {
    const { email, password } = await server.person()
    for (let round = 0; round < 3; round += 1) {
      for (let guess = 0; guess < 3; guess += 1)
        expect((await signIn(email, 'errada-mesmo', '198.51.100.204')).status).toBe(400)
      expect((await signIn(email, password, '198.51.100.204')).status).toBe(200)
    }
  })
})

const signInHere = (email: string, password: string) =>
  server.call('POST', '/auth/v1/token?grant_type=password', { body: { email, password } })

test('wrong guesses delay the next one, for known and unknown addresses alike', async () => {
  const known = await server.person()
  for (const email of ['fantasma@exemplo.com.br', known.email]) {
    const statuses = []
    for (let guess = 0; guess < 6; guess += 1) statuses.push((await signInHere(email, 'errada-mesmo')).status)
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
  }
  const { status, headers } = await signInHere(known.email, known.password)
  expect(status).toBe(429)
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
})

test('one network address may not ask without end', async () => {
  const statuses = await Promise.all(
    Array.from({ length: 45 }, () => server.call('POST', '/auth/v1/recover', { body: { email: 'x@y.br' } })),
  )
  expect(statuses.filter(({ status }) => status === 429).length).toBeGreaterThan(10)
})

test('letters that one person has sent are counted over all of their organisations', async () => {
  const strict = await startTestServer({ env: { LIMITS: 'on' } })
  const admin = await strict.person({ role: 'admin' })
  const several = { token: admin.token, body: { organizacoes: 'varias' } }
  expect((await strict.call('PUT', '/api/admin/installation', several)).status).toBe(200)
  const person = await strict.person()
  const statuses: number[] = []
  for (const nome of ['Uma', 'Duas', 'Três']) {
    const { body } = await strict.call('POST', '/api/organizations', {
      token: person.token,
      body: { nome, tipo: 'consultoria' },
    })
    for (let n = 0; n < 45; n += 1) {
      const { status } = await strict.call('POST', `/api/organizations/${body.organizacao.id}/invitations`, {
        token: person.token,
        body: { email: `pessoa.${nome.length}.${n}@exemplo.com.br`, papel: 'leitor' },
      })
      statuses.push(status)
    }
  }
  expect(new Set(statuses.slice(0, 90))).toEqual(new Set([202]))
  expect(statuses.filter((status) => status === 202).length).toBeLessThan(110)
  expect(statuses.at(-1)).toBe(429)
  await strict.stop()
})
