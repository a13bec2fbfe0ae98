import {
  correlationOf,
  type Experiment,
  type ExperimentFilter,
  filterOptionsOf,
  type Group,
  type MapPlace,
  moreFilterOptionsOf,
  overviewOf,
  type Variable,
} from '@ensaio/domain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoExperiments } from '../../demo-data.ts'
import { type Person, startTestServer, type TestServer } from '../../test-server.ts'
import { keptMapPlaces, mapPlaces } from './map.repository.ts'
import { keptFor } from './margins.repository.ts'
import { KEPT_ZOOM, squareDegrees } from './place.repository.ts'

let server: TestServer
let person: Person
let stored: Experiment[]

beforeAll(async () => {
  server = await startTestServer()
  person = await server.person()
  stored = []
  for (const input of demoExperiments(120)) {
    const { body } = await server.call('POST', '/api/experiments', { token: person.token, body: input })
    stored.push(body.experimento)
  }
  // What is deleted counts nowhere.
  const gone = stored.splice(7, 1)
  await server.call('DELETE', `/api/experiments/${gone[0]?.id}`, { token: person.token })
})
afterAll(() => server.stop())

const ask = async (path: string, query: Record<string, string | readonly string[]> = {}) => {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([key, values]) =>
      [values].flat().map((value): [string, string] => [key, value]),
    ),
  )
  const { status, body } = await server.call('GET', `/api/dashboard/${path}?${search}`, {
    token: person.token,
  })
  expect(status).toBe(200)
  return body
}

const FILTERS: ExperimentFilter[] = [
  {},
  { cultura: 'Soja' },
  { marca: 'Aminoagro', regional: 'Sul' },
  { produto: 'maxi' },
  { produto: 'OLEO' },
  { consultoria: 'Safra Certa', ano: '2023' },
  { bu: 'BU2' },
  { cultura: 'Não existe' },
  { ano: "1' or 1=1" },
  { estado: ['MT', 'GO'] },
  { solo: ['argiloso', 'muito_argiloso'], cultura: 'Soja' },
  { materia_organica: 'medio', nao: 'materia_organica' },
  { modalidade: ['Foliar', 'Sulco'], nao: ['cultura'], cultura: 'Milho' },
  { cultivar: 'BRS 7981' },
  { dados: 'medias', com_roi: '1' },
  { com_roi: '0' },
  { produto: 'maxi', nao: ['produto', 'regional'], regional: 'Sul' },
]

/** Equal but for the last digits of sums taken in another order. */
function expectClose(actual: unknown, expected: unknown): void {
  if (typeof expected === 'number' && typeof actual === 'number') {
    expect(Math.abs(actual - expected)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(expected)))
  } else if (Array.isArray(expected) && Array.isArray(actual)) {
    expect(actual).toHaveLength(expected.length)
    for (const [index, item] of expected.entries()) expectClose(actual[index], item)
  } else if (expected !== null && typeof expected === 'object') {
    for (const [key, item] of Object.entries(expected))
      expectClose((actual as Record<string, unknown> | null)?.[key], item)
  } else expect(actual).toBe(expected)
}

const byKey = (groups: readonly Group[]) => [...groups].sort((a, b) => (a.chave < b.chave ? -1 : 1))

describe.each(FILTERS)('under the filter %j', (filter) => {
  test('the overview agrees with the pure aggregates', async () => {
    const actual = await ask('overview', filter as Record<string, string>)
    const expected = overviewOf(stored, filter)
    for (const chart of [
      'por_cultura',
      'por_marca',
      'por_regional',
      'por_bu',
      'por_ano',
      'por_modalidade',
    ] as const)
      expectClose(byKey(actual[chart]), byKey(expected[chart]))
    for (const card of [
      'total',
      'produtividade_media',
      'roi_medio',
      'consultorias_ativas',
      'produtos',
      'ganho',
    ] as const)
      expectClose(actual[card], expected[card])
    expect(actual.argila.n).toBe(expected.argila.n)
    expect(new Set(actual.argila.pontos.map((point: { id: string }) => point.id))).toEqual(
      new Set(expected.argila.pontos.map((point) => point.id)),
    )
  })

  test('the filter options agree with the pure aggregates', async () => {
    expect(await ask('filters', filter as Record<string, string>)).toEqual(filterOptionsOf(stored, filter))
    expect(await ask('filters/more', filter as Record<string, string>)).toEqual(
      moreFilterOptionsOf(stored, filter),
    )
  })

  test.each([
    ['teor_argila', 'produtividade_media'],
    ['custo_protocolo', 'roi'],
    ['teor_argila', 'ganho_percent'],
    ['cultura', 'roi'],
    ['produtividade_media', 'regional'],
    ['cultura', 'marca'],
    ['bu', 'bu'],
  ] as const satisfies readonly (readonly [Variable, Variable])[])('so does %s with %s', async (x, y) => {
    const actual = await ask('correlation', { ...(filter as Record<string, string>), x, y })
    const expected = correlationOf(stored, filter, x, y, 1000)
    expectClose(
      { n: actual.n, r: actual.r, grupos: actual.grupos, por_cultura: actual.por_cultura },
      { n: expected.n, r: expected.r, grupos: expected.grupos, por_cultura: expected.por_cultura },
    )
    expect(actual.pontos).toHaveLength(expected.pontos.length)
  })
})

test('the map places an experiment in its city, and an unknown city at the centre', async () => {
  const view = await ask('map')
  expect(view.total).toBe(stored.length)
  expect(view.pontos).toHaveLength(stored.length)
  const sorriso = view.pontos.find((point: { cidade: string }) => point.cidade === 'Sorriso')
  expect(sorriso).toMatchObject({ aproximada: false })
  expect(sorriso.lat).toBeCloseTo(-12.55, 1)
  const shared = view.pontos.filter((point: { cidade: string }) => point.cidade === 'Sorriso')
  expect(shared[0].no_local).toBe(shared.length)
  const [input] = demoExperiments(1)
  await server.call('POST', '/api/experiments', {
    token: person.token,
    body: { ...input, cidade: 'Lugar Nenhum', estado: 'AC' },
  })
  const after = await ask('map', { ano: String(input?.ano) })
  const unknown = after.pontos.find((point: { cidade: string }) => point.cidade === 'Lugar Nenhum')
  expect(unknown).toMatchObject({ aproximada: true, lat: -14.235, lng: -51.9253 })
})

test.each([
  [{}, 4],
  [{ cultura: 'Soja' }, 5],
  [{ marca: 'Aminoagro' }, 7],
  [{ consultoria: 'Safra Certa' }, 6],
] as const)('places joined under %j at zoom %i are the same kept as counted', async (filter, zoom) => {
  await ask('overview')
  const limit = 1000
  const handle = await server.inNameOf(person)
  const { sums } = await keptFor(handle)
  if (!sums) throw new Error('no sums are kept')
  const kept = await keptMapPlaces(handle, filter, sums, { bounds: null, shift: KEPT_ZOOM - zoom, limit })
  const counted = await mapPlaces(handle, filter, {
    bounds: null,
    degrees: squareDegrees(zoom),
    limit,
  })
  const sorted = (places: MapPlace[]) => places.sort((a, b) => a.lat - b.lat || a.lng - b.lng)
  expect(kept.length).toBeGreaterThan(1)
  expectClose(sorted(kept), sorted(counted))
})

test('more values than a person chooses, and filters that nobody has, are refused in their place', async () => {
  const asked = async (query: string) =>
    (await server.call('GET', `/api/dashboard/overview?${query}`, { token: person.token })).body
  const many = Array.from({ length: 31 }, (_, at) => `estado=${at}`).join('&')
  expect(await asked(many)).toMatchObject({
    code: 'validation.failed',
    fields: [{ path: 'estado', message: 'Use no máximo 30 valores' }],
  })
  expect(await asked('solo=lua')).toMatchObject({ fields: [{ path: 'solo' }] })
  expect(await asked('nao=origem')).toMatchObject({ fields: [{ path: 'nao' }] })
})

test('a product that the control got, too, is not compared with it', async () => {
  const [input] = demoExperiments(1)
  const produtos_aplicados = [{ nome: 'Dessecante Comum', dose: 1, unidade: 'L/ha', custo: null }]
  const treatment = (nome: string, produtividade: number) => ({
    ...{ nome, modalidade: 'Foliar', produtividade, custo: 0, produtos_aplicados },
  })
  const { status } = await server.call('POST', '/api/experiments', {
    token: person.token,
    body: { ...input, tratamentos: [treatment('Testemunha', 3000), treatment('T2', 3300)] },
  })
  expect(status).toBe(201)
  const { ganho, produtos, produtos_ganho } = await ask('overview', { produto: 'Dessecante Comum' })
  expect(ganho).toMatchObject({ n: 1, media: 300 })
  expect(produtos).toMatchObject([{ produto: 'Dessecante Comum', ganho: null }])
  expect(produtos_ganho).toEqual([])
})

test('a variable that does not vary has no coefficient', async () => {
  const { r, n } = await ask('correlation', { ano: '2023', x: 'ano', y: 'roi' })
  expect(n).toBeGreaterThan(3)
  expect(r).toBeNull()
})

test('the map answers what is in view', async () => {
  const south = await ask('map', { bbox: '-58,-34,-48,-24' })
  expect(south.pontos.length).toBeGreaterThan(0)
  expect(south.pontos.every((point: { lat: number }) => point.lat < -24)).toBe(true)
})

test.each(['overview', 'filters', 'filters/more', 'map', 'correlation?x=roi&y=ano'])(
  '%s needs a session',
  async (path) => {
    expect((await server.call('GET', `/api/dashboard/${path}`)).status).toBe(401)
  },
)

test('an unknown variable or area is refused', async () => {
  for (const query of ['correlation?x=senha&y=roi', 'map?bbox=1,2,3', 'map?bbox=a,b,c,d']) {
    const { status } = await server.call('GET', `/api/dashboard/${query}`, { token: person.token })
    expect(status).toBe(422)
  }
})
