import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { slowRefusals } from './slow-refusals.ts'

test('the more refusals of one asker wait, the longer the next one does; nobody else waits for them', async () => {
  const app = Fastify()
  slowRefusals(app, (request) => String(request.headers['x-who']))
  app.get('/refused', async (_request, reply) => reply.code(429).send({}))
  app.get('/answered', async () => ({}))
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const took = async (path: string, who: string) => {
    const started = performance.now()
    const { status } = await fetch(url + path, { headers: { 'x-who': who } })
    return { status, took: performance.now() - started }
  }
  const flood = Promise.all(Array.from({ length: 200 }, () => took('/refused', 'one')))
  const good = await took('/answered', 'one')
  const other = await took('/refused', 'another')
  const all = (await flood).map((each) => each.took).sort((a, b) => a - b)
  expect(good.status).toBe(200)
  expect(other.status).toBe(429)
  // Lower bounds only: the machine may be slow, never quick.
  expect(all[0]).toBeGreaterThan(140)
  expect(all.at(-1)).toBeGreaterThan(1_000)
  expect(other.took).toBeLessThan(all.at(-1) ?? 0)
  await app.close()
})
