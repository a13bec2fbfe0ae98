import {
  costsOf,
  describedEconomics,
  type EconomicAnswer,
  type EconomicBase,
  type EconomicQuestion,
  type EconomicsQuery,
  type Experiment,
  economicBase,
  economicInput,
  economicQuestion,
  isYieldUnit,
  marginLines,
  NO_PRICES,
  PROBLEMS,
  type Prices,
  type PricesInput,
  Problem,
  pricesLine,
  problem,
  rangeProblems,
  tradingUnit,
} from '@ensaio/domain'
import { crossings, economics } from '@ensaio/statistics/economics'
import type { Handle } from '../../database/handle.ts'
import type { Reader, Wall } from '../../database/wall.ts'
import type { Actor } from '../../http/contract-routes.ts'
import type { AccountsFeature } from '../accounts/accounts.feature.ts'
import type { Experiments } from '../experiments/experiments.service.ts'
import type { Analyses } from './analysis.service.ts'
import { pricesOf, putPrices, type StoredPrices } from './prices.repository.ts'
import type { Trials } from './trials.service.ts'

const MINIMUM_RATE = 100

/** What the treatments of one trial pay, at its stored prices or at those that somebody tries. */
export function createEconomics({
  wall,
  experiments,
  trials,
  analyses,
  namesOf,
}: {
  wall: Wall
  experiments: Experiments
  trials: Trials
  analyses: Analyses
  namesOf: AccountsFeature['namesOf']
}) {
  const present = async (stored: StoredPrices | null, own: boolean, handle: Handle): Promise<Prices> => {
    if (!stored) return NO_PRICES
    const { versao, corpo, alterado_por, alterado_em } = stored
    const names = own && alterado_por ? await namesOf(handle, [alterado_por]) : null
    return {
      ...{ versao, ...corpo },
      quem: names?.get(alterado_por ?? '') ?? null,
      quando: alterado_em.toISOString(),
    }
  }

  /** The yields and errors of a trial that the actor sees with its costs. */
  const baseOf = async (
    actor: Actor,
    id: string,
    variavel?: string,
  ): Promise<{ experiment: Experiment; base: EconomicBase }> => {
    const { experiment, sheet } = await trials.forAnalysis(actor, id)
    if (!experiment.permissoes.ver_custos) throw problem('costs.hidden')
    const control = sheet ? sheet.testemunha : 1
    if (control === null || control > experiment.n_tratamentos) throw problem('analysis.no_control')
    const query = economicQuestion(experiment, sheet, variavel)
    const given = { experiment, sheet }
    if (!query) return { experiment, base: economicBase({ ...given, analysis: null }) }
    try {
      const analysis = await analyses.answer(actor, id, query, await analyses.tagOf(actor, id, query))
      if (!isYieldUnit(analysis.variavel.unidade))
        throw problem('validation.failed', {
          fields: [{ path: 'variavel', message: 'A economia pede uma variável em kg/ha' }],
        })
      return { experiment, base: economicBase({ ...given, analysis }) }
    } catch (error) {
      // Means that cannot be analysed are still means.
      if (variavel !== undefined || !(error instanceof Problem) || !/^(analysis|rebuilt)\./.test(error.code))
        throw error
      const refused = PROBLEMS[error.code].detail
      return { experiment, base: economicBase({ ...given, analysis: null, refused }) }
    }
  }

  return {
    async prices(actor: Actor, id: string): Promise<Prices> {
      const { permissoes, relacao } = await experiments.get(actor, id)
      if (!permissoes.ver_custos) throw problem('costs.hidden')
      const handle = wall.for(actor)
      return present(await pricesOf(handle, id), relacao === 'propria', handle)
    },

    /** @throws price.stale with those that stand */
    put: (actor: Actor, id: string, { versao, ...corpo }: PricesInput): Promise<Prices> =>
      wall
        .for(actor)
        .transaction()
        .execute(async (transaction) => {
          await experiments.lockFor(transaction, actor, 'prices.edit', id)
          const before = await pricesOf(transaction, id)
          if ((before?.versao ?? 0) !== versao)
            throw problem('price.stale', { current: await present(before, true, transaction) })
          await putPrices(transaction, id, { versao: versao + 1, corpo, by: actor.id })
          const [antes, depois] = [before ? pricesLine(before.corpo) : '', pricesLine(corpo)]
          await experiments.pricesChanged(transaction, actor, id, { antes, depois })
          return present(await pricesOf(transaction, id), true, transaction)
        }),

    async base(actor: Actor, id: string): Promise<EconomicBase> {
      return (await baseOf(actor, id)).base
    },

    async answer(actor: Actor, id: string, query: EconomicsQuery): Promise<EconomicAnswer> {
      const { experiment, base } = await baseOf(actor, id, query.variavel)
      const stored = (await pricesOf(wall.for(actor), id))?.corpo ?? NO_PRICES
      const question = questionOf(query, stored, experiment)
      const custos = query.custos ?? stored.custos
      const costs = costsOf(experiment.tratamentos, { ...stored, custos })
      const found = economics(economicInput(base, costs, question))
      const inverte = crossings(marginLines(found))
      return describedEconomics(found, { base, costs, question, inverte, custos })
    },

    /** The prices of all trials that a person created, for the export of their account. */
    async *createdBy(reader: Reader) {
      const handle = wall.for(reader)
      for (const id of await experiments.idsCreatedBy(reader)) {
        const stored = await pricesOf(handle, id)
        if (stored)
          yield { experimento: id, versao: stored.versao, ...stored.corpo, quando: stored.alterado_em }
      }
    },
  }
}
export type TrialEconomics = ReturnType<typeof createEconomics>

/** What is asked with what the scenario says of the rest. @throws price.missing, validation.failed */
function questionOf(
  query: EconomicsQuery,
  { cultura }: Pick<Prices, 'cultura'>,
  { cultura: crop, estado }: Pick<Experiment, 'cultura' | 'estado'>,
): EconomicQuestion {
  const preco = query.preco ?? cultura?.preco
  if (preco === undefined) throw problem('price.missing')
  const traded = cultura ?? tradingUnit(crop, estado)
  const kg_por_unidade = query.kg_por_unidade ?? traded?.kg_por_unidade
  if (kg_por_unidade === undefined)
    throw problem('validation.failed', {
      fields: [{ path: 'kg_por_unidade', message: 'Informe quantos kg tem a unidade de venda' }],
    })
  // A stored range is of the stored price: around another one it stands only while it holds it.
  const low = cultura?.preco_baixo ?? null
  const high = cultura?.preco_alto ?? null
  const holds = rangeProblems({ preco, preco_baixo: low, preco_alto: high }).length === 0
  const preco_baixo = query.preco_baixo ?? (holds ? low : null)
  const preco_alto = query.preco_alto ?? (holds ? high : null)
  const fields = rangeProblems({ preco, preco_baixo, preco_alto })
  if (fields.length > 0) throw problem('validation.failed', { fields })
  const tried = query.preco !== undefined && query.preco !== cultura?.preco
  return {
    ...{ preco, preco_baixo, preco_alto, kg_por_unidade },
    unidade: query.unidade || (kg_por_unidade === traded?.kg_por_unidade ? traded.unidade : 'un'),
    data: tried ? null : (cultura?.data ?? null),
    fonte: tried ? null : (cultura?.fonte ?? null),
    ajuste_percent: query.ajuste_percent ?? 0,
    taxa_minima: query.taxa_minima ?? MINIMUM_RATE,
  }
}
