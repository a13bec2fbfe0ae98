import { afterAll, beforeAll, expect, test } from 'vitest'
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
