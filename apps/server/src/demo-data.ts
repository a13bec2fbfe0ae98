import {
  type CROPS,
  CULTIVARS_BY_CROP,
  type ExperimentInput,
  MODALITIES,
  PRODUCTS_BY_BRAND,
  STATISTICS_TYPES,
  UNGIVEN,
} from '@ensaio/domain'

/** Mean yield in kg/ha and its spread, as trials in Brazil report them. */
export const YIELDS: Record<(typeof CROPS)[number], readonly [mean: number, deviation: number]> = {
  Soja: [3600, 520],
  Milho: [8200, 1500],
  Algodão: [4400, 600],
  Feijão: [2400, 450],
  Trigo: [3300, 600],
  Arroz: [7200, 1100],
  'Cana-de-açúcar': [84_000, 11_000],
  Café: [2100, 480],
  Uva: [24_000, 5200],
  Manga: [26_000, 5500],
  Batata: [33_000, 5600],
}

/** Where crops are tried: city, state, regional, and how often of each crop. */
const PLACES: readonly [
  cidade: string,
  estado: string,
  regional: string,
  crops: readonly (typeof CROPS)[number][],
][] = [
  ['Sorriso', 'MT', 'Centro-Oeste', ['Soja', 'Milho', 'Algodão', 'Feijão']],
  ['Lucas do Rio Verde', 'MT', 'Centro-Oeste', ['Soja', 'Milho', 'Algodão']],
  ['Primavera do Leste', 'MT', 'Centro-Oeste', ['Soja', 'Algodão', 'Milho']],
  ['Rio Verde', 'GO', 'Centro-Oeste', ['Soja', 'Milho', 'Cana-de-açúcar']],
  ['Jataí', 'GO', 'Centro-Oeste', ['Soja', 'Milho', 'Cana-de-açúcar']],
  ['Cristalina', 'GO', 'Centro-Oeste', ['Soja', 'Feijão', 'Batata', 'Trigo']],
  ['Dourados', 'MS', 'Centro-Oeste', ['Soja', 'Milho', 'Trigo']],
  ['Luís Eduardo Magalhães', 'BA', 'Nordeste', ['Soja', 'Algodão', 'Milho']],
  ['Barreiras', 'BA', 'Nordeste', ['Soja', 'Algodão', 'Feijão']],
  ['Petrolina', 'PE', 'Nordeste', ['Uva', 'Manga']],
  ['Juazeiro', 'BA', 'Nordeste', ['Manga', 'Uva']],
  ['Balsas', 'MA', 'Nordeste', ['Soja', 'Milho']],
  ['Paragominas', 'PA', 'Norte', ['Soja', 'Milho', 'Arroz']],
  ['Vilhena', 'RO', 'Norte', ['Soja', 'Milho', 'Arroz']],
  ['Patos de Minas', 'MG', 'Sudeste', ['Milho', 'Café', 'Feijão', 'Soja']],
  ['Patrocínio', 'MG', 'Sudeste', ['Café', 'Batata']],
  ['Ribeirão Preto', 'SP', 'Sudeste', ['Cana-de-açúcar', 'Soja']],
  ['Jundiaí', 'SP', 'Sudeste', ['Uva']],
  ['Linhares', 'ES', 'Sudeste', ['Café', 'Manga']],
  ['Londrina', 'PR', 'Sul', ['Soja', 'Trigo', 'Milho', 'Café']],
  ['Cascavel', 'PR', 'Sul', ['Soja', 'Milho', 'Trigo']],
  ['Guarapuava', 'PR', 'Sul', ['Batata', 'Trigo', 'Feijão', 'Soja']],
  ['Passo Fundo', 'RS', 'Sul', ['Soja', 'Trigo', 'Milho']],
  ['Santa Maria', 'RS', 'Sul', ['Arroz', 'Soja']],
  ['Bento Gonçalves', 'RS', 'Sul', ['Uva']],
]

const CONSULTANCIES = [
  'Agro Cerrado Consultoria',
  'Campo Vivo Pesquisa',
  'Fitolab Experimentação',
  'Planalto Agronomia',
  'Raiz Forte Consultores',
  'Safra Certa',
  'Solo & Planta Pesquisa',
  'Vale Agro Ciência',
] as const
const UNIT_OF_BRAND = { Aminoagro: 'BU1', Dimicron: 'BU2', Maximus: 'BU3', Concorrente: 'BU1' } as const

/** A repeatable source of numbers in [0, 1) (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** `count` plausible experiments, the same at every call: clay helps a little, products help some more. */
export function demoExperiments(count: number): ExperimentInput[] {
  const random = randomNumbers(20260821)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const pick = <T>(list: readonly T[]): T => {
    const chosen = list[Math.floor(random() * list.length)]
    if (chosen === undefined) throw new Error('nothing to pick from')
    return chosen
  }
  const round = (value: number, decimals = 0) => Number(value.toFixed(decimals))

  return Array.from({ length: count }, (): ExperimentInput => {
    const [cidade, estado, regional, crops] = pick(PLACES)
    const cultura = pick(crops)
    const marca = pick(['Aminoagro', 'Aminoagro', 'Dimicron', 'Dimicron', 'Maximus', 'Concorrente'] as const)
    const clay = random() < 0.9 ? round(Math.min(78, Math.max(6, 38 + 16 * normal())), 1) : null
    const [mean, deviation] = YIELDS[cultura]
    const site = mean + deviation * 0.7 * normal() + (clay === null ? 0 : (clay - 38) * deviation * 0.012)
    const effect = (0.03 + 0.05 * random()) * (marca === 'Concorrente' ? 0.6 : 1)
    const products = PRODUCTS_BY_BRAND[marca]
    const modalidade = pick(MODALITIES)
    const treatments = 4 + Math.floor(random() * 4)
    const yieldOf = (gain: number) => Math.max(0, round(site * (1 + gain + 0.015 * normal())))
    const tratamentos = Array.from({ length: treatments }, (_, index) => {
      const produto = pick(products)
      const dose = round(0.5 + random() * 3, 1)
      const custo = round(dose * (35 + random() * 60), 2)
      const control = index === 0
      return {
        nome: control ? 'Testemunha' : `${produto} ${dose.toLocaleString('pt-BR')} L/ha`,
        modalidade: control ? 'Controle' : modalidade,
        produtividade: yieldOf(control ? 0 : effect * (0.6 + index * 0.15)),
        custo: control ? 0 : custo,
        produtos_aplicados: control ? [] : [{ nome: produto, dose, unidade: 'L/ha' as const, custo }],
        analises_adicionais:
          random() < 0.6
            ? [{ nome: 'Índice SPAD', valor: round(42 + 4 * normal(), 1), unidade: 'índice SPAD' }]
            : [],
      }
    })
    return {
      ...UNGIVEN,
      consultoria: pick(CONSULTANCIES),
      marca,
      bu: UNIT_OF_BRAND[marca],
      regional,
      cidade,
      estado,
      latitude: null,
      longitude: null,
      teor_argila: clay,
      teor_materia_organica: random() < 0.85 ? round(Math.min(8, Math.max(0.6, 2.8 + normal())), 1) : null,
      cultura,
      cultivar: pick(CULTIVARS_BY_CROP[cultura] ?? ['Convencional']),
      ano: 2020 + Math.floor(random() * 6),
      tratamentos,
      tipo_estatistica: pick(STATISTICS_TYPES),
      custo_protocolo: round(120 + random() * 380, 2),
      roi: random() < 0.9 ? round(Math.max(0, 260 + effect * 6000 + 90 * normal()), 2) : null,
    }
  })
}
