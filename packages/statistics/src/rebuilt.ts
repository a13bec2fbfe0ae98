import { compareMeans } from './comparisons.ts'
import { fUpper, studentQuantile } from './distributions.ts'
import { meanOf, row, sumOfSquares, zeros } from './linear-algebra.ts'
import { detectableDifference } from './power.ts'
import type { Analysis, Comparison, Design, Letters, LevelMean, PairTest, Refusal } from './result.ts'
import { studentizedRangeQuantile } from './studentized-range.ts'

/** The level at which reports print their DMS, whatever level is asked for here. */
const PRINTED_ALFA = 0.05

/** What a report prints of one variable, from which an analysis is rebuilt. Means in treatment order. */
export interface RebuiltInput {
  delineamento: Design
  repeticoes: number
  medias: { nivel: string; media: number | null }[]
  /** Level of the control. */
  testemunha: string | null
  cv?: number | null
  /** Decimals of the CV as printed. */
  cv_casas?: number | null
  dms?: number | null
  dms_casas?: number | null
  dms_teste?: 'tukey' | 't' | null
  gl_residuo?: number | null
  /** Test of the printed letters; Tukey when not said. */
  teste?: PairTest | 'scott_knott' | null
  letras?: Letters | null
  /** Which of CV and DMS to trust where they disagree. */
  usar?: 'cv' | 'dms' | null
  /** The report mentions lost plots. */
  perdas?: boolean
  /** The means are of a transformed variable. */
  transformada?: boolean
  /** More than one factor with cells missing. */
  fatorial_incompleto?: boolean
}

/** The means of a report with their error: mean square with its rounding interval, and gl. */
export interface RebuiltError {
  niveis: string[]
  m: Float64Array
  r: number
  gl: number
  mean: number
  error: { qm: number; low: number; high: number }
}

/** Error of a report's means: MSE = (CV mean/100)^2, or from the DMS: r (DMS/q)^2 by Tukey, r (DMS/t)^2/2 by t. */
export function rebuiltError(input: RebuiltInput, alfa = 0.05): RebuiltError | Refusal {
  const refused = notAllowed(input)
  if (refused) return refusal(refused)
  const r = input.repeticoes
  const m = Float64Array.from(input.medias, (item) => item.media as number)
  const k = m.length
  const gl = residualDf(input.delineamento, k, r)
  if (gl < 1) return refusal('não há graus de liberdade para o resíduo')
  if (typeof input.gl_residuo === 'number' && input.gl_residuo !== gl) {
    return refusal('os graus de liberdade do resíduo não são os do delineamento')
  }
  const mean = meanOf(m)
  const error = errorOf(input, { alfa, k, gl, mean })
  if ('problema' in error) return error
  return { niveis: input.medias.map((item) => item.nivel), m, r, gl, mean, error }
}

/**
 * Analysis rebuilt from what a report prints: the error above, QM of treatments = r sum (m - mean)^2/(k - 1), the gl of
 * the design. The printed figures are rounded: CV (or DMS) half a unit of the last decimal below and above gives the
 * intervals. Refusals carry their reason in Portuguese.
 */
export function rebuild(input: RebuiltInput, options: { alfa?: number } = {}): Analysis | Refusal {
  const alfa = options.alfa ?? 0.05
  const known = rebuiltError(input, alfa)
  if ('problema' in known) return known
  const { niveis, m, r, gl, mean, error } = known
  const k = m.length
  const qmt = (r * sumOfSquares(m)) / (k - 1)
  const control = input.testemunha === null ? -1 : niveis.indexOf(input.testemunha)
  const at = (qm: number) => ({ f: qmt / qm, p: fUpper(qmt / qm, k - 1, gl) })
  const compare = (qm: number): Comparison => comparison(niveis, m, { qm, r, gl, alfa, control })
  const centre = compare(error.qm)
  const low = compare(error.low)
  const high = compare(error.high)
  const here = at(error.qm)
  const half = studentQuantile(1 - alfa / 2, gl) * Math.sqrt(error.qm / r)
  const check = control >= 0 ? (m[control] as number) : 0
  const medias = niveis.map(
    (nivel, i): LevelMean => ({
      nivel,
      n: r,
      media: m[i] as number,
      ajustada: m[i] as number,
      ep: Math.sqrt(error.qm / r),
      ic_baixo: (m[i] as number) - half,
      ic_alto: (m[i] as number) + half,
      desvio: null,
      ...(check !== 0 ? { relativa_percent: (100 * (m[i] as number)) / check } : {}),
    }),
  )
  const treatment = { sq: qmt * (k - 1), gl: k - 1, ...here }
  const names = { DIC: 'tratamento', DBC: 'bloco + tratamento', DQL: 'linha + coluna + tratamento' }
  const analysis: Analysis = {
    origem: 'reconstruida',
    delineamento: input.delineamento,
    modelo: names[input.delineamento as 'DIC'],
    transformacao: { nome: 'nenhuma' },
    alfa,
    n: { parcelas: k * r, validas: k * r, perdidas: 0, excluidas: 0 },
    completo: true,
    anova: {
      tipo: 'reconstruida',
      metodo: 'mq',
      linhas: [
        { fonte: 'tratamento', rotulo: 'Tratamentos', ...treatment, qm: qmt, gl_den: gl },
        {
          fonte: 'residuo',
          rotulo: 'Resíduo',
          gl,
          sq: error.qm * gl,
          qm: error.qm,
          f: null,
          p: null,
          gl_den: null,
        },
      ],
      total: null,
    },
    residuos: [{ chave: 'residuo', gl, qm: error.qm, cv: (100 * Math.sqrt(error.qm)) / mean }],
    media_geral: mean,
    r2: null,
    grupos: [{ efeito: 'tratamento', dentro: null, gl, f: treatment, medias, ...centre }],
    arredondamento: {
      qm_baixo: error.low,
      qm_alto: error.high,
      f_baixo: at(error.high).f,
      f_alto: at(error.low).f,
      p_baixo: at(error.low).p,
      p_alto: at(error.high).p,
      letras_estaveis: sameLetters(low.letras.tukey, high.letras.tukey),
    },
  }
  analysis.diferenca_detectavel = detectableDifference({ gl, qm: error.qm, r, alfa })
  if (input.letras) {
    analysis.letras_impressas = printed(input.letras, input.teste ?? 'tukey', alfa, [centre, low, high])
  }
  return analysis
}

function refusal(motivo: string): Refusal {
  return { problema: 'rebuilt.not_allowed', detalhes: [motivo] }
}

/** Why the report does not allow it, or null. */
function notAllowed(input: RebuiltInput): string | null {
  if (input.delineamento === 'PSUB' || input.delineamento === 'FAIXAS') {
    return 'parcelas subdivididas e faixas têm mais de um erro'
  }
  if (input.delineamento === 'DBI') return 'blocos incompletos pedem os valores das parcelas'
  if (!Number.isInteger(input.repeticoes) || input.repeticoes < 2)
    return 'são necessárias pelo menos duas repetições'
  if (input.medias.length < 2) return 'são necessários pelo menos dois tratamentos'
  if (input.medias.some((m) => m.media === null || !Number.isFinite(m.media)))
    return 'falta a média de um tratamento'
  if (input.fatorial_incompleto) return 'faltam combinações do fatorial'
  if (input.perdas) return 'o relatório menciona parcelas perdidas'
  if (input.transformada) return 'as médias estão em escala transformada'
  if (input.delineamento === 'DQL' && input.repeticoes !== input.medias.length) {
    return 'o quadrado latino tem tantas repetições quanto tratamentos'
  }
  const cv = input.cv ?? null
  if (cv === null && (input.dms ?? null) === null) return 'o relatório não traz CV nem DMS'
  if (cv !== null && !(cv >= 0.1 && cv <= 60)) return 'o CV está fora de 0,1 a 60 %'
  return null
}

function residualDf(design: RebuiltInput['delineamento'], k: number, r: number): number {
  if (design === 'DIC') return k * (r - 1)
  return design === 'DBC' ? (k - 1) * (r - 1) : (k - 1) * (k - 2)
}

interface ErrorRange {
  qm: number
  low: number
  high: number
}

/** Mean square of the error and its rounding interval, from the CV or the DMS; both must agree within rounding. */
function errorOf(
  input: RebuiltInput,
  trial: { alfa: number; k: number; gl: number; mean: number },
): ErrorRange | Refusal {
  const { cv, dms } = input
  let byCv: ErrorRange | null = null
  if (typeof cv === 'number' && input.usar !== 'dms') {
    if (trial.mean === 0) return refusal('a média geral é zero')
    const of = (value: number): number => ((value * trial.mean) / 100) ** 2
    const half = 0.5 * 10 ** -(input.cv_casas ?? decimals(cv))
    byCv = { qm: of(cv), low: of(Math.max(cv - half, 0)), high: of(cv + half) }
    if (!(byCv.low > 0)) return refusal('o CV foi arredondado demais')
  }
  let byDms: ErrorRange | null = null
  if (typeof dms === 'number' && input.usar !== 'cv') {
    if (!(dms > 0)) return refusal('a DMS deve ser maior que zero')
    const test = input.dms_teste ?? 'tukey'
    const critical =
      test === 'tukey'
        ? studentizedRangeQuantile(PRINTED_ALFA, trial.k, trial.gl) / Math.SQRT2
        : studentQuantile(1 - PRINTED_ALFA / 2, trial.gl)
    const of = (value: number): number => (input.repeticoes * (value / critical) ** 2) / 2
    const half = 0.5 * 10 ** -(input.dms_casas ?? decimals(dms))
    byDms = { qm: of(dms), low: of(Math.max(dms - half, 0)), high: of(dms + half) }
    if (!(byDms.low > 0)) return refusal('a DMS foi arredondada demais')
  }
  if (byCv && byDms) {
    const slack = 1 + 1e-9
    if (byCv.low > byDms.high * slack || byDms.low > byCv.high * slack) {
      return refusal('O CV e a DMS do relatório não concordam')
    }
    return byCv
  }
  return byCv ?? byDms ?? refusal('o relatório não traz CV nem DMS')
}

/** Decimals of a number as JavaScript prints it. */
function decimals(value: number): number {
  return (String(value).split('.')[1] ?? '').length
}

function comparison(
  niveis: string[],
  m: Float64Array,
  trial: { qm: number; r: number; gl: number; alfa: number; control: number },
): Comparison {
  const covariancia = zeros(m.length, m.length)
  for (let i = 0; i < m.length; i++) row(covariancia, i)[i] = trial.qm / trial.r
  const r = niveis.map(() => trial.r)
  return compareMeans({
    niveis,
    n: r,
    ajustadas: m,
    covariancia,
    gl: trial.gl,
    alfa: trial.alfa,
    scott_knott: { qm: trial.qm, gl: trial.gl, r },
    testemunha: trial.control >= 0 ? trial.control : null,
    escala_original: true,
  })
}

function sameLetters(a: Letters, b: Letters): boolean {
  return Object.keys(a).every((nivel) => a[nivel] === b[nivel])
}

/** Pairs on which printed and rebuilt letters part at both ends of the rounding as well. */
function printed(
  letras: Letters,
  teste: PairTest | 'scott_knott',
  alfa: number,
  rebuilt: readonly Comparison[],
): NonNullable<Analysis['letras_impressas']> {
  const clean = (nivel: string): string[] | null => {
    const text = letras[nivel]?.toLowerCase().replace(/[^a-zà-ÿ]/g, '')
    return text ? [...text] : null
  }
  const divergencias: NonNullable<Analysis['letras_impressas']>['divergencias'] = []
  const pares = rebuilt[0]?.pares ?? []
  pares.forEach(({ a, b }, i) => {
    const first = clean(a)
    const second = clean(b)
    if (!first || !second) return
    const impresso = first.some((letter) => second.includes(letter)) ? 'igual' : 'diferente'
    const verdicts = rebuilt.map((c) => verdict(c, i, a, b, teste, alfa))
    if (verdicts.every((v) => v !== null && v !== impresso)) {
      divergencias.push({ a, b, impresso, calculado: impresso === 'igual' ? 'diferente' : 'igual' })
    }
  })
  return { teste, conferem: divergencias.length === 0, divergencias }
}

function verdict(
  c: Comparison,
  pair: number,
  a: string,
  b: string,
  teste: PairTest | 'scott_knott',
  alfa: number,
): 'igual' | 'diferente' | null {
  if (teste === 'scott_knott') {
    const grupos = c.scott_knott && 'grupos' in c.scott_knott ? c.scott_knott.grupos : null
    return grupos === null ? null : grupos[a] === grupos[b] ? 'igual' : 'diferente'
  }
  // Letters of Duncan and SNK carry their protection; the others follow the pair's own p.
  if (teste === 'duncan' || teste === 'snk') {
    const own = c.letras[teste]
    const share = [...(own[a] ?? '')].some((letter) => (own[b] ?? '').includes(letter))
    return share ? 'igual' : 'diferente'
  }
  const p = c.pares[pair]?.[`p_${teste}`]
  return typeof p === 'number' ? (p < alfa ? 'diferente' : 'igual') : null
}
