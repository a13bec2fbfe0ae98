import type { EconomicBase, Experiment, Prices } from '@ensaio/domain'
import {
  costsOf,
  describedEconomics,
  type EconomicAnswer,
  type EconomicQuestion,
  economicInput,
  marginLines,
  rangeProblems,
  type TreatmentCost,
  tradingUnit,
} from '@ensaio/domain'
import { crossings, economics } from '@ensaio/statistics/economics'

/** What a person tries, as the address keeps it: '' is what the scenario says. */
export const WHAT_IF = ['preco', 'kg', 'un', 'baixo', 'alto', 'ajuste', 'taxa', 'custos', 'c'] as const
export type WhatIf = Record<(typeof WHAT_IF)[number], string>

const DEFAULT_RATE = 100

const numberIn = (text: string, least: number, most: number): number | null => {
  const value = text === '' ? Number.NaN : Number(text)
  return value >= least && value <= most ? value : null
}

/** Costs that are tried, by the treatment's number: '2:85.5,3:400'. */
export function triedCosts(text: string): Map<number, number> {
  const pairs = text.split(',').map((pair) => pair.split(':'))
  return new Map(
    pairs.flatMap(([number = '', cost = '']): [number, number][] => {
      const value = numberIn(cost, 0, 1e8)
      return /^\d{1,3}$/.test(number) && value !== null ? [[Number(number), value]] : []
    }),
  )
}

/** The same text with one cost changed; null takes it off. */
export function withCost(text: string, number: number, cost: number | null): string {
  const costs = triedCosts(text)
  if (cost === null) costs.delete(number)
  else costs.set(number, cost)
  return [...costs].map((pair) => pair.join(':')).join(',')
}

/** The question as it stands: what is tried over what is stored; a price is null until there is one. */
export type Standing = Omit<EconomicQuestion, 'preco' | 'kg_por_unidade'> & {
  preco: number | null
  kg_por_unidade: number | null
  custos: Prices['custos']
}

export function standing(
  tried: WhatIf,
  { cultura, custos }: Prices,
  experiment: Pick<Experiment, 'cultura' | 'estado'>,
): Standing {
  const own = numberIn(tried.preco, 1e-6, 1e7)
  const preco = own ?? cultura?.preco ?? null
  const traded = cultura ?? tradingUnit(experiment.cultura, experiment.estado)
  const limit = (text: string, stored: number | null | undefined): number | null =>
    text === '-' ? null : (numberIn(text, 1e-6, 1e7) ?? stored ?? null)
  const low = limit(tried.baixo, cultura?.preco_baixo)
  const high = limit(tried.alto, cultura?.preco_alto)
  const isTried = own !== null && own !== cultura?.preco
  return {
    preco,
    // A price that has left its range is looked at alone.
    ...(preco !== null && rangeProblems({ preco, preco_baixo: low, preco_alto: high }).length === 0
      ? { preco_baixo: low, preco_alto: high }
      : { preco_baixo: null, preco_alto: null }),
    unidade: tried.un || traded?.unidade || 'un',
    kg_por_unidade: numberIn(tried.kg, 0.001, 100_000) ?? traded?.kg_por_unidade ?? null,
    data: isTried ? null : (cultura?.data ?? null),
    fonte: isTried ? null : (cultura?.fonte ?? null),
    ajuste_percent: numberIn(tried.ajuste, 0, 99) ?? 0,
    taxa_minima: numberIn(tried.taxa, 50, 200) ?? DEFAULT_RATE,
    custos: tried.custos === 'calculados' || tried.custos === 'digitados' ? tried.custos : custos,
  }
}

/** Costs of the treatments, those that are tried in place of the ones that count. */
export function standingCosts(
  tried: string,
  prices: Prices,
  custos: Prices['custos'],
  experiment: Pick<Experiment, 'tratamentos'>,
): { costs: TreatmentCost[]; before: TreatmentCost[] } {
  const before = costsOf(experiment.tratamentos, { ...prices, custos })
  const own = triedCosts(tried)
  return {
    before,
    costs: before.map((cost) => ({ ...cost, vale_rs_ha: own.get(cost.numero) ?? cost.vale_rs_ha })),
  }
}

/** All of the economics at what stands; null without a price. Some tenths of a millisecond a treatment at most. */
export function computed(
  base: EconomicBase,
  costs: readonly TreatmentCost[],
  { preco, kg_por_unidade, custos, ...rest }: Standing,
): EconomicAnswer | null {
  if (preco === null || kg_por_unidade === null) return null
  const question = { ...rest, preco, kg_por_unidade }
  const found = economics(economicInput(base, costs, question))
  const inverte = crossings(marginLines(found))
  return describedEconomics(found, { base, costs, question, inverte, custos })
}
