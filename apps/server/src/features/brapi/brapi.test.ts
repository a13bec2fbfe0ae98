import { CALLS } from '@ensaio/domain/brapi'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestServer, type TestServer } from '../../test-server.ts'
import { asking, sheet, treatments, variable, YIELDS } from '../trials/test-trials.ts'
import { PROPERTIES } from './test-properties.ts'

let server: TestServer
let ana: Person
let bruno: Person
let study: string
beforeAll(async () => {
  server = await startTestServer()
  ana = await server.person({ name: 'Ana Prado' })
  bruno = await server.person({ name: 'Bruno Reis' })
  study = await planted()
  const { result } = (await brapi('GET', 'observationunits?pageSize=1')).body
  const [{ observationUnitDbId }] = result.data
  await brapi('POST', 'images', { body: [{ observationUnitDbId }] })
})
afterAll(() => server.stop())

const HEIGHT = variable('altura', {
  ...{ nome: 'Altura', unidade: 'cm', minimo: 0, maximo: 300, instrucao: 'Do solo à última folha', casas: 1 },
})
const SCORE = variable('sev', {
  ...{ nome: 'Severidade', tipo: 'nota', escala: [1, 9] },
  categorias: [
    { valor: 1, rotulo: 'Nenhuma' },
    { valor: 9, rotulo: 'Total' },
  ],
})
const DAY = variable('colheita', { nome: 'Colheita', tipo: 'data' })
const DATES = [
  { chave: 'd14', nome: '14 DAA', data: '2026-01-14', daa: 14 },
  { chave: 'd28', nome: '28 DAA', data: '2026-01-28', daa: 28 },
]
async function planted() {
  const of = asking(server, ana)
  const empty = (variavel: string, avaliacao: string | null = null) => ({
    ...{ variavel, avaliacao, valores: YIELDS.map(() => null) },
  })
  return of.planted({
    variaveis: [...sheet().variaveis, HEIGHT, SCORE, DAY],
    avaliacoes: DATES,
    registro: { aplicacoes: [{ data: '2025-12-31' }] },
    valores: [
      ...sheet().valores,
      empty('altura', 'd14'),
      empty('altura', 'd28'),
      empty('sev'),
      empty('colheita'),
    ],
  })
}

const brapi = (
  method: string,
  path: string,
  {
    body,
    token = ana.token,
    headers = {},
  }: { body?: unknown; token?: string; headers?: Record<string, string> } = {},
) => server.call(method, `/brapi/v2/${path}`, { token, headers, ...(body !== undefined && { body }) })
const data = async (path: string) => {
  const { status, body } = await brapi('GET', path)
  expect(status, JSON.stringify(body).slice(0, 400)).toBe(200)
  return body.result.data
}
const unitOf = async (numero: number, of = study) =>
  (await data(`observationunits?studyDbId=${of}&observationUnitName=${numero}`))[0]
const variableOf = async (name: string, of = study) =>
  (await data(`variables?studyDbId=${of}`)).find(
    (one: { observationVariableName: string }) => one.observationVariableName === name,
  )
const CSV = { accept: 'text/csv' }

describe('what is read', () => {
  test('serverinfo lists exactly what is there, to everybody', async () => {
    const answer = await server.call('GET', '/brapi/v2/serverinfo')
    expect(answer.status).toBe(200)
    const listed = answer.body.result.calls.flatMap(
      ({ service, methods }: { service: string; methods: string[] }) =>
        methods.map((method) => `${method} /brapi/v2/${service}`),
    )
    const registered = server.routes.filter(
      (route) => route.includes(' /brapi/v2/') && !route.endsWith('/*') && !route.includes('/.well-known/'),
    )
    expect(listed.sort()).toEqual(registered.sort())
    expect(listed).toHaveLength(CALLS.length)
  })

  test.each(['contentType', 'dataType'])('serverinfo by %s', async (name) => {
    const { body } = await server.call('GET', `/brapi/v2/serverinfo?${name}=text/csv`)
    expect(body.result.calls.map(({ service }: { service: string }) => service)).toEqual([
      'observationunits/table',
      'observations/table',
    ])
  })

  test.each(Object.entries(PROPERTIES))('%s has every property of the specification', async (path, names) => {
    const rows = await data(path.includes('?') ? `${path}&pageSize=5` : path)
    expect(rows.length).toBeGreaterThan(0)
    for (const one of rows) expect(Object.keys(one).sort()).toEqual([...names].sort())
  })

  test('pages neither repeat nor miss, and one behind the last has the true totals', async () => {
    const pages = await Promise.all(
      [0, 1, 2, 3].map((page) => brapi('GET', `observationunits?studyDbId=${study}&page=${page}&pageSize=5`)),
    )
    const names = pages.flatMap(({ body }) =>
      body.result.data.map((one: { observationUnitName: string }) => one.observationUnitName),
    )
    expect(names).toEqual(sheet().parcelas.map(({ numero }) => String(numero)))
    expect(pages.map(({ body }) => body.metadata.pagination)).toEqual([
      { currentPage: 0, pageSize: 5, totalCount: 12, totalPages: 3 },
      { currentPage: 1, pageSize: 5, totalCount: 12, totalPages: 3 },
      { currentPage: 2, pageSize: 2, totalCount: 12, totalPages: 3 },
      { currentPage: 3, pageSize: 0, totalCount: 12, totalPages: 3 },
    ])
  })

  test('a plot has its place, its block, its treatment and the address of its label', async () => {
    const unit = await unitOf(102)
    expect(unit).toMatchObject({
      observationUnitName: '102',
      observationUnitPUI: expect.stringMatching(/^HTTP:\/\/LOCALHOST:3000\/Q\/[0-9A-Z]{10}$/),
      treatments: [
        { factor: 'tratamento', modality: 'T2 - Produto 2' },
        { factor: 'produto', modality: 'Amino Foliar 1,5 L/ha Foliar' },
        { factor: 'modalidade', modality: 'Foliar' },
      ],
      observationUnitPosition: {
        entryType: 'TEST',
        observationLevel: { levelName: 'plot', levelOrder: 3, levelCode: '102' },
        ...{ positionCoordinateX: '2', positionCoordinateY: '1', positionCoordinateXType: 'GRID_COL' },
      },
    })
    expect((await unitOf(101)).treatments).toEqual([{ factor: 'tratamento', modality: 'T1 - Testemunha' }])
  })

  test('a column for each date, with its scale and limits', async () => {
    const names = (await data(`variables?studyDbId=${study}`)).map(
      (one: { observationVariableName: string }) => one.observationVariableName,
    )
    expect(names).toEqual([
      'Produtividade (kg/ha)',
      'Altura (cm) · 14 DAA',
      'Altura (cm) · 28 DAA',
      'Severidade',
      'Colheita',
    ])
    expect(await variableOf('Altura (cm) · 14 DAA')).toMatchObject({
      defaultValue: null,
      additionalInfo: { variavel: 'Altura', avaliacao: '14 DAA', data: '2026-01-14' },
      scale: {
        dataType: 'Numerical',
        decimalPlaces: 1,
        validValues: { minimumValue: '0', maximumValue: '300' },
      },
      trait: { traitDescription: 'Do solo à última folha' },
    })
    expect((await variableOf('Severidade')).scale).toMatchObject({
      dataType: 'Ordinal',
      validValues: {
        categories: [
          { value: '1', label: 'Nenhuma' },
          { value: '9', label: 'Total' },
        ],
      },
    })
  })

  test('values by study, by variable and by their own id; a lost one is not listed', async () => {
    const all = await data(`observations?studyDbId=${study}`)
    expect(all).toHaveLength(12)
    expect(all[0]).toMatchObject({ observationUnitName: '101', value: '3010', season: { season: '2024' } })
    const { observationVariableDbId } = await variableOf('Altura (cm) · 14 DAA')
    expect(
      await data(`observations?studyDbId=${study}&observationVariableDbId=${observationVariableDbId}`),
    ).toEqual([])
    const one = await brapi('GET', `observations/${all[3].observationDbId}`)
    expect(one.body.result).toEqual(all[3])
    expect((await brapi('GET', `observations/${all[3].observationVariableDbId}`)).status).toBe(404)
  })

  test('a table has two header lines and every plot', async () => {
    const answer = await brapi('GET', `observationunits/table?studyDbId=${study}`, { headers: CSV })
    expect(answer.headers.get('content-type')).toMatch(/^text\/csv/)
    const lines = String(answer.body).trim().split('\r\n')
    expect(lines).toHaveLength(2 + 12)
    expect(lines[1]).toContain('"Produtividade (kg/ha)"')
    expect(lines[2]).toContain('"101"')
    const json = await brapi('GET', `observationunits/table?studyDbId=${study}`)
    expect(json.body.result.data).toHaveLength(12)
    expect(json.body.result.headerRow.length + json.body.result.observationVariables.length).toBe(
      json.body.result.data[0].length,
    )
  })

  test.each(['observationunits', 'observations'])(
    'a table of %s has the columns that are asked for',
    async (of) => {
      const { observationVariableDbId } = await variableOf('Produtividade (kg/ha)')
      const { body } = await brapi(
        'GET',
        `${of}/table?studyDbId=${study}&observationVariableDbId=${observationVariableDbId}`,
      )
      expect(body.metadata.status).toEqual([])
      expect(body.result.observationVariables).toEqual([
        { observationVariableDbId, observationVariableName: 'Produtividade (kg/ha)' },
      ])
      expect(body.result.data).toHaveLength(12)
    },
  )

  test('a table of what a search found is narrowed to it', async () => {
    const numbers = async (of: string, searchResultsDbId: string, more = '') => {
      const path = `${of}/table?searchResultsDbId=${searchResultsDbId}${more}`
      const { status, body } = await brapi('GET', path)
      const at = body.result?.headerRow.indexOf('observationUnitName')
      return status === 200 ? body.result.data.map((row: string[]) => row[at]) : status
    }
    const search = async (of: string, body: unknown) =>
      (await brapi('POST', `search/${of}`, { body })).body.result.searchResultsDbId
    const ids = await Promise.all(
      [102, 203].map(async (numero) => (await unitOf(numero)).observationUnitDbId),
    )
    for (const of of ['observationunits', 'observations']) {
      const kept = await search(of, { observationUnitDbIds: ids })
      expect(await numbers(of, kept)).toEqual(['102', '203'])
      expect(await numbers(of, kept, `&observationUnitDbId=${ids[1]}`)).toEqual(['203'])
      expect(await numbers(of, kept, '&studyDbId=3d594650-3436-453d-8a6a-1d4d1c1b1b1b')).toEqual([])
    }
    const [, { observationDbId }] = await data(`observations?studyDbId=${study}&pageSize=2`)
    expect(
      await numbers('observations', await search('observations', { observationDbIds: [observationDbId] })),
    ).toEqual(['102'])
    const later = await search('observations', { observationTimeStampRangeStart: '2200-01-01T00:00:00Z' })
    expect(await numbers('observations', later)).toEqual([])
    for (const unknown of ['nenhuma', study, await search('studies', {})])
      expect(await numbers('observations', unknown)).toBe(404)
  })

  test('places are searched by their coordinates', async () => {
    const search = async (coordinates: unknown) =>
      (await brapi('POST', 'search/locations', { body: { coordinates } })).body.result.data.length
    const [{ coordinates }] = await data('locations')
    const [lng, lat] = coordinates.geometry.coordinates
    const ring = [
      [lng - 1, lat - 1],
      [lng + 1, lat - 1],
      [lng, lat + 1],
      [lng - 1, lat - 1],
    ]
    expect(await search(coordinates)).toBe(1)
    expect(await search({ type: 'Feature', geometry: { type: 'Polygon', coordinates: [ring] } })).toBe(1)
    expect(await search({ type: 'Point', coordinates: [lng + 1, lat] })).toBe(0)
  })

  test('strips and whole plots are a level between blocks and plots', async () => {
    const levels = [
      ['baixa', 'sem'],
      ['baixa', 'com'],
      ['alta', 'sem'],
      ['alta', 'com'],
    ].map(([A, B]) => ({ A, B }))
    const at = (n: number) => ({ numero: 101 + n, tratamento: (n % 4) + 1, bloco: Math.floor(n / 4) + 1 })
    const split = await asking(server, ana).planted(
      {
        delineamento: 'FAIXAS',
        fatores: [
          { chave: 'A', nome: 'Dose', tipo: 'qualitativo' },
          { chave: 'B', nome: 'Adjuvante', tipo: 'qualitativo' },
        ],
        tratamentos: levels.map((niveis, n) => ({ numero: n + 1, niveis })),
        parcelas: Array.from({ length: 8 }, (_, n) => at(n)),
        valores: [{ variavel: 'produtividade', avaliacao: null, valores: Array(8).fill(null) }],
      },
      { tratamentos: treatments(3000, 3300, 3500, 3600) },
    )
    const named = ['study', 'block', 'sub-block', 'rep', 'plot'].map((levelName, levelOrder) => ({
      levelName,
      levelOrder,
    }))
    expect(await data(`observationlevels?studyDbId=${split}`)).toEqual(named)
    expect((await brapi('GET', `studies/${split}`)).body.result.observationLevels).toEqual(named)
    const { observationUnitPosition } = await unitOf(107, split)
    expect(
      observationUnitPosition.observationLevelRelationships.map(
        ({ levelName, levelOrder, levelCode }: Record<string, unknown>) => [levelName, levelOrder, levelCode],
      ),
    ).toEqual([
      ['study', 0, split],
      ['block', 1, '2'],
      ['sub-block', 2, '2-alta'],
      ['rep', 3, '2'],
      ['plot', 4, '107'],
    ])
    await asking(server, ana).call('DELETE', `/api/experiments/${split}`)
  })

  test('a parameter that nobody knows is a warning, a bad one is refused, another call is not offered', async () => {
    const known = await brapi('GET', 'studies?cor=azul')
    expect(known.body.metadata.status).toEqual([
      { messageType: 'WARNING', message: 'Parâmetro ignorado: cor' },
    ])
    const searched = await brapi('POST', 'search/studies', {
      body: { cor: ['azul'], studyTypes: ['Ensaio de campo'] },
    })
    expect(searched.body.metadata.status).toEqual([
      { messageType: 'WARNING', message: 'Parâmetro ignorado: cor' },
    ])
    expect(searched.body.metadata.pagination.totalCount).toBe(known.body.metadata.pagination.totalCount)
    for (const bad of ['page=x', 'pageSize=0', 'active=talvez', 'sortOrder=x'])
      expect((await brapi('GET', `studies?${bad}`)).status, bad).toBe(400)
    expect((await brapi('GET', 'observations?observationTimeStampRangeStart=ontem')).status).toBe(400)
    expect(
      (await brapi('GET', `studies?page=9999999&studyName=${encodeURIComponent("a'\u0000%")}`)).status,
    ).toBe(200)
    const other = await brapi('GET', 'crosses')
    expect([other.status, other.body.metadata.status, other.body.result]).toEqual([
      404,
      [{ messageType: 'ERROR', message: 'Esta chamada não é oferecida por este servidor' }],
      null,
    ])
  })

  test('an address that cannot be read is refused in the words of BrAPI, others as ever', async () => {
    for (const path of ['studies/%E0%A4%A', 'observations/%', '%ff']) {
      const { status, headers, body } = await brapi('GET', path)
      expect([status, headers.get('content-type')], path).toEqual([400, 'application/json; charset=utf-8'])
      expect([body.result, body.metadata.status[0].messageType]).toEqual([null, 'ERROR'])
    }
    const elsewhere = await server.call('GET', '/api/experiments/%E0%A4%A', { token: ana.token })
    expect(elsewhere.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  })

  test('without a token nothing, and a cookie is none', async () => {
    const answer = await server.call('GET', '/brapi/v2/studies', {
      headers: { cookie: `token=${ana.token}` },
    })
    expect([answer.status, answer.headers.get('www-authenticate'), answer.body.result]).toEqual([
      401,
      'Bearer',
      null,
    ])
  })

  test('another page may ask here and nowhere else', async () => {
    const headers = { origin: 'https://gridscore.example' }
    const here = await server.call('OPTIONS', '/brapi/v2/studies', { headers })
    expect(here.status).toBe(204)
    expect(here.headers.get('access-control-allow-origin')).toBe('https://gridscore.example')
    expect(here.headers.get('vary')).toMatch(/Origin/)
    const elsewhere = await server.call('GET', '/api/experiments', { token: ana.token, headers })
    expect(elsewhere.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('a search or-joins values of one field and and-joins fields, and one given twice counts once', async () => {
    const search = async (body: unknown) =>
      (await brapi('POST', 'search/observationunits', { body })).body.result.data.map(
        (one: { observationUnitName: string }) => one.observationUnitName,
      )
    const [first, second] = [(await unitOf(101)).observationUnitDbId, (await unitOf(203)).observationUnitDbId]
    expect(await search({ observationUnitDbIds: [first, second, first] })).toEqual(['101', '203'])
    expect(await search({ studyDbIds: [study], observationUnitNames: ['301', '302'] })).toEqual([
      '301',
      '302',
    ])
    expect(
      await search({
        studyDbIds: [study],
        observationLevelRelationships: [{ levelName: 'block', levelCode: '4' }],
      }),
    ).toEqual(['401', '402', '403'])
    // What is said of one level is looked for in one.
    const levels = (...given: [string, string][]) =>
      given.map(([levelName, levelCode]) => ({ levelName, levelCode }))
    const related = (...given: [string, string][]) =>
      search({ studyDbIds: [study], observationLevelRelationships: levels(...given) })
    expect(await related(['block', '101'], ['plot', '1'])).toEqual([])
    expect(await related(['block', '4'], ['plot', '101'])).toEqual(['101', '401', '402', '403'])
    const own = (...given: [string, string][]) =>
      search({ studyDbIds: [study], observationLevels: levels(...given) })
    expect(await own(['block', '101'], ['plot', '4'])).toEqual([])
    expect(await own(['plot', '101'], ['block', '4'])).toEqual(['101'])
    const asked = await brapi('POST', 'search/observationunits', { body: { studyDbIds: [study] } })
    const { searchResultsDbId } = asked.body.result
    const later = await brapi('GET', `search/observationunits/${searchResultsDbId}?page=1&pageSize=5`)
    expect(later.body.result.data).toEqual(asked.body.result.data.slice(5, 10))
    const path = `search/observationunits/${searchResultsDbId}`
    expect((await brapi('GET', path, { token: bruno.token })).status).toBe(404)
    expect((await brapi('GET', `search/studies/${searchResultsDbId}`)).status).toBe(404)
    expect((await brapi('POST', 'search/studies', { body: [] })).status).toBe(400)
    expect((await brapi('GET', 'search/studies/nenhuma')).status).toBe(404)
  })

  test('nothing tells a cost, a return or a report', async () => {
    const paths = [
      'studies',
      'trials',
      'programs',
      'locations',
      'observationunits',
      'observations',
      'germplasm',
      'people',
    ]
    for (const path of paths) {
      // A label's ten letters are drawn by lot, and may be these.
      const told = JSON.stringify(await data(path)).replace(/\/Q\/\w{10}/g, '')
      expect(told, path).not.toMatch(/180\.5|410\.75|"custo|roi"|pdf/i)
    }
  })
})

describe('a key for scripts', () => {
  const make = async (body: Record<string, unknown>, person = ana) => {
    const answer = await server.call('POST', '/api/profile/script-keys', { token: person.token, body })
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body.chave
  }

  test('opens this address and no other, and is kept as a hash', async () => {
    const key = await make({ nome: 'QBMS', dias: 30 })
    expect(key.texto).toMatch(/^ens_[\w-]{43}$/)
    expect((await brapi('GET', 'studies', { token: key.texto })).body.result.data).toHaveLength(1)
    expect((await server.call('GET', '/api/experiments', { token: key.texto })).status).toBe(401)
    const { rows } = await sql<{ row: string }>`select k::text as row from auth.script_keys k`.execute(
      server.handle,
    )
    expect(rows.map(({ row }) => row).join()).not.toContain(key.texto.slice(4))
    const { body } = await server.call('GET', '/api/profile/script-keys', { token: ana.token })
    expect(JSON.stringify(body)).not.toContain(key.texto)
    expect(body.chaves[0]).toMatchObject({ nome: 'QBMS', escrita: false })
    expect(body.chaves[0].usada_em).not.toBeNull()
  })

  test('that reads writes nothing, one that writes does', async () => {
    const { observationUnitDbId } = await unitOf(403)
    const { observationVariableDbId } = await variableOf('Altura (cm) · 14 DAA')
    const body = [{ observationUnitDbId, observationVariableDbId, value: '60' }]
    const [reads, writes] = [
      await make({ nome: 'lê', dias: 1 }),
      await make({ nome: 'grava', dias: 1, escrita: true }),
    ]
    expect((await brapi('POST', 'observations', { body, token: reads.texto })).status).toBe(403)
    expect((await brapi('POST', 'search/observationunits', { body: {}, token: reads.texto })).status).toBe(
      200,
    )
    expect((await brapi('POST', 'observations', { body, token: writes.texto })).status).toBe(200)
  })

  test('ends with its revocation, its day, a new password, and the membership of who made it', async () => {
    const caio = await server.person({ name: 'Caio Luz' })
    const key = await make({ nome: 'R', dias: 1 }, caio)
    const status = async () => (await brapi('GET', 'studies', { token: key.texto })).status
    expect(await status()).toBe(200)
    await sql`update auth.script_keys set not_after = now() where name = 'R'`.execute(server.handle)
    expect(await status()).toBe(401)
    await sql`update auth.script_keys set not_after = now() + interval '1 day' where name = 'R'`.execute(
      server.handle,
    )
    expect(await status()).toBe(200)
    const by = (token: string) => server.call('DELETE', `/api/profile/script-keys/${key.id}`, { token })
    expect((await by(ana.token)).status).toBe(404)
    expect((await by(caio.token)).status).toBe(204)
    expect(await status()).toBe(401)
    const other = await make({ nome: 'R1', dias: 1, escrita: true }, caio)
    const changed = await server.call('PUT', '/api/users/change-password', {
      token: caio.token,
      body: { currentPassword: caio.password, newPassword: 'outra senha bem longa 7' },
    })
    expect(changed.status, JSON.stringify(changed.body)).toBe(200)
    expect((await brapi('GET', 'studies', { token: other.texto })).status).toBe(401)
    const next = await make({ nome: 'R2', dias: 1 }, caio)
    await sql`delete from membros where pessoa_id = ${caio.id}`.execute(server.handle)
    expect((await brapi('GET', 'studies', { token: next.texto })).status).toBe(401)
  })

  test.each([
    [{ nome: '', dias: 1 }],
    [{ nome: 'x', dias: 0 }],
    [{ nome: 'x', dias: 366 }],
    [{ nome: 'x'.repeat(61), dias: 1 }],
    [{ dias: 1 }],
  ])('is refused for %j', async (body) => {
    const answer = await server.call('POST', '/api/profile/script-keys', { token: ana.token, body })
    expect(answer.status).toBe(422)
  })
})

describe('values that come back', () => {
  const record = async (numero: number, name: string, value: string, more: Record<string, unknown> = {}) => ({
    observationUnitDbId: (await unitOf(numero)).observationUnitDbId,
    observationVariableDbId: (await variableOf(name)).observationVariableDbId,
    ...{ value, observationTimeStamp: '2026-01-14T12:00:00.000Z', collector: 'João da Silva', ...more },
  })
  const upload = (id: string) => ({
    externalReferences: [
      { referenceID: id, referenceSource: 'Field Book Upload' },
      { referenceID: 'aparelho-1', referenceSource: 'Field Book Device' },
    ],
  })
  const post = (body: unknown, token = ana.token) => brapi('POST', 'observations', { body, token })

  test('are answered one for one in their order, and kept with collector, time and references', async () => {
    const records = [
      await record(102, 'Altura (cm) · 14 DAA', '82,5', upload('1')),
      await record(101, 'Severidade', 'Total', upload('2')),
      await record(101, 'Colheita', '2026-03-12', upload('3')),
    ]
    const { status, body } = await post(records)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.result.data).toMatchObject([
      { observationUnitName: '102', value: '82.5', collector: 'João da Silva', ...upload('1') },
      { observationUnitName: '101', value: '9', observationTimeStamp: '2026-01-14T12:00:00.000Z' },
      { observationUnitName: '101', value: '2026-03-12' },
    ])
    const stored = await brapi('GET', `observations/${body.result.data[0].observationDbId}`)
    expect(stored.body.result).toEqual(body.result.data[0])
    // Found by what came with it.
    for (const asked of [
      'externalReferenceId=1&externalReferenceSource=Field%20Book%20Upload',
      'externalReferenceID=1',
      'externalReferenceId=1',
    ]) {
      const { result } = (await brapi('GET', `observations?studyDbId=${study}&${asked}`)).body
      expect(result.data).toEqual([body.result.data[0]])
    }
    expect(
      (await brapi('GET', `observations?studyDbId=${study}&externalReferenceId=nenhuma`)).body.result.data,
    ).toEqual([])
  })

  test('keep the place where they were entered, and none that is on no map', async () => {
    const geoCoordinates = { type: 'Feature', geometry: { type: 'Point', coordinates: [-50.9, -17.8] } }
    const sent = await post([await record(203, 'Altura (cm) · 14 DAA', '80', { geoCoordinates })])
    expect(sent.body.result.data).toMatchObject([{ geoCoordinates }])
    const [{ observationDbId }] = sent.body.result.data
    expect((await brapi('GET', `observations/${observationDbId}`)).body.result).toMatchObject({
      geoCoordinates,
    })
    const nowhere = { ...geoCoordinates, geometry: { type: 'Point', coordinates: [500, -17.8] } }
    const refused = await post([await record(203, 'Altura (cm) · 14 DAA', '80', { geoCoordinates: nowhere })])
    expect(refused.status).toBe(400)
  })

  test('far ahead of our time are marked so, and no day is taken that the calendar has not', async () => {
    const ahead = new Date(Date.now() + 49 * 3_600_000).toISOString()
    const { body } = await post([
      await record(302, 'Altura (cm) · 14 DAA', '71', { observationTimeStamp: ahead }),
    ])
    const [{ observationDbId }] = body.result.data
    const stored = await brapi('GET', `observations/${observationDbId}`)
    expect(stored.body.result.additionalInfo).toEqual({ hora_suspeita: 'sim' })
    expect((await post([await record(302, 'Colheita', '2025-02-30')])).status).toBe(400)
  })

  test('of another trial than they say are refused, and a search for what is no list of words', async () => {
    const other = '3d594650-3436-453d-8a6a-1d4d1c1b1b1b'
    expect((await post([await record(302, 'Altura (cm) · 14 DAA', '72', { studyDbId: other })])).status).toBe(
      400,
    )
    expect((await brapi('POST', 'search/observations', { body: { studyDbIds: 5 } })).status).toBe(400)
  })

  test('sent again are stored once and answered the same', async () => {
    const count = async () =>
      (
        await sql<{
          n: number
        }>`select count(*)::integer as n from registros where experimento_id = ${study}`.execute(
          server.handle,
        )
      ).rows[0]?.n
    const records = [await record(201, 'Altura (cm) · 14 DAA', '70', upload('9'))]
    const first = await post(records)
    const before = await count()
    expect((await post(records)).body.result).toEqual(first.body.result)
    const plain = [await record(202, 'Altura (cm) · 14 DAA', '71')]
    const once = await post(plain)
    expect((await post(plain)).body.result).toEqual(once.body.result)
    expect(await count()).toBe(Number(before) + 1)
  })

  test('under an upload id that stands for another cell are refused whole, in one request and in two', async () => {
    const name = 'Altura (cm) · 28 DAA'
    const valueAt = async (numero: number) => {
      const [unit, column] = [await unitOf(numero), await variableOf(name)]
      const asked = `observationUnitDbId=${unit.observationUnitDbId}&observationVariableDbId=${column.observationVariableDbId}`
      return (await data(`observations?studyDbId=${study}&${asked}`))[0]?.value
    }
    const taken = {
      messageType: 'ERROR',
      message: expect.stringMatching(/^Registro 2 \(302, .*\): Este ident/),
    }
    const first = await record(301, name, '61', upload('outra-vez'))
    expect((await post([first])).status).toBe(200)
    const again = await post([
      await record(303, name, '63'),
      await record(302, name, '62', upload('outra-vez')),
    ])
    expect([again.status, again.body.metadata.status]).toEqual([400, [taken]])
    const twice = await post([
      await record(303, name, '63', upload('duas')),
      await record(302, name, '62', upload('duas')),
    ])
    expect([twice.status, twice.body.metadata.status]).toEqual([400, [taken]])
    expect([await valueAt(301), await valueAt(302), await valueAt(303)]).toEqual(['61', undefined, undefined])
    // Of the same cell it is the same, whatever it says now.
    const same = await post([{ ...first, value: '64' }])
    expect([same.status, same.body.result.data[0].value]).toEqual([200, '61'])
  })

  test('are refused whole where one is wrong, which is named', async () => {
    const good = await record(301, 'Altura (cm) · 14 DAA', '80')
    for (const [bad, sentence] of [
      [
        await record(302, 'Altura (cm) · 14 DAA', 'alta'),
        'Registro 2 (302, Altura (cm) · 14 DAA): Informe um número',
      ],
      [
        await record(302, 'Altura (cm) · 14 DAA', '400'),
        'Registro 2 (302, Altura (cm) · 14 DAA): O valor deve ficar entre 0 e 300.',
      ],
      [await record(302, 'Severidade', '5'), 'Registro 2 (302, Severidade): Esta categoria não existe'],
      [await record(302, 'Colheita', '12/03'), 'Registro 2 (302, Colheita): Informe a data'],
      [
        await record(302, 'Colheita', '2026-03-12', { observationTimeStamp: 'ontem' }),
        'Registro 2 (302, Colheita): Valor inválido em observationTimeStamp',
      ],
      [
        { ...(await record(302, 'Colheita', '2026-03-12')), value: ['2026-03-12'] },
        'Registro 2 (302, Colheita): Valor inválido em value',
      ],
      ['x', 'Registro 2 (?, ?): Não é um registro'],
    ] as const) {
      const { status, body } = await post([good, bad])
      expect([status, body.metadata.status]).toEqual([400, [{ messageType: 'ERROR', message: sentence }]])
    }
    for (const bad of [
      { ...good, observationUnitDbId: study },
      { ...good, observationTimeStamp: 'ontem' },
      'x',
      null,
    ])
      expect((await post([bad])).status).toBe(400)
    expect((await post({})).status).toBe(400)
    const { observationVariableDbId } = await variableOf('Altura (cm) · 14 DAA')
    expect(
      await data(
        `observations?studyDbId=${study}&observationVariableDbId=${observationVariableDbId}&observationUnitDbId=${good.observationUnitDbId}`,
      ),
    ).toEqual([])
  })

  test('of the own device follow their time; of who does not know of the other they are a conflict', async () => {
    const at = (hour: number) => ({ observationTimeStamp: `2026-01-14T${hour}:00:00.000Z` })
    const lead = await server.person({ name: 'Lia Souza', role: 'admin' })
    await sql`update membros set papel = 'dono' where pessoa_id = ${lead.id}`.execute(server.handle)
    await post([await record(303, 'Altura (cm) · 14 DAA', '80', { ...upload('a'), ...at(12) })])
    const later = await post([await record(303, 'Altura (cm) · 14 DAA', '81', { ...upload('b'), ...at(13) })])
    expect(later.body.result.data[0].value).toBe('81')
    const earlier = await post([
      await record(303, 'Altura (cm) · 14 DAA', '79', { ...upload('c'), ...at(11) }),
    ])
    expect(earlier.body.result.data[0].value).toBe('81')
    expect(earlier.body.metadata.status).toEqual([])
    const other = await post([await record(303, 'Altura (cm) · 14 DAA', '95', at(14))], lead.token)
    expect(other.status).toBe(200)
    expect(other.body.result.data[0].value).toBe('81')
    expect(other.body.metadata.status).toEqual([
      {
        messageType: 'WARNING',
        message: 'Conflito na parcela 303, Altura (cm) · 14 DAA: ficou 81 de João da Silva.',
      },
    ])
    const { observationDbId } = other.body.result.data[0]
    const named = await brapi('PUT', 'observations', {
      token: lead.token,
      body: { [observationDbId]: { value: '96', ...at(15) } },
    })
    expect(named.body.result.data[0].value).toBe('96')
    const alone = await brapi('PUT', `observations/${observationDbId}`, {
      token: lead.token,
      body: { value: '97', ...at(16) },
    })
    expect(alone.body.result.value).toBe('97')
  })

  test('NA is a reason and no value; an empty one takes the own away', async () => {
    const of = async (value: string, hour: number) =>
      post([
        await record(401, 'Altura (cm) · 14 DAA', value, {
          ...upload(`${hour}`),
          observationTimeStamp: `2026-01-14T${hour}:00:00Z`,
        }),
      ])
    expect((await of('80', 12)).body.result.data[0].value).toBe('80')
    expect((await of('', 13)).body.result.data[0].value).toBeNull()
    expect((await of('NA', 14)).body.result.data[0].value).toBeNull()
    const { rows } = await sql`
      select tipo, motivo from registros r join parcelas p on p.id = r.parcela
      where r.experimento_id = ${study} and p.numero = 401 and r.origem = 'brapi' order by r.ordem
    `.execute(server.handle)
    expect(rows).toEqual([
      { tipo: 'valor', motivo: null },
      { tipo: 'exclusao', motivo: null },
      { tipo: 'sem_valor', motivo: 'nao_avaliada' },
    ])
  })

  test('for a record that is not there are answered as one that is asked for', async () => {
    const { observationUnitDbId } = await unitOf(402)
    const body = { value: '80' }
    for (const id of ['nenhum', study, observationUnitDbId]) {
      const put = await brapi('PUT', `observations/${id}`, { body })
      const asked = await brapi('GET', `observations/${id}`)
      expect([put.status, put.body], id).toEqual([404, asked.body])
    }
    const named = await brapi('PUT', 'observations', { body: { [study]: body } })
    expect([named.status, named.body.metadata.status[0].message]).toEqual([
      400,
      'Registro 1 (?, ?): A parcela não existe',
    ])
  })

  test('of who may not write there are refused whole', async () => {
    const answer = await post([await record(402, 'Altura (cm) · 14 DAA', '80')], bruno.token)
    expect([answer.status, answer.body.metadata.status[0].message]).toEqual([403, 'Acesso negado'])
  })

  test('a unit is known by its own id alone', async () => {
    const { observationUnitDbId } = await unitOf(101)
    const { status, body } = await brapi('POST', 'observationunits', { body: [{ observationUnitDbId }] })
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.result.data).toMatchObject([{ observationUnitDbId, observationUnitName: '101' }])
  })

  test('units that are sent are matched, by place or name, and none is made', async () => {
    const answer = await brapi('POST', 'observationunits', {
      body: [
        { studyDbId: study, observationUnitName: '101', observations: [{ value: '1' }] },
        { studyDbId: study, observationUnitPosition: { positionCoordinateX: '2', positionCoordinateY: '1' } },
      ],
    })
    expect(answer.body.result.data).toMatchObject([
      { observationUnitName: '101', observations: null },
      { observationUnitName: '102', observations: null },
    ])
    const made = await brapi('POST', 'observationunits', {
      body: [{ studyDbId: study, observationUnitName: '999' }],
    })
    expect(made.status).toBe(400)
    expect(await data(`observationunits?studyDbId=${study}`)).toHaveLength(12)
  })
})
