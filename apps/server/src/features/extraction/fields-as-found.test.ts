import { readFileSync } from 'node:fs'
import { ExtractionResult, FoundField } from '@ensaio/domain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createExtractionPool } from '../../jobs/extraction-pool.ts'
import { type Person, startTestServer, type TestServer } from '../../test-server.ts'

/** A scan of three pages: each takes about two seconds. */
const scan = readFileSync(new URL('../../../../../e2e/reports/tres-paginas.pdf', import.meta.url))

const pool = createExtractionPool({ size: 1 })
let server: TestServer
let person: Person

beforeAll(async () => {
  server = await startTestServer({ extractor: pool })
  person = await server.person()
})
afterAll(async () => {
  await pool.close()
  await server.stop()
})

async function events(): Promise<{ event: string; data: unknown }[]> {
  const form = new FormData()
  form.append('pdf', new Blob([scan], { type: 'application/pdf' }), 'tres-paginas.pdf')
  const response = await fetch(`${server.url}/api/extractions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.token}` },
    body: form,
  })
  return [...(await response.text()).matchAll(/event: (\w+)\ndata: (.*)\n\n/g)].map(([, event, data]) => ({
    event: event ?? '',
    data: JSON.parse(data ?? 'null'),
  }))
}

/** What the fields told so far come to. */
function known(told: readonly { event: string; data: unknown }[]): Map<string, FoundField> {
  const found = new Map<string, FoundField>()
  for (const { event, data } of told) {
    if (event !== 'field') continue
    const field = FoundField.parse(data)
    if (field.value === null) found.delete(field.path)
    else found.set(field.path, field)
  }
  return found
}

test('fields are told page by page while a scan is read, and come to the result', async () => {
  const told = await events()
  const first = told.findIndex(({ event }) => event === 'field')
  const lastPage = told.findIndex(({ data }) => JSON.stringify(data).includes('"stage":"ocr","page":3'))
  expect(first).toBeGreaterThan(0)
  expect(first).toBeLessThan(lastPage)
  expect(known(told.slice(0, lastPage)).get('cultivar')).toMatchObject({ value: 'TBIO Trunfo', page: 1 })

  const result = ExtractionResult.parse(told.at(-1)?.data)
  const found = known(told)
  expect([...found.keys()].sort()).toEqual([...result.metadata.extracted_fields].sort())
  for (const [path, evidence] of Object.entries(result.metadata.fields))
    expect(found.get(path)).toMatchObject({
      confidence: evidence.confidence,
      page: evidence.page,
      bbox: evidence.bbox,
    })
})

test('a report that was read before tells its fields all the same', async () => {
  await events()
  const told = await events()
  expect(told.filter(({ event }) => event === 'progress')).toEqual([])
  expect(known(told).get('cidade')).toMatchObject({ value: 'Ijuí' })
})
