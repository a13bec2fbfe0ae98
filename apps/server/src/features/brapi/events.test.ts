import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startTestServer, type TestServer } from '../../test-server.ts'
import { asking, sheet } from '../trials/test-trials.ts'

let server: TestServer
let ana: Person
let study: string
const REGISTRY = {
  ...{ semeadura: '2025-10-10', colheita: '2026-02-20' },
  aplicacoes: [
    { data: '2025-11-20', estadio: 'V4', modo: 'Costal', volume: 150.5, equipamento: 'CO2' },
    { data: null, estadio: 'R1' },
    { data: '2025-12-15', estadio: 'R2' },
  ],
}
beforeAll(async () => {
  server = await startTestServer()
  ana = await server.person({ name: 'Ana Prado' })
  const of = asking(server, ana)
  study = await of.planted({ registro: REGISTRY }, { bu: 'BU2' })
  // Another trial, of which nobody told when anything was applied.
  await of.planted({}, { ano: 2020 })
})
afterAll(() => server.stop())

interface Event {
  eventDbId: string
  eventDescription: string
  eventDateRange: { discreteDates: string[] }
  observationUnitDbIds: string[]
  eventParameters: { name: string; value: string; units: string }[]
}
const ask = async (path: string, by: Person = ana) => {
  const { status, body } = await server.call('GET', `/brapi/v2/${path}`, { token: by.token })
  expect(status, JSON.stringify(body).slice(0, 300)).toBe(200)
  return body
}
const events = async (query = '', by?: Person): Promise<Event[]> =>
  (await ask(`events${query}`, by)).result.data
const unitsOf = async (treatment: string): Promise<string[]> =>
  (await ask(`observationunits?studyDbId=${study}`)).result.data
    .filter((unit: { treatments: { modality: string }[] }) =>
      unit.treatments[0]?.modality.startsWith(treatment),
    )
    .map(({ observationUnitDbId }: { observationUnitDbId: string }) => observationUnitDbId)

test('each dated application is an event for each treatment with products, over its plots', async () => {
  const found = await events(`?studyDbId=${study}`)
  expect(
    found.map(({ eventDescription, eventDateRange }) => [eventDateRange.discreteDates[0], eventDescription]),
  ).toEqual([
    ['2025-11-20T00:00:00Z', 'T2 - Produto 2: Amino Foliar 1,5 L/ha Foliar'],
    ['2025-11-20T00:00:00Z', 'T3 - Produto 3: Amino Foliar 1,5 L/ha Foliar'],
    ['2025-12-15T00:00:00Z', 'T2 - Produto 2: Amino Foliar 1,5 L/ha Foliar'],
    ['2025-12-15T00:00:00Z', 'T3 - Produto 3: Amino Foliar 1,5 L/ha Foliar'],
  ])
  expect(found[0]).toMatchObject({ eventType: 'pesticide', studyDbId: study })
  expect(found[0]?.observationUnitDbIds).toEqual(await unitsOf('T2'))
  expect(found[0]?.observationUnitDbIds).toHaveLength(4)
  expect(found[0]?.eventParameters.map(({ name, value, units }) => [name, value, units])).toEqual([
    ['Estádio da cultura', 'V4', 'text'],
    ['Modo de aplicação', 'Costal', 'text'],
    ['Volume de calda', '150.5', 'L/ha'],
    ['Equipamento', 'CO2', 'text'],
  ])
  expect(new Set(found.map(({ eventDbId }) => eventDbId)).size).toBe(4)
  expect(await events()).toEqual(found)
})

test('events are found by day, kind, plot and id', async () => {
  const all = await events()
  const [first] = all
  expect(await events('?dateRangeStart=2025-12-01')).toEqual(all.slice(2))
  expect(await events('?dateRangeEnd=2025-12-01')).toEqual(all.slice(0, 2))
  expect(await events('?eventType=fertilizer')).toEqual([])
  expect(await events(`?eventDbId=${first?.eventDbId}`)).toEqual([first])
  expect(await events(`?observationUnitDbId=${first?.observationUnitDbIds[0]}`)).toEqual([all[0], all[2]])
  expect((await ask('events?pageSize=3&page=1')).metadata.pagination).toMatchObject({ totalCount: 4 })
  const wrong = await server.call('GET', '/brapi/v2/events?dateRangeStart=ontem', { token: ana.token })
  expect(wrong.status).toBe(400)
})

test('a study begins with its sowing and ends with its harvest', async () => {
  const { result } = await ask(`studies/${study}`)
  expect([result.startDate, result.endDate]).toEqual(['2025-10-10T00:00:00Z', '2026-02-20T00:00:00Z'])
})

test('who may not know the treatments of a blind trial is told of applications and not to whom', async () => {
  const of = asking(server, ana)
  const id = await of.planted({ registro: REGISTRY })
  await of.done(of.call('PUT', `/api/experiments/${id}/field-settings`, { as_cegas: true }))
  const reader = await server.person({ name: 'Rui Leal' })
  await sql`update membros set papel = 'leitor' where pessoa_id = ${reader.id}`.execute(server.handle)
  const blind = await events(`?studyDbId=${id}`, reader)
  expect(blind.map(({ eventDescription }) => eventDescription)).toEqual([
    'Aplicação dos tratamentos',
    'Aplicação dos tratamentos',
  ])
  for (const { observationUnitDbIds } of blind)
    expect(observationUnitDbIds).toHaveLength(sheet().parcelas.length)
  expect(await events(`?studyDbId=${id}`)).toHaveLength(4)
})
