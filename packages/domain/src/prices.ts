import { z } from 'zod'
import type { DOSE_UNITS } from './constants.ts'
import { counted, dayInBrasilia, formatDay, formatFixed, formatNumber, searchable } from './format.ts'
import { cleaned, LONGEST_RAW, list, shortText } from './text.ts'

/** What a price is per: a product's unit, or a hectare where its dose tells no amount of one. */
export const PRODUCT_UNITS = ['L', 'mL', 'kg', 'g', 'ha'] as const
export type ProductUnit = (typeof PRODUCT_UNITS)[number]
/** Whether a treatment costs what was typed of it, or what its doses cost at the scenario's prices. */
export const COST_KINDS = ['digitados', 'calculados'] as const
export type CostKind = (typeof COST_KINDS)[number]

/** From this age on a price is shown with its date. */
export const OLD_PRICE_DAYS = 180
const FIRST_YEAR = 1994

const label = (required: string, longest: number) => {
  const tooLong = `Use no máximo ${longest} caracteres`
  return shortText(LONGEST_RAW, { required, tooLong })
    .transform((value) => cleaned(value))
    .pipe(z.string().min(1, required).max(longest, tooLong))
}
const money = (required: string) =>
  z.number({ error: required }).gt(0, 'O preço deve ser maior que zero').max(10_000_000, 'Valor alto demais')
const DATE = 'Informe a data do preço: um dia ou um mês'

/** 'aaaa-mm-dd' or 'aaaa-mm': of the calendar, and not later than today in Brasília. */
export const PriceDate = shortText(10, { required: DATE, tooLong: DATE }).superRefine((date, context) => {
  const parts = /^(\d{4})-(0[1-9]|1[0-2])(?:-(\d\d))?$/.exec(date)
  const day = new Date(`${date.length === 7 ? `${date}-01` : date}T00:00:00Z`)
  const real = parts && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date)
  if (!real) context.addIssue({ code: 'custom', message: DATE })
  else if (Number(parts[1]) < FIRST_YEAR)
    context.addIssue({ code: 'custom', message: `A data do preço deve ser de ${FIRST_YEAR} em diante` })
  else if (date > dayInBrasilia().slice(0, date.length))
    context.addIssue({ code: 'custom', message: 'A data do preço não pode estar no futuro' })
})
const fonte = label('Informe a fonte do preço', 100)
const limit = money('Informe um número').nullish().default(null)

/** R$ per trading unit of the crop; `preco` is the likely one where a range is given. */
export const CropPrice = z
  .object({
    preco: money('Informe o preço de venda'),
    preco_baixo: limit,
    preco_alto: limit,
    /** 'sc', '@', 't' */
    unidade: label('Informe a unidade de venda', 20),
    kg_por_unidade: z
      .number({ error: 'Informe quantos kg tem a unidade de venda' })
      .min(0.001, 'Informe quantos kg tem a unidade de venda')
      .max(100_000, 'Valor alto demais'),
    data: PriceDate,
    fonte,
  })
  .superRefine(({ preco, preco_baixo, preco_alto }, context) => {
    for (const { path, message } of rangeProblems({ preco, preco_baixo, preco_alto }))
      context.addIssue({ code: 'custom', path: [path], message })
  })
export type CropPrice = z.output<typeof CropPrice>

/** A range that goes further is no range; and its mean costs as much as it has doublings. */
const WIDEST = 10

/** What is wrong with a range of prices around the likely one. */
export function rangeProblems(of: {
  preco: number
  preco_baixo: number | null
  preco_alto: number | null
}): { path: 'preco_baixo' | 'preco_alto'; message: string }[] {
  const { preco, preco_baixo: low, preco_alto: high } = of
  const found: ReturnType<typeof rangeProblems> = []
  if (low !== null && low > preco)
    found.push({ path: 'preco_baixo', message: 'O preço baixo não pode passar do preço de venda' })
  if (low !== null && low < preco / WIDEST)
    found.push({
      path: 'preco_baixo',
      message: 'O preço baixo não pode ser menor que um décimo do preço de venda',
    })
  if (high !== null && high < preco)
    found.push({ path: 'preco_alto', message: 'O preço alto não pode ficar abaixo do preço de venda' })
  if (high !== null && high > preco * WIDEST)
    found.push({ path: 'preco_alto', message: 'O preço alto não pode passar de dez vezes o preço de venda' })
  return found
}

/** R$ per unit of a product that some treatment of the trial got. */
export const ProductPrice = z.object({
  nome: label('Informe o nome do produto', 200),
  preco: money('Informe o preço do produto'),
  unidade: z.enum(PRODUCT_UNITS, { error: 'Escolha L, mL, kg, g ou ha' }),
  data: PriceDate,
  fonte,
})
export type ProductPrice = z.output<typeof ProductPrice>

/** The prices of one trial, as they are put: from the version that was read, 0 for the first. */
export const PricesInput = z.object({
  versao: z.number({ error: 'Este campo é obrigatório' }).int().min(0).max(2_000_000_000),
  cultura: CropPrice.nullish().default(null),
  produtos: list(ProductPrice, { most: 200, message: 'Use no máximo 200 produtos' })
    .default([])
    .superRefine((products, context) => {
      const seen = new Set<string>()
      for (const [at, { nome }] of products.entries()) {
        const key = searchable(nome)
        if (seen.has(key))
          context.addIssue({ code: 'custom', path: [at, 'nome'], message: 'Este produto já tem preço' })
        seen.add(key)
      }
    }),
  /** R$/ha of one application; a treatment with products is taken to have one. */
  aplicacao_rs_ha: z
    .number({ error: 'Informe um número' })
    .min(0, 'O custo da aplicação deve ser positivo')
    .max(1_000_000, 'Valor alto demais')
    .nullish()
    .default(null),
  custos: z.enum(COST_KINDS, { error: 'Escolha digitados ou calculados' }).default('digitados'),
})
export type PricesInput = z.output<typeof PricesInput>

/** As they stand; version 0 where there are none yet. */
export const Prices = z.object({
  versao: z.number(),
  cultura: z
    .object({
      preco: z.number(),
      preco_baixo: z.number().nullable(),
      preco_alto: z.number().nullable(),
      unidade: z.string(),
      kg_por_unidade: z.number(),
      data: z.string(),
      fonte: z.string(),
    })
    .nullable(),
  produtos: z.array(
    z.object({
      nome: z.string(),
      preco: z.number(),
      unidade: z.enum(PRODUCT_UNITS),
      data: z.string(),
      fonte: z.string(),
    }),
  ),
  aplicacao_rs_ha: z.number().nullable(),
  custos: z.enum(COST_KINDS),
  /** Who put them last; null where that is not to be told. */
  quem: z.string().nullable(),
  quando: z.string().nullable(),
})
export type Prices = z.output<typeof Prices>
export const NO_PRICES: Prices = {
  ...{ versao: 0, cultura: null, produtos: [], aplicacao_rs_ha: null },
  ...{ custos: 'digitados', quem: null, quando: null },
}

const SACK = { unidade: 'sc', kg_por_unidade: 60 }
const TRADED: Readonly<Record<string, { unidade: string; kg_por_unidade: number }>> = {
  soja: SACK,
  milho: SACK,
  trigo: SACK,
  feijao: SACK,
  cafe: SACK,
  arroz: SACK,
  algodao: { unidade: '@', kg_por_unidade: 15 },
  'cana-de-acucar': { unidade: 't', kg_por_unidade: 1000 },
  cana: { unidade: 't', kg_por_unidade: 1000 },
}
/** States whose rice is sold by 50 kg. */
const RICE_BY_50 = new Set(['RS', 'SC'])

/** The unit that a crop is sold by, and its kg; null where the person chooses. */
export function tradingUnit(
  cultura: string,
  estado: string,
): { unidade: string; kg_por_unidade: number } | null {
  const crop = searchable(cultura)
  if (crop === 'arroz' && RICE_BY_50.has(estado)) return { unidade: 'sc', kg_por_unidade: 50 }
  return Object.hasOwn(TRADED, crop) ? (TRADED[crop] ?? null) : null
}

/** '23/11/2026', or '11/2026' for a month. */
export const priceDateText = (date: string): string =>
  date.length === 7 ? date.split('-').reverse().join('/') : formatDay(date)

/** 'Preço de 03/2026' for one that is older than 180 days, a month counted from its end; else null. */
export function oldPriceText(date: string, today = dayInBrasilia()): string | null {
  const [year = 0, month = 1] = date.split('-').map(Number)
  const day = date.length === 7 ? Date.UTC(year, month, 0) : Date.parse(`${date}T00:00:00Z`)
  const age = (Date.parse(`${today}T00:00:00Z`) - day) / 86_400_000
  return age > OLD_PRICE_DAYS ? `Preço de ${priceDateText(date)}` : null
}

/** 'R$ 128,50', with up to four decimals below R$ 1. */
export const reaisText = (value: number): string => {
  const size = Math.abs(value)
  const text = size > 0 && size < 0.995 ? atLeastTwo(formatNumber(size, 4)) : formatFixed(size, 2)
  return `${value < 0 && Number(size.toFixed(4)) > 0 ? '\u2212' : ''}R$ ${text}`
}
const atLeastTwo = (text: string): string => {
  const [whole = '0', decimals = ''] = text.split(',')
  return `${whole},${decimals.padEnd(2, '0')}`
}
export const priceText = (preco: number, unidade: string): string => `${reaisText(preco)}/${unidade}`

/** What the history tells of a scenario, in one line; '' for none. */
export function pricesLine({
  cultura,
  produtos,
  aplicacao_rs_ha,
  custos,
}: Omit<PricesInput, 'versao'>): string {
  return [
    ...(cultura
      ? [
          `${priceText(cultura.preco, cultura.unidade)} (${cultura.fonte}, ${priceDateText(cultura.data)})`,
          ...(cultura.preco_baixo !== null || cultura.preco_alto !== null
            ? [
                `faixa de ${reaisText(cultura.preco_baixo ?? cultura.preco)} a ${reaisText(cultura.preco_alto ?? cultura.preco)}`,
              ]
            : []),
        ]
      : []),
    ...(produtos.length > 0 ? [counted(produtos.length, 'produto com preço', 'produtos com preço')] : []),
    ...(aplicacao_rs_ha === null ? [] : [`aplicação ${reaisText(aplicacao_rs_ha)}/ha`]),
    ...(custos === 'calculados' ? ['custos calculados das doses'] : []),
  ].join('; ')
}

/** Amount of a dose of 1 in the base unit (L or kg) per hectare; null where the unit tells none. */
const DOSE_AMOUNT: Readonly<Record<(typeof DOSE_UNITS)[number], { base: 'L' | 'kg'; size: number } | null>> =
  {
    'L/ha': { base: 'L', size: 1 },
    'mL/ha': { base: 'L', size: 0.001 },
    'kg/ha': { base: 'kg', size: 1 },
    'g/ha': { base: 'kg', size: 0.001 },
    'mL/100 kg sementes': null,
    'g/100 kg sementes': null,
    'mL/100 L água': null,
    '% v/v': null,
  }
/** The same of any unit that a dose is given in. */
export const doseSize = (unit: string | null): { base: string; size: number } | null =>
  unit !== null && Object.hasOwn(DOSE_AMOUNT, unit) ? DOSE_AMOUNT[unit as keyof typeof DOSE_AMOUNT] : null

const PRICED: Readonly<Record<Exclude<ProductUnit, 'ha'>, { base: 'L' | 'kg'; size: number }>> = {
  L: { base: 'L', size: 1 },
  mL: { base: 'L', size: 0.001 },
  kg: { base: 'kg', size: 1 },
  g: { base: 'kg', size: 0.001 },
}

type Applied = { nome: string; dose: number | null; unidade: string | null }

/** R$/ha of one product, or why it cannot be told. */
function productCost(
  { nome, dose, unidade }: Applied,
  price: Pick<ProductPrice, 'preco' | 'unidade'> | undefined,
): number | string {
  if (!price) return `falta o preço de ${nome}`
  if (price.unidade === 'ha') return price.preco
  if (dose === null || unidade === null) return `falta a dose de ${nome}`
  const amount = doseSize(unidade)
  if (!amount)
    return `a dose de ${nome}, em ${unidade}, não diz quanto vai por hectare: informe o preço por ha`
  const priced = PRICED[price.unidade]
  if (priced.base !== amount.base) return `o preço de ${nome} é por ${price.unidade} e a dose é em ${unidade}`
  return (dose * amount.size * price.preco) / priced.size
}

/** Doses x prices plus an application for whoever got a product, R$/ha; null with what it lacks. */
export function costOfDoses(
  products: readonly Applied[],
  { produtos, aplicacao_rs_ha }: Pick<PricesInput, 'produtos' | 'aplicacao_rs_ha'>,
): { custo_rs_ha: number | null; faltam: string[] } {
  const prices = new Map(produtos.map((price) => [searchable(price.nome), price]))
  const costs = products.map((product) => productCost(product, prices.get(searchable(product.nome))))
  const faltam = costs.filter((cost) => typeof cost === 'string')
  if (faltam.length > 0) return { custo_rs_ha: null, faltam }
  const sum = costs.reduce<number>((total, cost) => total + Number(cost), 0)
  return { custo_rs_ha: sum + (products.length > 0 ? (aplicacao_rs_ha ?? 0) : 0), faltam: [] }
}
