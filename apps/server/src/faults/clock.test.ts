import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { wallOver } from '../database/wall.ts'
import { createDocuments } from '../features/documents/documents.service.ts'
import { experimentInput, form, type Person, pdf, startTestServer, type TestServer } from '../test-server.ts'

// The server's clock jumps; the database's, on a machine of its own, does not. And the other way round.

const HOUR_MS = 3_600_000
let server: TestServer
let person: Person

beforeEach(async () => {
  server = await startTestServer({ env: { LIMITS: 'off' } })
  person = await server.person()
})
afterEach(async () => {
  vi.useRealTimers()
  await server.stop()
})

function jump(ms: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
}

const create = (key: string, token = person.token) =>
  server.call('POST', '/api/experiments', {
    token,
    body: form({ dados: JSON.stringify(experimentInput()), pdf: pdf(key) }),
    headers: { 'idempotency-key': key },
  })
const refresh = (token: string) =>
  server.call('POST', '/auth/v1/token?grant_type=refresh_token', { body: { refresh_token: token } })

test.each([
  ['two hours ahead', 2 * HOUR_MS],
  ['two days ahead', 48 * HOUR_MS],
])(
  '%s an access token is over, the session renews itself, and a repeated create makes nothing new',
  async (_, ms) => {
    const first = await create('uma-vez')
    expect(first.status).toBe(201)
    jump(ms)
    expect((await create('uma-vez')).status).toBe(401)
    const renewed = await refresh(person.refreshToken)
    expect(renewed.status).toBe(200)
    const again = await create('uma-vez', renewed.body.access_token)
    expect(again.body.experimento.id).toBe(first.body.experimento.id)
    // And back: the token of the wrong time is no danger, and no trouble.
    jump(-ms)
    expect((await server.call('GET', '/api/profile', { token: renewed.body.access_token })).status).toBe(200)
    expect((await refresh(renewed.body.refresh_token)).status).toBe(200)
  },
)

test.each([
  ['two hours behind', -2 * HOUR_MS],
  ['a year behind', -365 * 24 * HOUR_MS],
])('%s people still sign in, work and sign out', async (_, ms) => {
  jump(ms)
  expect((await create('antes-da-hora')).status).toBe(201)
  const late = await server.person()
  expect((await server.call('GET', '/api/profile', { token: late.token })).status).toBe(200)
  expect((await refresh(late.refreshToken)).status).toBe(200)
  expect((await server.call('POST', '/auth/v1/logout', { token: late.token })).status).toBe(204)
  expect((await server.call('GET', '/api/profile', { token: late.token })).status).toBe(401)
})

test('a token ends with its key, however often it was good before', async () => {
  const read = () => server.call('GET', '/api/profile', { token: person.token })
  expect((await read()).status).toBe(200)
  await sql`delete from auth.signing_keys`.execute(server.handle)
  // Keys are read anew once a minute.
  jump(61_000)
  await expect.poll(async () => (await read()).status).toBe(401)
})

test('a server that starts with its clock behind the database signs people in', async () => {
  jump(-2 * HOUR_MS)
  const behind = await startTestServer()
  const other = await behind.person()
  expect((await behind.call('GET', '/api/profile', { token: other.token })).status).toBe(200)
  await behind.stop()
})

test('no jump makes the sweep take a file whose row is about to come', async () => {
  const documents = createDocuments({
    wall: wallOver(server.pool.raw),
    owner: server.handle,
    store: server.store,
  })
  const file = await documents.keep({ filename: 'x.pdf', bytes: Buffer.from('%PDF-1.7') })
  jump(48 * HOUR_MS)
  expect(await documents.sweep()).toBe(0)
  await documents.name(server.handle, file, { experimentId: null, userId: person.id })
  expect(await documents.sweep({ uptimeMs: performance.now() + HOUR_MS })).toBe(0)
})

test('a database clock that was set back locks nobody out', async () => {
  const limited = await startTestServer({ env: { LIMITS: 'on' } })
  const user = await limited.person()
  const signIn = (password: string) =>
    limited.call('POST', '/auth/v1/token?grant_type=password', { body: { email: user.email, password } })
  for (let guess = 0; guess < 6; guess += 1) await signIn('errada-mesmo')
  expect((await signIn(user.password)).status).toBe(429)
  // What was written two hours ago, by the clock as it is now, seems to come from the future.
  await sql`update auth.rate_limits set updated_at = updated_at + interval '2 hours'`.execute(limited.handle)
  await sql`update auth.failures set updated_at = updated_at + interval '2 hours',
    blocked_until = blocked_until + interval '2 hours'`.execute(limited.handle)
  expect((await signIn(user.password)).status).toBe(200)
  await limited.stop()
})
