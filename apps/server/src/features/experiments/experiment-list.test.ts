import { type ExperimentListQuery, SORT_KEYS } from '@ensaio/domain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Handle } from '../../database/handle.ts'
import { demoExperiments } from '../../demo-data.ts'
import { startTestServer, type TestServer } from '../../test-server.ts'
import { type Cursor, type ListPage, listExperiments } from './experiment-list.repository.ts'
import type { StoredSummary } from './experiments.repository.ts'

let server: TestServer
let handle: Handle

beforeAll(async () => {
  server = await startTestServer()
  const person = await server.person()
  const { token } = person
  handle = await server.inNameOf(person)
  for (const input of demoExperiments(60))
    await server.call('POST', '/api/experiments', { token, body: input })
})
afterAll(() => server.stop())

async function all(query: ExperimentListQuery, total: number): Promise<StoredSummary[]> {
  const rows = []
  let cursor: Cursor | null = null
  do {
    const page: ListPage = await listExperiments(handle, query, { cursor, limit: 7, total })
    rows.push(...page.rows)
    cursor = page.next
  } while (cursor)
  return rows
}

const SORTS = [undefined, ...SORT_KEYS]

test.each(
  SORTS.flatMap((ordem) =>
    (['asc', 'desc'] as const).flatMap((sentido) =>
      [{}, { com_documento: '0' }, { cultura: 'Soja' }, { produto: 'amino', busca: 'a' }].map((filter) => ({
        ordem,
        sentido,
        ...filter,
      })),
    ),
  ),
)('page after page, a long list walked and a short one sorted are the same: %j', async (query) => {
  const walked = await all(query as ExperimentListQuery, Number.POSITIVE_INFINITY)
  const sorted = await all(query as ExperimentListQuery, 0)
  expect(walked.map(({ id }) => id)).toEqual(sorted.map(({ id }) => id))
  expect(new Set(walked.map(({ id }) => id)).size).toBe(walked.length)
  expect(walked.length).toBeGreaterThan(0)
  const { ordem, sentido } = query
  if (ordem === undefined || ordem === 'created_at') return
  const values = walked.map((row) => row[ordem]).filter((value) => value !== null)
  const ordered = [...values].sort((a, b) =>
    typeof a === 'string' && typeof b === 'string' ? plain(a).localeCompare(plain(b)) : Number(a) - Number(b),
  )
  expect(values).toEqual(sentido === 'asc' ? ordered : ordered.reverse())
  // What is unknown comes last in either direction.
  const firstUnknown = walked.findIndex((row) => row[ordem] === null)
  if (firstUnknown >= 0) expect(walked.slice(firstUnknown).every((row) => row[ordem] === null)).toBe(true)
})

test('the search finds products too, walked or sorted, and counts what it finds; that of documents does not', async () => {
  const { token } = await server.person()
  const answer = async (query: string) =>
    (await server.call('GET', `/api/experiments?limit=100&${query}`, { token })).body
  const product = 'Dimi Fosfito'
  const having = new Set(
    demoExperiments(60).flatMap(({ tratamentos, ...input }) =>
      tratamentos.some(({ produtos_aplicados }) => produtos_aplicados.some(({ nome }) => nome === product))
        ? [`${input.consultoria} ${input.cidade} ${input.cultivar} ${input.ano} ${input.custo_protocolo}`]
        : [],
    ),
  )
  expect(having.size).toBeGreaterThan(0)
  const found = await answer('busca=dimi%20FOSF')
  expect(found.total).toBe(having.size)
  const shown = found.experimentos.map(
    (row: StoredSummary) =>
      `${row.consultoria} ${row.cidade} ${row.cultivar} ${row.ano} ${row.custo_protocolo}`,
  )
  expect(new Set(shown)).toEqual(having)
  for (const total of [0, Number.POSITIVE_INFINITY])
    expect(await all({ busca: 'dimi fosf' } as ExperimentListQuery, total)).toHaveLength(having.size)
  expect((await answer('busca=dimi%20FOSF&com_documento=1')).total).toBe(0)
})

const plain = (name: string) => name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
