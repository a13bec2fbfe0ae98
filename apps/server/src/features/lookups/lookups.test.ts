import { expect, test } from 'vitest'
import { startTestServer } from '../../test-server.ts'

test('a visitor who asks for lists without end is told when to come back', async () => {
  const server = await startTestServer({ env: { LIMITS: 'on' } })
  const answers = await Promise.all(
    Array.from({ length: 230 }, (_, index) =>
      server.call('GET', `/api/lookups/${index % 2 ? 'marcas' : 'municipios?busca=rio'}`),
    ),
  )
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThan(40)
  expect(refused[0]?.body.code).toBe('request.too_many')
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  await server.stop()
})
