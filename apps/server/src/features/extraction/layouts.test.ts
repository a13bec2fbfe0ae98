import { readFileSync } from 'node:fs'
import { ExtractionResult, type GivenTables } from '@ensaio/domain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createExtractionPool } from '../../jobs/extraction-pool.ts'
import { type Person, startTestServer, type TestServer } from '../../test-server.ts'

const folder = new URL('../../../../../packages/extraction/test/reports/', import.meta.url)
/** Two reports that one hand set in the same way. */
const first = readFileSync(new URL('16-milho-lado-a-lado.pdf', folder))
const second = readFileSync(new URL('17-milho-lado-a-lado-sem-grade.pdf', folder))

const pool = createExtractionPool({ size: 1 })
let server: TestServer
let person: Person
let other: Person

beforeAll(async () => {
  server = await startTestServer({ extractor: pool })
  person = await server.person()
  other = await server.person()
})
afterAll(async () => {
  await pool.close()
  await server.stop()
})

function form(pdf: Uint8Array, fields: Record<string, unknown>): FormData {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields))
    body.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  body.append('pdf', new Blob([new Uint8Array(pdf)], { type: 'application/pdf' }), 'laudo.pdf')
  return body
}

async function read(pdf: Uint8Array, tabelas?: GivenTables, token = person.token): Promise<ExtractionResult> {
  const response = await fetch(`${server.url}/api/extractions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form(pdf, tabelas === undefined ? {} : { tabelas }),
  })
  const data = /event: result\ndata: (.*)\n\n/.exec(await response.text())?.[1]
  return ExtractionResult.parse(JSON.parse(data ?? 'null'))
}

const yields = ({ data }: ExtractionResult) => data.tratamentos.map(({ produtividade }) => produtividade)
const analyses = ({ data }: ExtractionResult) =>
  data.tratamentos.flatMap(({ analises_adicionais }) => analises_adicionais.map(({ nome }) => nome))
const tablesOf = ({ metadata }: ExtractionResult) => metadata.tables ?? []
const usedIn = (result: ExtractionResult) =>
  tablesOf(result).flatMap((table, i) => (table.used ? [{ table, i }] : []))

test('the tables of a reading come with it, and as they are they give the same treatments', {
  timeout: 60_000,
}, async () => {
  const own = await read(first)
  expect(usedIn(own).length).toBeGreaterThan(0)
  const byPlace = await read(
    first,
    usedIn(own).map(({ i }) => i),
  )
  const described = await read(
    first,
    usedIn(own).map(({ table }) => table),
  )
  expect(byPlace.data.tratamentos).toEqual(own.data.tratamentos)
  expect(described.data.tratamentos).toEqual(own.data.tratamentos)
})

test('a column that a person gives another role is read so, and the words are those of the page', {
  timeout: 60_000,
}, async () => {
  const own = await read(first)
  const tables: GivenTables = usedIn(own).map(({ table }) => ({
    ...table,
    columns: table.columns.map(({ role }) => ({ role: role === 'yield' ? ('ignore' as const) : role })),
  }))
  const changed = await read(first, tables)
  expect(yields(own).every((value) => value !== null)).toBe(true)
  expect(yields(changed).every((value) => value === null)).toBe(true)
  expect(changed.data.tratamentos).toHaveLength(own.data.tratamentos.length)
})

test('a layout that was put right is read so in the next report, for as long as it is kept', {
  timeout: 90_000,
}, async () => {
  const before = await read(second)
  const own = await read(first)
  const tabelas = usedIn(own).map(({ table }) => ({
    ...table,
    columns: table.columns.map(({ heading, role }) => ({
      role: heading.startsWith('Umid') ? 'ignore' : role,
    })),
  }))
  const kept = await server.call('POST', '/api/layouts', {
    token: person.token,
    body: form(first, { tabelas, campos: {} }),
  })
  expect(kept.status).toBe(201)
  const { id } = kept.body.layout
  const after = await read(second)
  expect(after.metadata.template).toBe(id)
  expect(analyses(before)).toContain('Umid.')
  expect(analyses(after)).toEqual(analyses(before).filter((name) => name !== 'Umid.'))
  expect(yields(after)).toEqual(yields(before))

  // Nobody else's is forgotten by asking.
  const foreign = await server.call('DELETE', `/api/layouts/${id}`, { token: other.token })
  expect(foreign.status).toBe(404)
  const gone = await server.call('DELETE', `/api/layouts/${id}`, { token: person.token })
  expect(gone.status).toBe(204)
  const again = await read(second)
  expect(again.data).toEqual(before.data)
  expect(again.metadata.template).toBeUndefined()
})

test('what is no description of tables is refused with the reason', async () => {
  for (const tabelas of ['[', '{}', '[{"title":"x"}]', '[1000]', JSON.stringify(Array(31).fill(0))]) {
    const { status, body } = await server.call('POST', '/api/layouts', {
      token: person.token,
      body: form(first, { tabelas }),
    })
    expect([status, body.code]).toEqual([
      tabelas === '[' ? 400 : 422,
      tabelas === '[' ? 'request.bad_json' : 'validation.failed',
    ])
  }
  const { status } = await server.call('POST', '/api/layouts', { body: form(first, {}) })
  expect(status).toBe(401)
})
