/**
 * A population of experiments shaped like a real one, the same for the same seed: few consultancies, brands,
 * products and cities have most of the experiments (Zipf), crops follow the region, years grow, clay follows
 * the region, a yield follows crop, clay and treatment.
 */
import { readFileSync } from 'node:fs'
import {
  ANALYSIS_NAMES,
  BRANDS,
  type CROPS,
  CULTIVARS_BY_CROP,
  MODALITIES,
  PRODUCTS_BY_BRAND,
  STATES,
  STATISTICS_TYPES,
} from '@ensaio/domain'
import { randomNumbers, YIELDS } from '../../apps/server/src/demo-data.ts'

type Crop = (typeof CROPS)[number]

export interface Product {
  /** Place in `names.produtos`. */
  produto: number
  dose: number
  custo: number | null
}
export interface Treatment {
  nome: string
  modalidade: number
  produtividade: number
  custo: number
  produtos: Product[]
  analises: { nome: string; valor: number }[]
}
/** Names are places in `names`. */
export interface Drawn {
  consultoria: number
  marca: number
  bu: number
  regional: string
  cidade: number
  latitude: number | null
  longitude: number | null
  cultura: Crop
  cultivar: string
  ano: number
  argila: number | null
  materiaOrganica: number | null
  estatistica: string
  custoProtocolo: number
  roi: number | null
  tratamentos: Treatment[]
  documento: boolean
}

const CONSULTANCIES = 400
const SMALL_BRANDS = 36
const PRODUCTS_OF_A_BRAND = 12
const CITIES = 600

const FIRST_WORDS = [
  'Agro',
  'Campo',
  'Safra',
  'Terra',
  'Raiz',
  'Solo',
  'Planalto',
  'Cerrado',
  'Vale',
  'Serra',
]
const SECOND_WORDS = ['Norte', 'Vivo', 'Forte', 'Verde', 'Azul', 'Certo', 'Novo', 'Claro']
const THIRD_WORDS = ['Consultoria', 'Pesquisa', 'Ensaios', 'Agronomia', 'Ciência']
const SYLLABLES = ['bri', 'cal', 'dor', 'fer', 'gran', 'lim', 'mon', 'nev', 'pas', 'ral', 'sol', 'tri']

const CROPS_OF_REGION: Record<string, readonly (readonly [Crop, number])[]> = {
  'Centro-Oeste': [
    ['Soja', 50],
    ['Milho', 25],
    ['Algodão', 14],
    ['Feijão', 6],
    ['Cana-de-açúcar', 5],
  ],
  Nordeste: [
    ['Soja', 35],
    ['Algodão', 20],
    ['Milho', 15],
    ['Manga', 12],
    ['Uva', 10],
    ['Feijão', 8],
  ],
  Norte: [
    ['Soja', 50],
    ['Milho', 30],
    ['Arroz', 15],
    ['Feijão', 5],
  ],
  Sudeste: [
    ['Café', 30],
    ['Cana-de-açúcar', 25],
    ['Milho', 18],
    ['Soja', 15],
    ['Batata', 7],
    ['Feijão', 5],
  ],
  Sul: [
    ['Soja', 40],
    ['Milho', 20],
    ['Trigo', 20],
    ['Arroz', 10],
    ['Batata', 4],
    ['Uva', 4],
    ['Feijão', 2],
  ],
}
const CLAY_OF_REGION: Record<string, number> = {
  'Centro-Oeste': 42,
  Nordeste: 24,
  Norte: 38,
  Sudeste: 40,
  Sul: 52,
}
const YEARS: readonly (readonly [number, number])[] = [
  [2020, 8],
  [2021, 10],
  [2022, 13],
  [2023, 16],
  [2024, 19],
  [2025, 20],
  [2026, 14],
]

interface City {
  nome: string
  estado: string
  regional: string
  latitude: number
  longitude: number
}

export interface Names {
  consultorias: string[]
  marcas: string[]
  produtos: string[]
  cidades: City[]
  modalidades: string[]
}

/** The names by their rank: the first are the most frequent. */
export function populationNames(seed: number): Names {
  const random = randomNumbers(seed)
  const consultorias = FIRST_WORDS.flatMap((first) =>
    SECOND_WORDS.flatMap((second) => THIRD_WORDS.map((third) => `${first} ${second} ${third}`)),
  )
  const marcas: string[] = [...BRANDS]
  for (let index = 0; index < SMALL_BRANDS; index++)
    marcas.push(
      capital(`${SYLLABLES[index % 12]}${SYLLABLES[(index * 5 + 3 + Math.floor(index / 12)) % 12]}`),
    )
  const produtos = marcas.flatMap((marca) => {
    const own: readonly string[] = PRODUCTS_BY_BRAND[marca as (typeof BRANDS)[number]] ?? []
    const others = Array.from(
      { length: PRODUCTS_OF_A_BRAND - own.length },
      (_, index) => `${marca} ${index + 1}0`,
    )
    return [...own, ...others]
  })
  const regionOf = new Map<string, string>(STATES.map(({ sigla, regional }) => [sigla, regional]))
  const file = new URL('../../apps/server/migrations/seed/municipios.csv', import.meta.url)
  const all = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line): City => {
      const [, nome = '', estado = '', latitude, longitude] = line.split(';')
      const regional = regionOf.get(estado) ?? ''
      return { nome, estado, regional, latitude: Number(latitude), longitude: Number(longitude) }
    })
  return {
    consultorias: shuffled(consultorias, random).slice(0, CONSULTANCIES),
    marcas,
    produtos,
    cidades: shuffled(all, random).slice(0, CITIES),
    modalidades: ['Controle', ...MODALITIES],
  }
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((item) => [random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item)
}

/** Draws ranks from 0 with weight 1 / (rank + 1) ^ exponent. */
function zipf(count: number, exponent: number): (u: number) => number {
  const weights = Array.from({ length: count }, (_, rank) => 1 / (rank + 1) ** exponent)
  return byWeight(weights)
}

function byWeight(weights: readonly number[]): (u: number) => number {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let sum = 0
  const upTo = weights.map((weight) => {
    sum += weight / total
    return sum
  })
  return (u) => {
    let low = 0
    let high = upTo.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((upTo[middle] ?? 1) < u) low = middle + 1
      else high = middle
    }
    return low
  }
}

export function* population(
  names: Names,
  { count, seed }: { count: number; seed: number },
): Generator<Drawn> {
  const random = randomNumbers(seed + 1)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const round = (value: number, decimals = 0) => Number(value.toFixed(decimals))
  const within = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value))
  const pickConsultancy = zipf(names.consultorias.length, 0.9)
  const pickBrand = byWeight(
    names.marcas.map((_, rank) => (rank < 4 ? ([34, 24, 18, 8][rank] ?? 0) : 16 / 36)),
  )
  const pickProduct = zipf(PRODUCTS_OF_A_BRAND, 1)
  const pickCity = zipf(names.cidades.length, 0.8)
  const pickYear = byWeight(YEARS.map(([, weight]) => weight))
  const pickCrop = new Map(
    Object.entries(CROPS_OF_REGION).map(([region, crops]) => [
      region,
      byWeight(crops.map(([, weight]) => weight)),
    ]),
  )
  // A consultancy works near its home: four of five of its trials lie in one region.
  const citiesOf = new Map<string, number[]>()
  for (const [index, { regional }] of names.cidades.entries())
    citiesOf.set(regional, [...(citiesOf.get(regional) ?? []), index])
  const home = names.consultorias.map(() => names.cidades[pickCity(random())]?.regional ?? 'Sul')
  const pickNear = new Map([...citiesOf].map(([region, cities]) => [region, zipf(cities.length, 0.8)]))

  for (let index = 0; index < count; index++) {
    const consultoria = pickConsultancy(random())
    const near = home[consultoria] ?? 'Sul'
    const cidade =
      random() < 0.8 ? (citiesOf.get(near)?.[pickNear.get(near)?.(random()) ?? 0] ?? 0) : pickCity(random())
    const city = names.cidades[cidade]
    if (!city) throw new Error('a city without a name')
    const { regional } = city
    const cultura = CROPS_OF_REGION[regional]?.[pickCrop.get(regional)?.(random()) ?? 0]?.[0] ?? 'Soja'
    const marca = pickBrand(random())
    const [mean, spread] = YIELDS[cultura]
    const argila =
      random() < 0.9 ? round(within((CLAY_OF_REGION[regional] ?? 40) + 15 * normal(), 3, 85), 1) : null
    const site = mean + spread * (0.7 * normal() + ((argila ?? 40) - 40) * 0.012)
    const effect = 0.03 + 0.05 * random()
    const tested = Array.from({ length: 1 + Math.floor(random() * 2.2) }, () => pickProduct(random()))
    const modalidade = 1 + Math.floor(random() ** 2 * MODALITIES.length)
    const treatments = 4 + Math.floor(random() * 4)
    const tratamentos = Array.from({ length: treatments }, (_, position): Treatment => {
      const control = position === 0
      const produto = marca * PRODUCTS_OF_A_BRAND + (tested[position % tested.length] ?? 0)
      const dose = round(0.5 + random() * 3, 1)
      const custo = round(dose * (35 + random() * 60), 2)
      return {
        nome: control ? 'Testemunha' : `${names.produtos[produto]} ${dose} L/ha`,
        modalidade: control ? 0 : modalidade,
        produtividade: round(
          Math.max(0, site * (1 + (control ? 0 : effect * position * 0.3) + 0.015 * normal())),
          1,
        ),
        custo: control ? 0 : custo,
        produtos: control ? [] : [{ produto, dose, custo: random() < 0.9 ? custo : null }],
        analises:
          random() < 0.5
            ? [
                {
                  nome: ANALYSIS_NAMES[Math.floor(random() * ANALYSIS_NAMES.length)] ?? '',
                  valor: round(40 + 8 * normal(), 1),
                },
              ]
            : [],
      }
    })
    const placed = random() < 0.3
    const cultivars = CULTIVARS_BY_CROP[cultura] ?? ['Convencional']
    yield {
      consultoria,
      marca,
      bu: marca < 3 ? marca + 1 : 1 + Math.floor(random() * 3),
      regional,
      cidade,
      latitude: placed ? round(city.latitude + 0.2 * normal(), 5) : null,
      longitude: placed ? round(city.longitude + 0.2 * normal(), 5) : null,
      cultura,
      cultivar: cultivars[Math.floor(random() * cultivars.length)] ?? '',
      ano: YEARS[pickYear(random())]?.[0] ?? 2024,
      argila,
      materiaOrganica: random() < 0.85 ? round(within(2.8 + normal(), 0.4, 9), 1) : null,
      estatistica: STATISTICS_TYPES[Math.floor(random() * STATISTICS_TYPES.length)] ?? 'DBC',
      custoProtocolo: round(120 + random() * 380, 2),
      roi: random() < 0.9 ? round(Math.max(0, 260 + effect * 6000 + 90 * normal()), 2) : null,
      tratamentos,
      documento: random() < 0.8,
    }
  }
}
