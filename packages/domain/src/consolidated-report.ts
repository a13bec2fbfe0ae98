import type { ExperimentFilter, Gain, Group, Overview, ProductPerformance } from './dashboard.ts'
import type { Experiment } from './experiment.ts'
import { formatDate, formatFixed, formatNumber, NO_VALUE } from './format.ts'
import { gainOf, gainPercent, gainsOf } from './gain.ts'
import type { ReportBlock, TrialReport } from './report-blocks.ts'
import { CLAY_CLASSES, type ClayKey, clayKey, SOIL_CLASSES } from './soil.ts'
import { type SynthesesOfReport, synthesesBlocks } from './synthesis-report.ts'
import { NOT_A_SAMPLE } from './synthesis-text.ts'
import { MAP_SOURCE } from './trial-report.ts'
import { trialPage } from './trial-summary.ts'
import { filterValues } from './variables.ts'

/** Trials that a report of many names one by one; of more it is the summary alone. */
export const MOST_NAMED_TRIALS = 500
/** Treatments that its pages of single trials hold together: what a file is made of has to fit in memory. */
export const MOST_PAGE_ROWS = { pdf: 10_000, docx: 2_500 } as const

/** Parts of a report of many trials that may be left out, in their order. */
export const CONSOLIDATED_SECTIONS = [
  'capa',
  'sumario',
  'escopo',
  'resultados',
  'produtos',
  'ensaios',
  'paginas',
  'metodos',
] as const
export type ConsolidatedSection = (typeof CONSOLIDATED_SECTIONS)[number]
export const CONSOLIDATED_NAMES: Record<ConsolidatedSection, string> = {
  capa: 'Capa',
  sumario: 'Sumário',
  escopo: 'O que está neste relatório',
  resultados: 'Resultados',
  produtos: 'Produtos contra a Testemunha',
  ensaios: 'Lista dos ensaios',
  paginas: 'Uma página por ensaio',
  metodos: 'Como os números foram calculados',
}

/** What a report of many trials is made of, all of it as its asker sees it. */
export interface ConsolidatedMaterial extends SynthesesOfReport {
  /** The filter in words, or that they were selected. */
  pergunta: string
  organizacao: string
  /** When it was made. */
  quando: string
  overview: Overview
  /** The trials themselves, the newest first; none where there are too many to name. */
  ensaios: readonly Experiment[]
  /** Points of the map: degrees of longitude and latitude. */
  pontos: readonly (readonly [number, number])[]
  /** By the clay of their soil, from little to much; classes without a trial are not there. */
  solos: readonly SoilGroup[]
  /** Address of the site, without a slash at its end. */
  site: string
}

/** Trials of one class of soil. */
export interface SoilGroup {
  chave: ClayKey
  n: number
  ganho: Gain | null
}

export const soilGroups = (trials: readonly Experiment[]): SoilGroup[] =>
  CLAY_CLASSES.flatMap((chave) => {
    const own = trials.filter(({ teor_argila: clay }) => clay !== null && clayKey(clay) === chave)
    return own.length === 0
      ? []
      : [{ chave, n: own.length, ganho: gainsOf(own.flatMap((one) => gainOf(one) ?? [])) }]
  })

/** The filter for each class of soil that it lets through. */
export function soilFilters({ solo, nao, ...filter }: ExperimentFilter): {
  chave: ClayKey
  filtro: ExperimentFilter
}[] {
  const [named, turned] = [filterValues(solo), filterValues(nao)]
  const wanted = (chave: ClayKey) => named.length === 0 || named.includes(chave) !== turned.includes('solo')
  const rest = filterValues(nao).filter((key) => key !== 'solo') as Extract<typeof nao, unknown[]>
  return CLAY_CLASSES.filter(wanted).map((chave) => ({
    chave,
    filtro: { ...filter, solo: chave, ...(rest.length > 0 && { nao: rest }) },
  }))
}

const text = (nome: string) => ({ nome, numerica: false })
const number = (nome: string) => ({ nome, numerica: true })
const whole = (value: number | null | undefined) => (value == null ? NO_VALUE : formatNumber(value, 0))
const signed = (value: number | null, decimals: number) =>
  value === null ? NO_VALUE : `${value > 0 ? '+' : ''}${formatFixed(value, decimals)}`
const won = (gain: Group['ganho']) =>
  gain && gain.diferentes > 0 ? `${gain.vitorias} de ${gain.diferentes}` : NO_VALUE
/** A title with a number in it, counted as it comes. */
const counter = () => {
  let [tables, figures] = [0, 0]
  return { table: () => `Tabela ${++tables}`, figure: () => `Figura ${++figures}` }
}
type Counter = ReturnType<typeof counter>

const SOURCE = 'Fonte: ensaios cadastrados no Ensaio.'

/** The report of many trials. */
export function consolidatedReport(
  material: ConsolidatedMaterial,
  sections: readonly ConsolidatedSection[] = CONSOLIDATED_SECTIONS,
  pageRows: number = MOST_PAGE_ROWS.pdf,
): TrialReport {
  const { overview, pergunta, organizacao, quando } = material
  const numbered = counter()
  const withPages = sections.includes('paginas') ? havingPages(material.ensaios, pageRows) : []
  const section = (key: ConsolidatedSection, texto: string, of: () => ReportBlock[]): ReportBlock[] => {
    const blocks = sections.includes(key) ? of() : []
    // Pages of trials stand alone: they begin one, and what comes after them, too.
    const nova_pagina = key === 'paginas' || (key === 'metodos' && sections.includes('paginas'))
    return blocks.length === 0 ? [] : [{ tipo: 'titulo', texto, nivel: 1, nova_pagina }, ...blocks]
  }
  return {
    titulo: `Relatório consolidado: ${pergunta}`,
    data: new Date(quando).toISOString(),
    organizacao,
    sumario: sections.includes('sumario'),
    capa: !sections.includes('capa')
      ? null
      : {
          organizacao,
          documento: 'Relatório consolidado',
          nome: pergunta,
          linhas: [`${whole(overview.total)} ${overview.total === 1 ? 'ensaio' : 'ensaios'}`],
          rodape: [formatDate(quando)],
        },
    blocos: [
      ...section('escopo', CONSOLIDATED_NAMES.escopo, () => scope(material, numbered)),
      ...section('resultados', CONSOLIDATED_NAMES.resultados, () => [
        ...groupsTable('Por cultura', 'Cultura', overview.por_cultura, numbered),
        ...gainBars('Ganho médio sobre a Testemunha por marca, em %', overview.por_marca, numbered),
        ...groupsTable('Por marca', 'Marca', overview.por_marca, numbered),
        ...groupsTable('Por regional', 'Regional', overview.por_regional, numbered),
        ...soilTable(material, numbered),
        ...groupsTable('Por ano', 'Ano', byName(overview.por_ano), numbered),
      ]),
      ...section('produtos', CONSOLIDATED_NAMES.produtos, () => [
        ...productsTable(overview.produtos_ganho, numbered),
        ...synthesesBlocks(material, numbered),
      ]),
      ...section('ensaios', 'Ensaios', () => trialsTable(material, numbered, withPages)),
      ...section('paginas', 'Ensaio por ensaio', () =>
        trialPages(material, numbered, { withPages, most: pageRows }),
      ),
      ...section('metodos', CONSOLIDATED_NAMES.metodos, () =>
        HOW.map((texto): ReportBlock => ({ tipo: 'texto', texto })),
      ),
    ],
    rodape: `${organizacao} · relatório consolidado de ${formatDate(quando)}`,
  }
}

/** How the numbers of a report of many trials are meant. */
export const HOW = [
  'Ganho: a média dos tratamentos de um ensaio menos a produtividade da Testemunha do mesmo ensaio. Cada ensaio conta uma vez.',
  'Ganho médio em %: a média dos logaritmos das razões entre tratamentos e Testemunha, que reúne culturas diferentes sem que a de maior produtividade domine.',
  'Vitórias: ensaios em que a média dos tratamentos passou a Testemunha, entre os que diferiram dela. Não é um teste estatístico.',
  'As frases sobre marcas e produtos são da síntese: modelo de efeitos aleatórios (REML com Hartung-Knapp) sobre os ensaios comparados com a Testemunha. De um produto, cada ensaio conta com a média dos tratamentos que o têm; de uma marca, com a média de todos os seus tratamentos.',
  `${NOT_A_SAMPLE}: o que dá certo pode ter sido registrado mais vezes.`,
] as const

const byName = (groups: readonly Group[]) => [...groups].sort((a, b) => (a.chave < b.chave ? -1 : 1))

function scope(
  { overview, pergunta, ensaios, pontos }: ConsolidatedMaterial,
  numbered: Counter,
): ReportBlock[] {
  const compared = overview.ganho?.n ?? 0
  const lines: [string, string][] = [
    ['Filtro', pergunta],
    ['Ensaios', whole(overview.total)],
    ['Comparam com a Testemunha', whole(compared)],
    ['Sem comparação, fora dos ganhos', whole(overview.total - compared)],
    ['Consultorias', whole(overview.consultorias_ativas)],
    ['Ganho médio sobre a Testemunha', `${signed(gainPercent(overview.ganho?.razao), 1)} %`],
    ['Vitórias sobre a Testemunha', won(overview.ganho)],
  ]
  return [
    { tipo: 'ficha', linhas: lines },
    ...(ensaios.length === 0 && overview.total > 0
      ? [
          {
            tipo: 'texto' as const,
            texto: `São mais de ${whole(MOST_NAMED_TRIALS)} ensaios: o relatório traz o resumo, sem a lista deles.`,
          },
        ]
      : []),
    ...(pontos.length === 0
      ? []
      : [
          {
            tipo: 'mapa' as const,
            titulo: `${numbered.figure()}. Locais dos ensaios.`,
            alternativa: `Mapa do Brasil com os locais de ${whole(overview.total)} ensaios`,
            pontos: [...pontos],
            fonte: MAP_SOURCE,
          },
        ]),
  ]
}

function groupsTable(
  title: string,
  name: string,
  groups: readonly Group[],
  numbered: Counter,
): ReportBlock[] {
  if (groups.length === 0) return []
  return [
    {
      tipo: 'tabela',
      titulo: `${numbered.table()}. ${title}.`,
      colunas: [
        ...[text(name), number('Ensaios'), number('Produtividade média (kg/ha)')],
        ...[number('Ganho médio (kg/ha)'), number('Ganho médio (%)'), number('Vitórias')],
      ],
      linhas: groups.map(({ chave, n, produtividade_media, ganho }) => [
        ...[chave, whole(n), whole(produtividade_media), signed(ganho?.media ?? null, 0)],
        ...[signed(gainPercent(ganho?.razao), 1), won(ganho)],
      ]),
      rodape: [],
      notas: [],
      fonte: SOURCE,
    },
  ]
}

function gainBars(title: string, groups: readonly Group[], numbered: Counter): ReportBlock[] {
  const bars = groups.flatMap(({ chave, n, ganho }) => {
    const valor = gainPercent(ganho?.razao)
    return valor === null
      ? []
      : [{ nome: `${chave} (n = ${n})`, valor, texto: `${signed(valor, 1)} %`, testemunha: false }]
  })
  const drawn = bars.sort((a, b) => b.valor - a.valor)
  if (drawn.length === 0) return []
  return [
    {
      tipo: 'barras',
      titulo: `${numbered.figure()}. ${title}.`,
      alternativa: `${title}: ${drawn.map(({ nome, texto }) => `${nome} ${texto}`).join(', ')}`,
      unidade: '%',
      barras: drawn,
      fonte: SOURCE,
    },
  ]
}

function soilTable({ solos }: ConsolidatedMaterial, numbered: Counter): ReportBlock[] {
  const rows = solos.map(({ chave, n, ganho }) => [
    ...[SOIL_CLASSES.solo[chave].label, whole(n), signed(gainPercent(ganho?.razao), 1), won(ganho)],
  ])
  if (rows.length === 0) return []
  return [
    {
      tipo: 'tabela',
      titulo: `${numbered.table()}. Por classe de solo.`,
      colunas: [text('Solo (argila)'), number('Ensaios'), number('Ganho médio (%)'), number('Vitórias')],
      linhas: rows,
      rodape: [],
      notas: ['Só ensaios com teor de argila informado.'],
      fonte: SOURCE,
    },
  ]
}

function productsTable(products: readonly ProductPerformance[], numbered: Counter): ReportBlock[] {
  if (products.length === 0) return []
  return [
    {
      tipo: 'tabela',
      titulo: `${numbered.table()}. Produtos de maior ganho sobre a Testemunha.`,
      colunas: [
        ...[text('Produto'), text('Marca'), number('Ensaios'), number('Ganho médio (kg/ha)')],
        ...[number('Ganho médio (%)'), number('Vitórias')],
      ],
      linhas: products.map(({ produto, marca, experimentos, ganho }) => [
        ...[produto, marca, whole(experimentos), signed(ganho?.media ?? null, 0)],
        ...[signed(gainPercent(ganho?.razao), 1), won(ganho)],
      ]),
      rodape: [],
      notas: ['Ganho dos tratamentos com o produto; os de menos de três ensaios vêm por último.'],
      fonte: SOURCE,
    },
  ]
}

/** The first trials that together have no more treatments than there is room for. */
function havingPages(ensaios: readonly Experiment[], most: number): Experiment[] {
  const shown: Experiment[] = []
  let rows = 0
  for (const trial of ensaios) {
    rows += trial.tratamentos.length
    if (rows > most) break
    shown.push(trial)
  }
  return shown
}
/** Of the page of a trial; a name that Word takes, too. */
const anchorOf = ({ id }: Experiment) => `ensaio_${id.replaceAll('-', '')}`

function trialPages(
  { ensaios, site }: ConsolidatedMaterial,
  { table }: Counter,
  { withPages: shown, most }: { withPages: readonly Experiment[]; most: number },
): ReportBlock[] {
  return [
    ...(shown.length === ensaios.length
      ? []
      : [
          {
            tipo: 'texto' as const,
            texto: `As páginas trazem ${whole(shown.length)} dos ${whole(ensaios.length)} ensaios: juntos têm mais de ${whole(most)} tratamentos.`,
          },
        ]),
    ...shown.flatMap((trial, at) =>
      trialPage(trial, { table, site, first: at === 0, anchor: anchorOf(trial) }),
    ),
  ]
}

function trialsTable(
  { ensaios, site }: ConsolidatedMaterial,
  numbered: Counter,
  withPages: readonly Experiment[],
): ReportBlock[] {
  if (ensaios.length === 0) return []
  const here = new Set(withPages)
  const paged = withPages.length > 0
  return [
    {
      tipo: 'tabela',
      titulo: `${numbered.table()}. Ensaios.`,
      colunas: [
        ...[text('Ensaio'), text('Local'), text('Marca')],
        ...[number('Produtividade média (kg/ha)'), number('Ganho (%)')],
        ...(paged ? [number('Página')] : []),
      ],
      linhas: ensaios.map((trial) => [
        ...[trial.nome, `${trial.cidade}-${trial.estado}`, trial.marca, whole(trial.produtividade_media)],
        signed(gainPercent(gainOf(trial)?.razao), 1),
        ...(paged ? [here.has(trial) ? '' : '–'] : []),
      ]),
      paginas: paged,
      enderecos: ensaios.map((trial) =>
        here.has(trial) ? `#${anchorOf(trial)}` : `${site}/experimentos/${trial.id}`,
      ),
      rodape: [],
      notas: [],
      fonte: SOURCE,
    },
  ]
}
