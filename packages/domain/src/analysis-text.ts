import type { Analysis, DoseModel, Dunnett, Group } from '@ensaio/statistics'
import { formatFixed, formatNumber, unitBehind } from './format.ts'

/** What the words of an analysis need beside its numbers. */
export interface AnalysisContext {
  variavel: { nome: string; unidade: string; produtividade: boolean }
  /** Decimals of the values as they were typed, at most. */
  casas: number
  /** By level: { T1: 'Testemunha' }. */
  nomes: Readonly<Record<string, string>>
  /** The level that the others are compared with, where it is not the first. */
  comparado?: string | null | undefined
  fatores: Partial<Record<'A' | 'B' | 'C', { nome: string; unidade: string }>>
  /** Levels outside the factorial, such as an extra control. */
  adicionais: readonly string[]
  exclusoes: readonly { parcela: number; motivo: string }[]
  lambda: number | null
  /** The transformed scale that was analysed; null for the original one. */
  escala: string | null
  /** Bands of the CV for this crop and variable, where an administrator has set them. */
  faixa?: readonly number[] | undefined
}

/** 'p = 0,008', or 'p < 0,001' below 0.0005. */
export const pText = (p: number): string => (p < 0.0005 ? 'p < 0,001' : `p = ${formatFixed(p, 3)}`)
const fText = (f: number) => formatFixed(f, 2)
const glText = (gl: number) => formatNumber(gl, 1)
const percent = (value: number) => formatFixed(value, 1)

/** A mean or difference in its unit: kg/ha without decimals, others with one more than the data, at most three. */
export function inUnit(value: number, { variavel: { unidade }, casas }: AnalysisContext): string {
  return formatFixed(value, decimalsOf(unidade, casas))
}
export const decimalsOf = (unit: string, decimals: number): number =>
  /^kg[ ./]?ha/i.test(unit) ? 0 : Math.min(3, decimals + 1)
/** A difference of a transformed scale has no unit: it says which scale it is of. */
const withUnit = (value: number, of: AnalysisContext) =>
  of.escala
    ? `${formatFixed(value, 2)} na escala ${of.escala}`
    : `${inUnit(value, of)} ${of.variavel.unidade}`.trimEnd()
const limit = (value: number, of: AnalysisContext) => (of.escala ? formatFixed(value, 2) : inUnit(value, of))
/** Lower case within a sentence, but for an abbreviation. */
const inSentence = (name: string) => name.toLocaleLowerCase('pt-BR').replace(/^aacpd\b/, 'AACPD')

/** 'T3', with the treatment's name behind where it says more. */
export const treatmentText = (level: string, names: Readonly<Record<string, string>>): string => {
  const name = names[level]
  return name && name !== level ? `${level} (${name})` : level
}

const TRANSFORMED: Record<Analysis['transformacao']['nome'], string> = {
  nenhuma: 'x',
  log: 'ln(x)',
  log1: 'ln(x+1)',
  raiz: '√x',
  raiz_0_5: '√(x+0,5)',
  arcsen: 'arco-seno √(x/100)',
  boxcox: 'Box-Cox',
}
/** '√(x+0,5)'; Box-Cox with its exponent. */
export const scaleText = (name: Analysis['transformacao']['nome'], lambda: number | null): string =>
  name === 'boxcox' ? `Box-Cox (λ = ${formatNumber(lambda ?? 1, 2)})` : TRANSFORMED[name]

/** Pimentel-Gomes; general, since they depend on crop and variable. */
export const GENERAL_CV_BAND = [10, 20, 30] as const

export function cvBand(cv: number, [low, middle, high]: readonly number[] = GENERAL_CV_BAND): string {
  if (low === undefined || middle === undefined || high === undefined || cv < low) return 'baixo'
  if (cv < middle) return 'médio'
  return cv <= high ? 'alto' : 'muito alto'
}

/** 'sem indício de', 'indício fraco de', 'indício de': never that an analysis is not valid. */
export const evidenceText = (p: number): string =>
  p >= 0.05 ? 'sem indício de' : p >= 0.01 ? 'indício fraco de' : 'indício de'

/** The group that compares treatments, else the first of factors. */
export const mainGroup = (analysis: Pick<Analysis, 'grupos'>): Group | undefined =>
  analysis.grupos.find(({ efeito }) => efeito === 'tratamento') ?? analysis.grupos[0]

/** The sentences of an analysis by their keys; those that do not apply are absent. */
export function sentencesOf(analysis: Analysis, context: AnalysisContext): Record<string, string> {
  const named = inSentence(context.variavel.nome)
  const row = (fonte: string) => analysis.anova.linhas.find((line) => line.fonte === fonte)
  const sentences: [string, string | null][] = [
    ['variancia_zero', analysis.variancia_zero ? ZERO_VARIANCE : null],
    ...fSentences(analysis, named, row),
    ...interactionSentences(context, row, analysis.alfa),
    ['adicional', additionalSentence(analysis, context, row)],
    ...dunnettSentences(analysis, context),
    ...doseSentences(analysis, context),
    ['cv', cvSentence(analysis, context.faixa)],
    [
      'perdidas',
      analysis.n.perdidas > 0
        ? `${analysis.n.perdidas} de ${analysis.n.parcelas} parcelas foram perdidas; as médias são ajustadas por mínimos quadrados.`
        : null,
    ],
    ['excluidas', excludedSentence(context)],
    ['pressupostos', assumptionSentence(analysis)],
    [
      'retro',
      analysis.transformacao.nome === 'nenhuma'
        ? null
        : `Médias retransformadas; letras e testes na escala ${scaleText(analysis.transformacao.nome, context.lambda)}. A média retransformada não é a média aritmética.`,
    ],
    ['reconstruida', analysis.origem === 'reconstruida' ? REBUILT : null],
  ]
  return Object.fromEntries(sentences.filter((one): one is [string, string] => one[1] !== null))
}

const ZERO_VARIANCE = 'Sem variação entre as parcelas: não há erro experimental para comparar as médias.'
const REBUILT =
  'Análise reconstruída a partir das médias, do CV e do número de repetições do relatório; não há dados de parcela.'

type RowOf = (fonte: string) => Analysis['anova']['linhas'][number] | undefined

function fSentences(analysis: Analysis, named: string, row: RowOf): [string, string | null][] {
  const of = row('tratamento')
  if (!of || of.f === null || of.p === null || of.gl_den === null) return []
  const numbers = `F = ${fText(of.f)}; gl = ${glText(of.gl)} e ${glText(of.gl_den)}; ${pText(of.p)}`
  return of.p < analysis.alfa
    ? [['f_sig', `Houve diferença entre os tratamentos para ${named} (${numbers}).`]]
    : [
        [
          'f_ns',
          `Não houve diferença significativa entre os tratamentos para ${named} (${numbers}). As médias não são comparadas por letras.`,
        ],
      ]
}

function interactionSentences(
  { fatores }: AnalysisContext,
  row: RowOf,
  alfa: number,
): [string, string | null][] {
  const of = row('A:B')
  const [a, b] = [fatores.A?.nome ?? 'A', fatores.B?.nome ?? 'B']
  if (!of || of.f === null || of.p === null) return []
  return of.p < alfa
    ? [
        [
          'interacao',
          `O efeito de ${a} depende de ${b} (interação: F = ${fText(of.f)}; ${pText(of.p)}). Compare ${a} dentro de cada nível de ${b}.`,
        ],
      ]
    : [
        [
          'sem_interacao',
          `Não houve interação entre ${a} e ${b} (${pText(of.p)}); os efeitos podem ser lidos em separado.`,
        ],
      ]
}

function additionalSentence(analysis: Analysis, context: AnalysisContext, row: RowOf): string | null {
  const of = row('fatorial_vs_adicional')
  if (!of || of.p === null) return null
  const means = mainGroup(analysis)?.medias ?? []
  const meanOf = (outside: boolean): number | null => {
    const known = means.flatMap(({ nivel, ajustada }) =>
      context.adicionais.includes(nivel) === outside && ajustada !== null ? [ajustada] : [],
    )
    return known.length === 0 ? null : known.reduce((sum, mean) => sum + mean, 0) / known.length
  }
  const [factorial, extra] = [meanOf(false), meanOf(true)]
  if (factorial === null || extra === null) return null
  const names = context.adicionais.map((level) => context.nomes[level] ?? level)
  const verb = factorial >= extra ? 'superou' : 'ficou abaixo de'
  return `A média do fatorial ${verb} ${listText(names)} em ${withUnit(Math.abs(factorial - extra), context)} (${pText(of.p)}).`
}

/** 'T3', 'T3 e T4', 'T2, T3 e T4' */
export const listText = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} e ${items.at(-1)}`

export const isDunnett = (of: Group['dunnett']): of is Dunnett => of != null && 'linhas' in of

/** 'a Testemunha', or the treatment that a person chose in its place: 'T3 (Padrão da fazenda)'. */
const controlText = (
  of: string | null | undefined,
  names: Readonly<Record<string, string>>,
): [a: string, da: string] =>
  !of || of === 'T1'
    ? ['a Testemunha', 'da Testemunha']
    : [treatmentText(of, names), `de ${treatmentText(of, names)}`]

function dunnettSentences(analysis: Analysis, context: AnalysisContext): [string, string | null][] {
  const dunnett = mainGroup(analysis)?.dunnett
  if (!isDunnett(dunnett)) return []
  const [it, ofIt] = controlText(context.comparado, context.nomes)
  const level = formatNumber(100 * analysis.alfa, 0)
  const confidence = formatNumber(100 * (1 - analysis.alfa), 0)
  const different = dunnett.linhas.filter(({ p }) => p < analysis.alfa)
  if (different.length === 0) {
    const least = analysis.diferenca_detectavel
    const detectable =
      least == null
        ? ''
        : ` A menor diferença que este ensaio detectaria com 80 % de poder é ${withUnit(least, context)}.`
    return [['dunnett_ns', `Nenhum tratamento diferiu ${ofIt} (Dunnett, ${level} %).${detectable}`]]
  }
  const sentences = different.map(({ nivel, diferenca, percentual, ic_baixo, ic_alto, p }) => {
    const over = diferenca >= 0
    const [low, high] = over ? [ic_baixo, ic_alto] : [-ic_alto, -ic_baixo]
    const share = percentual === undefined ? '' : `${percent(Math.abs(percentual))} %; `
    return `${treatmentText(nivel, context.nomes)} ${over ? `superou ${it}` : `ficou abaixo ${ofIt}`} em ${withUnit(Math.abs(diferenca), context)} (${share}IC ${confidence} %: ${limit(low, context)} a ${limit(high, context)}; ${pText(p)}, Dunnett).`
  })
  return [['dunnett_sig', sentences.join(' ')]]
}

const SHAPES: Record<DoseModel['modelo'], string> = {
  linear: 'linear',
  quadratico: 'quadrática',
  linear_plato: 'linear com platô',
  quadratico_plato: 'quadrática com platô',
}

/** 'ŷ = 4.483,1 + 34,366x − 0,10041x²' */
export function equationText({ coef: { a, b, c } }: Pick<DoseModel, 'coef'>): string {
  const term = (value: number, of: string) => `${value < 0 ? '−' : '+'} ${significant(Math.abs(value))}${of}`
  return [`ŷ = ${significant(a)}`, term(b, 'x'), ...(c === undefined ? [] : [term(c, 'x²')])].join(' ')
}
const significant = (value: number): string =>
  new Intl.NumberFormat('pt-BR', { maximumSignificantDigits: 5 }).format(value).replace('-', '\u2212')

function doseSentences(analysis: Analysis, context: AnalysisContext): [string, string | null][] {
  const doses = analysis.regressao
  const model = doses?.modelos.find(({ modelo }) => modelo === doses.escolhido.modelo)
  if (!model) return []
  const unit = unitBehind(context.fatores.A?.unidade ?? '')
  const dose = (value: number) => `${formatNumber(value, 1)}${unit}`
  const fit = `A resposta à dose foi ${SHAPES[model.modelo]}: ${equationText(model)} (R² = ${formatFixed(model.r2, 3)}).`
  const { maximo, x0, plato } = model
  const best =
    maximo?.e_maximo && maximo.dentro
      ? ` Máximo de ${withUnit(maximo.resposta, context)} com ${dose(maximo.dose)}${intervalText(maximo.ic_baixo, maximo.ic_alto, analysis.alfa)}.`
      : ''
  const rose = context.variavel.produtividade
    ? 'A produtividade'
    : `A variável ${inSentence(context.variavel.nome)}`
  return [
    ['regressao', fit + best],
    [
      'plato',
      x0 === undefined || plato === undefined
        ? null
        : model.na_borda
          ? 'O platô não foi alcançado nas doses testadas.'
          : `${rose} cresceu até ${dose(x0)} e estabilizou em ${withUnit(plato, context)}.`,
    ],
  ]
}

const intervalText = (low: number | null, high: number | null, alfa: number): string =>
  low === null || high === null
    ? ''
    : ` (IC ${formatNumber(100 * (1 - alfa), 0)} %: ${formatNumber(low, 1)} a ${formatNumber(high, 1)})`

function cvSentence({ residuos }: Analysis, band: readonly number[] | undefined): string | null {
  const known = residuos.filter((row): row is typeof row & { cv: number } => row.cv !== null)
  if (known.length === 0) return null
  if (known.length === 1 && known[0])
    return `O coeficiente de variação foi ${percent(known[0].cv)} % (${cvBand(known[0].cv, band)}).`
  const each = known.map(({ cv }) => `${percent(cv)} % (${cvBand(cv, band)})`)
  return `Os coeficientes de variação foram ${listText(each)}.`
}

function excludedSentence({ exclusoes }: AnalysisContext): string | null {
  const n = exclusoes.length
  if (n === 0) return null
  const each = exclusoes.map(({ parcela, motivo }) => `parcela ${parcela} – ${motivo}`)
  return `${n} ${n === 1 ? 'valor deixado' : 'valores deixados'} fora da análise: ${each.join('; ')}.`
}

function assumptionSentence({ pressupostos }: Analysis): string | null {
  if (!pressupostos) return null
  const { shapiro, levene } = pressupostos
  const parts = [
    ...('p' in shapiro ? [`normalidade ${pText(shapiro.p)} (Shapiro-Wilk)`] : []),
    ...('p' in levene ? [`homogeneidade ${pText(levene.p)} (Levene)`] : []),
  ]
  return parts.length === 0 ? null : `Resíduos: ${parts.join('; ')}.`
}

/** 'F = 4,87 (p = 0,008) · CV 6,7 % · T3 e T4 superam a Testemunha'; of factors each F with its name. */
export function shortAnswer(
  analysis: Pick<Analysis, 'anova' | 'grupos' | 'residuos' | 'alfa'> & { testemunha?: string | null },
): string {
  const [it, ofIt] = controlText(analysis.testemunha, {})
  const main = mainGroup(analysis)
  const rows = analysis.anova.linhas.flatMap(({ fonte, rotulo, f, p }) =>
    f === null || p === null ? [] : [{ fonte, rotulo, said: `F = ${fText(f)} (${pText(p)})` }],
  )
  const whole = rows.find(({ fonte }) => fonte === 'tratamento')
  const each = rows.filter(({ fonte }) => /^[ABC](:[ABC])*$/.test(fonte))
  const tests = whole ? [whole.said] : each.map(({ rotulo, said }) => `${rotulo}: ${said}`)
  const cvs = analysis.residuos.flatMap(({ cv }) => (cv === null ? [] : [`${percent(cv)} %`]))
  const dunnett = main?.efeito === 'tratamento' ? main.dunnett : undefined
  const lines = isDunnett(dunnett) ? dunnett.linhas.filter(({ p }) => p < analysis.alfa) : []
  const over = lines.filter(({ diferenca }) => diferenca > 0).map(({ nivel }) => nivel)
  const under = lines.filter(({ diferenca }) => diferenca < 0).map(({ nivel }) => nivel)
  const verdict = (levels: string[], one: string, many: string) =>
    levels.length === 0 ? [] : [`${listText(levels)} ${levels.length === 1 ? one : many}`]
  return [
    ...tests,
    ...(cvs.length > 0 ? [`CV ${listText(cvs)}`] : []),
    ...verdict(over, `supera ${it}`, `superam ${it}`),
    ...verdict(under, `fica abaixo ${ofIt}`, `ficam abaixo ${ofIt}`),
    ...(isDunnett(dunnett) && lines.length === 0 ? [`nenhum tratamento difere ${ofIt}`] : []),
  ].join(' · ')
}
