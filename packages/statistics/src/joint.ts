/**
 * Joint analysis of trials in randomised blocks with the same treatments. The full model (environment, block within it,
 * treatment, interaction) is the trials' own models side by side: its residual is theirs together, and every effect is a
 * Wald statistic of their adjusted means, which with the covariance that these have is the type III one (with complete
 * trials of equal r, the classical sums of squares). Units: those of the response.
 */
import { compareMeans } from './comparisons.ts'
import { coefficient, fitDesign, isComplete } from './designs.ts'
import { isZeroVariance } from './diagnostics.ts'
import { fUpper } from './distributions.ts'
import { fTest, scaled } from './groups.ts'
import {
  at,
  cholesky,
  choleskyInverse,
  choleskySolve,
  type Matrix,
  meanOf,
  row,
  zeros,
} from './linear-algebra.ts'
import { type Fit, homogeneitySquares } from './model.ts'
import { commonTreatments, plainName } from './names.ts'
import { largestFirst } from './order.ts'
import { isRefusal, type Prepared, prepare } from './prepare.ts'
import type { Absent, AnovaRow, Assumptions, Comparison, FTest, Refusal, TrialInput } from './result.ts'
import { type StabilityRow, stability } from './stability.ts'
import { bartlettOf } from './variances.ts'

export interface JointTrial {
  ambiente: string
  /** `codigo` of its treatments is the name by which they are matched. */
  trial: TrialInput
}

export interface JointOptions {
  alfa?: number
  /** Names to join; all that the trials have in common when absent. */
  tratamentos?: readonly string[]
  /** Name of the control. */
  testemunha?: string | null
  maior_melhor?: boolean
}

export interface JointEnvironment {
  ambiente: string
  media: number
  n: number
  gl: number
  qm: number
  f: number | null
  p: number | null
  cv: number | null
  completo: boolean
}

export interface Joint {
  /** Environments. */
  k: number
  niveis: string[]
  completo: boolean
  ensaios: JointEnvironment[]
  /** Trials left out: with a reason, or with the refusal of their own analysis. */
  fora: ({ ambiente: string } & (Absent | Refusal))[]
  /** Treatments that are not in every trial. */
  tratamentos_fora: string[]
  /** Largest over smallest; null when one is zero. */
  razao_qm: number | null
  bartlett: Assumptions['bartlett']
  anova: { tipo: 'I' | 'III'; linhas: AnovaRow[] }
  /** Treatments on the interaction: trials as a sample of environments. */
  tratamento_aleatorio: { f: number | null; p: number | null; gl: number; gl_den: number }
  /** Environments on the blocks within them. */
  ambiente_sobre_blocos: { f: number | null; p: number | null; gl: number; gl_den: number } | Absent
  cv: number | null
  media_geral: number
  medias: { nivel: string; media: number; ep: number | null; posto: number }[]
  /** All pairs with trials fixed (residual) and as a sample (interaction). */
  comparacoes: { fixo: Comparison; aleatorio: Comparison } | Absent
  /** Adjusted mean of each treatment in each trial, aligned with `niveis`. */
  tabela: { ambiente: string; medias: number[] }[]
  estabilidade: StabilityRow[] | Absent
}

interface Part {
  ambiente: string
  prepared: Prepared
  fit: Fit
  complete: boolean
}

const FEWEST_TREATMENTS = 3

/**
 * Joint analysis of two or more trials in DBC over their common treatments (three at least). Other designs and trials
 * that cannot be analysed are left out with a reason; `{ motivo }` when too little is left.
 */
export function joint(trials: readonly JointTrial[], options: JointOptions = {}): Joint | Absent {
  const fora: Joint['fora'] = []
  const usable = trials.filter(({ ambiente, trial }) => {
    if (trial.delineamento !== 'DBC') fora.push({ ambiente, motivo: 'não está em blocos casualizados' })
    return trial.delineamento === 'DBC'
  })
  const lists = usable.map(({ trial }) => valuedNames(trial))
  const common = commonTreatments(options.tratamentos ? [options.tratamentos, ...lists] : lists)
  if (common.length < FEWEST_TREATMENTS) {
    return { motivo: 'os ensaios têm menos de três tratamentos em comum' }
  }
  const parts: Part[] = []
  for (const { ambiente, trial } of usable) {
    const part = partOf(ambiente, trial, common, options.alfa ?? 0.05)
    if (isRefusal(part)) fora.push({ ambiente, ...part })
    else parts.push(part)
  }
  if (parts.length < 2) return { motivo: 'são necessários dois ensaios em blocos casualizados' }
  const kept = new Set(common.map(plainName))
  const others = new Map(lists.flat().map((name) => [plainName(name), name]))
  return assemble(parts, common, options, {
    fora,
    tratamentos_fora: [...others].flatMap(([plain, name]) => (kept.has(plain) ? [] : [name])),
  })
}

function nameOf(treatment: TrialInput['tratamentos'][number]): string {
  return treatment.codigo ?? `T${treatment.numero}`
}

/** Treatments with a valid plot. */
function valuedNames(trial: TrialInput): string[] {
  const valued = new Set<number>()
  trial.parcelas.forEach((plot, i) => {
    if (!plot.excluida && Number.isFinite(trial.y[i] ?? Number.NaN)) valued.add(plot.tratamento)
  })
  return trial.tratamentos.filter((t) => valued.has(t.numero)).map(nameOf)
}

/** The trial over the common treatments alone, in their order. */
function partOf(
  ambiente: string,
  trial: TrialInput,
  common: readonly string[],
  alfa: number,
): Part | Refusal {
  const byName = new Map(trial.tratamentos.map((t) => [plainName(nameOf(t)), t]))
  const tratamentos = common.map((name) => {
    const found = byName.get(plainName(name)) as TrialInput['tratamentos'][number]
    return { numero: found.numero, niveis: null, codigo: name }
  })
  const numbers = new Set(tratamentos.map((t) => t.numero))
  const places = trial.parcelas.flatMap((plot, i) => (numbers.has(plot.tratamento) ? [i] : []))
  const prepared = prepare(
    {
      delineamento: trial.delineamento,
      testemunha: null,
      fatores: [],
      tratamentos,
      parcelas: places.map((i) => trial.parcelas[i] as TrialInput['parcelas'][number]),
      y: places.map((i) => trial.y[i] ?? null),
    },
    { alfa },
  )
  if (isRefusal(prepared)) return prepared
  const fit = fitDesign(prepared)
  return isRefusal(fit) ? fit : { ambiente, prepared, fit, complete: isComplete(prepared) }
}

function assemble(
  parts: readonly Part[],
  niveis: string[],
  options: JointOptions,
  left: Pick<Joint, 'fora' | 'tratamentos_fora'>,
): Joint {
  const k = niveis.length
  const gl = parts.reduce((sum, { fit }) => sum + fit.gl, 0)
  const rss = parts.reduce((sum, { fit }) => sum + fit.rss, 0)
  const qm = rss / gl
  const values = Float64Array.from(parts.flatMap(({ prepared }) => [...prepared.z]))
  const within = parts.reduce((sum, { fit }) => sum + fit.total.sq, 0)
  const semErro = isZeroVariance(rss, within, values)
  const media = meanOf(values)
  const effects = effectsOf(parts, k)
  const test = (sq: number | null, df: number): FTest => fTest(sq, df, qm, gl, semErro)
  const tests = {
    ambiente: test(effects.ambiente, parts.length - 1),
    bloco: test(effects.bloco.sq, effects.bloco.gl),
    tratamento: test(effects.tratamento, k - 1),
    interacao: test(effects.interacao, (k - 1) * (parts.length - 1)),
  }
  const qmInteraction = (tests.interacao.sq ?? 0) / tests.interacao.gl
  const completo = parts.every((part) => part.complete && part.fit.n === parts[0]?.fit.n)
  const s2 = semErro ? 0 : qm * meanOf(parts.map(({ fit }) => varianceOfMean(fit)))
  const table = niveis.map((_, t) => Float64Array.from(parts, ({ fit }) => fit.means[t] as number))
  const qms = parts.map(({ fit }) => fit.rss / fit.gl)
  const smallest = Math.min(...qms)
  return {
    k: parts.length,
    niveis,
    completo,
    ensaios: parts.map(environment),
    ...left,
    razao_qm: smallest > 0 ? Math.max(...qms) / smallest : null,
    bartlett: semErro
      ? { motivo: 'há ensaio sem variação entre as parcelas' }
      : bartlettOf(parts.map(({ fit }) => ({ gl: fit.gl, squares: fit.rss }))),
    anova: {
      tipo: completo ? 'I' : 'III',
      linhas: [
        anovaLine('ambiente', 'Ambientes', tests.ambiente, gl),
        anovaLine('bloco(ambiente)', 'Blocos dentro de ambientes', tests.bloco, gl),
        anovaLine('tratamento', 'Tratamentos', tests.tratamento, gl),
        anovaLine('tratamento:ambiente', 'Tratamentos x ambientes', tests.interacao, gl),
        { fonte: 'residuo', rotulo: 'Resíduo', gl, sq: rss, qm, f: null, p: null, gl_den: null },
      ],
    },
    tratamento_aleatorio: over(tests.tratamento, tests.interacao),
    ambiente_sobre_blocos: completo
      ? over(tests.ambiente, tests.bloco)
      : { motivo: 'ensaios incompletos ou de repetições desiguais' },
    cv: coefficient(qm, media),
    media_geral: media,
    medias: meansOf(niveis, effects, semErro ? null : qm),
    comparacoes: semErro
      ? { motivo: 'sem variação entre as parcelas não há erro para comparar as médias' }
      : comparisons(niveis, parts, effects, options, {
          qm,
          gl,
          qmInteraction,
          glInteraction: tests.interacao.gl,
          completo,
        }),
    tabela: parts.map(({ ambiente, fit }) => ({ ambiente, medias: [...fit.means] })),
    estabilidade: stability(niveis, table, { s2, gl }, options.maior_melhor ?? true),
  }
}

function environment({ ambiente, prepared, fit, complete }: Part): JointEnvironment {
  const qm = fit.rss / fit.gl
  const semErro = isZeroVariance(fit.rss, fit.total.sq, prepared.z)
  const { f, p } = fTest(homogeneitySquares(fit.means, fit.unscaled), fit.k - 1, qm, fit.gl, semErro)
  const media = meanOf(prepared.z)
  return { ambiente, media, n: fit.n, gl: fit.gl, qm, f, p, cv: coefficient(qm, media), completo: complete }
}

/** Mean variance of an adjusted mean beside the others of its trial, over the error variance: 1/r when complete. */
function varianceOfMean({ unscaled, k }: Fit): number {
  let trace = 0
  let all = 0
  unscaled.forEach((r, i) => {
    trace += r[i] as number
    for (const value of r) all += value
  })
  return (trace - all / k) / (k - 1)
}

interface Effects {
  ambiente: number | null
  bloco: { sq: number; gl: number }
  tratamento: number | null
  interacao: number | null
  /** Treatment means over the trials and their covariance over the error variance. */
  means: Float64Array
  unscaled: Matrix
}

function effectsOf(parts: readonly Part[], k: number): Effects {
  const count = parts.length
  const unscaled = zeros(k, k)
  for (const { fit } of parts) {
    for (let i = 0; i < k; i++) {
      for (let j = 0; j < k; j++)
        row(unscaled, i)[j] = at(unscaled, i, j) + at(fit.unscaled, i, j) / count ** 2
    }
  }
  const means = Float64Array.from({ length: k }, (_, t) =>
    meanOf(parts.map(({ fit }) => fit.means[t] as number)),
  )
  const levels = Float64Array.from(parts, ({ fit }) => meanOf(fit.means))
  const spreadOfLevels = zeros(count, count)
  parts.forEach(({ fit }, e) => {
    row(spreadOfLevels, e)[e] =
      fit.unscaled.reduce((sum, r) => sum + r.reduce((a, b) => a + b, 0), 0) / (k * k)
  })
  const blocks = parts.flatMap(({ fit }) => fit.terms.filter((term) => term.fonte === 'bloco'))
  return {
    ambiente: homogeneitySquares(levels, spreadOfLevels),
    bloco: {
      sq: blocks.reduce((sum, term) => sum + term.sq, 0),
      gl: blocks.reduce((sum, term) => sum + term.gl, 0),
    },
    tratamento: homogeneitySquares(means, unscaled),
    interacao: interactionSquares(parts, k),
    means,
    unscaled,
  }
}

/**
 * What one set of treatment effects t leaves of all trials: Σ (d_e - t)' A_e (d_e - t), d_e differences from the last
 * treatment, A_e the inverse of their covariance, t = (Σ A_e)^-1 Σ A_e d_e.
 */
function interactionSquares(parts: readonly Part[], k: number): number | null {
  const size = k - 1
  const sum = zeros(size, size)
  const right = new Float64Array(size)
  const each: { d: Float64Array; a: Matrix }[] = []
  for (const { fit } of parts) {
    const u = (i: number, j: number): number => at(fit.unscaled, i, j)
    const covariance = Array.from({ length: size }, (_, i) =>
      Float64Array.from({ length: size }, (_, j) => u(i, j) - u(i, size) - u(size, j) + u(size, size)),
    )
    const factor = cholesky(covariance, 1e-12)
    if (!factor) return null
    const a = choleskyInverse(factor)
    const d = Float64Array.from(
      { length: size },
      (_, i) => (fit.means[i] as number) - (fit.means[size] as number),
    )
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < size; j++) {
        row(sum, i)[j] = at(sum, i, j) + at(a, i, j)
        right[i] = (right[i] as number) + at(a, i, j) * (d[j] as number)
      }
    }
    each.push({ d, a })
  }
  const factor = cholesky(sum, 1e-12)
  if (!factor) return null
  const t = choleskySolve(factor, right)
  let sq = 0
  for (const { d, a } of each) {
    const rest = d.map((value, i) => value - (t[i] as number))
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < size; j++) sq += (rest[i] as number) * at(a, i, j) * (rest[j] as number)
    }
  }
  return sq
}

function anovaLine(fonte: string, rotulo: string, test: FTest, gl_den: number): AnovaRow {
  return { fonte, rotulo, ...test, qm: test.sq === null || test.gl < 1 ? null : test.sq / test.gl, gl_den }
}

/** F of one row on the mean square of another. */
function over(test: FTest, error: FTest): Joint['tratamento_aleatorio'] {
  const qm = (error.sq ?? 0) / error.gl
  if (test.sq === null || !(qm > 0) || test.gl < 1) return { f: null, p: null, gl: test.gl, gl_den: error.gl }
  const f = test.sq / test.gl / qm
  return { f, p: fUpper(f, test.gl, error.gl), gl: test.gl, gl_den: error.gl }
}

function meansOf(
  niveis: readonly string[],
  { means, unscaled }: Effects,
  qm: number | null,
): Joint['medias'] {
  const rank = new Map(largestFirst(means).map((t, i) => [t, i + 1]))
  return niveis.map((nivel, t) => ({
    nivel,
    media: means[t] as number,
    ep: qm === null ? null : Math.sqrt(qm * at(unscaled, t, t)),
    posto: rank.get(t) as number,
  }))
}

function comparisons(
  niveis: readonly string[],
  parts: readonly Part[],
  { means, unscaled }: Effects,
  options: JointOptions,
  error: { qm: number; gl: number; qmInteraction: number; glInteraction: number; completo: boolean },
): Joint['comparacoes'] {
  const n = niveis.map((_, t) => parts.reduce((sum, { fit }) => sum + (fit.counts[t] as number), 0))
  const name = options.testemunha ? plainName(options.testemunha) : null
  const control = name === null ? -1 : niveis.findIndex((nivel) => plainName(nivel) === name)
  const compare = (qm: number, gl: number): Comparison =>
    compareMeans({
      niveis,
      n,
      ajustadas: means,
      covariancia: scaled(unscaled, qm),
      gl,
      alfa: options.alfa ?? 0.05,
      scott_knott: error.completo ? { qm, gl, r: n } : { motivo: 'Scott-Knott pede ensaio completo ou DIC' },
      testemunha: control >= 0 ? control : null,
      escala_original: true,
    })
  return { fixo: compare(error.qm, error.gl), aleatorio: compare(error.qmInteraction, error.glInteraction) }
}
