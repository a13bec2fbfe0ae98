import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { experimentInput, form, pdf, startTestServer, type TestServer } from '../test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const TOO_LONG = 'x'.repeat(40_000)

test('an address that is too long is refused in words, also while a file is being sent to it', async () => {
  for (let time = 0; time < 20; time += 1) {
    const answer = await fetch(`${server.url}/api/uploads/document?a=${TOO_LONG}`, {
      method: 'POST',
      body: form({ pdf: new Blob([pdf(), 'x'.repeat(3_000_000)]) }),
    })
    expect(answer.status).toBe(431)
    expect(answer.headers.get('content-type')).toContain('application/problem+json')
    expect(await answer.json()).toMatchObject({
      code: 'request.headers_too_large',
      detail: 'O endereço ou os cabeçalhos do pedido são grandes demais',
    })
  }
})

/** What comes back on one connection until the server closes it. */
async function exchange(...parts: string[]): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  const closed = once(socket, 'close')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  for (const part of parts) {
    socket.write(part)
    await sleep(20)
  }
  await closed
  return text
}

test.each([
  ['what is no HTTP', ['\x16\x03\x01 is no request\r\n\r\n'], 400, 'Dados inválidos'],
  ['a header with a NUL', ['GET / HTTP/1.1\r\nHost: a\r\nX: \0\r\n\r\n'], 400, 'Dados inválidos'],
  [
    'headers without an end',
    ['GET / HTTP/1.1\r\nHost: a\r\n', ...Array.from({ length: 8 }, () => `X: ${TOO_LONG}\r\n`)],
    431,
    'O endereço ou os cabeçalhos do pedido são grandes demais',
  ],
])('%s gets one answer, and its connection ends', async (_name, parts, status, detail) => {
  const text = await exchange(...parts)
  expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1)
  const [head = '', body = ''] = text.split('\r\n\r\n')
  expect(head).toContain(`HTTP/1.1 ${status} `)
  expect(JSON.parse(body)).toMatchObject({ status, detail })
})

test('a packed body is read as what it holds, and one that unfolds to too much is refused', async () => {
  const { token } = await server.person()
  const send = (body: Buffer) =>
    fetch(`${server.url}/api/experiments`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        'content-encoding': 'gzip',
      },
      body: new Uint8Array(body),
    })
  expect((await send(gzipSync(JSON.stringify(experimentInput())))).status).toBe(201)
  const bomb = gzipSync(Buffer.concat([Buffer.from('"'), Buffer.alloc(60_000_000, 'x'), Buffer.from('"')]))
  expect(bomb.length).toBeLessThan(100_000)
  expect((await send(bomb)).status).toBe(413)
  expect((await send(Buffer.from('isto não está compactado'))).status).toBe(400)
})
