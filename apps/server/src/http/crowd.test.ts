import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, test, vi } from 'vitest'
import { type Person, startTestServer } from '../test-server.ts'
import { boundConnections, type ConnectionLimits } from './connections.ts'
import { replyProblem } from './problem-reply.ts'

let app: FastifyInstance
let url: string
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await app?.close()
})

async function start(limits: Partial<ConnectionLimits>): Promise<void> {
  app = Fastify({ forceCloseConnections: true })
  app.setErrorHandler(replyProblem)
  boundConnections(app, { most: 100, crowded: 100, perAddress: 100, perVisitor: 100, ...limits })
  app.get('/slow', () => new Promise(() => {}))
  app.get('/', async () => 'ok')
  url = await app.listen({ port: 0, host: '127.0.0.1' })
}

/** Connections that ask once, or never, and then only hold on. */
async function hold(count: number, text = ''): Promise<Socket[]> {
  const made = await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      socket.on('error', () => undefined)
      await once(socket, 'connect')
      if (text) socket.write(text)
      return socket
    }),
  )
  sockets.push(...made)
  await sleep(100)
  return made
}
const ASK = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'
const ASK_SLOWLY = 'GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n'
const alive = (held: Socket[]) => held.filter((socket) => !socket.destroyed).length
const ask = async () => (await fetch(url, { headers: { connection: 'close' } })).status

test.each([
  ['that never asked', ''],
  ['that asked once', ASK],
])('connections %s make room, the longest idle first', async (_what, text) => {
  await start({ crowded: 20 })
  const early = await hold(15, text)
  const late = await hold(30, text)
  for (const socket of [...early, ...late]) socket.resume()
  expect(await ask()).toBe(200)
  await vi.waitFor(() => expect(alive(early)).toBe(0))
  expect(alive(late)).toBeGreaterThanOrEqual(19)
})

test('a connection with a request on it stays however crowded it is', async () => {
  await start({ crowded: 10 })
  const busy = await hold(5, ASK_SLOWLY)
  await hold(40)
  for (const socket of busy) socket.resume()
  expect(await ask()).toBe(200)
  expect(alive(busy)).toBe(5)
})

test('one address has so many connections', async () => {
  await start({ perAddress: 20 })
  const held = await hold(30)
  for (const socket of held) socket.resume()
  await vi.waitFor(() => expect(alive(held)).toBe(20))
  held.find((socket) => !socket.destroyed)?.destroy()
  await sleep(50)
  expect(await ask()).toBe(200)
})

test('one visitor has so many requests that wait, and is told when to come back', async () => {
  await start({ perVisitor: 5 })
  const held = await hold(5, ASK_SLOWLY)
  const refused = await fetch(url)
  expect(refused.status).toBe(503)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  held[0]?.destroy()
  await vi.waitFor(async () => expect(await ask()).toBe(200))
})

/** An event stream, as a browser opens it. */
async function stream(base: string, { token }: Person) {
  const answer = await new Promise<import('node:http').IncomingMessage>((done, fail) =>
    get(
      `${base}/api/events`,
      { headers: { authorization: `Bearer ${token}` }, agent: new Agent({ keepAlive: false }) },
      done,
    ).once('error', fail),
  )
  answer.on('error', () => undefined)
  answer.resume()
  return {
    status: answer.statusCode,
    ended: new Promise<void>((done) => answer.once('close', done)),
    leave: () => answer.destroy(),
  }
}

test('a person has so many event streams, and another person theirs', async () => {
  const server = await startTestServer()
  const [ana, bia] = [await server.person(), await server.person()]
  const open = await Promise.all(Array.from({ length: 25 }, () => stream(server.url, ana)))
  expect(open.filter(({ status }) => status === 200)).toHaveLength(20)
  expect(open.filter(({ status }) => status === 429)).toHaveLength(5)
  const other = await stream(server.url, bia)
  expect(other.status).toBe(200)
  for (const each of open) each.leave()
  await vi.waitFor(async () => {
    const again = await stream(server.url, ana)
    again.leave()
    expect(again.status).toBe(200)
  })
  other.leave()
  await server.stop()
})

test('an event stream ends with its session, and with the blocking of its person', async () => {
  const server = await startTestServer()
  const admin = await server.person({ role: 'admin' })
  const [ana, bia] = [await server.person(), await server.person()]
  const [out, blocked, stays] = await Promise.all([ana, bia, admin].map((who) => stream(server.url, who)))
  let left = false
  stays?.ended.then(() => {
    left = true
  })
  await server.call('POST', '/auth/v1/logout', { token: ana.token })
  await server.call('PUT', `/api/admin/users/${bia.id}/blocked`, {
    token: admin.token,
    body: { blocked: true },
  })
  await Promise.all([out?.ended, blocked?.ended])
  expect(left).toBe(false)
  stays?.leave()
  await server.stop()
}, 200_000)
