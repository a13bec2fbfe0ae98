import { readFileSync } from 'node:fs'
import type { AdviceFacts, AdviceSheet } from './advice-facts.ts'

/** A repeatable source of numbers in [0, 1) (mulberry32), and of normal ones. */
export function source(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  const pick = <T>(of: readonly T[]): T => of[whole(0, of.length - 1)] as T
  return { next, normal, whole, pick }
}
type Source = ReturnType<typeof source>

interface Place {
  estado: string
  latitude: number
  longitude: number
  area: number | null
}
/** Every municipality of Brazil, with its point and its area in km². */
export const PLACES: readonly Place[] = readFileSync(
  new URL('../../../apps/server/migrations/seed/municipios.csv', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [, , estado = '', latitude, longitude, area] = line.split(';')
    return {
      ...{ estado, latitude: Number(latitude), longitude: Number(longitude) },
      area: area ? Number(area) : null,
    }
  })

export const variable = (
  more: Partial<AdviceSheet['variaveis'][number]> = {},
): AdviceSheet['variaveis'][number] => ({
  ...{ chave: 'rend', nome: 'Produtividade', unidade: 'kg/ha', tipo: 'continua', papel: 'resposta' },
  ...{ maior_melhor: true, produtividade: true, escala: null, formula: null },
  ...more,
})

/** A trial in blocks: one list of values a block, each in the order of the treatments, laid out as drawn. */
export function sheetOf(
  blocks: readonly (readonly (number | null)[])[],
  {
    design = 'DBC',
    order,
    ...more
  }: { design?: AdviceSheet['delineamento']; order?: number[][] } & Partial<AdviceSheet> = {},
): AdviceSheet {
  const k = blocks[0]?.length ?? 0
  const orders = order ?? blocks.map((_, block) => blocks[0]?.map((_, at) => ((at + block) % k) + 1) ?? [])
  const places = orders.flatMap((drawn, block) => drawn.map((tratamento, at) => ({ tratamento, block, at })))
  return {
    ...{ delineamento: design, testemunha: 1, fatores: [], avaliacoes: [], exclusoes: [] },
    tratamentos: (blocks[0] ?? []).map((_, at) => ({ numero: at + 1, niveis: null, nome: null })),
    variaveis: [variable()],
    parcelas: places.map(({ tratamento, block, at }) => ({
      ...{ numero: (block + 1) * 100 + at + 1, tratamento, bloco: design === 'DIC' ? null : block + 1 },
      ...{ linha: block + 1, coluna: at + 1, parcela_principal: null, area_m2: null, observacao: null },
    })),
    valores: [
      {
        ...{ variavel: 'rend', avaliacao: null },
        valores: places.map(({ tratamento, block }) => blocks[block]?.[tratamento - 1] ?? null),
      },
    ],
    ...more,
  }
}

const CROPS: readonly [cultura: string, media: number, desvio: number][] = [
  ['Soja', 3621, 520],
  ['Milho', 6391, 1200],
  ['Arroz', 7071, 1000],
  ['Feijão', 1800, 300],
]

/** A trial as they are: nothing in it is wrong. */
export function cleanTrial(random: Source): AdviceFacts {
  const [cultura, media, desvio] = random.pick(CROPS)
  const place = random.pick(PLACES)
  const [treatments, repetitions] = [random.whole(5, 8), random.whole(4, 6)]
  const site = media + desvio * 0.7 * random.normal()
  const effects = Array.from({ length: treatments }, (_, at) =>
    at === 0 ? 0 : site * (0.02 + 0.08 * random.next()),
  )
  const cv = 0.04 + 0.08 * random.next()
  const blocks = Array.from({ length: repetitions }, () => {
    const block = site * 0.04 * random.normal()
    return effects.map((effect) => Math.round(site + effect + block + site * cv * random.normal()))
  })
  const order = blocks.map((block) =>
    block
      .map((_, at) => ({ at: at + 1, key: random.next() }))
      .sort((a, b) => a.key - b.key)
      .map(({ at }) => at),
  )
  const mean = (at: number) => blocks.reduce((sum, block) => sum + (block[at] ?? 0), 0) / repetitions
  return {
    ...{ cultura, cultivar: 'BMX Desafio', ano: 2024, estado: place.estado, tipo_estatistica: 'DBC' },
    latitude: Number((place.latitude + 0.25 * (random.next() - 0.5)).toFixed(5)),
    longitude: Number((place.longitude + 0.25 * (random.next() - 0.5)).toFixed(5)),
    municipio: place,
    teor_argila: Number((15.5 + 55 * random.next()).toFixed(1)),
    teor_materia_organica: Number((1 + 4 * random.next()).toFixed(1)),
    ...{ custo_protocolo: 300, roi: 250 },
    tratamentos: effects.map((_, at) => ({
      ...{ nome: at === 0 ? 'Testemunha' : `T${at + 1}`, modalidade: 'Foliar', produtividade: mean(at) },
      custo: at === 0 ? 0 : 10 * at,
      produtos_aplicados:
        at === 0 ? [] : [{ nome: 'Nutrivia Raiz', dose: at / 2, unidade: 'L/ha', custo: 10 * at }],
    })),
    ficha: sheetOf(blocks, { order }),
  }
}
