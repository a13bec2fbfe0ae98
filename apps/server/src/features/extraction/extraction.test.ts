import type { ExtractionResult } from '@ensaio/domain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startTestServer, type TestServer } from '../../test-server.ts'

const RESULT: ExtractionResult = {
  data: {
    consultoria: 'Lavoura Clara',
    marca: null,
    bu: null,
    regional: null,
    cidade: null,
    estado: null,
    latitude: null,
    longitude: null,
    cultura: 'Soja',
    cultivar: null,
    ano: 2023,
    teor_argila: null,
    teor_materia_organica: null,
    tipo_estatistica: null,
    custo_protocolo: null,
    roi: null,
    tratamentos: [],
  },
  metadata: { confidence: 0.9, extracted_fields: ['consultoria', 'cultura', 'ano'], fields: {} },
}

let server: TestServer
let person: Person
let readings = 0

beforeAll(async () => {
  server = await startTestServer({
    extractor: {
      extract: async () => {
        readings += 1
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
