import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startTestServer, type TestServer } from '../../test-server.ts'
import { asking } from '../trials/test-trials.ts'

// One trial is read with those that share its names, never with all that are seen: it is told the same all the same.

let server: TestServer
let ana: Person
const trials: string[] = []
beforeAll(async () => {
  server = await startTestServer()
  ana = await server.person({ name: 'Ana Prado' })
  const of = asking(server, ana)
  const sorriso = { cidade: 'Sorriso', estado: 'MT', regional: 'Centro-Oeste' }
  const sinop = { cidade: 'Sinop', estado: 'MT', regional: 'Centro-Oeste' }
  const soja = { cultura: 'Soja', ano: 2024 }
  for (const change of [
    { consultoria: 'Campo Bom', ...sorriso, ...soja },
    { consultoria: 'Campo Bom', ...sorriso, ...soja, marca: 'Aminoagro' },
    { consultoria: 'Campo Bom', ...sinop, ...soja },
    // The same crop, brand and year of another consultancy; and others of which nothing is the same.
    { consultoria: 'Terra Fértil', ...sinop, ...soja },
    { consultoria: 'Campo Bom', ...sorriso, cultura: 'Milho', ano: 2025 },
    { consultoria: 'Longe', ...sorriso, cultura: 'Trigo', ano: 2023 },
  ])
    trials.push(await of.planted({}, change))
})
afterAll(() => server.stop())

const ask = async (method: string, path: string, body?: unknown) => {
  const answer = await server.call(method, `/brapi/v2/${path}`, {
    ...{ token: ana.token },
    ...(body !== undefined && { body }),
  })
  expect(answer.status, JSON.stringify(answer.body).slice(0, 300)).toBe(200)
  return answer.body.result
}
type Record = { [name: string]: unknown }

test('each study has the same names alone, by its id, by a search and among all', async () => {
  const all: Record[] = (await ask('GET', 'studies')).data
  expect(all.map(({ studyName }) => studyName)).toEqual([
    'Soja - Campo Bom - 2024 (Sorriso) #1',
    'Soja - Campo Bom - 2024 (Sorriso) #2',
    'Soja - Campo Bom - 2024 (Sinop)',
    'Soja - Terra Fértil - 2024',
    'Milho - Campo Bom - 2025',
    'Trigo - Longe - 2023',
  ])
  expect(new Set(all.map(({ trialName }) => trialName)).size).toBe(
    new Set(all.map(({ trialDbId }) => trialDbId)).size,
  )
  for (const study of all) {
    const id = study.studyDbId
    expect((await ask('GET', `studies?studyDbId=${id}`)).data).toEqual([study])
    expect(await ask('GET', `studies/${id}`)).toEqual(study)
    expect((await ask('POST', 'search/studies', { studyDbIds: [id] })).data).toEqual([study])
  }
  const [first, , third] = all
  const both = { studyDbIds: [third?.studyDbId, first?.studyDbId] }
  expect((await ask('POST', 'search/studies', both)).data).toEqual([first, third])
})

test.each(['programs', 'trials', 'locations', 'seasons', 'people', 'observationunits', 'variables'])(
  '%s of one study are those of it alone',
  async (list) => {
    const all: Record[] = (await ask('GET', `${list}?pageSize=1000`)).data
    const named = ['people', 'seasons'].includes(list) ? null : JSON.stringify(all)
    for (const id of trials) {
      const found: Record[] = (
        await ask('POST', `search/${list === 'seasons' ? 'programs' : list}`, { studyDbIds: [id] })
      ).data
      expect(found.length).toBeGreaterThan(0)
      if (named !== null) for (const one of found) expect(named).toContain(JSON.stringify(one))
    }
  },
)

test.each(['programs', 'trials', 'studies', 'locations', 'seasons'])(
  '%s come in pages that neither repeat nor miss, with their true number',
  async (list) => {
    const whole = await server.call('GET', `/brapi/v2/${list}`, { token: ana.token })
    const all: Record[] = whole.body.result.data
    expect(all.length).toBeGreaterThan(1)
    const paged: Record[] = []
    for (let page = 0; page <= all.length; page += 1) {
      const { body } = await server.call('GET', `/brapi/v2/${list}?pageSize=1&page=${page}`, {
        token: ana.token,
      })
      expect(body.metadata.pagination.totalCount).toBe(all.length)
      paged.push(...body.result.data)
    }
    expect(paged).toEqual(all)
  },
)

test('trials, studies and places are found by what they hang on, as they are told among all', async () => {
  const of = async (list: string): Promise<Record[]> => (await ask('GET', list)).data
  const studies = await of('studies')
  const program = new Map((await of('trials')).map((one) => [one.trialDbId, one.programDbId]))
  for (const study of studies) {
    const hanging = (other: Record) =>
      program.get(other.trialDbId) === program.get(study.trialDbId) &&
      other.commonCropName === study.commonCropName &&
      String(other.seasons) === String(study.seasons)
    const query = `programDbId=${program.get(study.trialDbId)}&commonCropName=${study.commonCropName}&seasonDbId=${study.seasons}`
    expect(await of(`studies?${query}&active=true`)).toEqual(studies.filter(hanging))
    expect(await of(`studies?trialDbId=${study.trialDbId}`)).toEqual(
      studies.filter((one) => one.trialDbId === study.trialDbId),
    )
    expect(await of(`trials?trialDbId=${study.trialDbId}`)).toEqual([
      await ask('GET', `trials/${study.trialDbId}`),
    ])
    const place = await ask('GET', `locations/${study.locationDbId}`)
    expect(await of('locations')).toContainEqual(place)
    expect(
      (await ask('POST', 'search/studies', { locationDbIds: [study.locationDbId], active: true })).data,
    ).toEqual(studies.filter((one) => one.locationDbId === study.locationDbId))
  }
  expect(await of('studies?active=false')).toEqual([])
  expect(await of('studies?sortBy=studyName&sortOrder=desc')).toHaveLength(studies.length)
})

test('a value for a plot of a trial in the bin is refused: the plot is not there', async () => {
  const gone = await asking(server, ana).planted({}, { consultoria: 'Some' })
  const unit = (await ask('GET', `observationunits?studyDbId=${gone}`)).data[0]
  const column = (await ask('GET', `variables?studyDbId=${gone}`)).data[0]
  const removed = await server.call('DELETE', `/api/experiments/${gone}`, { token: ana.token })
  expect(removed.status).toBe(204)
  const sent = await server.call('POST', '/brapi/v2/observations', {
    token: ana.token,
    body: [
      {
        observationUnitDbId: unit.observationUnitDbId,
        observationVariableDbId: column.observationVariableDbId,
        value: '1',
      },
    ],
  })
  expect([sent.status, sent.body.metadata.status[0].message]).toEqual([
    400,
    expect.stringContaining('A parcela não existe'),
  ])
})

test('a trial has the days of its first sowing and its last harvest, is found and sorted by them', async () => {
  const of = asking(server, ana)
  const field = { consultoria: 'Duas Safras', cultura: 'Feijão', ano: 2026 }
  for (const registro of [
    { semeadura: '2026-02-10', colheita: '2026-05-20' },
    { semeadura: '2026-01-15', colheita: '2026-04-30' },
  ])
    await of.planted({ registro }, field)
  await of.planted({ registro: { semeadura: '2024-10-05', colheita: '2025-02-01' } }, { ...field, ano: 2025 })
  const trials: Record[] = (await ask('GET', 'trials?pageSize=1000')).data
  const days = trials
    .filter(({ programName }) => programName === 'Duas Safras')
    .map(({ startDate, endDate, active }) => [startDate, endDate, active])
  expect(days).toEqual([
    ['2026-01-15T00:00:00Z', '2026-05-20T00:00:00Z', true],
    ['2024-10-05T00:00:00Z', '2025-02-01T00:00:00Z', true],
  ])
  const found = async (query: string) =>
    (await ask('GET', `trials?${query}`)).data.map(({ startDate }: Record) => String(startDate).slice(0, 10))
  expect(await found('searchDateRangeStart=2026-05-01&searchDateRangeEnd=2026-06-01')).toEqual(['2026-01-15'])
  expect(await found('searchDateRangeEnd=2025-01-01')).toEqual(['2024-10-05'])
  expect(await found('searchDateRangeStart=2025-03-01&searchDateRangeEnd=2025-12-01')).toEqual([])
  expect((await found('sortBy=startDate&sortOrder=desc')).slice(0, 2)).toEqual(['2026-01-15', '2024-10-05'])
  const bySearch = await ask('POST', 'search/trials', { searchDateRangeStart: '2026-05-01' })
  expect(bySearch.data.map(({ startDate }: Record) => startDate)).toEqual(['2026-01-15T00:00:00Z'])
  const studies: Record[] = (await ask('GET', 'studies?sortBy=startDate&sortOrder=desc')).data
  expect(studies.slice(0, 3).map(({ startDate }) => startDate)).toEqual([
    '2026-02-10T00:00:00Z',
    '2026-01-15T00:00:00Z',
    '2024-10-05T00:00:00Z',
  ])
})

test('what a call does not know is told, also of one record and of what is written', async () => {
  const [study] = (await ask('GET', 'studies')).data
  const warned = async (method: string, path: string, body?: unknown) =>
    (
      await server.call(method, `/brapi/v2/${path}`, {
        token: ana.token,
        ...(body !== undefined && { body }),
      })
    ).body.metadata.status
  const told = { messageType: 'WARNING', message: 'Parâmetro ignorado: colour' }
  expect(await warned('GET', `studies/${study.studyDbId}?colour=red`)).toEqual([told])
  expect(await warned('GET', 'serverinfo?colour=red')).toEqual([told])
  expect(await warned('GET', 'serverinfo?dataType=application/json')).toEqual([])
  expect(await warned('POST', 'observations?colour=red', [])).toContainEqual(told)
})

test('levels are those of the designs of a trial or of a program', async () => {
  const split = await asking(server, ana).planted({}, { consultoria: 'Sem Faixas' })
  const { trialDbId } = await ask('GET', `studies/${split}`)
  const levels: Record[] = (await ask('GET', `observationlevels?trialDbId=${trialDbId}`)).data
  expect(levels).toEqual((await ask('GET', `observationlevels?studyDbId=${split}`)).data)
})
