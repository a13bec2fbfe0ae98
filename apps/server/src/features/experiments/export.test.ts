import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoExperiments } from '../../demo-data.ts'
import { type Person, startTestServer, type TestServer } from '../../test-server.ts'

let server: TestServer
let person: Person

beforeAll(async () => {
  server = await startTestServer()
  person = await server.person()
  for (const input of demoExperiments(12))
    await server.call('POST', '/api/experiments', { token: person.token, body: input })
  const [first] = demoExperiments(1)
  await server.call('POST', '/api/experiments', {
    token: person.token,
    body: {
      ...first,
      consultoria: '=HYPERLINK("http://x")',
      cultura: 'Sorgo',
      cultivar: 'a;b "c" <d>',
      roi: 1234.5,
    },
  })
})
afterAll(() => server.stop())

const take = (query: string) =>
  server.call('GET', `/api/experiments/export?${query}`, { token: person.token })

test('CSV has a byte order mark, semicolons and decimal commas, and runs no formula', async () => {
  const { headers, bytes } = await take('formato=csv&cultura=Sorgo')
  expect(headers.get('content-disposition')).toBe('attachment; filename="experimentos.csv"')
  const text = bytes.toString('utf8')
  const [head, line, ...rest] = text.split('\r\n')
  expect(head).toMatch(/^\ufeffConsultoria;Marca;/)
  expect(line).toContain('"\'=HYPERLINK(""http://x"")"')
  expect(line).toContain('"a;b ""c"" <d>"')
  expect(line).toContain(';1234,5;')
  expect(rest).toEqual([''])
})

test('the workbook holds native numbers and dates, and every row that the filter shows', async () => {
  const { bytes } = await take('formato=xlsx')
  const parts = unzipSync(new Uint8Array(bytes))
  expect(Object.keys(parts)).toContain('[Content_Types].xml')
  const sheet = strFromU8(parts['xl/worksheets/sheet1.xml'] as Uint8Array)
  expect(sheet.match(/<row /g)).toHaveLength(1 + 13)
  expect(sheet).toContain('<v>1234.5</v>')
  expect(sheet).toContain('a;b "c" &lt;d&gt;')
  // Dates are day numbers with a date style.
  expect(sheet).toMatch(/ s="1"><v>4\d{4}\.\d+<\/v>/)
})

test('a format that does not exist is refused by field', async () => {
  const { status, body } = await take('formato=pdf')
  expect(status).toBe(422)
  expect(body.fields).toEqual([{ path: 'formato', message: 'Escolha csv ou xlsx' }])
})

test('an open dashboard hears of a change within seconds, and of the end at a stop', async () => {
  const stop = new AbortController()
  const response = await fetch(`${server.url}/api/events`, {
    headers: { authorization: `Bearer ${person.token}` },
    signal: stop.signal,
  })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  await new Promise((resolve) => setTimeout(resolve, 300))
  const [input] = demoExperiments(1)
  await server.call('POST', '/api/experiments', { token: person.token, body: input })
  let heard = ''
  while (!heard.includes('event: changed')) heard += (await reader?.read())?.value ?? ''
  expect(heard).toContain('event: changed')
  stop.abort()
})
