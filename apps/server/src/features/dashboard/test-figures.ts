import {
  correlationOf,
  type Experiment,
  type ExperimentFilter,
  filterOptionsOf,
  type Gain,
  type Group,
  mapViewOf,
  overviewOf,
  type ProductPerformance,
} from '@ensaio/domain'
import { expect } from 'vitest'
import type { Answer } from '../../test-server.ts'

export type Roll = (size: number) => number

/** A repeatable number below `size`. */
export function dice(seed: number): Roll {
  let state = seed
  return (size) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return Math.floor((state / 0x80000000) * size)
  }
}

const FILTERS = ['cultura', 'marca', 'regional', 'ano', 'bu', 'consultoria', 'produto'] as const

/** Some of the seven filters, each with a value that some experiment has (of a product, a part of its name). */
export function randomFilter(roll: Roll, trials: readonly Experiment[]): ExperimentFilter {
  const one = trials[roll(trials.length)]
  if (!one) return {}
  const product = one.tratamentos.flatMap(({ produtos_aplicados }) => produtos_aplicados)[0]?.nome ?? ''
  const values = { ...one, ano: String(one.ano), produto: product.slice(roll(3), 3 + roll(6)) }
  const wanted = roll(4)
  const filter: ExperimentFilter = {}
  for (let count = 0; count < wanted; count++) {
    const name = FILTERS[roll(FILTERS.length)] ?? 'cultura'
    filter[name] = values[name]
  }
  return filter
}

const countsOf = (groups: readonly Group[]) =>
  Object.fromEntries(groups.map((group) => [group.chave, group.n]))
export const close = (a: number | null, b: number | null) =>
  a === b || (a !== null && b !== null && Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b)))

/** Equal but for the last digits of sums. */
function expectGain(actual: Gain | null | undefined, expected: Gain | null, said: string) {
  if (expected === null) return expect(actual, said).toBeNull()
  for (const [key, value] of Object.entries(expected))
    expect(close(actual?.[key as keyof Gain] ?? null, value), `${said} ${key}`).toBe(true)
}

const ratioOf = ({ ganho }: ProductPerformance) => ganho?.razao ?? null
const LISTED = 10

/**
 * In their order; products that were always applied together have one mean, whatever its last digit. Of those that
 * share the last place of a full list it is open which one has it.
 */
function namesOf(products: readonly ProductPerformance[]): string[] {
  const ranked = products
    .map(({ produto, roiMedio }) => ({
      produto,
      rank: roiMedio === null ? Number.NEGATIVE_INFINITY : Math.round(roiMedio * 1e6),
    }))
    .sort((a, b) => b.rank - a.rank || a.produto.localeCompare(b.produto))
  const last = ranked.length < LISTED ? undefined : ranked.at(-1)?.rank
  return ranked.filter(({ rank }) => rank !== last).map(({ produto }) => produto)
}

/** The server's figures are those of the pure functions over exactly these trials; answers the overview. */
export async function expectFigures(
  get: (path: string) => Promise<Answer>,
  trials: readonly Experiment[],
  filter: ExperimentFilter,
) {
  const query = new URLSearchParams(filter as Record<string, string>)
  const said = JSON.stringify(filter)
  const { body } = await get(`/api/dashboard/overview?${query}`)
  const expected = overviewOf(trials, filter)
  expect(body.total, said).toBe(expected.total)
  expect(body.com_custos, said).toBe(expected.com_custos)
  expect(body.consultorias_ativas, said).toBe(expected.consultorias_ativas)
  expect(body.argila.n, said).toBe(expected.argila.n)
  expect(close(body.produtividade_media, expected.produtividade_media), said).toBe(true)
  expect(close(body.roi_medio, expected.roi_medio), said).toBe(true)
  for (const chart of [
    'por_cultura',
    'por_marca',
    'por_regional',
    'por_bu',
    'por_ano',
    'por_modalidade',
  ] as const) {
    expect(countsOf(body[chart]), `${said} ${chart}`).toEqual(countsOf(expected[chart]))
    for (const group of expected[chart]) {
      const actual = body[chart].find((each: Group) => each.chave === group.chave)
      for (const figure of ['produtividade_media', 'roi_medio', 'desvio'] as const)
        expect(close(actual[figure], group[figure]), `${said} ${chart} ${group.chave} ${figure}`).toBe(true)
      expectGain(actual.ganho, group.ganho, `${said} ${chart} ${group.chave}`)
    }
  }
  expectGain(body.ganho, expected.ganho, said)
  const ranked = expected.produtos_ganho.map(ratioOf)
  const answered = body.produtos_ganho.map(ratioOf)
  expect(
    answered.length === ranked.length && ranked.every((ratio, at) => close(answered[at], ratio)),
    `${said} ${answered} ${ranked}`,
  ).toBe(true)
  expect(namesOf(body.produtos), said).toEqual(namesOf(expected.produtos))
  for (const product of expected.produtos) {
    const actual = body.produtos.find(({ produto }: { produto: string }) => produto === product.produto)
    if (!actual && expected.produtos.length === LISTED) continue
    expect(actual.experimentos, said).toBe(product.experimentos)
    expect(actual.marca, said).toBe(product.marca)
    expect(close(actual.custoMedio, product.custoMedio), `${said} ${product.produto}`).toBe(true)
    expect(close(actual.roiMedio, product.roiMedio), `${said} ${product.produto}`).toBe(true)
    expectGain(actual.ganho, product.ganho, `${said} ${product.produto}`)
  }
  const options = await get(`/api/dashboard/filters?${query}`)
  const { origem: _, ...names } = options.body
  expect(names, said).toEqual(filterOptionsOf(trials, filter))
  for (const y of ['produtividade_media', 'roi', 'ganho_percent'] as const) {
    const pair = await get(`/api/dashboard/correlation?${query}&x=teor_argila&y=${y}`)
    const { n, r } = correlationOf(trials, filter, 'teor_argila', y, 1)
    expect(pair.body.n, `${said} ${y}`).toBe(n)
    expect(close(pair.body.r, r), `${said} ${y}`).toBe(true)
  }
  const map = await get(`/api/dashboard/map?${query}`)
  const { localizacoes, estados, marcas } = mapViewOf(trials, filter, () => ({
    ...{ lat: 0, lng: 0, aproximada: true },
  }))
  expect([map.body.total, map.body.localizacoes, map.body.estados], said).toEqual([
    ...[expected.total, localizacoes, estados],
  ])
  expect(map.body.marcas, said).toEqual(marcas)
  const list = await get(`/api/experiments?${query}&limit=1`)
  expect(list.body.total, said).toBe(expected.total)
  return body
}
