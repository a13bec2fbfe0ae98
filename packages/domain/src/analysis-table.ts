import type { Group, LevelMean } from '@ensaio/statistics'
import { decimalsOf, isDunnett, pText } from './analysis-text.ts'
import { ALPHAS, type AnalysisAnswer, type PairTestName } from './contract-analysis.ts'
import type { Experiment } from './experiment.ts'
import { formatFixed, formatNumber, NO_VALUE } from './format.ts'

export const TEST_NAMES: Record<PairTestName, string> = {
  tukey: 'Tukey',
  t: 't (DMS)',
  bonferroni: 'Bonferroni',
  duncan: 'Duncan',
  snk: 'Student-Newman-Keuls',
  scott_knott: 'Scott-Knott',
  dunnett: 'Dunnett',
}
/** Those that call too much a difference; labelled so. */
export const LIBERAL: ReadonlySet<PairTestName> = new Set(['t', 'duncan'])

/** Its cells are the levels of treatments. */
export const TREATMENT_COLUMN = 'Trat.'

/** A table as it is printed: title above, three rules, what stands at its foot and below it. */
export interface ReportTable {
  titulo: string
  colunas: { nome: string; numerica: boolean }[]
  linhas: string[][]
  rodape: [string, string][]
  notas: string[]
}

/** Whether the F test lets letters be shown; where none stands for the group, they are. */
export const isSignificant = (analysis: AnalysisAnswer, group: Group): boolean => {
  const p = group.f?.p ?? analysis.anova.linhas.find(({ fonte }) => fonte === group.efeito)?.p
  return p == null || p < analysis.alfa
}

/** Letters of one test by level; null where it gives none. */
export function lettersOf(group: Group, test: PairTestName): Record<string, string> | null {
  if (test === 'dunnett') return null
  if (test === 'scott_knott')
    return group.scott_knott && 'grupos' in group.scott_knott ? group.scott_knott.grupos : null
  return group.letras?.[test] ?? null
}

/** Best first; where nothing says which is better, the largest. */
export function bestFirst(group: Group, largerIsBetter: boolean | null): LevelMean[] {
  const sign = largerIsBetter === false ? -1 : 1
  return [...group.medias].sort(
    (a, b) => sign * ((b.ajustada ?? Number.NEGATIVE_INFINITY) - (a.ajustada ?? Number.NEGATIVE_INFINITY)),
  )
}

/** What a reader is shown as the mean: on the original scale. */
export const shownMean = (mean: LevelMean): number | null =>
  mean.original?.media ?? mean.ajustada ?? mean.media

/** Decimals of means in the variable's unit, by the values' own. */
export const meanDecimals = (analysis: AnalysisAnswer): number => {
  const typed = analysis.ajuste?.slice(0, 200).map(({ observado }) => observado) ?? []
  const most = Math.max(
    0,
    ...(analysis.transformacao === 'nenhuma' ? typed : [0.1]).map(
      (value) => String(Number(value.toFixed(6))).split('.')[1]?.length ?? 0,
    ),
  )
  return decimalsOf(analysis.variavel.unidade, most)
}

const upper = (text: string) => text.charAt(0).toLocaleUpperCase('pt-BR') + text.slice(1)
const stars = (p: number) => (p < 0.01 ? '**' : p < 0.05 ? '*' : 'ns')
const percentOf = (alpha: number) => formatNumber(100 * alpha, 1)
const signed = (text: string, value: number) => (value > 0 ? `+${text}` : text)

type Options = {
  experiment: Pick<Experiment, 'cidade' | 'estado' | 'ano' | 'consultoria' | 'tratamentos'>
  test: PairTestName
  /** Letters although F is not significant. */
  anyway?: boolean
}

/** The table of means of a group, as an agronomist hands it over (ABNT). */
export function reportTable(
  analysis: AnalysisAnswer,
  group: Group,
  { experiment, test, anyway = false }: Options,
): ReportTable {
  const { variavel, testemunha, nomes } = analysis
  const decimals = meanDecimals(analysis)
  const significant = isSignificant(analysis, group)
  const letters = significant || anyway ? lettersOf(group, test) : null
  const dunnett = isDunnett(group.dunnett) ? group.dunnett : null
  const control = group.medias.find(({ nivel }) => nivel === testemunha)
  const ofTreatments = group.efeito === 'tratamento'
  const original = analysis.transformacao === 'nenhuma'
  const means = bestFirst(group, variavel.maior_melhor)
  const linhas = means.map((mean) => {
    const value = shownMean(mean)
    const text = value === null ? '...' : formatFixed(value, decimals)
    const letter = mean.fora ? '' : letters?.[mean.nivel]
    const line = dunnett?.linhas.find(({ nivel }) => nivel === mean.nivel)
    const base = control?.ajustada ?? null
    const difference =
      !original || base === null || mean.ajustada === null || mean.nivel === testemunha
        ? null
        : mean.ajustada - base
    return [
      ...(ofTreatments ? [mean.nivel, describe(mean.nivel, nomes, experiment)] : [mean.nivel]),
      letter ? `${text} ${letter}` : text,
      ...(control && original
        ? [
            difference === null
              ? NO_VALUE
              : `${signed(formatFixed(difference, decimals), difference)}${base ? ` (${signed(formatFixed((100 * difference) / base, 1), difference)})` : ''}`,
          ]
        : []),
      ...(dunnett ? [line ? `${pText(line.p).replace(/^p =? ?/, '')} ${stars(line.p)}` : NO_VALUE] : []),
    ]
  })
  const unit = variavel.unidade ? ` (${variavel.unidade})` : ''
  return {
    titulo: titleOf(analysis, group, experiment),
    colunas: [
      ...(ofTreatments
        ? [
            { nome: TREATMENT_COLUMN, numerica: false },
            { nome: 'Produto (dose, modalidade)', numerica: false },
          ]
        : [{ nome: factorName(analysis, group.efeito), numerica: false }]),
      {
        nome: `${upper(variavel.nome)}${unit}${variavel.maior_melhor === false ? ' (menor é melhor)' : ''}`,
        numerica: true,
      },
      ...(control && original ? [{ nome: 'Δ vs Testemunha (%)', numerica: true }] : []),
      ...(dunnett ? [{ nome: 'p Dunnett', numerica: true }] : []),
    ],
    linhas,
    rodape: footOf(analysis, group, { test, decimals }),
    notas: notesOf(analysis, { letters: letters !== null, significant, anyway, test, experiment }),
  }
}

function describe(
  level: string,
  names: Record<string, string>,
  { tratamentos }: Options['experiment'],
): string {
  const at = Number(/^T(\d+)$/.exec(level)?.[1] ?? 0) - 1
  const treatment = tratamentos[at]
  const name = names[level] ?? treatment?.nome ?? level
  if (!treatment || at === 0) return name
  const doses = treatment.produtos_aplicados.flatMap(({ dose, unidade }) =>
    dose === null ? [] : [`${formatNumber(dose, 4)} ${unidade ?? ''}`.trim()],
  )
  const inside = [...doses, treatment.modalidade].filter((text) => text && text !== NO_VALUE)
  return inside.length === 0 ? name : `${name} (${inside.join(', ')})`
}

const factorName = (analysis: AnalysisAnswer, effect: string): string =>
  effect
    .split(':')
    .map((key) =>
      key === 'A' || key === 'B' || key === 'C' ? (analysis.fatores[key]?.nome ?? key) : 'Tratamento',
    )
    .join(' × ')

function titleOf(
  analysis: AnalysisAnswer,
  group: Group,
  { cidade, estado, ano }: Options['experiment'],
): string {
  const { variavel, avaliacao, delineamento, n } = analysis
  const of = group.efeito === 'tratamento' ? 'tratamentos' : factorName(analysis, group.efeito)
  const k =
    analysis.grupos.find(({ efeito }) => efeito === 'tratamento')?.medias.length ?? group.medias.length
  const blocks = analysis.anova.linhas.find(({ fonte }) => fonte === 'bloco')
  const reps = blocks
    ? `${blocks.gl + 1} blocos`
    : `${formatNumber(n.parcelas / Math.max(1, k), 1)} repetições`
  const inside = group.dentro
    ? ` em ${Object.entries(group.dentro)
        .map(([key, level]) => `${factorName(analysis, key)} = ${level}`)
        .join(', ')}`
    : ''
  const date = avaliacao ? `, ${avaliacao.nome}` : ''
  return `Tabela 1. ${upper(variavel.nome)}${date} em função de ${of}${inside}. ${cidade}-${estado}, safra ${ano}. ${delineamento}, ${k} tratamentos, ${reps}.`
}

function footOf(
  analysis: AnalysisAnswer,
  group: Group,
  { test, decimals }: { test: PairTestName; decimals: number },
): [string, string][] {
  const row = (fonte: string) => analysis.anova.linhas.find((line) => line.fonte === fonte)
  const f = (line: ReturnType<typeof row>): string | null =>
    line?.f == null || line.p === null
      ? null
      : `${formatFixed(line.f, 2)} (${pText(line.p).replace(/^p = /, '').replace(/^p /, '')}) ${stars(line.p)}`
  const listed = (cvs: readonly (number | null | undefined)[]) =>
    cvs.flatMap((cv) => (cv == null ? [] : [formatFixed(cv, 2)])).join('; ') || null
  const main = analysis.anova.linhas.find(({ fonte }) => fonte === group.efeito) ?? row('tratamento')
  // What belongs to the transformed scale says so, with the digits that it needs there.
  const original = analysis.transformacao === 'nenhuma'
  const of = (name: string) => (original ? name : `${name}, na escala transformada`)
  const digits = original ? decimals : 3
  const foot: [string, string | null][] = [
    [of('Média geral'), formatFixed(analysis.media_geral, digits)],
    [of('CV (%)'), listed(analysis.residuos.map(({ cv }) => cv))],
    ['CV (%), na escala original', listed(analysis.residuos.map(({ cv_original }) => cv_original))],
    [of('DMS'), dms(group, test, digits)],
    [
      group.efeito === 'tratamento' ? 'F tratamentos (p)' : `F ${factorName(analysis, group.efeito)} (p)`,
      f(main),
    ],
    ['F blocos (p)', f(row('bloco'))],
  ]
  return foot.filter((line): line is [string, string] => line[1] !== null)
}

function dms(group: Group, test: PairTestName, decimals: number): string | null {
  const critical = group.criticos
  if (critical) {
    if (test === 'tukey') return formatFixed(critical.dms_tukey, decimals)
    return test === 't' ? formatFixed(critical.dms_t, decimals) : null
  }
  if (test !== 'tukey' || !group.pares) return null
  const halves = group.pares.flatMap(({ ic_tukey_alto, ic_tukey_baixo }) =>
    ic_tukey_alto === null || ic_tukey_baixo === null ? [] : [(ic_tukey_alto - ic_tukey_baixo) / 2],
  )
  if (halves.length === 0) return null
  return `${formatFixed(Math.min(...halves), decimals)} a ${formatFixed(Math.max(...halves), decimals)}`
}

function notesOf(
  analysis: AnalysisAnswer,
  of: {
    letters: boolean
    significant: boolean
    anyway: boolean
    test: PairTestName
    experiment: Options['experiment']
  },
): string[] {
  const { frases, alfa, transformacao } = analysis
  const alpha = percentOf(alfa)
  const f = '**, * e ns: significativo a 1 %, a 5 % e não significativo pelo teste F.'
  const letters = of.letters
    ? of.test === 'scott_knott'
      ? `Médias seguidas pela mesma letra na coluna pertencem ao mesmo grupo pelo teste de Scott-Knott a ${alpha} % de probabilidade. ${f}`
      : `Médias seguidas pela mesma letra na coluna não diferem entre si pelo teste de ${TEST_NAMES[of.test]} a ${alpha} % de probabilidade. ${f}`
    : `Médias não comparadas por letras. ${f}`
  return [
    letters,
    of.letters && !of.significant && of.anyway
      ? 'As letras são mostradas embora o teste F não tenha sido significativo.'
      : null,
    frases.pressupostos,
    transformacao === 'nenhuma' ? null : frases.retro,
    frases.perdidas,
    frases.excluidas,
    frases.reconstruida,
    `Fonte: dados da consultoria ${of.experiment.consultoria}.`,
  ].filter((note): note is string => note != null)
}

/** The crossed table of two factors: small letters down the columns, capitals along the rows. */
export function crossedTable(
  analysis: AnalysisAnswer,
  { experiment, test }: Omit<Options, 'anyway'>,
): ReportTable | null {
  const within = (effect: string, inside: string) =>
    analysis.grupos.filter(({ efeito, dentro }) => efeito === effect && dentro !== null && inside in dentro)
  const [columns, rows] = [within('A', 'B'), within('B', 'A')]
  if (columns.length === 0 || rows.length === 0) return null
  const decimals = meanDecimals(analysis)
  const levels = columns[0]?.medias.map(({ nivel }) => nivel) ?? []
  const linhas = levels.map((level) => {
    const row = rows.find(({ dentro }) => dentro?.A === level)
    return [
      level,
      ...columns.map((column) => {
        const mean = column.medias.find(({ nivel }) => nivel === level)
        const value = mean && shownMean(mean)
        if (value == null) return '...'
        const small = (isSignificant(analysis, column) && lettersOf(column, test)?.[level]) || ''
        const across = row && isSignificant(analysis, row) ? lettersOf(row, test) : null
        const capital = across?.[column.dentro?.B ?? '']?.toUpperCase() ?? ''
        return `${formatFixed(value, decimals)} ${small}${capital}`.trim()
      }),
    ]
  })
  return {
    titulo: titleOf(analysis, { efeito: 'A:B', dentro: null, medias: [], gl: null }, experiment),
    colunas: [
      { nome: factorName(analysis, 'A'), numerica: false },
      ...columns.map(({ dentro }) => ({ nome: dentro?.B ?? '', numerica: true })),
    ],
    linhas,
    rodape: [],
    notas: [
      `Médias seguidas pela mesma letra, minúscula na coluna e maiúscula na linha, não diferem entre si pelo teste de ${TEST_NAMES[test]} a ${percentOf(analysis.alfa)} % de probabilidade; sem letras onde o F não foi significativo.`,
      ...[
        analysis.frases.pressupostos,
        analysis.frases.retro,
        analysis.frases.perdidas,
        analysis.frases.excluidas,
      ].filter((note) => note !== undefined),
      `Fonte: dados da consultoria ${experiment.consultoria}.`,
    ],
  }
}

/** The analysis of variance as a table: FV, GL, SQ, QM, F, p. */
export function anovaTable({ anova }: AnalysisAnswer): ReportTable {
  const number = (value: number | null) =>
    value === null ? NO_VALUE : formatNumber(value, value < 1 ? 6 : 4)
  return {
    titulo: 'Quadro da análise de variância.',
    colunas: ['FV', 'GL', 'SQ', 'QM', 'F', 'p'].map((nome, at) => ({ nome, numerica: at > 0 })),
    linhas: [
      ...anova.linhas.map(({ rotulo, gl, sq, qm, f, p }) => [
        rotulo,
        formatNumber(gl, 2),
        number(sq),
        number(qm),
        f === null ? NO_VALUE : formatFixed(f, 2),
        p === null ? NO_VALUE : `${pText(p).replace(/^p =? ?/, '')} ${stars(p)}`,
      ]),
      ...(anova.total
        ? [['Total', formatNumber(anova.total.gl, 0), number(anova.total.sq), NO_VALUE, NO_VALUE, NO_VALUE]]
        : []),
    ],
    rodape: [],
    notas: ['**: p < 0,01; *: p < 0,05; ns: não significativo.'],
  }
}

/** What a report shows of an answer: with an interaction the crossed table, else a table for each effect. */
export function reportTables(analysis: AnalysisAnswer, options: Options): ReportTable[] {
  const plain = analysis.grupos.filter(({ dentro }) => dentro === null)
  const interaction = analysis.anova.linhas.find(({ fonte }) => fonte === 'A:B')
  const crossed =
    interaction?.p != null && interaction.p < analysis.alfa ? crossedTable(analysis, options) : null
  const treatments = plain.filter(({ efeito }) => efeito === 'tratamento')
  const tables = (crossed ? treatments : plain).map((group) => reportTable(analysis, group, options))
  return [...tables, ...(crossed ? [crossed] : [])].map((one, at) => ({
    ...one,
    titulo: `Tabela ${at + 1}. ${one.titulo.replace(/^Tabela \d+\. /, '')}`,
  }))
}

/** The levels of significance as a chooser names them. */
export const ALPHA_OPTIONS = ALPHAS.map((value) => ({ value, label: `${percentOf(Number(value))} %` }))

/** A table as rich text, which a word processor takes as a table; three rules, none upright. */
export function tableHtml({ titulo, colunas, linhas, rodape, notas }: ReportTable): string {
  const safe = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const rule = 'border-top:1px solid #000;'
  const side = (numeric: boolean) => `padding:2px 8px;text-align:${numeric ? 'right' : 'left'};`
  const row = (cells: readonly string[], tag: string, extra: string) =>
    `<tr>${cells.map((cell, at) => `<${tag} style="${extra}${side(colunas[at]?.numerica ?? true)}">${safe(cell)}</${tag}>`).join('')}</tr>`
  const foot = rodape.map(
    ([name, value], at) =>
      `<tr><td colspan="${Math.max(1, colunas.length - 1)}" style="${at === 0 ? rule : ''}${side(false)}">${safe(name)}</td><td style="${at === 0 ? rule : ''}${side(true)}">${safe(value)}</td></tr>`,
  )
  return [
    `<p>${safe(titulo)}</p>`,
    '<table style="border-collapse:collapse;border-bottom:1px solid #000">',
    `<thead>${row(
      colunas.map(({ nome }) => nome),
      'th',
      `${rule}border-bottom:1px solid #000;font-weight:normal;`,
    )}</thead>`,
    `<tbody>${linhas.map((line) => row(line, 'td', '')).join('')}${foot.join('')}</tbody></table>`,
    ...notas.map((note) => `<p>${safe(note)}</p>`),
  ].join('')
}

/** The same as plain text: tabs between cells. */
export const tableText = ({ titulo, colunas, linhas, rodape, notas }: ReportTable): string =>
  [
    titulo,
    colunas.map(({ nome }) => nome).join('\t'),
    ...linhas.map((line) => line.join('\t')),
    ...rodape.map((line) => line.join('\t')),
    ...notas,
  ].join('\n')
