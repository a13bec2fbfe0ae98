import {
  ANALYSIS_NAMES,
  ANALYSIS_UNITS,
  BRANDS,
  BUSINESS_UNITS,
  CROPS,
  CULTIVARS_BY_CROP,
  costsOf,
  DOSE_UNITS,
  describedEconomics,
  type EconomicAnswer,
  EXPERIMENT_FIELDS,
  type Experiment,
  type ExperimentInput,
  economicBase,
  economicInput,
  experimentName,
  FIELD_KEYS,
  MODALITIES,
  NO_PRICES,
  PRODUCTS_BY_BRAND,
  STATES,
  STATISTICS_TYPES,
  YEARS,
} from '@ensaio/domain'
import type { ExtractionResult } from '@ensaio/extraction'
import { economics } from '@ensaio/statistics/economics'

type Treatment = ExperimentInput['tratamentos'][number]

/** A seeded source of chance (mulberry32): the same seed makes the same trial for ever. */
function chanceOf(seed: number) {
  let state = (seed * 2654435761) >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    whole,
    /** To so many decimals. */
    number: (from: number, to: number, decimals: number) =>
      Number((from + next() * (to - from)).toFixed(decimals)),
    is: (share: number) => next() < share,
    of: <T>(list: readonly T[]): T => list[whole(0, list.length - 1)] as T,
  }
}

/** Each in its state, with coordinates of the place. */
const CITIES = [
  ['Rio Verde', 'GO', -17.7923, -50.9192],
  ['Sorriso', 'MT', -12.5425, -55.7211],
  ['Londrina', 'PR', -23.3103, -51.1628],
  ['Passo Fundo', 'RS', -28.2628, -52.4067],
  ['Luís Eduardo Magalhães', 'BA', -12.0956, -45.7866],
  ['Patos de Minas', 'MG', -18.5789, -46.5181],
  ['Dourados', 'MS', -22.2231, -54.812],
  ['Petrolina', 'PE', -9.3887, -40.5027],
  ['São Gabriel do Oeste', 'MS', -19.3889, -54.5507],
  ['Ribeirão Preto', 'SP', -21.1775, -47.8103],
  ['Balsas', 'MA', -7.5325, -46.0356],
  ['Chapecó', 'SC', -27.1004, -52.6152],
  ['Paragominas', 'PA', -2.9959, -47.3549],
  ['Vilhena', 'RO', -12.7406, -60.1458],
] as const
const HOUSES = [
  'Agro Norte Pesquisa',
  'Campo Certo',
  'Fundação Cerrado',
  'Instituto Goiano de Agricultura',
  'Três Pontas Consultoria Agronômica',
  'R&D Agrícola',
  'Silva & Filhos',
  'Fazenda Santa Rita',
] as const
const PRODUCTS = [
  ...Object.values(PRODUCTS_BY_BRAND).flat(),
  'Cal 4%',
  'NPK 08-28-16',
  'Boro 10',
  'ZnMn 5+5',
] as const
const TREATED = ['Manejo', 'Programa', 'Tratamento', 'Dose', 'Posicionamento', 'Padrão produtor +'] as const
/** kg/ha: what a crop yields, from a poor trial to a good one. */
const YIELDS: Readonly<Record<string, readonly [number, number]>> = {
  Soja: [1800, 5600],
  Milho: [4000, 14_500],
  Feijão: [700, 3600],
  Trigo: [1500, 6500],
  Arroz: [3000, 10_500],
  Algodão: [1800, 6000],
  'Cana-de-açúcar': [55_000, 140_000],
  Café: [900, 5200],
  Batata: [18_000, 52_000],
  Uva: [9000, 38_000],
  Manga: [9000, 45_000],
}

/**
 * A trial as people enter them, of any crop, with 1 to 60 treatments, and every optional part there or not; the same
 * seed gives the same one.
 */
export function trialOfSeed(seed: number): ExperimentInput {
  const chance = chanceOf(seed)
  const cultura = chance.of(CROPS)
  const [cidade, estado, latitude, longitude] = chance.of(CITIES)
  const [least, most] = YIELDS[cultura] ?? [1000, 9000]
  const middle = chance.number(least * 1.15, most * 0.85, 0)
  const decimals = chance.whole(0, 1)
  const placed = chance.is(0.7)
  const soil = chance.is(0.6)
  const n = chance.is(0.05) ? 1 : chance.is(0.1) ? chance.whole(21, 60) : chance.whole(2, 20)
  const [costs, doses, units] = [chance.is(0.6), chance.is(0.85), chance.is(0.85)]
  const analyses = Array.from({ length: chance.is(0.5) ? chance.whole(1, 4) : 0 }, () => ({
    nome: chance.of(ANALYSIS_NAMES),
    unidade: chance.is(0.85) ? chance.of(ANALYSIS_UNITS) : '',
  })).filter(({ nome }, at, all) => all.findIndex((one) => one.nome === nome) === at)
  const names = new Set<string>()
  const nameOf = (at: number) => {
    if (at === 0) return 'Testemunha'
    let name = `${chance.of(TREATED)} ${at}`
    if (chance.is(0.5)) {
      const product = chance.of(PRODUCTS)
      name = names.has(product) ? `${product} (${at})` : product
    }
    names.add(name)
    return name
  }
  const treatment = (at: number): Treatment => ({
    nome: nameOf(at),
    modalidade: at === 0 ? 'Controle' : chance.of(MODALITIES),
    produtividade: chance.number(middle * 0.88, middle * 1.12, decimals),
    custo: costs && (at > 0 || chance.is(0.5)) ? (at === 0 ? 0 : chance.number(20, 900, 2)) : null,
    produtos_aplicados: Array.from(
      { length: at === 0 ? 0 : chance.whole(1, chance.is(0.2) ? 4 : 1) },
      () => ({
        nome: chance.of(PRODUCTS),
        dose: doses ? chance.number(0.05, chance.is(0.2) ? 300 : 6, chance.whole(0, 3)) || 1 : null,
        unidade: units ? chance.of(DOSE_UNITS) : null,
        custo: null,
      }),
    ).filter(({ nome }, place, all) => all.findIndex((one) => one.nome === nome) === place),
    analises_adicionais: analyses.map((one) => ({
      ...one,
      valor: chance.number(0.5, 200, chance.whole(0, 2)),
    })),
  })
  return {
    consultoria: chance.of(HOUSES),
    marca: chance.of(BRANDS),
    bu: chance.of(BUSINESS_UNITS),
    regional: STATES.find(({ sigla }) => sigla === estado)?.regional ?? 'Sul',
    ...{ cidade, estado, cultura },
    latitude: placed ? latitude : null,
    longitude: placed ? longitude : null,
    cultivar: chance.of(CULTIVARS_BY_CROP[cultura] ?? ['Seleção local', 'IAC 2026', 'BRS 500']),
    ano: chance.of(YEARS),
    teor_argila: soil && chance.is(0.9) ? chance.number(4, 78, chance.whole(0, 2)) : null,
    teor_materia_organica: soil && chance.is(0.9) ? chance.number(0.4, 7, chance.whole(0, 2)) : null,
    tipo_estatistica: chance.of(STATISTICS_TYPES),
    custo_protocolo: chance.number(0, 90_000, chance.whole(0, 2)),
    roi: chance.is(0.4) ? chance.number(0, 4000, chance.whole(0, 2)) : null,
    codigo: chance.is(0.5)
      ? `${chance.of(['ENS', 'SOJ', 'P&D', 'T'])}-${chance.whole(1, 9999)}/${chance.whole(20, 26)}`
      : null,
    estatistica_informada: null,
    tratamentos: Array.from({ length: n }, (_, at) => treatment(at)),
  }
}

/** The same as the server answers it to its owner; for the report, which is a pure function of it. */
export function storedTrial(seed: number): Experiment {
  const input = trialOfSeed(seed)
  const when = '2026-03-02T12:00:00.000Z'
  const id = `0190b3a0-0000-7000-8000-${String(seed).padStart(12, '0')}`
  return {
    ...input,
    ...{ estatistica_informada: null, conclusao: null },
    id,
    nome: experimentName(input),
    produtividade_media: null,
    custo_total: null,
    n_tratamentos: input.tratamentos.length,
    ...{
      pdf_filename: null,
      apontamentos: null,
      dados: null,
      created_by: null,
      versao: 1,
      created_at: when,
      updated_at: when,
    },
    organizacao: { id, nome: input.consultoria },
    ...{ relacao: 'propria', embargo_ate: null, ocultos: [], analise_estatistica: null },
    permissoes: {
      ...{ editar: true, excluir: true, compartilhar: true, comentar: true },
      ...{ ver_custos: true, ver_documentos: true },
    },
    created_by_name: 'Ana Souza',
  }
}

/** What its treatments pay at a price of one sack of 60 kg. */
export function earnedOf(experiment: Experiment): EconomicAnswer {
  const question = {
    ...{ preco: 118.4, preco_baixo: null, preco_alto: null, unidade: 'sc', kg_por_unidade: 60 },
    ...{ data: '2026-03-02', fonte: 'Cepea', ajuste_percent: 0, taxa_minima: 100 },
  }
  const { custos } = NO_PRICES
  const base = economicBase({ experiment, sheet: null, analysis: null })
  const costs = costsOf(experiment.tratamentos, NO_PRICES)
  const found = economics(economicInput(base, costs, question))
  return describedEconomics(found, { base, costs, question, inverte: [], custos })
}

/** Each value that the report prints and the reader gives otherwise, invents, or is less than 80 % sure of. */
export function differences(of: ExperimentInput, { data, metadata }: ExtractionResult): string[] {
  const told: string[] = []
  const same = (path: string, expected: unknown, got: unknown) => {
    const [a, b] = [expected ?? null, got ?? null]
    if (a !== b) told.push(`${path}: ${JSON.stringify(a)} -> ${JSON.stringify(b)}`)
  }
  for (const key of FIELD_KEYS) if (key in EXPERIMENT_FIELDS) same(key, of[key], data[key])
  same('tratamentos', of.tratamentos.length, data.tratamentos.length)
  of.tratamentos.forEach((treatment, at) => {
    const got = data.tratamentos[at]
    const path = `tratamentos[${at}]`
    for (const key of ['nome', 'modalidade', 'produtividade', 'custo'] as const)
      same(`${path}.${key}`, treatment[key], got?.[key])
    same(`${path}.produtos`, treatment.produtos_aplicados.length, got?.produtos_aplicados.length)
    treatment.produtos_aplicados.forEach((product, place) => {
      const read = got?.produtos_aplicados[place]
      for (const key of ['nome', 'dose', 'unidade', 'custo'] as const)
        same(`${path}.produtos[${place}].${key}`, product[key], read?.[key])
    })
    same(`${path}.analises`, treatment.analises_adicionais.length, got?.analises_adicionais.length)
    for (const analysis of treatment.analises_adicionais) {
      const read = got?.analises_adicionais.find(({ nome }) => nome === analysis.nome)
      same(`${path}.${analysis.nome}`, analysis.valor, read?.valor)
      same(`${path}.${analysis.nome}.unidade`, analysis.unidade || null, read?.unidade || null)
    }
  })
  for (const [path, { confidence }] of Object.entries(metadata.fields))
    if (confidence < 0.8) told.push(`${path}: confidence ${confidence.toFixed(2)}`)
  return told
}
