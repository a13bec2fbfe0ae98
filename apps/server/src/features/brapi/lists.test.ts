import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startTestServer, type TestServer } from '../../test-server.ts'
import { asking, sheet } from '../trials/test-trials.ts'

let server: TestServer
let ana: Person
let study: string
beforeAll(async () => {
  server = await startTestServer()
  const chief = await server.person({ role: 'admin', name: 'Chefe' })
  const mode = await server.call('PUT', '/api/admin/installation', {
    ...{ token: chief.token, body: { organizacoes: 'varias' } },
  })
  expect(mode.status, JSON.stringify(mode.body)).toBe(200)
  ana = await server.person({ name: 'Ana Prado' })
  const of = asking(server, ana)
  study = await of.trial()
  await of.done(of.put(study, sheet()))
})
afterAll(() => server.stop())

const brapi = (method: string, path: string, { by = ana, body }: { by?: Person; body?: unknown } = {}) =>
  server.call(method, `/brapi/v2/${path}`, { token: by.token, ...(body !== undefined && { body }) })
const lists = async (query = '', by = ana) =>
  (await brapi('GET', `lists${query}`, { by })).body.result.data as Record<string, unknown>[]

test('lists are collections and the plots of each trial, with the ids of what they hold; of others nothing', async () => {
  const made = await server.call('POST', '/api/collections', {
    ...{ token: ana.token, body: { nome: 'Safra 25', experimentos: [study] } },
  })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const all = await lists()
  expect(all.map(({ listName, listType, listSize }) => [listName, listType, listSize])).toEqual([
    ['Safra 25', 'studies', 1],
    [expect.stringMatching(/^Parcelas · /), 'observationUnits', 12],
  ])
  const detail = async (of: Record<string, unknown> | undefined, by = ana) =>
    (await brapi('GET', `lists/${of?.listDbId}`, { by })).body.result
  expect((await detail(all[0])).data).toEqual([study])
  const units = (await brapi('GET', `observationunits?studyDbId=${study}`)).body.result.data
  expect((await detail(all[1])).data).toEqual(
    units.map(({ observationUnitDbId }: { observationUnitDbId: string }) => observationUnitDbId),
  )
  const other = await server.person()
  expect(await lists('', other)).toEqual([])
  for (const one of all) expect(await detail(one, other)).toBeNull()
})

test('lists are found by type, name and time, in the query and by a search', async () => {
  const plots = (await lists()).find(({ listType }) => listType === 'observationUnits')
  const found = async (query: string) => (await lists(query)).length
  expect(await found('?listType=observationUnits')).toBe(1)
  expect(await found('?listType=germplasm')).toBe(0)
  expect(await found('?listName=outro')).toBe(0)
  expect(await found('?listSource=nada')).toBe(0)
  const all = await found('')
  expect(await found('?dateCreatedRangeStart=2000-01-01T00:00:00Z')).toBe(all)
  expect(await found('?dateCreatedRangeEnd=2000-01-01T00:00:00Z')).toBe(0)
  expect((await brapi('GET', 'lists?dateCreatedRangeEnd=ontem')).status).toBe(400)
  const body = { listDbIds: [plots?.listDbId, plots?.listDbId], listType: 'observationUnits' }
  expect((await brapi('POST', 'search/lists', { body })).body.result.data).toEqual([plots])
  const { metadata } = (await brapi('POST', 'search/lists', { body: {} })).body
  expect(metadata.pagination.totalCount).toBe(all)
})
