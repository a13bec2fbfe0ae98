import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { experimentInput, form, type Person, pdf, startTestServer, type TestServer } from '../test-server.ts'
import { report, sizeOf } from './test-client.ts'

const SLOW = sizeOf('FAULT_SLOW_CONNECTIONS', 300)
const DROPPED = sizeOf('FAULT_DROPPED', 120)
let server: TestServer
let person: Person
beforeAll(async () => {
  server = await startTestServer()
  person = await server.person()
})
afterAll(() => server.stop())

async function open(): Promise<Socket> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

test('senders that dribble are cut off, and meanwhile nobody else waits', async () => {
  const started = performance.now()
  const sockets = await Promise.all(Array.from({ length: SLOW }, open))
  let closed = 0
  for (const [index, socket] of sockets.entries()) {
    socket.on('close', () => {
      closed += 1
    })
    socket.write('GET /api/lookups/marcas HTTP/1.1\r\nHost: localhost\r\n')
    const dribble = setInterval(() => socket.write(`X-${index}: a\r\n`), 1_000)
    socket.once('close', () => clearInterval(dribble))
  }
  const times: number[] = []
  while (closed < SLOW && performance.now() - started < 25_000) {
    const asked = performance.now()
    expect((await server.call('GET', '/api/lookups/marcas')).status).toBe(200)
    times.push(performance.now() - asked)
    await sleep(100)
  }
  times.sort((a, b) => a - b)
  const p95 = times[Math.floor(times.length * 0.95)] ?? 0
  expect(closed).toBe(SLOW)
  expect(p95).toBeLessThan(1_000)
  report('slow senders', {
    connections: SLOW,
    'cut off after, s': ((performance.now() - started) / 1000).toFixed(1),
    'others p95, ms': p95.toFixed(1),
  })
}, 200_000)

test('uploads that are dropped anywhere leave nothing behind and keep nobody out', async () => {
  const body = form({
    dados: JSON.stringify(experimentInput()),
    pdf: new Blob([pdf(), '% ', 'x'.repeat(100_000)]),
  })
  const whole = new Response(body)
  const type = whole.headers.get('content-type')
  const bytes = Buffer.from(await whole.arrayBuffer())
  const count = async (table: string) => {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.raw(table)}`.execute(
      server.handle,
    )
    return rows[0]?.n ?? 0
  }
  const drop = async (index: number) => {
    const socket = await open()
    socket.write(
      `POST /api/experiments HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${person.token}\r\nContent-Type: ${type}\r\nContent-Length: ${bytes.length}\r\n\r\n`,
    )
    socket.write(bytes.subarray(0, Math.floor((bytes.length * index) / DROPPED)))
    await sleep(20)
    socket.destroy()
  }
  for (let index = 0; index < DROPPED; index += 30)
    await Promise.all(Array.from({ length: 30 }, (_, at) => drop(index + at)))
  await sleep(300)
  expect(await count('experimentos')).toBe(0)
  expect(await count('documentos')).toBe(0)
  const { status } = await server.call('POST', '/api/experiments', {
    token: person.token,
    body: form({ dados: JSON.stringify(experimentInput()), pdf: pdf() }),
  })
  expect(status).toBe(201)
}, 200_000)

test('an answer that was lost on the way is asked for again with the same key, and nothing is made twice', async () => {
  const before = (await server.call('GET', '/api/experiments', { token: person.token })).body.total
  for (let index = 0; index < 20; index += 1) {
    const request = () => ({
      method: 'POST',
      headers: {
        authorization: `Bearer ${person.token}`,
        'content-type': 'application/json',
        'idempotency-key': `perdida-${index}`,
      },
      body: JSON.stringify(experimentInput({ cultivar: `perdida ${index}` })),
    })
    const abort = new AbortController()
    const lost = fetch(`${server.url}/api/experiments`, { ...request(), signal: abort.signal }).catch(
      () => null,
    )
    await sleep(index)
    abort.abort()
    await lost
    expect((await fetch(`${server.url}/api/experiments`, request())).status).toBe(201)
  }
  const { body } = await server.call('GET', '/api/experiments', { token: person.token })
  expect(body.total).toBe(before + 20)
})
