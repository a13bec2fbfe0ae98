import {
  anovaTable,
  isSignificant,
  lettersOf,
  reportTable,
  reportTables,
  shownMean,
} from './analysis-table.ts'
import { isDunnett } from './analysis-text.ts'
import { businessUnitName } from './constants.ts'
import type { RecordedAnalysis } from './contract-analysis.ts'
import type { EconomicAnswer } from './economics-text.ts'
import type { Change, Document, Experiment } from './experiment.ts'
import {
  counted,
  formatDate,
  formatDateTime,
  formatFixed,
  formatNumber,
  formatSacks,
  NO_VALUE,
} from './format.ts'
import { priceDateText, priceText } from './prices.ts'
import { type Counter, counterOf, type ReportBlock, type TrialReport } from './report-blocks.ts'
import { type RegistrationOf, registrationPart } from './report-registration.ts'
import { REPORT_BLANKS, REPORT_COST, REPORT_LABELS, REPORT_TABLES } from './report-words.ts'
import { clayClass, organicMatterClass } from './soil.ts'
import { yieldFigure } from './yield-figure.ts'

/** Parts of a trial's report that may be left out, in their order. */
export const REPORT_SECTIONS = [
  'capa',
  'autor',
  'sumario',
  'local',
  'solo',
  'metodos',
  'resultados',
  'economia',
  'conclusao',
  'referencias',
  'anexo',
] as const
export type ReportSection = (typeof REPORT_SECTIONS)[number]
/** Those that are sections of the text, with a title. */
type ReportPart = Exclude<ReportSection, 'capa' | 'autor' | 'sumario'>
const isPart = (section: ReportSection): section is ReportPart =>
  section !== 'capa' && section !== 'autor' && section !== 'sumario'
export const SECTION_NAMES: Record<ReportSection, string> = {
  capa: 'Capa',
  autor: 'Autor na capa',
  sumario: 'Sumário',
  local: 'Local',
  solo: 'Solo',
  metodos: 'Material e métodos',
  resultados: 'Resultados',
  economia: 'Economia',
  conclusao: 'Conclusão',
  referencias: 'Referências',
  anexo: 'Anexo',
}
/** Of the report's form: named in its annex, so that an old report can be told from a new one. */
export const REPORT_MODEL = 5

/** What a report is made of; what is absent leaves its part out. */
export interface ReportMaterial {
  experiment: Experiment
  /** The latest recorded analysis of the yield that stands. */
  recorded: RecordedAnalysis | null
  economics: EconomicAnswer | null
  history: readonly Change[]
  documents: readonly Document[]
  /** Who signs it; null: nobody is named. */
  author: string | null
  /** The checklist of a registration, where one is asked for. */
  registration?: RegistrationOf | null
}

/** The report of a trial. The same material gives the same report: its dates are the record's. */
export function trialReport(
  material: ReportMaterial,
  sections: readonly ReportSection[] = REPORT_SECTIONS,
): TrialReport {
  const { experiment, author } = material
  const { nome, codigo, cidade, estado, ano, organizacao, relacao } = experiment
  const numbered = counterOf(experiment)
  const blocos = REPORT_SECTIONS.filter(isPart).flatMap((section) => {
    if (!sections.includes(section)) return []
    const blocks = PARTS[section](material, numbered)
    return blocks.length === 0
      ? []
      : [{ tipo: 'titulo', texto: SECTION_NAMES[section], nivel: 1 } as const, ...blocks]
  })
  if (material.registration) blocos.push(...registrationPart(material.registration, numbered))
  return {
    titulo: `Relatório de experimento: ${nome}`,
    data: new Date(experiment.updated_at).toISOString(),
    organizacao: experiment.consultoria,
    capa: !sections.includes('capa')
      ? null
      : {
          organizacao: organizacao.nome,
          documento: 'Relatório de experimento',
          nome,
          linhas: [
            ...(experiment.consultoria === organizacao.nome ? [] : [experiment.consultoria]),
            ...(codigo ? [`Código: ${codigo}`] : []),
            `${cidade}-${estado}`,
            String(ano),
            ...(author && sections.includes('autor') ? [author] : []),
          ],
          rodape: [versionLine(experiment)],
        },
    sumario: sections.includes('sumario'),
    blocos,
    rodape: relacao === 'compartilhada' ? `Recebido de ${organizacao.nome}` : nome,
  }
}

export const versionLine = ({ versao, updated_at }: Experiment): string =>
  `Versão ${versao} de ${formatDate(updated_at)}`

const PARTS: Record<ReportPart, (of: ReportMaterial, numbered: Counter) => ReportBlock[]> = {
  local: ({ experiment }, numbered) => [placeSheet(experiment), ...placeMap(experiment, numbered)],
  solo: ({ experiment: { teor_argila: clay, teor_materia_organica: matter } }) => {
    const linhas: [string, string][] = [
      ...(clay === null ? [] : [soilLine(REPORT_LABELS.teor_argila, clay, clayClass(clay).label)]),
      ...(matter === null
        ? []
        : [soilLine(REPORT_LABELS.teor_materia_organica, matter, organicMatterClass(matter).label)]),
    ]
    return linhas.length === 0 ? [] : [{ tipo: 'ficha', linhas }]
  },
  metodos: ({ experiment }, numbered) => [
    {
      tipo: 'ficha',
      linhas: [
        [REPORT_LABELS.cultura, experiment.cultura],
        [REPORT_LABELS.cultivar, experiment.cultivar],
        [REPORT_LABELS.ano, String(experiment.ano)],
        [REPORT_LABELS.tipo_estatistica, experiment.tipo_estatistica],
        ...(experiment.custo_protocolo === null
          ? []
          : [[REPORT_LABELS.custo_protocolo, moneyText(experiment.custo_protocolo)] as [string, string]]),
      ],
    },
    treatmentsTable(experiment, numbered),
  ],
  resultados: (material, numbered) => results(material, numbered),
  economia: ({ experiment, economics }, numbered) => economy(experiment, economics, numbered),
  conclusao: ({ experiment, recorded }) => paragraphs(experiment.conclusao || recorded?.conclusao || ''),
  referencias: ({ recorded }) =>
    (recorded?.analise.referencias ?? []).map((texto) => ({ tipo: 'texto', texto })),
  anexo: (material, numbered) => annex(material, numbered),
}

const placeSheet = (experiment: Experiment): ReportBlock => {
  const { cidade, estado, regional, latitude, longitude, consultoria, marca, bu, codigo } = experiment
  return {
    tipo: 'ficha',
    linhas: [
      ...(codigo ? [[REPORT_LABELS.codigo, codigo] as [string, string]] : []),
      [REPORT_LABELS.consultoria, consultoria],
      [REPORT_LABELS.marca, marca],
      [REPORT_LABELS.bu, businessUnitName(bu)],
      [REPORT_LABELS.regional, regional],
      [REPORT_LABELS.cidade, cidade],
      [REPORT_LABELS.estado, estado],
      ...given(REPORT_LABELS.latitude, latitude),
      ...given(REPORT_LABELS.longitude, longitude),
    ],
  }
}
export const MAP_SOURCE = 'Fonte: contornos dos estados, Natural Earth.'
/** Where the trial stood, if its coordinates are known. */
export const placeMap = (
  { cidade, estado, latitude, longitude }: Experiment,
  numbered: Counter,
): Extract<ReportBlock, { tipo: 'mapa' }>[] =>
  latitude === null || longitude === null
    ? []
    : [
        {
          tipo: 'mapa',
          titulo: `${numbered.figure()}. Local do experimento.`,
          alternativa: `Mapa do Brasil com um ponto em ${cidade}-${estado}`,
          ...{ pontos: [[longitude, latitude]], fonte: MAP_SOURCE },
        },
      ]

/** So many decimals as it has: the report is read back as what it was made of. */
const exact = (value: number) => formatNumber(value, 12)
const atLeastCents = (value: number) =>
  Number(value.toFixed(2)) === value ? formatFixed(value, 2) : exact(value)
const moneyText = (value: number) => `R$\u00a0${atLeastCents(value)}/ha`
const given = (label: string, value: number | null): [string, string][] =>
  value === null ? [] : [[label, exact(value)]]
const soilLine = (label: string, value: number, name: string): [string, string] => [
  label,
  `${exact(value)} % (${name.toLowerCase()})`,
]
const paragraphs = (text: string): ReportBlock[] =>
  text.split('\n').flatMap((texto) => (texto.trim() ? [{ tipo: 'texto' as const, texto: texto.trim() }] : []))

const text = (nome: string) => ({ nome, numerica: false })
const number = (nome: string) => ({ nome, numerica: true })
const UNKNOWN = REPORT_BLANKS.unknown

/** A row for each product, each with its treatment: no cell is empty, and none needs the page before. */
function treatmentsTable({ tratamentos, permissoes }: Experiment, numbered: Counter): ReportBlock {
  const costs = permissoes.ver_custos && tratamentos.some(({ custo }) => custo !== null)
  const row = (
    { nome, modalidade, custo, produtos_aplicados }: Experiment['tratamentos'][number],
    at: number,
  ): string[][] => {
    const products = produtos_aplicados.length > 0 ? produtos_aplicados : [null]
    return products.map((product, place) => [
      `T${at + 1}`,
      nome,
      product?.nome ?? NO_VALUE,
      product ? (product.dose === null ? UNKNOWN : exact(product.dose)) : NO_VALUE,
      product ? (product.unidade ?? UNKNOWN) : NO_VALUE,
      modalidade,
      ...(costs ? [place > 0 ? NO_VALUE : custo === null ? UNKNOWN : atLeastCents(custo)] : []),
    ])
  }
  return {
    tipo: 'tabela',
    titulo: `${numbered.table()}. ${REPORT_TABLES.treatments.title}`,
    colunas: [
      ...REPORT_TABLES.treatments.heads.map((nome) => ({ nome, numerica: nome === 'Dose' })),
      ...(costs ? [number(REPORT_COST)] : []),
    ],
    linhas: tratamentos.flatMap(row),
    rodape: [],
    notas: [],
    fonte: numbered.source,
  }
}

const NOT_COMPARED = 'Sem dados por parcela: as médias não foram comparadas estatisticamente.'
const NOT_ANALYSED =
  'Há dados por parcela, mas nenhuma análise registrada: as médias não foram comparadas estatisticamente.'
/** Why means stand without letters. */
export const notCompared = ({ dados }: Pick<Experiment, 'dados'>): string =>
  dados === 'parcelas' ? NOT_ANALYSED : NOT_COMPARED

/** What a recorded analysis says of the means of the treatments, where they are the trial's yields. */
function comparedMeans({ experiment, recorded }: ReportMaterial) {
  const group = recorded?.analise.grupos.find(({ efeito, dentro }) => efeito === 'tratamento' && !dentro)
  if (!recorded || !group || recorded.analise.transformacao !== 'nenhuma') return null
  const means = new Map(group.medias.map((mean) => [mean.nivel, shownMean(mean)]))
  const same = experiment.tratamentos.every(
    ({ produtividade }, at) => Math.abs((means.get(`T${at + 1}`) ?? Number.NaN) - produtividade) < PRINTED,
  )
  if (!same) return null
  const table = reportTable(recorded.analise, group, { experiment, test: recorded.teste })
  const letters = isSignificant(recorded.analise, group) ? lettersOf(group, recorded.teste) : null
  const dunnett = isDunnett(group.dunnett)
    ? table.linhas.map(([nivel = '', ...rest]) => [nivel, rest.at(-1) ?? ''] as const)
    : null
  return { table, letters, dunnett: dunnett && new Map(dunnett) }
}
/** Adjusted means and yields that are printed alike, kg/ha. */
const PRINTED = 0.051

function results(material: ReportMaterial, numbered: Counter): ReportBlock[] {
  const { experiment, recorded } = material
  const { tratamentos, cultura } = experiment
  const [control] = tratamentos
  const blocks: ReportBlock[] = []
  const analysed = recorded ? reportTables(recorded.analise, { experiment, test: recorded.teste }) : []
  const compared = comparedMeans(material)
  if (recorded && analysed.length > 0)
    for (const sentence of Object.entries(recorded.analise.frases).flatMap(([key, value]) =>
      key === 'retro' || key === 'pressupostos' ? [] : [value],
    ))
      blocks.push({ tipo: 'texto', texto: sentence })
  const sacks = tratamentos.some(({ produtividade }) => formatSacks(produtividade, cultura) !== null)
  blocks.push({
    tipo: 'tabela',
    titulo: `${numbered.table()}. ${REPORT_TABLES.yields.title}`,
    colunas: [
      ...REPORT_TABLES.yields.heads.map((nome, at) => ({ nome, numerica: at === 2 })),
      ...(sacks ? [number('Produtividade (sc/ha)')] : []),
      ...[number('Diferença (kg/ha)'), number('Diferença (%)')],
      ...(compared?.dunnett ? [number('p Dunnett')] : []),
    ],
    linhas: tratamentos.map(({ nome, produtividade }, at) => {
      const more = control && at > 0 ? produtividade - control.produtividade : null
      const level = `T${at + 1}`
      const shown = formatNumber(produtividade, Number(produtividade.toFixed(2)) === produtividade ? 2 : 1)
      const letter = compared?.letters?.[level]
      return [
        ...[level, nome, letter ? `${shown} ${letter}` : shown],
        ...(sacks ? [formatFixed(produtividade / 60, 1)] : []),
        more === null ? NO_VALUE : `${more > 0 ? '+' : ''}${formatNumber(more, 1)}`,
        more === null || !control?.produtividade ? NO_VALUE : signed((100 * more) / control.produtividade),
        ...(compared?.dunnett ? [compared.dunnett.get(level) ?? NO_VALUE] : []),
      ]
    }),
    rodape: compared?.table.rodape ?? [],
    notas: compared
      ? [untitled(compared.table.titulo), ...withoutSource(compared.table.notas)]
      : recorded
        ? []
        : [notCompared(experiment)],
    fonte: numbered.source,
  })
  if (recorded && analysed.length > 0) {
    const others = analysed.filter(
      ({ titulo }) => !compared || untitled(titulo) !== untitled(compared.table.titulo),
    )
    for (const table of others)
      blocks.push({
        ...table,
        tipo: 'tabela',
        titulo: `${numbered.table()}. ${untitled(table.titulo)}`,
        notas: withoutSource(table.notas),
        fonte: numbered.source,
      })
    const anova = anovaTable(recorded.analise)
    blocks.push({
      ...anova,
      tipo: 'tabela',
      titulo: `${numbered.table()}. ${untitled(anova.titulo)}`,
      fonte: numbered.source,
    })
  }
  blocks.push(yieldFigure(experiment, numbered, recorded))
  blocks.push(...additional(experiment, numbered))
  return blocks
}
const untitled = (title: string): string => title.replace(/^Tabela \d+\. /, '')
/** Told once, below the table. */
const withoutSource = (notes: readonly string[]): string[] =>
  notes.filter((note) => !note.startsWith('Fonte: '))

export const signed = (percent: number) => `${percent > 0 ? '+' : ''}${formatFixed(percent, 1)}`

/** Letters that the columns of a table have room for beside the names of its treatments. */
const ROOM = 52

/** Variables measured beside the yield: one column each, in as many tables as they have room in. */
function additional({ tratamentos }: Experiment, numbered: Counter): ReportBlock[] {
  const columns = tratamentos.map(({ analises_adicionais: own }) => {
    const named = own.map(({ nome, unidade }) => (unidade ? `${nome} (${unidade})` : nome))
    // The same variable twice is two columns.
    return new Map(
      own.map(({ valor }, at) => [
        JSON.stringify([named[at], named.slice(0, at).filter((name) => name === named[at]).length]),
        valor,
      ]),
    )
  })
  const keys = [...new Set(columns.flatMap((own) => [...own.keys()]))]
  const tables: string[][] = []
  let left = 0
  for (const key of keys) {
    const width =
      Math.max(
        9,
        ...nameOf(key)
          .split(' (')
          .map((part) => part.length),
      ) + 3
    if (tables.length === 0 || left < width) {
      tables.push([])
      left = ROOM
    }
    tables.at(-1)?.push(key)
    left -= width
  }
  return tables.map((members) => ({
    tipo: 'tabela',
    titulo: `${numbered.table()}. ${REPORT_TABLES.analyses.title}`,
    colunas: [...REPORT_TABLES.analyses.heads.map(text), ...members.map((key) => number(nameOf(key)))],
    linhas: tratamentos.map(({ nome }, at) => [
      ...[`T${at + 1}`, nome],
      ...members.map((key) => {
        const value = columns[at]?.get(key)
        return value === undefined ? UNKNOWN : exact(value)
      }),
    ]),
    rodape: [],
    notas: [],
    fonte: numbered.source,
  }))
}
const nameOf = (key: string): string => String(JSON.parse(key)[0])

export const costsHidden = ({ organizacao }: Pick<Experiment, 'organizacao'>): string =>
  `${organizacao.nome} não mostra custos e retornos deste experimento.`

function economy(
  { permissoes, organizacao, roi }: Experiment,
  answer: EconomicAnswer | null,
  numbered: Counter,
): ReportBlock[] {
  if (!permissoes.ver_custos) return [{ tipo: 'texto', texto: costsHidden({ organizacao }) }]
  const blocks: ReportBlock[] =
    roi === null ? [] : [{ tipo: 'ficha', linhas: [[REPORT_LABELS.roi, moneyText(roi)]] }]
  if (!answer) return blocks
  const sentence = answer.frases.economia ?? answer.frases.economia_nao_paga
  if (sentence) blocks.push({ tipo: 'texto', texto: sentence })
  const at = answer.data ? ` (${answer.fonte}, ${priceDateText(answer.data)})` : ''
  const reais = (value: number | null | undefined) => (value == null ? NO_VALUE : formatFixed(value, 2))
  blocks.push({
    tipo: 'tabela',
    titulo: `${numbered.table()}. Economia por tratamento, a ${priceText(answer.preco, answer.unidade)}${at}.`,
    colunas: [
      ...[text('Trat.'), number('Custo (R$/ha)'), number('Receita (R$/ha)')],
      ...[number('Ganho bruto (R$/ha)'), number('Ganho líquido (R$/ha)')],
      number(`Empata com (${answer.unidade}/ha)`),
    ],
    linhas: answer.linhas.map((line) => [
      line.nivel,
      reais(line.custo_rs_ha),
      reais(line.receita_rs_ha),
      reais(line.receita_incremental_rs_ha),
      reais(line.ganho_liquido_rs_ha),
      line.ponto_equilibrio_un_ha == null ? NO_VALUE : formatFixed(line.ponto_equilibrio_un_ha, 1),
    ]),
    rodape: [],
    notas: [
      `Dados: ${answer.origem}.`,
      'Ganho bruto: a receita acima da receita da Testemunha; ganho líquido: o bruto menos o que o tratamento custa acima dela.',
    ],
    fonte: numbered.source,
  })
  return blocks
}

const MOST_CHANGES = 40
/** How the figures of a report are meant. */
const HOW_OF_TRIAL = [
  'Diferença: a produtividade do tratamento menos a da Testemunha; em %, a mesma diferença dividida pela produtividade da Testemunha. Uma saca tem 60 kg.',
  'Números com a precisão do registro; as diferenças são arredondadas depois de calculadas.',
] as const

function annex(
  { experiment, recorded, history, documents }: ReportMaterial,
  numbered: Counter,
): ReportBlock[] {
  const blocks: ReportBlock[] = [
    ...HOW_OF_TRIAL.map((texto): ReportBlock => ({ tipo: 'texto', texto })),
    {
      tipo: 'ficha',
      linhas: [
        ['Identificador', experiment.id],
        ['Versão', `${experiment.versao}, de ${formatDateTime(experiment.updated_at)}`],
        ['Forma do relatório', `Modelo ${REPORT_MODEL}`],
        ...(recorded
          ? ([
              ['Análise', `motor ${recorded.analise.motor}, dados versão ${recorded.analise.dados_versao}`],
            ] as [string, string][])
          : []),
      ],
    },
  ]
  if (documents.length > 0)
    blocks.push({
      tipo: 'tabela',
      titulo: `${numbered.table()}. Documentos do experimento.`,
      colunas: [text('Arquivo'), text('SHA-256')],
      linhas: documents.map(({ filename, sha256 }) => [filename, sha256]),
      rodape: [],
      notas: [],
      fonte: numbered.source,
    })
  if (history.length > 0)
    blocks.push({
      tipo: 'tabela',
      titulo: `${numbered.table()}. Histórico do registro.`,
      colunas: [number('Versão'), text('Quando'), text('Quem'), text('O quê')],
      linhas: history
        .slice(0, MOST_CHANGES)
        .map(({ versao, quando, quem, acao }) => [
          versao === null ? UNKNOWN : String(versao),
          ...[formatDateTime(quando), quem ?? UNKNOWN, acao],
        ]),
      rodape: [],
      notas:
        history.length > MOST_CHANGES
          ? [`Mais ${counted(history.length - MOST_CHANGES, 'alteração', 'alterações')} antes destas.`]
          : [],
      fonte: numbered.source,
    })
  return blocks
}
