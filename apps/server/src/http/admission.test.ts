import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { Registry } from 'prom-client'
import { afterEach, expect, test } from 'vitest'
import { boundWork, startWork } from './admission.ts'
import { replyProblem } from './problem-reply.ts'

let app: FastifyInstance
let url: string
let working = 0
let most = 0
let letGo: (() => void)[] = []
afterEach(() => app.close())

async function start(): Promise<void> {
  working = 0
  most = 0
  letGo = []
  app = Fastify({ forceCloseConnections: true })
  app.setErrorHandler(replyProblem)
  await app.register(multipart, { throwFileSizeLimit: false })
  const who = ({ headers }: FastifyRequest) => String(headers['x-who'])
  boundWork(app, { registry: new Registry(), who, account: who })
  app.route({
    method: ['GET', 'POST', 'PUT', 'DELETE'],
    url: '/api/slow',
    handler: async (request) => {
      await startWork(request)
      working += 1
      most = Math.max(most, working)
      await new Promise<void>((done) => letGo.push(done))
      working -= 1
      return { ok: true }
    },
  })
  app.get('/healthz', async () => ({ status: 'ok' }))
  url = await app.listen({ port: 0, host: '127.0.0.1' })
}

/** As so many people in turn. */
const ask = (
  count: number,
  { people = 4, ...init }: { people?: number } & Pick<RequestInit, 'signal' | 'method' | 'body'> = {},
) =>
  Array.from({ length: count }, (_, index) =>
    fetch(`${url}/api/slow`, {
      ...init,
      headers: { 'x-who': `pessoa ${index % people}` },
    }),
  )

const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((done) => setTimeout(done, 5))
}

test('forty work, others wait their turn, and health is always answered', async () => {
  await start()
  const answers = ask(60)
  await until(() => working === 40)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  for (let done = 0; done < 60; done += 1) {
    await until(() => letGo.length > 0)
    letGo.shift()?.()
  }
  const statuses = (await Promise.all(answers)).map(({ status }) => status)
  expect(statuses.every((status) => status === 200)).toBe(true)
  expect(most).toBe(40)
})

test('who waits too long is told when to come back', async () => {
  await start()
  const answers = ask(41)
  const refused = await Promise.race(answers)
  expect(refused.status).toBe(503)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused.json()).toMatchObject({ code: 'server.busy' })
  for (const each of letGo) each()
})

test('whoever goes away gives the place up, at work or in line', async () => {
  await start()
  const abort = new AbortController()
  const gone = ask(70, { signal: abort.signal }).map((each) => each.catch(() => null))
  await until(() => working === 40)
  abort.abort()
  await Promise.all(gone)
  // What was worked on for those who went away ends whenever it ends; then nothing of theirs is left.
  for (let quiet = 0; quiet < 5; ) {
    await new Promise((done) => setTimeout(done, 50))
    quiet = letGo.length > 0 ? 0 : quiet + 1
    for (const each of letGo.splice(0)) each()
  }
  const answers = ask(40)
  await until(() => letGo.length === 40)
  for (const each of letGo) each()
  expect((await Promise.all(answers)).every(({ status }) => status === 200)).toBe(true)
})

test('a flood of one leaves places for others', async () => {
  await start()
  const flood = ask(400, { people: 1 })
  const refused = await Promise.race(flood)
  expect(refused.status).toBe(503)
  expect(working).toBe(12)
  const other = fetch(`${url}/api/slow`, { headers: { 'x-who': 'outra' } })
  await until(() => working === 13)
  letGo.at(-1)?.()
  expect((await other).status).toBe(200)
  await app.close()
  for (const each of letGo) each()
  await Promise.allSettled(flood)
})

test.each([
  ['creates', { method: 'POST' }],
  ['changes', { method: 'PUT' }],
  ['deletes', { method: 'DELETE' }],
  ['uploads that have been read', { method: 'POST', body: new FormData() }],
])(
  '%s of one person work four at once, the others in turn, and their own reading goes on',
  async (_what, write) => {
    await start()
    const writes = ask(20, { ...write, people: 1 })
    await until(() => working === 4)
    const read = ask(1, { people: 1 })
    await until(() => working === 5)
    expect(letGo).toHaveLength(5)
    for (let done = 0; done < 21; done += 1) {
      await until(() => letGo.length > 0)
      letGo.shift()?.()
    }
    const answers = await Promise.all([...writes, ...read])
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(most).toBe(5)
  },
)

test('writes of everybody leave places for reading, and a flood of them is told when to come back', async () => {
  await start()
  const writes = ask(300, { method: 'POST', people: 30 })
  const refused = await Promise.race(writes)
  expect(refused.status).toBe(503)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(working).toBe(16)
  const read = ask(1)
  await until(() => working === 17)
  letGo.at(-1)?.()
  expect((await read[0])?.status).toBe(200)
  await app.close()
  for (const each of letGo) each()
  await Promise.allSettled(writes)
})
