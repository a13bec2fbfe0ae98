import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ExtractionResult, NOT_FOUND } from '@ensaio/domain'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { createExtractionPool } from '../../jobs/extraction-pool.ts'
import { startTestServer, type TestServer } from '../../test-server.ts'
import { citedValue } from './cited-value.ts'
import type { TextLine } from './second-opinion.ts'

const report = readFileSync(
  new URL('../../../../../packages/extraction/test/samples/s1_ficha.pdf', import.meta.url),
)
const LINES: TextLine[] = [
  { page: 1, bbox: [50, 40, 300, 52], text: 'Relatório de ensaio de campo' },
  { page: 1, bbox: [50, 60, 300, 72], text: 'Solo com 412,5 g/kg, ou 41,25 % de argila' },
  { page: 2, bbox: [50, 80, 300, 92], text: 'Conduzido em Lucas do Rio Verde (MT), safra 2022/2023' },
]
const RESULT: ExtractionResult = {
  data: {
    ...NOT_FOUND,
    consultoria: 'Lavoura Clara',
    estado: 'GO',
    cultura: 'Soja',
    tratamentos: [],
    estatistica_informada: null,
  },
  metadata: {
    confidence: 0.9,
    extracted_fields: ['consultoria', 'cultura', 'estado'],
    fields: {
      consultoria: { confidence: 0.8, page: 1, bbox: [1, 1, 2, 2], text: 'Lavoura Clara', method: 'label' },
      cultura: { confidence: 0.99, page: 1, bbox: [1, 1, 2, 2], text: 'Soja', method: 'label' },
      estado: { confidence: 0.4, page: 1, bbox: [1, 1, 2, 2], text: 'GO', method: 'prose' },
    },
  },
}

/** A server that speaks the chat completions protocol and says what the test wants. */
type Reply = { status?: number; content?: string; silent?: boolean }
let reply: Reply
let requests: { path: string; authorization: string | undefined; body: string }[] = []
const model = createServer(async (request, response) => {
  requests.push({
    path: request.url ?? '',
    authorization: request.headers.authorization,
    body: await textOf(request),
  })
  if (reply.silent) return
  response.writeHead(reply.status ?? 200, { 'content-type': 'application/json' })
  const message = { role: 'assistant', content: reply.content ?? '[]' }
  response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }))
})

let withModel: TestServer
let plain: TestServer
let asked: (boolean | undefined)[] = []
const pool = createExtractionPool()
const extractor = {
  extract: async (_bytes: Uint8Array, { lines }: { lines?: boolean }) => {
    asked.push(lines)
    return lines ? { ...RESULT, lines: LINES } : RESULT
  },
}

beforeAll(async () => {
  await new Promise<void>((done) => model.listen(0, '127.0.0.1', done))
  const { port } = model.address() as AddressInfo
  const env = {
    AI_URL: `http://127.0.0.1:${port}/v1/`,
    AI_MODEL: 'provador',
    AI_KEY: 'chave',
    AI_TIMEOUT: '0.5',
    LOG_LEVEL: 'silent',
  }
  withModel = await startTestServer({ env, extractor })
  plain = await startTestServer({ extractor })
})
beforeEach(() => {
  reply = {}
  requests = []
  asked = []
})
afterAll(async () => {
  model.closeAllConnections()
  model.close()
  await pool.close()
  await withModel.stop()
  await plain.stop()
})

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

let files = 0
const newFile = () => `%PDF-1.7 ${files++}`

async function read(server: TestServer, bytes = newFile()): Promise<ExtractionResult> {
  const { token } = await server.person()
  const form = new FormData()
  form.append('pdf', new Blob([bytes], { type: 'application/pdf' }), 'laudo.pdf')
  const { status, body } = await server.call('POST', '/api/experiments', { token, body: form })
  expect(status).toBe(200)
  return body
}

const says = (...answers: { path: string; value: unknown; line: number }[]) => {
  reply = { content: `Segue:\n\`\`\`json\n${JSON.stringify(answers)}\n\`\`\`` }
}

test('without configuration nothing is sent and no lines are asked for', async () => {
  expect(await read(plain)).toEqual(RESULT)
  expect(requests).toEqual([])
  expect(asked).toEqual([false])
  expect((await plain.call('GET', '/api/settings')).body.secondOpinion).toBe(false)
})

test('a value that stands in the cited line is taken, with that line as its evidence', async () => {
  says(
    { path: 'cidade', value: 'Lucas do Rio Verde', line: 3 },
    { path: 'teor_argila', value: '41,25', line: 2 },
    { path: 'estado', value: 'MT', line: 3 },
  )
  const { data, metadata, ...rest } = await read(withModel)
  expect(data).toMatchObject({ cidade: 'Lucas do Rio Verde', teor_argila: 41.25, estado: 'MT', roi: null })
  expect(metadata.fields.cidade).toEqual({ ...LINES[2], confidence: 0.7, method: 'segunda opinião' })
  expect(metadata.extracted_fields).toEqual(expect.arrayContaining(['cidade', 'teor_argila', 'estado']))
  expect(rest).toEqual({})
})

test('the model is asked for the doubtful fields only, with the numbered lines', async () => {
  await read(withModel)
  expect(requests).toHaveLength(1)
  const [request] = requests
  expect(request).toMatchObject({ path: '/v1/chat/completions', authorization: 'Bearer chave' })
  const body = JSON.parse(request?.body ?? '')
  expect(body.model).toBe('provador')
  const question: string = body.messages[1].content
  expect(question).toContain('3: Conduzido em Lucas do Rio Verde (MT), safra 2022/2023')
  expect(question).toContain('- estado:')
  expect(question).not.toMatch(/- (?:cultura|consultoria):/)
  expect((await withModel.call('GET', '/api/settings')).body.secondOpinion).toBe(true)
})

test('a value that is not in the cited line is refused', async () => {
  says(
    { path: 'cidade', value: 'Lucas do Rio Verde', line: 1 },
    { path: 'marca', value: 'Inventada', line: 3 },
    { path: 'teor_argila', value: 41.2, line: 2 },
    { path: 'ano', value: 2024, line: 3 },
    { path: 'regional', value: 'Sul', line: 99 },
  )
  const { data } = await read(withModel)
  expect(data).toEqual(RESULT.data)
})

test('a sure value is never replaced, nor a field that is none', async () => {
  says(
    { path: 'consultoria', value: 'Relatório de ensaio', line: 1 },
    { path: 'tratamentos', value: 'Relatório', line: 1 },
    { path: '__proto__', value: 'Relatório', line: 1 },
  )
  expect(await read(withModel)).toMatchObject({ data: RESULT.data })
})

for (const [name, bad] of Object.entries<Reply>({
  'a time-out': { silent: true },
  'an HTTP error': { status: 500 },
  'an answer that is no JSON': { content: 'Não encontrei nada.' },
  'JSON of another shape': { content: '[1, 2]' },
}))
  test(`${name} leaves what the engine has, and the next reading asks again`, async () => {
    reply = bad
    const file = newFile()
    expect(await read(withModel, file)).toEqual(RESULT)
    says({ path: 'cidade', value: 'Lucas do Rio Verde', line: 3 })
    expect((await read(withModel, file)).data.cidade).toBe('Lucas do Rio Verde')
    await read(withModel, file)
    expect(requests).toHaveLength(2)
  })

test('the sandboxed process gives the lines of a real report, only when asked', async () => {
  const { lines = [], metadata } = await pool.extract(report, { lines: true })
  expect(lines.some(({ text }) => text.includes('Campo Verde'))).toBe(true)
  const cidade = metadata.fields.cidade
  const around = lines.find(
    ({ bbox }) => cidade && bbox[1] <= cidade.bbox[1] + 1 && bbox[3] >= cidade.bbox[3] - 1,
  )
  expect(around?.text).toContain('Campo Verde')
  expect(await pool.extract(report)).not.toHaveProperty('lines')
})

test('numbers are compared as numbers, coordinates by their hemisphere, codes as codes', () => {
  expect(citedValue('custo_protocolo', 1250.5, 'Custo: R$ 1.250,50/ha')).toBe(1250.5)
  expect(citedValue('latitude', -15.546, 'Lat. 15,546° S')).toBe(-15.546)
  expect(citedValue('latitude', -15.546, 'Lat. 15,546°')).toBeNull()
  expect(citedValue('ano', '2023', 'Safra 2022-2023')).toBe(2023)
  expect(citedValue('teor_argila', 425, 'Argila 425 g/kg')).toBeNull()
  expect(citedValue('estado', 'Mato Grosso', 'Sorriso/MT')).toBe('MT')
  expect(citedValue('estado', 'SE', 'Se houver chuva')).toBeNull()
  expect(citedValue('bu', 'BU2', 'Unidade: BU Proteção')).toBe('BU2')
  expect(citedValue('cultivar', 'BMX', 'cultivar BMXX 12')).toBeNull()
})

test('a bad configuration is told in a sentence', () => {
  expect(() => readConfig({ AI_URL: 'localhost' })).toThrow('AI_URL deve ser um endereço')
  expect(() => readConfig({ AI_URL: 'http://localhost:11434/v1' })).toThrow('AI_URL pede também AI_MODEL.')
  expect(() => readConfig({ AI_MODEL: 'x' })).toThrow('AI_MODEL pede também AI_URL.')
  expect(() => readConfig({ AI_TIMEOUT: 'logo' })).toThrow('AI_TIMEOUT deve ser um número de segundos.')
  expect(readConfig({}).languageModel).toBeNull()
})
