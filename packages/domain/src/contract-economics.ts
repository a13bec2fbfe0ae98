import { z } from 'zod'
import { EconomicBase } from './economic-base.ts'
import type { EconomicAnswer } from './economics-text.ts'
import { ById, endpoint } from './endpoint.ts'
import { COST_KINDS, Prices, PricesInput } from './prices.ts'
import { shortText } from './text.ts'

const number = (least: number, most: number, message: string) =>
  z.coerce.number({ error: message }).min(least, message).max(most, message).optional()
const PRICE = 'Informe um preço maior que zero'
const price = () => number(1e-6, 1e7, PRICE)

/** What is asked of a trial's economics; what is left out the stored scenario says. */
export const EconomicsQuery = z.object({
  /** Key of a variable in kg/ha; without it the yield. */
  variavel: shortText(60).optional(),
  /** R$ per trading unit. */
  preco: price(),
  kg_por_unidade: number(0.001, 100_000, 'Informe quantos kg tem a unidade de venda'),
  /** Its name, 'sc'. */
  unidade: shortText(20).trim().optional(),
  preco_baixo: price(),
  preco_alto: price(),
  ajuste_percent: number(0, 99, 'Informe de 0 a 99 %'),
  taxa_minima: number(50, 200, 'Informe de 50 a 200 %'),
  custos: z.enum(COST_KINDS, { error: 'Escolha digitados ou calculados' }).optional(),
})
export type EconomicsQuery = z.output<typeof EconomicsQuery>

/** The kernel's shape is checked where it is made; over the wire it goes whole. */
const EconomicsBody = z.looseObject({ preco: z.number() }) as unknown as z.ZodType<EconomicAnswer>

/** What the treatments of one trial pay. */
export const economicsContract = {
  getPrices: endpoint('getPrices', {
    access: 'session',
    summary: 'Os preços de um experimento; versão 0 onde ainda não há',
    params: ById,
    status: 200,
    output: Prices,
  }),
  putPrices: endpoint('putPrices', {
    access: 'session',
    summary: 'Grava os preços de um experimento a partir da versão que se leu (0 na primeira vez)',
    params: ById,
    body: PricesInput,
    status: 200,
    output: Prices,
  }),
  economics: endpoint('economics', {
    access: 'session',
    summary: 'Ganho, intervalo, probabilidade e dominância dos tratamentos a um preço',
    params: ById,
    query: EconomicsQuery,
    status: 200,
    output: z.object({ economia: EconomicsBody }),
  }),
  economicBase: endpoint('economicBase', {
    access: 'session',
    summary: 'Produtividades, erros e custos com que o navegador refaz a conta a qualquer preço',
    params: ById,
    status: 200,
    output: z.object({ base: EconomicBase }),
  }),
} as const
