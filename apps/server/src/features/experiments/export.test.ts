import { strFromU8, unzipSync } from 'fflate'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { demoExperiments } from '../../demo-data.ts'
import { listen } from '../../isolation/test-listen.ts'
import { type Person, startTestServer, type TestServer } from '../../test-server.ts'
import { checkRows } from './export.ts'

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

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '＝1+1', '＋1', '－1', '＠A1', '\u22121', '\t=1', '\r=1'])(
  'a text that begins like a formula is only a text: %j',
  async (cultivar) => {
    const [input] = demoExperiments(1)
    const { body } = await server.call('POST', '/api/experiments', {
      token: person.token,
      body: { ...input, cultura: 'Fórmulas', cultivar: 'x' },
    })
    const { id } = body.experimento
    // As an older version may have stored it.
    await sql`update experimentos set cultivar = ${cultivar} where id = ${id}`.execute(server.handle)
    const line = (await take('formato=csv&cultura=F%C3%B3rmulas')).bytes.toString('utf8')
    expect(line).toContain(/[\t\r]/.test(cultivar) ? `;"'${cultivar}";` : `;'${cultivar};`)
    const parts = unzipSync(new Uint8Array((await take('formato=xlsx&cultura=F%C3%B3rmulas')).bytes))
    const sheet = strFromU8(parts['xl/worksheets/sheet1.xml'] as Uint8Array)
    expect(sheet).toMatch(
      new RegExp(`t="inlineStr" s="3"><is><t[^>]*>\\s?${cultivar.trim().slice(0, 1).replace(/[+]/, '\\+')}`),
    )
    await server.call('DELETE', `/api/experiments/${id}`, { token: person.token })
  },
)

test('a workbook is refused that has more rows than a sheet holds, and a CSV is not', () => {
  expect(() => checkRows('xlsx', 1_048_576)).toThrow('comporta 1.048.575')
  checkRows('xlsx', 1_048_575)
  checkRows('csv', 5_000_000)
})

test('a person who asks for many exports at once is told when to come back, and nobody else is', async () => {
  const other = await server.person()
  const flood = Array.from({ length: 80 }, () => take('formato=xlsx'))
  const path = '/api/experiments/export?formato=csv'
  expect((await server.call('GET', path, { token: other.token })).status).toBe(200)
  const refused = (await Promise.all(flood)).filter(({ status }) => status === 503)
  expect(refused.length).toBeGreaterThan(0)
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
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

test.each(['-1', '60001', 'x'])('a stream of the last %s milliseconds is refused', async (ha) => {
  expect((await server.call('GET', `/api/events?ha=${ha}`, { token: person.token })).status).toBe(422)
})

test("what changed between a page's first answer and its stream is told; without asking, it is not", async () => {
  const follow = (query = '') => listen(server.url, person.token, {}, query)
  const open = await follow()
  const [input] = demoExperiments(1)
  await server.call('POST', '/api/experiments', { token: person.token, body: input })
  await vi.waitFor(() => expect(open.heard()).toContain('event: changed'), 10_000)
  const [late, lateAsking] = [await follow(), await follow('?ha=20000')]
  await vi.waitFor(() => expect(lateAsking.heard()).toContain('event: changed'), 5_000)
  expect(late.heard()).not.toContain('event')
  for (const stream of [open, late, lateAsking]) stream.stop()
})

test.each([
  // To HEAD it is an experiment of that id.
  ['/api/experiments/export?formato=xlsx', 404],
  ['/api/profile/export', 405],
  ['/api/events', 405],
])('HEAD of %s, which would do the work for nobody, is refused with %i', async (path, refused) => {
  const asking = await server.person()
  const { status } = await server.call('HEAD', path, { token: asking.token })
  expect(status).toBe(refused)
})
