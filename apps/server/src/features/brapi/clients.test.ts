import BrAPI from '@solgenomics/brapijs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Person, startTestServer, type TestServer } from '../../test-server.ts'
import { asking, sheet, variable } from '../trials/test-trials.ts'

// What Field Book and GridScore NEXT ask, in their order, as the specification describes them.

const PLOTS = 1200
let server: TestServer
let ana: Person
let study: string
beforeAll(async () => {
  server = await startTestServer()
  ana = await server.person({ name: 'Ana Prado' })
  const of = asking(server, ana)
  study = await of.trial()
  const parcelas = Array.from({ length: PLOTS }, (_, at) => ({
    ...{ numero: 1001 + at, tratamento: (at % 3) + 1, bloco: Math.floor(at / 300) + 1 },
    ...{ linha: Math.floor(at / 40) + 1, coluna: (at % 40) + 1 },
  }))
  const valores = [{ variavel: 'altura', avaliacao: null, valores: parcelas.map(() => null) }]
  const variaveis = [variable('altura', { nome: 'Altura', unidade: 'cm', minimo: 0, maximo: 300 })]
  await of.done(of.put(study, sheet({ parcelas, variaveis, valores })))
})
afterAll(() => server.stop())

const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
  const answer = await server.call(method, `/brapi/v2/${path}`, {
    ...{ token: ana.token, headers },
    ...(body !== undefined && { body }),
  })
  expect(answer.status, JSON.stringify(answer.body).slice(0, 300)).toBe(200)
  return answer.body
}

test('Field Book lists, imports 1,200 plots in 24 pages, uploads twice and reads what it sent', async () => {
  expect((await ask('GET', 'serverinfo')).result.serverName).toBe('Ensaio')
  const [program] = (await ask('GET', 'programs?page=0&pageSize=50')).result.data
  const [trial] = (await ask('GET', `trials?programDbId=${program.programDbId}&page=0&pageSize=50`)).result
    .data
  const studies = await ask(
    'GET',
    `studies?active=true&programDbId=${program.programDbId}&trialDbId=${trial.trialDbId}&page=0&pageSize=50`,
  )
  expect(studies.result.data.map(({ studyDbId }: { studyDbId: string }) => studyDbId)).toEqual([study])
  const levels = await ask('GET', `observationlevels?studyDbId=${study}`)
  expect(levels.result.data).toContainEqual({ levelName: 'plot', levelOrder: 3 })
  const variables = (await ask('GET', `variables?studyDbId=${study}&page=0&pageSize=50`)).result.data
  const path = `observationunits?studyDbId=${study}&observationUnitLevelName=plot&includeObservations=true&pageSize=50`
  // biome-ignore lint/suspicious/noExplicitAny: units of BrAPI, as the client reads them
  const units: any[] = []
  for (let page = 0, pages = 1; page < pages; page += 1) {
    const { metadata, result } = await ask('GET', `${path}&page=${page}`)
    pages = metadata.pagination.totalPages
    expect(pages).toBe(24)
    units.push(...result.data)
  }
  expect(new Set(units.map(({ observationUnitName }) => observationUnitName)).size).toBe(PLOTS)
  // It appends to the list of each.
  for (const { observationUnitPosition } of units)
    expect(observationUnitPosition.observationLevelRelationships.length).toBeGreaterThan(0)
  const germplasm = await ask('POST', 'search/germplasm', {
    germplasmDbIds: units.flatMap(({ germplasmDbId }) => [germplasmDbId, germplasmDbId]),
  })
  expect(germplasm.result.data).toHaveLength(1)

  const records = units.slice(0, 500).map((unit, at) => ({
    observationUnitDbId: unit.observationUnitDbId,
    observationVariableDbId: variables[0].observationVariableDbId,
    observationVariableName: variables[0].observationVariableName,
    ...{ studyDbId: study, value: String(60 + (at % 90)), collector: 'João' },
    observationTimeStamp: '2026-03-12T12:00:00.000-03:00',
    externalReferences: [
      { referenceID: String(at), referenceSource: 'Field Book Upload' },
      { referenceID: 'moto-g-1', referenceSource: 'Field Book Device' },
    ],
  }))
  const first = (await ask('POST', 'observations', records)).result.data
  expect(first.map(({ value }: { value: string }) => value)).toEqual(records.map(({ value }) => value))
  expect((await ask('POST', 'observations', records)).result.data).toEqual(first)
  const [one] = first
  const changed = await ask('PUT', 'observations', {
    [one.observationDbId]: {
      ...records[0],
      value: '77',
      observationTimeStamp: '2026-03-12T13:00:00.000-03:00',
    },
  })
  expect(changed.result.data[0]).toMatchObject({ observationDbId: one.observationDbId, value: '77' })
  const read = await ask('GET', `observations?studyDbId=${study}&pageSize=1000`)
  expect(read.metadata.pagination.totalCount).toBe(500)
  expect(read.result.data[0]).toMatchObject({ value: '77', collector: 'João' })
})

test('GridScore sends its units first, finds them unchanged, and its values are stored once', async () => {
  const origin = { origin: 'https://gridscore.example' }
  const units = Array.from({ length: 20 }, (_, at) => ({
    studyDbId: study,
    observationUnitPosition: { positionCoordinateX: String(at + 1), positionCoordinateY: '30' },
    observations: [{ value: '5' }],
  }))
  const matched = (await ask('POST', 'observationunits', units, origin)).result.data
  expect(matched).toHaveLength(20)
  for (const { observations } of matched) expect(observations).toBeNull()
  const [{ observationVariableDbId }] = (await ask('GET', `variables?studyDbId=${study}`)).result.data
  const values = matched.map(({ observationUnitDbId }: { observationUnitDbId: string }) => ({
    ...{ observationUnitDbId, observationVariableDbId, studyDbId: study, value: '88' },
    observationTimeStamp: '2026-03-13T12:00:00.000Z',
  }))
  await ask('POST', 'observations', values, origin)
  await ask('POST', 'observations', values, origin)
  const ids = matched.map(({ observationUnitDbId }: { observationUnitDbId: string }) => observationUnitDbId)
  const found = await ask('POST', 'search/observations', { observationUnitDbIds: ids })
  expect(found.result.data.map(({ value }: { value: string }) => value)).toEqual(Array(20).fill('88'))
})

test('QBMS walks from crops to the table of a study, page by page, and asks for its variables by a search', async () => {
  const SIZE = 500
  // It reads the first page for how many there are, then all others at once.
  const pages = async (path: string) => {
    const of = (page: number) =>
      ask('GET', `${path}${path.includes('?') ? '&' : '?'}page=${page}&pageSize=${SIZE}`)
    const first = await of(0)
    const count: number = first.metadata.pagination.totalPages
    const rest = await Promise.all(Array.from({ length: Math.max(0, count - 1) }, (_, at) => of(at + 1)))
    return {
      result: first.result,
      // biome-ignore lint/suspicious/noExplicitAny: rows of BrAPI, as the client reads them
      rows: [first, ...rest].flatMap(({ result }): any[] => result.data),
    }
  }
  expect((await pages('commoncropnames')).rows).toHaveLength(1)
  const [program] = (await pages('programs')).rows
  const [trial] = (await pages(`trials?programDbId=${program.programDbId}`)).rows
  const [found] = (await pages(`studies?trialDbId=${trial.trialDbId}`)).rows
  expect(found).toMatchObject({ studyDbId: study, locationName: expect.any(String) })
  expect((await pages(`germplasm?studyDbId=${study}`)).rows).toHaveLength(1)
  const { result, rows } = await pages(`observations/table?studyDbId=${study}`)
  // Each plot that has a value, once: not once for each page.
  const units = rows.map((row) => row[result.headerRow.indexOf('observationUnitDbId')])
  const valued = (await ask('GET', `observations?studyDbId=${study}&pageSize=10000`)).result.data
  expect(new Set(units)).toEqual(
    new Set(valued.map((one: { observationUnitDbId: string }) => one.observationUnitDbId)),
  )
  expect(rows.length).toBeGreaterThan(SIZE)
  expect(rows).toEqual((await ask('GET', `observations/table?studyDbId=${study}`)).result.data)
  const ids = result.observationVariables.map(
    (one: { observationVariableDbId: string }) => one.observationVariableDbId,
  )
  // An answer with an id of its search is taken for one that is not ready: it waits and comes back.
  const body = { page: 0, pageToken: 0, pageSize: SIZE, observationVariableDbIds: ids }
  const search = await ask('POST', 'search/variables', body)
  const again = await ask('GET', `search/variables/${search.result.searchResultsDbId}`)
  expect(again.result.searchResultsDbId).toBeUndefined()
  expect(
    again.result.data.map((one: { observationVariableDbId: string }) => one.observationVariableDbId),
  ).toEqual(ids)
  // A table that is asked for without pages is whole.
  const whole = await ask('GET', `observationunits/table?studyDbId=${study}`)
  expect(whole.result.data).toHaveLength(PLOTS)
  expect(whole.metadata.pagination).toMatchObject({ totalPages: 1, totalCount: PLOTS })
})

test('BrAPI.js, unmodified, walks from programs to plots, variables, searches and tables', async () => {
  // It prints the token of every call, and that it should go over https.
  for (const way of ['log', 'warn', 'error'] as const) vi.spyOn(console, way).mockReturnValue(undefined)
  const node = BrAPI(`${server.url}/brapi/v2`, 'v2.0', ana.token)
  // biome-ignore lint/suspicious/noExplicitAny: rows of BrAPI, as the client reads them
  const all = (chain: { all(done: (rows: any[]) => void): unknown }) =>
    // biome-ignore lint/suspicious/noExplicitAny: rows of BrAPI, as the client reads them
    new Promise<any[]>((resolve) => chain.all(resolve))
  const [program] = await all(node.programs({ pageSize: 10 }))
  const [trial] = await all(node.trials({ programDbId: program.programDbId }))
  expect((await all(node.studies({ trialDbId: trial.trialDbId }))).map((one) => one.studyDbId)).toEqual([
    study,
  ])
  // Page after page, several at a time.
  const [units, variables, levels, germplasm] = await Promise.all([
    all(node.observationunits({ studyDbId: study, pageSize: 100 })),
    all(node.variables({ studyDbId: study })),
    all(node.observationlevels({ studyDbId: study })),
    all(node.germplasm({ studyDbId: study })),
  ])
  expect(new Set(units.map(({ observationUnitDbId }) => observationUnitDbId)).size).toBe(PLOTS)
  expect([variables.length, germplasm.length]).toEqual([1, 1])
  expect(levels.map(({ levelName }) => levelName)).toContain('plot')
  const searched = await all(node.search_observationunits({ studyDbIds: [study], pageSize: 500 }))
  expect(searched).toHaveLength(PLOTS)
  const values = await all(node.search_observations({ studyDbIds: [study], pageSize: 1000 }))
  expect(values.length).toBeGreaterThan(400)
  // One call for each row of the one before.
  const details = await all(
    node
      .studies({ studyDbId: study })
      .studies_detail(({ studyDbId }: { studyDbId: string }) => ({ studyDbId })),
  )
  expect(details.map(({ studyDbId }) => studyDbId)).toEqual([study])
  vi.restoreAllMocks()
})
