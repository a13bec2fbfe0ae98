import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'

/** With a Host header of our choice, which fetch does not allow. */
function read(url: string, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> {
  return new Promise((done, fail) => {
    request(`${url}/metrics`, { headers }, (answer) => {
      let text = ''
      answer.on('data', (chunk) => {
        text += chunk
      })
      answer.on('end', () => done({ status: answer.statusCode ?? 0, text }))
    })
      .on('error', fail)
      .end()
  })
}

describe('without a token', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server.stop())

  test('this machine reads numbers by route pattern, and nothing about anybody', async () => {
    const person = await server.person()
    await server.call('GET', '/api/experiments/0198aaaa-0000-7000-8000-000000000000', { token: person.token })
    await server.call('GET', '/api/experiments?busca=segredo', { token: person.token })
    const { status, text } = await read(server.url)
    expect(status).toBe(200)
    expect(text).toContain(
      'ensaio_http_request_seconds_count{method="GET",route="/api/experiments/:id",status="404"} 1',
    )
    expect(text).toContain('ensaio_database_connections{state="waiting"} 0')
    expect(text).toContain('process_resident_memory_bytes')
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds')
    for (const secret of ['segredo', '0198aaaa', person.email, person.id, person.token, '127.0.0.1'])
      expect(text).not.toContain(secret)
  })

  test.each([
    ['through a proxy', { 'x-forwarded-for': '203.0.113.9' }],
    ['through a proxy of another kind', { forwarded: 'for=203.0.113.9' }],
    ['under a public name', { host: 'ensaio.exemplo.com.br' }],
    ['under a name that only begins like this machine', { host: '127.0.0.1.exemplo.com.br' }],
  ])('%s there is no such address', async (_how, headers) => {
    expect((await read(server.url, headers)).status).toBe(404)
  })
})

test.each([{ SITE_URL: 'https://ensaio.exemplo.com.br' }, { TRUST_PROXY: '127.0.0.1' }])(
  'a server that %j has it for nobody without a token',
  async (env) => {
    const server = await startTestServer({ env })
    expect((await read(server.url)).status).toBe(404)
    await server.stop()
  },
)

test('with a token it answers whoever knows it, and nobody else', async () => {
  const token = 'um-token-de-medidas'
  const server = await startTestServer({
    env: { METRICS_TOKEN: token, SITE_URL: 'https://ensaio.exemplo.com.br' },
  })
  expect((await read(server.url)).status).toBe(404)
  expect((await read(server.url, { authorization: 'Bearer outro' })).status).toBe(404)
  expect((await read(server.url, { authorization: `Bearer ${token}` })).status).toBe(200)
  await server.stop()
})
