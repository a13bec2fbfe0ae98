import { type ClientRequest, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { experimentInput, form, type Person, pdf, startTestServer, type TestServer } from '../test-server.ts'

let server: TestServer
let slow: Person
let other: Person
const open: ClientRequest[] = []
beforeAll(async () => {
  server = await startTestServer()
  slow = await server.person()
  other = await server.person()
})
afterAll(async () => {
  for (const upload of open) upload.destroy()
  await server.stop()
})

const FILE = {
  type: 'multipart/form-data; boundary=x',
  start: '--x\r\ncontent-disposition: form-data; name="pdf"; filename="a.pdf"\r\n\r\n%PDF-1.7',
}
const JSON_TEXT = { type: 'application/json', start: '{"consultoria":"' }

/** Sends the beginning of a body and then a byte now and then. Resolves when the connection is gone. */
function dribble(path: string, { type, start }: typeof FILE): Promise<void> {
  const upload = request(`${server.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${slow.token}`,
      'content-type': type,
      'content-length': 1_000_000,
    },
  })
  open.push(upload)
  upload.on('error', () => undefined)
  upload.on('response', (answer) => answer.resume())
  upload.write(start)
  const drop = setInterval(() => upload.write('x'), 1_000)
  return new Promise((done) =>
    upload.once('close', () => {
      clearInterval(drop)
      done()
    }),
  )
}

test('slow uploads of one person keep nobody else from uploading or creating', async () => {
  const started = performance.now()
  const cut = Promise.all([
    ...Array.from({ length: 12 }, () => dribble('/api/extractions', FILE)),
    ...Array.from({ length: 5 }, () => dribble('/api/experiments', JSON_TEXT)),
  ])
  await sleep(500)
  for (const path of ['/api/uploads/document', '/api/experiments']) {
    const asked = performance.now()
    const { status } = await server.call('POST', path, {
      token: other.token,
      body: form({ dados: JSON.stringify(experimentInput()), pdf: pdf(path) }),
    })
    expect(status).toBe(201)
    expect(performance.now() - asked).toBeLessThan(4_000)
  }
  // Their own next upload is told when to come back.
  const refused = await server.call('POST', '/api/uploads/document', {
    token: slow.token,
    body: form({ pdf: pdf() }),
  })
  expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 503, code: 'server.busy' })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  // And who sends next to nothing is cut off.
  await cut
  expect(performance.now() - started).toBeLessThan(45_000)
}, 200_000)
