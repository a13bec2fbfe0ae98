import type { Experiment } from './experiment.ts'
import { formatDate, formatFixed, formatNumber, NO_VALUE } from './format.ts'
import { reaisText } from './prices.ts'
import { counterOf, type ReportBlock } from './report-blocks.ts'
import { clayClass } from './soil.ts'
import {
  costsHidden,
  notCompared,
  placeMap,
  type ReportMaterial,
  signed,
  trialReport,
  versionLine,
} from './trial-report.ts'
import { yieldFigure } from './yield-figure.ts'

/** Bars that a page has room for. */
const MOST_BARS = 24

/** What fits one page: the result in a sentence, three numbers, the figure and the place. */
export interface TrialSummary extends Glance {
  titulo: string
  organizacao: string
  nome: string
  figura: Extract<ReportBlock, { tipo: 'barras' }> | null
  mapa: Extract<ReportBlock, { tipo: 'mapa' }> | null
  notas: string[]
  rodape: string
}

/** What a trial says at a glance, on paper and on a phone. */
export interface Glance {
  lugar: string
  resultado: string
  numeros: [nome: string, valor: string][]
}

/** The result in a sentence, three numbers and the place. `costs`: whether the asker sees them. */
export function glanceOf(
  trial: Pick<
    Experiment,
    'tratamentos' | 'cidade' | 'estado' | 'cultura' | 'ano' | 'cultivar' | 'teor_argila' | 'roi'
  >,
  { costs }: { costs: boolean },
): Glance {
  const { tratamentos, cidade, estado, cultura, ano, cultivar, teor_argila: clay, roi } = trial
  const [control] = tratamentos
  const ranked = tratamentos
    .map((treatment, at) => ({ ...treatment, at }))
    .sort((a, b) => b.produtividade - a.produtividade)
  const best = ranked.find(({ at }) => at > 0) ?? ranked[0]
  const over = best && control && best.at > 0 ? best.produtividade - control.produtividade : null
  const percent = over !== null && control?.produtividade ? (100 * over) / control.produtividade : null
  return {
    lugar: [
      ...[`${cidade}-${estado}`, cultura, ...(cultivar ? [cultivar] : []), String(ano)],
      ...(clay === null
        ? []
        : [`argila ${formatNumber(clay, 1)} % (${clayClass(clay).label.toLowerCase()})`]),
    ].join(' · '),
    resultado: !best
      ? 'Nenhum tratamento registrado.'
      : over === null
        ? `${best.nome} produziu ${formatNumber(best.produtividade, 0)} kg/ha.`
        : `${best.nome} produziu ${formatNumber(best.produtividade, 0)} kg/ha, ${formatNumber(Math.abs(over), 0)} kg/ha${percent === null ? '' : ` (${formatFixed(Math.abs(percent), 1)}\u00a0%)`} ${over < 0 ? 'a menos' : 'a mais'} que a Testemunha.`,
    numeros: [
      ...(best
        ? ([['Maior produtividade', `${formatNumber(best.produtividade, 0)} kg/ha`]] as [string, string][])
        : []),
      ...(percent === null ? [] : ([['Sobre a Testemunha', `${signed(percent)} %`]] as [string, string][])),
      ...(roi !== null && costs
        ? ([['ROI', `${reaisText(roi)}/ha`]] as [string, string][])
        : ([['Tratamentos', String(tratamentos.length)]] as [string, string][])),
    ],
  }
}

/** The one-page summary of a trial. */
export function trialSummary(material: ReportMaterial): TrialSummary {
  const { experiment, recorded } = material
  const numbered = counterOf(experiment)
  const figure = yieldFigure(experiment, numbered, recorded)
  const { rodape } = trialReport(material, [])
  const [map] = placeMap(experiment, { ...numbered, figure: () => 'Local' })
  return {
    titulo: `Resumo: ${experiment.nome}`,
    organizacao: experiment.consultoria,
    nome: experiment.nome,
    ...glanceOf(experiment, { costs: experiment.permissoes.ver_custos }),
    mapa: map ?? null,
    figura: { ...figure, barras: figure.barras.slice(0, MOST_BARS) },
    notas: [
      ...(figure.barras.length > MOST_BARS
        ? [`Figura com os ${MOST_BARS} de maior produtividade, de ${figure.barras.length} tratamentos.`]
        : []),
      ...(recorded ? [] : [notCompared(experiment)]),
      ...(experiment.permissoes.ver_custos ? [] : [costsHidden(experiment)]),
      versionLine(experiment),
    ],
    rodape,
  }
}

/** Figures of a trial that may be taken away alone. */
export const TRIAL_FIGURES = ['produtividade'] as const

/** A figure alone, with what tells where it comes from; and its numbers, a row each. */
export function trialFigure(experiment: Experiment) {
  const { nome, organizacao, consultoria, versao, updated_at } = experiment
  const houses = [...new Set([organizacao.nome, consultoria])]
  const figure = yieldFigure(experiment, counterOf(experiment))
  return {
    ...figure,
    titulo: 'Produtividade por tratamento, em kg/ha',
    linhas: [
      `${nome} · n = ${figure.barras.length} tratamentos`,
      `${houses.join(' · ')} · versão ${versao} de ${formatDate(updated_at)}`,
    ],
    tabela: [
      ['Tratamento', 'Produtividade (kg/ha)'],
      ...figure.barras.map(({ nome: name, valor }) => [name, String(valor).replace('.', ',')]),
    ],
  }
}

/** A trial as one page of a report of many: what it is, its treatments, and where the whole of it is. */
export function trialPage(
  experiment: Experiment,
  { table, site, first, anchor }: { table(): string; site: string; first: boolean; anchor: string },
): ReportBlock[] {
  const { nome, codigo, cidade, estado, regional, consultoria, marca, organizacao, relacao } = experiment
  const { cultura, cultivar, ano, tipo_estatistica, tratamentos } = experiment
  const { teor_argila: clay, teor_materia_organica: matter } = experiment
  const [control] = tratamentos
  return [
    {
      tipo: 'titulo',
      texto: nome,
      nivel: 2,
      nova_pagina: !first,
      endereco: `${site}/experimentos/${experiment.id}`,
      ancora: anchor,
    },
    {
      tipo: 'ficha',
      linhas: [
        ...(codigo ? [['Código', codigo] as [string, string]] : []),
        ...(relacao === 'compartilhada' ? [['Recebido de', organizacao.nome] as [string, string]] : []),
        ['Consultoria', consultoria],
        ['Marca', marca],
        ['Local', `${cidade}-${estado} (${regional})`],
        ['Cultura', `${[cultura, cultivar].filter(Boolean).join(', ')}, ${ano}`],
        ['Delineamento ou estatística', tipo_estatistica],
        ...(clay === null
          ? []
          : [
              ['Argila', `${formatNumber(clay, 1)} % (${clayClass(clay).label.toLowerCase()})`] as [
                string,
                string,
              ],
            ]),
        ...(matter === null
          ? []
          : [['Matéria orgânica', `${formatNumber(matter, 1)} %`] as [string, string]]),
      ],
    },
    {
      tipo: 'tabela',
      titulo: `${table()}. Tratamentos e produtividade.`,
      colunas: [
        ...['Trat.', 'Tratamento', 'Produtos e doses'].map((nome) => ({ nome, numerica: false })),
        ...['Produtividade (kg/ha)', 'Diferença (kg/ha)', 'Diferença (%)'].map((nome) => ({
          nome,
          numerica: true,
        })),
      ],
      linhas: tratamentos.map((treatment, at) => {
        const { nome, produtividade, produtos_aplicados } = treatment
        const more = control && at > 0 ? produtividade - control.produtividade : null
        return [
          ...[`T${at + 1}`, nome, productsText(produtos_aplicados)],
          formatNumber(produtividade, 0),
          more === null ? NO_VALUE : `${more > 0 ? '+' : ''}${formatNumber(more, 0)}`,
          more === null || !control?.produtividade ? NO_VALUE : signed((100 * more) / control.produtividade),
        ]
      }),
      rodape: [],
      notas: [],
      fonte: `Fonte: dados da consultoria ${consultoria}.`,
    },
  ]
}

const productsText = (products: Experiment['tratamentos'][number]['produtos_aplicados']): string =>
  products.length === 0
    ? NO_VALUE
    : products
        .map(({ nome, dose, unidade }) =>
          dose === null ? nome : `${nome} ${formatNumber(dose, 3)}${unidade ? ` ${unidade}` : ''}`,
        )
        .join('; ')
