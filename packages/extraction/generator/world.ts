import { readFileSync } from 'node:fs'
import type { DoseUnit } from '@ensaio/domain'
import { NOT_FOUND } from '@ensaio/domain/fields'
import type { Random } from './random.ts'
import type { Truth, TruthTreatment } from './score.ts'
import { ANALYSES } from './wording.ts'

/** A trial as it happened, before a report words it. */
export interface World {
  truth: Truth
  /** Unit in which yields are printed, with digits. */
  yieldUnit: { name: string; factor: number; digits: number }
  /** Unit of clay and organic matter. */
  soilUnit: { name: string; factor: number }
  /** Doses as printed, by treatment and product. */
  doses: { value: number; unit: DoseUnit }[][]
  analyses: { nome: string; unidade: string; digits: number }[]
  otherBrand: string
  officeCity: string
  neighbourCity: string
  hasCosts: boolean
  hasModes: boolean
}

const CROPS: readonly {
  nome: string
  cultivars: readonly string[]
  low: number
  high: number
  units: readonly string[]
}[] = [
  {
    nome: 'Soja',
    cultivars: [
      'BMX Desafio RR',
      'M 8372 IPRO',
      'TMG 2383 IPRO',
      'NS 7709 IPRO',
      'Brasmax Olimpo IPRO',
      'DM 68i69 IPRO',
      '97R50 IPRO',
      'CZ 37B43',
    ],
    low: 2600,
    high: 5200,
    units: ['kg', 'sc'],
  },
  {
    nome: 'Milho',
    cultivars: ['AG 8088 PRO4', 'DKB 390 PRO3', 'P3707 VYH', 'FS 700 PWU', 'B2401PWU', 'Feroz VIP3'],
    low: 5200,
    high: 13500,
    units: ['kg', 'sc'],
  },
  {
    nome: 'Trigo',
    cultivars: ['TBIO Toruk', 'ORS Senna', 'BRS Belajoia', 'TBIO Audaz'],
    low: 2200,
    high: 5400,
    units: ['kg', 'sc'],
  },
  {
    nome: 'Algodão',
    cultivars: ['FM 985 GLTP', 'TMG 44 B2RF', 'IMA 5801 B2RF', 'DP 1746 B2RF'],
    low: 3000,
    high: 5600,
    units: ['kg', '@'],
  },
  {
    nome: 'Feijão',
    cultivars: ['BRS Estilo', 'IAC 1850', 'TAA Dama', 'ANfc 9'],
    low: 1500,
    high: 3600,
    units: ['kg', 'sc'],
  },
  {
    nome: 'Arroz',
    cultivars: ['IRGA 424 RI', 'BRS Pampa', 'Guri INTA CL'],
    low: 5000,
    high: 10500,
    units: ['kg', 'sc'],
  },
  {
    nome: 'Café',
    cultivars: ['Catuaí Vermelho IAC 144', 'Mundo Novo', 'Arara', 'Topázio MG 1190'],
    low: 1500,
    high: 4300,
    units: ['kg', 'sc'],
  },
  {
    nome: 'Cana-de-açúcar',
    cultivars: ['RB867515', 'CTC 4', 'RB966928', 'CTC9001'],
    low: 62000,
    high: 128000,
    units: ['t'],
  },
  { nome: 'Batata', cultivars: ['Ágata', 'Asterix', 'Markies'], low: 26000, high: 52000, units: ['t', 'kg'] },
  {
    nome: 'Uva',
    cultivars: ['BRS Vitória', 'Niágara Rosada', 'Thompson Seedless'],
    low: 14000,
    high: 34000,
    units: ['t', 'kg'],
  },
  {
    nome: 'Manga',
    cultivars: ['Palmer', 'Tommy Atkins', 'Kent'],
    low: 15000,
    high: 36000,
    units: ['t', 'kg'],
  },
]
const PRODUCTS: Readonly<Record<string, readonly string[]>> = {
  Aminoagro: [
    'Nutrivia Raiz',
    'Nutrivia Pleno',
    'Amino Foliar',
    'Amino Boro',
    'Amino Semente',
    'Aminovita Zinco',
    'Amino CaB',
    'Nutrivia Mar',
  ],
  Dimicron: [
    'Dimi Cobre WG',
    'Dimi Fosfito',
    'Dimi Potássio',
    'Dimi Enxofre',
    'Dimi Zinco',
    'Dimi Shield SC',
    'Dimi Mangano',
  ],
  Maximus: ['Maxi Fluid', 'Maxi Óleo', 'Maxi Spray', 'Maxi pH', 'Maxi Adere', 'Maxi Silício', 'MaxiCover'],
  Concorrente: ['Vigor Plus', 'FertMais', 'Produto X 200', 'Biocampo S', 'Agrimax Gold'],
}
const ORGANISATIONS = [
  'Campo Firme Pesquisa',
  'Agro Vale Consultoria',
  'Terra Viva Assessoria',
  'Planalto Consultoria Agronômica',
  'Safra Forte',
  'Raiz Experimentação Agrícola',
  'AgroLab Pesquisa e Desenvolvimento',
  'Cerrado Consultores Associados',
  'Semear Pesquisa Agronômica',
  'Fito Campo',
  'Horizonte Agro',
  'Estação Experimental Rio Claro',
  'Nova Fronteira Agrociência',
  'Plantec Consultoria',
  'Colheita Certa',
  'Agrodados Ensaios',
  'Rumo Agrícola Ltda',
  'Ipê Consultoria Rural',
  'Grão & Campo',
  'J. Mattos Consultoria',
]
const REGIONALS = [
  'Centro-Oeste',
  'Sul',
  'Sudeste',
  'Nordeste',
  'Norte',
  'Cerrado Leste',
  'MATOPIBA',
  'Mato Grosso Norte',
  'Paraná Oeste',
  'Sul de Minas',
  'Vale do São Francisco',
]
export const BRANDS = ['Aminoagro', 'Dimicron', 'Maximus', 'Concorrente']
const MODES = ['Foliar', 'Foliar', 'Foliar', 'Sementes', 'Sulco', 'Solo', 'Cobertura', 'Incorporado']
const CITY_POOL: readonly [string, string][] = [
  ['Sorriso', 'MT'],
  ['Rio Verde', 'GO'],
  ['Luís Eduardo Magalhães', 'BA'],
  ['Cascavel', 'PR'],
  ['Passo Fundo', 'RS'],
  ['Uberlândia', 'MG'],
  ['Primavera do Leste', 'MT'],
  ['Dourados', 'MS'],
  ['Chapadão do Sul', 'MS'],
  ['Balsas', 'MA'],
  ['Petrolina', 'PE'],
  ['Ponta Grossa', 'PR'],
  ['Não-Me-Toque', 'RS'],
  ['Patos de Minas', 'MG'],
  ['Campo Novo do Parecis', 'MT'],
  ['Jataí', 'GO'],
  ['Cristalina', 'GO'],
  ['Ribeirão Preto', 'SP'],
  ['Varginha', 'MG'],
  ["Conquista D'Oeste", 'MT'],
  ['São Gabriel do Oeste', 'MS'],
  ['Tupanciretã', 'RS'],
  ['Formosa do Rio Preto', 'BA'],
  ['Uruçuí', 'PI'],
  ['Itapeva', 'SP'],
]

function anyCity(random: Random): [string, string] {
  if (random.chance(0.6)) return [...random.pick(CITY_POOL)]
  const data: Record<string, string> = JSON.parse(
    readFileSync(new URL('../src/data/municipalities.json', import.meta.url), 'utf8'),
  )
  const state = random.pick(Object.keys(data))
  return [random.pick((data[state] ?? 'Brasília').split('|')), state]
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits))

/** Makes a trial; `count` treatments beside the control. What a house always has is drawn from `house`. */
export function makeWorld(random: Random, count = random.int(2, 7), house = random): World {
  const crop = house.pick(CROPS)
  const brand = house.chance(0.94) ? house.pick(BRANDS.slice(0, 3)) : 'Concorrente'
  const [cidade, estado] = anyCity(random)
  const maybe = <T>(value: T, p = 0.86): T | null => (random.chance(p) ? value : null)
  const unitKey = house.pick(crop.units)
  const units: Record<string, World['yieldUnit']> = {
    kg: { name: 'kg/ha', factor: 1, digits: 0 },
    sc: { name: 'sc/ha', factor: 60, digits: 1 },
    t: { name: 't/ha', factor: 1000, digits: 2 },
    '@': { name: '@/ha', factor: 15, digits: 1 },
  }
  const yieldUnit = units[unitKey] ?? { name: 'kg/ha', factor: 1, digits: 0 }
  const soilUnit = house.pick([
    { name: '%', factor: 1 },
    { name: 'g/kg', factor: 10 },
    { name: 'g/dm³', factor: 10 },
    { name: 'g kg-1', factor: 10 },
  ])
  const hasCosts = house.chance(0.6)
  const hasModes = house.chance(0.85)
  const products = random.shuffle(PRODUCTS[brand] ?? [])
  const base = crop.low + random.next() * (crop.high - crop.low) * 0.7
  const analyses = house.some(ANALYSES, house.int(0, 3))
  const oneMode = random.chance(0.35) ? random.pick(MODES) : null
  const doses: World['doses'] = [[]]
  const printedYield = (kg: number): number =>
    round(round(kg / yieldUnit.factor, yieldUnit.digits) * yieldUnit.factor, 2)
  const measure = (): TruthTreatment['analises_adicionais'] =>
    analyses.map((a) => ({
      nome: a.nome,
      unidade: a.unidade,
      valor: round(a.low + random.next() * (a.high - a.low), a.digits),
    }))
  const treatments: TruthTreatment[] = [
    {
      nome: 'Testemunha',
      modalidade: null,
      produtividade: printedYield(base),
      custo: 0,
      produtos_aplicados: [],
      analises_adicionais: measure(),
    },
  ]
  const seen = new Set<string>()
  for (let i = 0; i < count; i++) {
    const size = random.chance(0.6) ? 1 : random.chance(0.75) ? 2 : 3
    const competitor = i === count - 1 && i > 0 && random.chance(0.25)
    let own = competitor ? [random.pick(PRODUCTS.Concorrente ?? [])] : random.some(products, size)
    let key = own.join()
    for (let k = 0; k < 5 && seen.has(key); k++) {
      own = random.some(products, size)
      key = own.join()
    }
    seen.add(key)
    const modalidade = hasModes ? (oneMode ?? random.pick(MODES)) : null
    const printed = own.map(() => makeDose(random, modalidade))
    doses.push(printed)
    treatments.push({
      nome: own.join(' + '),
      modalidade,
      produtividade: printedYield(base * (1.01 + random.next() * 0.16)),
      custo: hasCosts ? round(15 + random.next() * 240, 2) : null,
      produtos_aplicados: own.map((nome, p) => ({
        nome,
        dose: printed[p]?.value ?? null,
        unidade: printed[p]?.unit ?? null,
        custo: null,
      })),
      analises_adicionais: measure(),
    })
  }
  const clay = random.int(8, 72)
  const organic = round(1 + random.next() * 5, 1)
  const coordinates = random.chance(0.55)
  return {
    truth: {
      ...NOT_FOUND,
      consultoria: maybe(house.pick(ORGANISATIONS), 0.95),
      marca: brand,
      bu: maybe(random.pick(['BU1', 'BU2', 'BU3'])),
      regional: maybe(random.pick(REGIONALS), 0.7),
      cidade,
      estado,
      latitude: coordinates ? -round(3 + random.next() * 27, 4) : null,
      longitude: coordinates ? -round(40 + random.next() * 18, 4) : null,
      cultura: crop.nome,
      cultivar: maybe(random.pick(crop.cultivars), 0.9),
      ano: random.int(2018, 2025),
      teor_argila: maybe(clay, 0.75),
      teor_materia_organica: maybe(organic, 0.75),
      tipo_estatistica: maybe(
        random.pick(['Blocos Casualizados', 'Blocos Casualizados', 'Inteiramente Casualizado', 'ANOVA']),
        0.85,
      ),
      custo_protocolo: maybe(round(20 + random.next() * 300, 2), 0.7),
      roi: maybe(round(30 + random.next() * 900, 2), 0.65),
      tratamentos: treatments,
    },
    yieldUnit,
    soilUnit,
    doses,
    analyses: analyses.map(({ nome, unidade, digits }) => ({ nome, unidade, digits })),
    otherBrand: random.pick(BRANDS.slice(0, 3).filter((b) => b !== brand)),
    officeCity: random.pick(['Maringá-PR', 'Cuiabá/MT', 'Goiânia - GO', 'Campinas/SP', 'Londrina – PR']),
    neighbourCity: random.pick(['Lucas do Rio Verde', 'Toledo', 'Montividiu', 'Barreiras']),
    hasCosts,
    hasModes,
  }
}

function makeDose(random: Random, mode: string | null): { value: number; unit: DoseUnit } {
  if (mode === 'Sementes') return { value: random.pick([50, 100, 150, 200]), unit: 'mL/100 kg sementes' }
  if (mode === 'Cobertura' || mode === 'Incorporado')
    return { value: random.pick([20, 50, 80, 150, 200]), unit: 'kg/ha' }
  return random.pick<{ value: number; unit: DoseUnit }>([
    { value: random.pick([0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3]), unit: 'L/ha' },
    { value: random.pick([100, 150, 200, 250, 500]), unit: 'mL/ha' },
    { value: random.pick([0.5, 0.8, 1, 1.5, 2]), unit: 'kg/ha' },
    { value: random.pick([100, 200, 300]), unit: 'g/ha' },
  ])
}
