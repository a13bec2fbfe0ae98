import type { Crossing, EconomicInput, EconomicLine, Economics } from '@ensaio/statistics'
import { MARGINAL_RATE_REFERENCE } from './analysis-references.ts'
import { type ReportTable, TREATMENT_COLUMN } from './analysis-table.ts'
import { listText, treatmentText } from './analysis-text.ts'
import type { EconomicBase, EconomicNotice } from './economic-base.ts'
import type { StoredTreatment } from './experiment.ts'
import { formatFixed, formatNumber, NO_VALUE } from './format.ts'
import {
  type CropPrice,
  costOfDoses,
  oldPriceText,
  type Prices,
  priceDateText,
  priceText,
  reaisText,
} from './prices.ts'

export const NO_ERROR_TEXT = 'sem erro experimental: não se sabe se a diferença é real'
const NO_COSTS_TEXT = 'Informe o custo da Testemunha e de algum tratamento para saber o que paga.'

/** The prices of one question: the scenario's, or what a person tries. */
export interface EconomicQuestion
  extends Pick<CropPrice, 'preco' | 'preco_baixo' | 'preco_alto' | 'unidade' | 'kg_por_unidade'> {
  /** Null for a price that is only tried. */
  data: string | null
  fonte: string | null
  ajuste_percent: number
  taxa_minima: number
}

/** Both costs of each treatment, and which of them counts; by number, R$/ha. */
export interface TreatmentCost {
  numero: number
  digitado_rs_ha: number | null
  calculado_rs_ha: number | null
  /** What the doses lack to be priced. */
  faltam: string[]
  vale_rs_ha: number | null
}

/** Costs as they were typed beside those of the doses; these replace them only where the scenario says so. */
export const costsOf = (
  treatments: readonly Pick<StoredTreatment, 'custo' | 'produtos_aplicados'>[],
  prices: Pick<Prices, 'produtos' | 'aplicacao_rs_ha' | 'custos'>,
): TreatmentCost[] =>
  treatments.map(({ custo, produtos_aplicados }, at) => {
    const { custo_rs_ha: computed, faltam } = costOfDoses(produtos_aplicados, prices)
    return {
      ...{ numero: at + 1, digitado_rs_ha: custo, calculado_rs_ha: computed, faltam },
      vale_rs_ha: prices.custos === 'calculados' ? (computed ?? custo) : custo,
    }
  })

/** What the kernel is asked. */
export const economicInput = (
  base: EconomicBase,
  costs: readonly Pick<TreatmentCost, 'numero' | 'vale_rs_ha'>[],
  question: EconomicQuestion,
): EconomicInput => ({
  tratamentos: base.tratamentos.map(({ numero, nivel, media_kg_ha, ep_diferenca, gl }) => ({
    ...{ nivel, media_kg_ha, ep_diferenca, gl },
    custo_rs_ha: costs[numero - 1]?.vale_rs_ha ?? null,
  })),
  testemunha: base.testemunha,
  preco: question.preco,
  kg_por_unidade: question.kg_por_unidade,
  preco_baixo: question.preco_baixo,
  preco_alto: question.preco_alto,
  ajuste_percent: question.ajuste_percent,
  taxa_minima: question.taxa_minima,
})

/** Treatments as lines over the price, for crossings: those whose cost is known. */
export const marginLines = ({ linhas }: Pick<Economics, 'linhas'>) =>
  linhas.flatMap(({ nivel, produtividade_un_ha, custo_rs_ha }) =>
    custo_rs_ha === null ? [] : [{ nivel, unidades_ha: produtividade_un_ha, custo_rs_ha }],
  )

/** Probability in whole %, '> 99 %' and '< 1 %' at the ends. */
export const chanceText = (p: number): string =>
  p > 0.99 ? '> 99 %' : p < 0.01 ? '< 1 %' : `${formatNumber(Math.round(100 * p), 0)} %`

/** Trading units with one decimal, with two where one says nothing. */
const units = (value: number): string => {
  const size = Math.abs(value)
  return formatFixed(value, size > 0 && size < 0.05 ? 2 : 1)
}

/** What one treatment pays at a price; null for the control and where a cost is not known. */
export function payingSentence(
  line: EconomicLine,
  of: {
    preco: number
    unidade: string
    nomes: Readonly<Record<string, string>>
    /** In %. */
    confianca?: number
  },
): { chave: 'economia' | 'economia_nao_paga'; texto: string } | null {
  const { ganho_liquido_rs_ha: gain, ganho_liquido_un_ha: inUnits, ponto_equilibrio_un_ha: even } = line
  if (gain == null || inUnits == null || even == null) return null
  const name = treatmentText(line.nivel, of.nomes)
  const chance = typeof line.prob_ganho_positivo === 'number' ? chanceText(line.prob_ganho_positivo) : null
  const at = `A ${priceText(of.preco, of.unidade)}, ${name}`
  if (gain < 0)
    return {
      chave: 'economia_nao_paga',
      texto: `${at} não paga o custo: faltam ${units(-inUnits)} ${of.unidade}/ha${chance === null ? '' : ` (probabilidade de pagar ${chance})`}`,
    }
  const [low, high] = [line.ganho_ic_baixo_rs_ha, line.ganho_ic_alto_rs_ha]
  const interval =
    low == null || high == null
      ? ''
      : ` (IC ${formatNumber(of.confianca ?? 95, 0)} %: ${reaisText(low)} a ${reaisText(high)})`
  const pays = chance === null ? '' : ` e paga o custo com ${chance} de probabilidade`
  return {
    chave: 'economia',
    // What costs no more than the control pays with no gain at all.
    texto: `${at} deixa ${reaisText(gain)} por hectare acima da Testemunha${interval}${pays}; ${
      even > 0
        ? `precisa de ${units(even)} ${of.unidade}/ha para empatar.`
        : even < 0
          ? `custa menos que ela e empata mesmo produzindo ${units(-even)} ${of.unidade}/ha a menos.`
          : 'custa o mesmo que ela.'
    }`,
  }
}

/** Lines of treatments with a gain, the largest first; equal ones in their own order. */
export const byGain = (lines: readonly EconomicLine[]): EconomicLine[] =>
  lines
    .filter(({ ganho_liquido_rs_ha }) => typeof ganho_liquido_rs_ha === 'number')
    .sort((a, b) => (b.ganho_liquido_rs_ha ?? 0) - (a.ganho_liquido_rs_ha ?? 0))

/** 'Inverte em R$ 104,20/sc: abaixo T2, acima T5' */
export const crossingText = ({ preco }: Pick<Crossing, 'preco'>, unidade: string): string =>
  `Inverte em ${priceText(preco, unidade)}`

export type EconomicAnswer = Omit<EconomicQuestion, 'preco'> &
  Omit<Economics, 'linhas'> & {
    origem: EconomicBase['origem']
    dados_versao: number
    testemunha: string
    /** Names of the treatments by level. */
    nomes: Record<string, string>
    linhas: (EconomicLine & { nome: string; n: number | null; gl: number | null; frase: string | null })[]
    /** Prices at which another treatment becomes the best, rising. */
    inverte: Crossing[]
    frases: Record<string, string>
    avisos: EconomicNotice[]
    referencias: string[]
  }

/** The kernel's numbers with sentences, notices and references. */
export function describedEconomics(
  economics: Economics,
  {
    base,
    costs,
    question,
    inverte,
    custos,
  }: {
    base: EconomicBase
    costs: readonly TreatmentCost[]
    question: EconomicQuestion
    inverte: readonly Crossing[]
    custos: Prices['custos']
  },
): EconomicAnswer {
  const { unidade } = question
  const nomes = Object.fromEntries(base.tratamentos.map(({ nivel, nome }) => [nivel, nome]))
  const said = (line: EconomicLine) => payingSentence(line, { preco: question.preco, unidade, nomes })
  const [best] = byGain(economics.linhas)
  const sentence = best && said(best)
  const blind = base.origem === 'só médias'
  return {
    ...question,
    ...economics,
    origem: base.origem,
    dados_versao: base.dados_versao,
    testemunha: base.testemunha,
    nomes,
    linhas: economics.linhas.map((line, at) => {
      const of = base.tratamentos[at]
      const { nome = '', n = null, gl = null } = of ?? {}
      return { ...line, nome, n, gl, frase: said(line)?.texto ?? null }
    }),
    inverte: inverte.filter(({ preco }) => preco > 0),
    frases: {
      ...(sentence ? { [sentence.chave]: sentence.texto } : {}),
      ...(blind ? { sem_erro: NO_ERROR_TEXT } : {}),
    },
    avisos: [...base.avisos, ...noticesOf({ base, costs, question, custos })],
    referencias: 'motivo' in economics.dominancia ? [] : [MARGINAL_RATE_REFERENCE],
  }
}

export function noticesOf({
  base,
  costs,
  question,
  custos,
}: {
  base: EconomicBase
  costs: readonly TreatmentCost[]
  question: Pick<EconomicQuestion, 'data'>
  custos: Prices['custos']
}): EconomicNotice[] {
  const used = base.tratamentos.map(({ numero, nivel }) => ({ nivel, cost: costs[numero - 1] }))
  const unknown = used.filter(({ cost }) => cost?.vale_rs_ha == null).map(({ nivel }) => nivel)
  const unpriced =
    custos === 'calculados'
      ? used.flatMap(({ nivel, cost }) =>
          cost && cost.faltam.length > 0 ? [`${nivel}: ${cost.faltam.join(', ')}`] : [],
        )
      : []
  const controlUnknown = unknown.includes(base.testemunha)
  const old = question.data === null ? null : oldPriceText(question.data)
  const notices: [string, string | false | null][] = [
    ['preco_antigo', old],
    [
      'sem_custo',
      (controlUnknown || unknown.length >= used.length - 1) && unknown.length > 0 && NO_COSTS_TEXT,
    ],
    ['custo_faltando', unknown.length > 0 && `Sem custo: ${listText(unknown)}`],
    [
      'custo_digitado',
      unpriced.length > 0 && `O custo digitado vale onde a dose não tem preço (${unpriced.join('; ')})`,
    ],
  ]
  return notices.flatMap(([codigo, texto]) => (texto ? [{ codigo, texto }] : []))
}

/** A table of treatments with what each of them pays; any other table as it is. */
export function withEconomics(table: ReportTable, answer: EconomicAnswer): ReportTable {
  if (table.colunas[0]?.nome !== TREATMENT_COLUMN) return table
  const lines = new Map(answer.linhas.map((line) => [line.nivel, line]))
  return {
    ...table,
    colunas: [
      ...table.colunas,
      { nome: 'Ganho líquido (R$/ha)', numerica: true },
      { nome: 'Prob. de pagar', numerica: true },
    ],
    linhas: table.linhas.map((cells) => {
      const line = lines.get(cells[0] ?? '')
      const chance = line?.prob_ganho_positivo
      return [
        ...cells,
        formatFixed(line?.ganho_liquido_rs_ha, 2),
        typeof chance === 'number' ? chanceText(chance) : NO_VALUE,
      ]
    }),
    notas: [
      `Ganho líquido sobre a Testemunha a ${priceText(answer.preco, answer.unidade)}${answer.data ? ` (${answer.fonte}, ${priceDateText(answer.data)})` : ''}; dados: ${answer.origem}.`,
      ...table.notas,
    ],
  }
}
