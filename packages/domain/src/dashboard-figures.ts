import { businessUnitName } from './constants.ts'
import type { ExperimentFilter, Group, Overview } from './dashboard.ts'
import { filterText } from './filter-names.ts'
import { formatDate, formatFixed, formatNumber } from './format.ts'
import { gainPercent } from './gain.ts'
import type { ReportBlock } from './report-blocks.ts'

/** Figures of the dashboard that are made on the server: by what they group. */
export const DASHBOARD_FIGURES = [
  'cultura',
  'marca',
  'regional',
  'bu',
  'ano',
  'modalidade',
  'produto',
] as const
export type DashboardFigure = (typeof DASHBOARD_FIGURES)[number]
export const FIGURE_MEASURES = ['produtividade', 'ganho', 'experimentos'] as const
export type FigureMeasure = (typeof FIGURE_MEASURES)[number]

/** Bars that a figure has room for; its numbers tell of all. */
const MOST_BARS = 40
const NAMES: Record<DashboardFigure, string> = {
  cultura: 'cultura',
  marca: 'marca',
  regional: 'regional',
  bu: 'Business Unit',
  ano: 'ano',
  modalidade: 'modalidade',
  produto: 'produto',
}
const MEASURES: Record<FigureMeasure, { title: string; unit: string; value(group: Grouped): number | null }> =
  {
    produtividade: {
      title: 'Produtividade média',
      unit: 'kg/ha',
      value: ({ produtividade_media }) => produtividade_media,
    },
    ganho: {
      title: 'Ganho médio sobre a Testemunha',
      unit: '%',
      value: ({ ganho }) => gainPercent(ganho?.razao),
    },
    experimentos: { title: 'Experimentos', unit: 'experimentos', value: ({ n }) => n },
  }

type Grouped = Pick<Group, 'chave' | 'n' | 'produtividade_media' | 'ganho'>
const groupsOf = (overview: Overview, by: DashboardFigure): Grouped[] =>
  by === 'produto'
    ? overview.produtos_ganho.map(({ produto, experimentos, ganho }) => ({
        ...{ chave: produto, n: experimentos, produtividade_media: null, ganho },
      }))
    : overview[`por_${by}`]

/** A figure as it stands alone: a block, lines that tell where it comes from, and its numbers. */
export function dashboardFigure(
  overview: Overview,
  asked: { nome: DashboardFigure; medida: FigureMeasure },
  { filtro, organizacao, quando }: { filtro: ExperimentFilter; organizacao: string; quando: string },
) {
  const { nome, medida } = asked
  const { title, unit, value } = MEASURES[medida]
  const called = (key: string) => (nome === 'bu' ? businessUnitName(key) : key)
  const groups = groupsOf(overview, nome).map((group) => ({ ...group, valor: value(group) }))
  const known = groups.flatMap((group) => (group.valor === null ? [] : [{ ...group, valor: group.valor }]))
  const ordered = known.sort((a, b) =>
    nome === 'ano' ? (a.chave < b.chave ? -1 : 1) : b.valor - a.valor || (a.chave < b.chave ? -1 : 1),
  )
  const text = (number: number) =>
    medida === 'ganho' ? `${number > 0 ? '+' : ''}${formatFixed(number, 1)} %` : formatNumber(number, 0)
  const bars = ordered.slice(0, MOST_BARS).map(({ chave, n, valor }) => ({
    nome: medida === 'experimentos' ? called(chave) : `${called(chave)} (n = ${formatNumber(n, 0)})`,
    ...{ valor, texto: text(valor), testemunha: false },
  }))
  // Of a modality what counts is treatments.
  const counted = nome === 'modalidade' ? 'tratamentos' : 'experimentos'
  const heading =
    medida === 'experimentos'
      ? `${counted === 'tratamentos' ? 'Tratamentos' : title} por ${NAMES[nome]}`
      : `${title} por ${NAMES[nome]}, em ${unit}`
  const block: Extract<ReportBlock, { tipo: 'barras' }> = {
    tipo: 'barras',
    titulo: heading,
    alternativa: `${heading}: ${bars.map(({ nome: name, texto }) => `${name} ${texto}`).join(', ')}`,
    unidade: medida === 'experimentos' ? counted : unit,
    barras: bars,
    fonte: '',
  }
  return {
    ...block,
    linhas: [
      `${filterText(filtro)} · n = ${formatNumber(overview.total, 0)} ${overview.total === 1 ? 'ensaio' : 'ensaios'}`,
      ...(nome === 'produto' ? ['Os dez produtos de maior ganho'] : []),
      ...(ordered.length > bars.length ? [`${bars.length} de ${ordered.length} na figura`] : []),
      `${organizacao} · ${formatDate(quando)}`,
    ],
    tabela: [
      [NAMES[nome], counted, 'produtividade_media_kg_ha', 'ganho_percent', 'vitorias', 'comparados'],
      ...ordered.map(({ chave, n, produtividade_media, ganho }) => [
        ...[called(chave), plain(n), plain(produtividade_media), plain(gainPercent(ganho?.razao))],
        ...[plain(ganho?.vitorias), plain(ganho?.n)],
      ]),
    ],
  }
}

const plain = (value: number | null | undefined): string =>
  value == null ? '' : String(Math.round(value * 1e6) / 1e6).replace('.', ',')
