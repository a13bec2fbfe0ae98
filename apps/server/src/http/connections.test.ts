import { once } from 'node:events'
import { type ClientRequest, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { problem } from '@ensaio/domain'
import { beforeEach, expect, test } from 'vitest'
import { form, type Person, pdf, startTestServer, type TestServer } from '../test-server.ts'

const READING_MS = 600
/** On a crowded machine; what waits for a limit waits eight seconds at least. */
const SOON_MS = 4_000
let server: TestServer
let person: Person
let headers: { authorization: string }

beforeEach(async () => {
  server = await startTestServer({
    extractor: {
      // A reading that takes a while, or until its reader goes away.
      extract: (_bytes, { signal }) =>
        new Promise((_done, fail) => {
          const timer = setTimeout(() => fail(problem('extraction.failed')), READING_MS)
          signal?.addEventListener('abort', () => {
            clearTimeout(timer)
            fail(new Error('aborted'))
          })
        }),
    },
  })
  person = await server.person()
  headers = { authorization: `Bearer ${person.token}` }
})

async function stopMs(): Promise<number> {
  const start = performance.now()
  await server.stop()
  return performance.now() - start
}

/** Sends the beginning of an upload and never the rest. */
function halfAnUpload(authorization: Record<string, string>): ClientRequest {
  const upload = request(`${server.url}/api/uploads/document`, {
    method: 'POST',
    headers: {
      ...authorization,
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': 100_000,
    },
  })
  upload.on('error', () => undefined)
  upload.write('--x\r\ncontent-disposition: form-data; name="pdf"; filename="a.pdf"\r\n\r\n%PDF-1.7')
  return upload
}

const gone: Record<string, () => Promise<void>> = {
  async 'an event stream'() {
    const abort = new AbortController()
    const stream = await fetch(`${server.url}/api/events`, { headers, signal: abort.signal })
    await stream.body?.getReader().read()
    abort.abort()
  },
  async 'a reading'() {
    const abort = new AbortController()
    const body = form({ pdf: pdf() })
    const reading = fetch(`${server.url}/api/extractions`, {
      method: 'POST',
      body,
      headers,
      signal: abort.signal,
    })
    await sleep(50)
    abort.abort()
    await reading.catch(() => undefined)
  },
  async 'an export'() {
    const abort = new AbortController()
    await fetch(`${server.url}/api/experiments/export?formato=csv`, { headers, signal: abort.signal })
    abort.abort()
  },
  async 'an upload'() {
    const upload = halfAnUpload(headers)
    await sleep(100)
    upload.destroy()
  },
  async 'an upload that was refused before it was sent'() {
    const upload = halfAnUpload({})
    const [answer] = await once(upload, 'response')
    expect(answer.statusCode).toBe(401)
    answer.resume()
  },
}

test.each(Object.entries(gone))('%s that its reader left does not hold up the stop', async (_what, leave) => {
  await leave()
  expect(await stopMs()).toBeLessThan(SOON_MS)
})

test('a refused upload loses its connection soon after its answer', async () => {
  const upload = halfAnUpload({})
  const [answer] = await once(upload, 'response')
  answer.resume()
  const start = performance.now()
  await once(upload, 'close')
  expect(performance.now() - start).toBeLessThan(2_000 + SOON_MS)
  await server.stop()
})

test('what is at work at the stop is finished, what comes later is refused, and nothing waits for idle connections', async () => {
  const reading = fetch(`${server.url}/api/extractions`, {
    method: 'POST',
    body: form({ pdf: pdf() }),
    headers,
  })
  await sleep(100)
  const stopped = stopMs()
  await sleep(50)
  await expect(fetch(`${server.url}/healthz`)).rejects.toThrow()
  const answer = await reading
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain('event: problem')
  expect(await stopped).toBeLessThan(READING_MS + SOON_MS)
})
