/** The fixed set of the demo mode: plausible, never random, and never mixed with stored records. */
import { adviseOn, type Finding, openCounts, rulesVersion } from './advice.ts'
import { keptCounts } from './advice-level.ts'
import { qualityOf } from './advice-shown.ts'
import type { Quality } from './contract-quality.ts'
import experiments from './demo-experiments.json' with { type: 'json' }
import { DEMO_DESIGNS, demoSheet } from './demo-plots.ts'
import {
  type Experiment,
  type ExperimentInput,
  experimentName,
  meanProductivity,
  totalCost,
} from './experiment.ts'
import { UNGIVEN } from './experiment-fields.ts'
import { dayInBrasilia } from './format.ts'
import { NO_PRICES, type Prices, tradingUnit } from './prices.ts'

export { DEMO_DESIGNS, demoSheet }

export type DemoExperiment = ExperimentInput & { pdf_filename: string | null }

export const DEMO_INPUTS = experiments.map((given) => ({ ...UNGIVEN, ...given })) as readonly DemoExperiment[]

const idOf = (index: number): string => `00000000-0000-7000-8000-${String(index + 1).padStart(12, '0')}`

/** The demo set as the server would answer it. */
export const demoExperiments = (): Experiment[] =>
  DEMO_INPUTS.map((input, index) => {
    const day = `${input.ano}-${String((index % 12) + 1).padStart(2, '0')}-15T12:00:00.000Z`
    return {
      ...input,
      id: idOf(index),
      nome: experimentName(input),
      produtividade_media: meanProductivity(input.tratamentos),
      custo_total: totalCost(input.tratamentos),
      n_tratamentos: input.tratamentos.length,
      apontamentos: keptCounts(openCounts(demoFindings(index, input))),
      dados: DEMO_DESIGNS[index] ? 'parcelas' : null,
      estatistica_informada: input.estatistica_informada ?? null,
      conclusao: null,
      analise_estatistica: input.tipo_estatistica,
      created_by: null,
      created_by_name: null,
      versao: 1,
      created_at: day,
      updated_at: day,
      organizacao: { id: idOf(-1), nome: 'Demonstração' },
      relacao: 'propria',
      embargo_ate: null,
      ocultos: [],
      permissoes: {
        editar: false,
        excluir: false,
        compartilhar: false,
        comentar: false,
        ver_custos: true,
        ver_documentos: true,
      },
    }
  })

const demoFindings = (index: number, input: DemoExperiment): Finding[] =>
  adviseOn({ ...input, estatistica_informada: null, ficha: demoSheet(index, input) })

/** What the rules find in one of them, by its id; nobody has answered. */
export function demoQuality(id: string): Quality | null {
  const index = DEMO_INPUTS.findIndex((_, at) => idOf(at) === id)
  const input = DEMO_INPUTS[index]
  return input
    ? qualityOf(demoFindings(index, input), {
        today: dayInBrasilia(),
        versao: rulesVersion(0),
        resposta: () => null,
      })
    : null
}

/** The plots of one of them, by its id. */
export function demoPlots(id: string): ReturnType<typeof demoSheet> {
  const index = DEMO_INPUTS.findIndex((_, at) => idOf(at) === id)
  const input = DEMO_INPUTS[index]
  return input ? demoSheet(index, input) : null
}

/** R$ per trading unit, as high as they were when the set was made; they are nobody's to pay. */
const PRICES: Readonly<Record<string, number>> = {
  Soja: 128.5,
  Milho: 62,
  Trigo: 74,
  Feijão: 210,
  Café: 1980,
  Arroz: 71,
  Algodão: 132,
  'Cana-de-açúcar': 138,
}

/** The prices of one of them. */
export function demoPrices({ cultura, estado }: Pick<Experiment, 'cultura' | 'estado'>): Prices {
  const [preco, traded] = [PRICES[cultura], tradingUnit(cultura, estado)]
  if (preco === undefined || !traded) return NO_PRICES
  return {
    ...NO_PRICES,
    versao: 1,
    cultura: {
      ...{ preco, preco_baixo: preco * 0.9, preco_alto: preco * 1.1, ...traded },
      ...{ data: '2025-06', fonte: 'preço de demonstração' },
    },
  }
}
