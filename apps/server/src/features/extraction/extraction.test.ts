import { request } from 'node:http'
import { type ExtractionResult, NOT_FOUND } from '@ensaio/domain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startTestServer, type TestServer } from '../../test-server.ts'

const RESULT: ExtractionResult = {
  data: {
    ...NOT_FOUND,
    consultoria: 'Lavoura Clara',
    cultura: 'Soja',
    ano: 2023,
    tratamentos: [],
    estatistica_informada: null,
  },
  metadata: { confidence: 0.9, extracted_fields: ['consultoria', 'cultura', 'ano'], fields: {} },
}

let server: TestServer
let person: Person
let readings = 0
const ended: string[] = []

beforeAll(async () => {
  server = await startTestServer({
    extractor: {
      extract: async (bytes, { signal }) => {
        readings += 1
        if (Buffer.from(bytes).includes('slow'))
          await new Promise((done) => signal?.addEventListener('abort', done))
        ended.push(Buffer.from(bytes).toString())
        return RESULT
      },
    },
  })
  person = await server.person()
})
afterAll(() => server.stop())

async function read(bytes: string) {
  const form = new FormData()
  form.append('pdf', new Blob([bytes], { type: 'application/pdf' }), 'laudo.pdf')
  const response = await fetch(`${server.url}/api/experiments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.token}` },
    body: form,
  })
  return { status: response.status, body: (await response.json()) as ExtractionResult }
}

test('a file is read once, the same bytes are answered from what was read', async () => {
  expect(await read('%PDF-1.7 a')).toEqual({ status: 200, body: RESULT })
  expect(await read('%PDF-1.7 a')).toEqual({ status: 200, body: RESULT })
  expect(readings).toBe(1)
  await read('%PDF-1.7 b')
  expect(readings).toBe(2)
})

for (const path of ['/api/experiments', '/api/extractions'])
  test(`a reading by ${path} ends when the person goes away`, async () => {
    const form = new FormData()
    form.append('pdf', new Blob([`%PDF-1.7 slow ${path}`], { type: 'application/pdf' }), 'laudo.pdf')
    const before = readings
    const body = new Response(form)
    // Not by fetch, which after an abort opens a connection that nobody uses and the server's stop waits for.
    const asked = request(`${server.url}${path}`, {
      method: 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${person.token}`,
        'content-type': body.headers.get('content-type') ?? '',
      },
    })
    asked.on('error', () => {})
    asked.end(Buffer.from(await body.arrayBuffer()))
    await expect.poll(() => readings).toBe(before + 1)
    asked.destroy()
    await expect.poll(() => ended).toContain(`%PDF-1.7 slow ${path}`)
  })
