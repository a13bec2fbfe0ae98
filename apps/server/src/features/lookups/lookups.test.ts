import { expect, test } from 'vitest'
import { startTestServer } from '../../test-server.ts'
import { RATE } from './lookups.routes.ts'

test('a visitor who asks for lists without end is told when to come back', async () => {
  const server = await startTestServer({ env: { LIMITS: 'on' } })
  const started = performance.now()
  const ask = (_: unknown, index: number) =>
    server.call('GET', `/api/lookups/${index % 2 ? 'marcas' : 'municipios?busca=rio'}`)
  const answers = []
  for (let wave = 0; wave < 3; wave += 1)
    answers.push(...(await Promise.all(Array.from({ length: 200 }, ask))))
  const refused = answers.filter(({ status }) => status === 429)
  // However slow the machine, the bucket gave no more than it had and what ran in meanwhile.
  const most = RATE.capacity + (RATE.perSecond * (performance.now() - started)) / 1000
  expect(refused.length).toBeGreaterThanOrEqual(Math.floor(answers.length - most))
  expect(refused.length).toBeLessThanOrEqual(answers.length - RATE.capacity)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused[0]?.body.code).toBe('request.too_many')
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  await server.stop()
})
