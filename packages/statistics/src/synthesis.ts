/**
 * Many trials in one answer: random-effects estimates with their intervals, heterogeneity, wins, and what moves them.
 * Effects and errors are in the unit of the measure (or ln of a ratio), variances in its square; p, rates and weights are
 * 0..1; `i2`, `r2` and `percentual` are %. Trials come as the caller orders them, and in that order weights go back.
 */
import { chiSquareUpper, normalQuantile, studentQuantile, studentTwoSided } from './distributions.ts'
import type { EffectMeasure, TrialEffect } from './effects.ts'
import { type Egger, egger, type Influence, influence } from './influence.ts'
import { meanOf, sumOfSquares } from './linear-algebra.ts'
import { type Proportion, signTest, wilson } from './proportion.ts'
import { groupMeans, momentTau2, remlTau2, residualSquares, weightsAt } from './random-effects.ts'
import type { Absent } from './result.ts'

export interface Interval {
  estimativa: number
  ep: number
  ic_baixo: number
  ic_alto: number
}

export interface RandomEffects extends Interval {
  k: number
  /** Of estimate = 0; null where the error is zero. */
  p: number | null
  /** Infinity does not travel: null is the normal distribution. */
  gl: number | null
  tau2: number | null
  tau: number | null
  /** Where the next trial should fall; from three trials on. */
  predicao_baixo: number | null
  predicao_alto: number | null
  /** Shares of the trials with SE, in their order. */
  pesos: number[]
}

export type SynthesisWarning = 'nenhum_ep' | 'um_ensaio' | 'dois_ensaios' | 'poucos_ensaios'

export interface Synthesis {
  medida: EffectMeasure
  /** Trials with SE, and all. */
  k: number
  k_todos: number
  reml_hk: RandomEffects | Absent
  dl_hk: RandomEffects | Absent
  efeito_fixo: Interval | Absent
  sem_peso: (Interval & { p: number | null; gl: number; k: number }) | Absent
  /** With the imputed errors among the others; only where there are any. */
  com_imputados?: RandomEffects
  q: { q: number; gl: number; p: number } | Absent
  i2: number | null
  h2: number | null
  vitorias: (Proportion & { p_sinal: number }) | Absent
  influencia: Influence | Absent
  funil: Egger | Absent
  /** Of lnrr: 100 (exp - 1). */
  percentual?: Percent
  ensaios: SynthesisTrial[]
  avisos: SynthesisWarning[]
}

export interface Percent {
  estimativa: number
  ic_baixo: number
  ic_alto: number
  predicao_baixo: number | null
  predicao_alto: number | null
}

export interface SynthesisTrial extends TrialEffect {
  /** With its own gl (the normal where there is none); null without SE. */
  ic_baixo: number | null
  ic_alto: number | null
  /** Share in the main estimate; null where it takes no part. */
  peso: number | null
}

const NO_ERROR = 'nenhum ensaio tem erro-padrão'
const ONE = 'um ensaio só não mede a variação entre ensaios'

/** An error that can be squared twice; zero and what rounding leaves of it are none. */
function isError(ep: number | null): ep is number {
  return typeof ep === 'number' && ep > 1e-30 && ep < 1e30
}

/** Trials that take part with a weight: an error above zero that is theirs. */
export function hasError(trial: TrialEffect): boolean {
  return isError(trial.ep) && trial.origem_ep !== 'imputada'
}

/**
 * Synthesis of one effect per trial. Main: REML with Knapp-Hartung, t(k-1), whose variance factor is not let below 1 for
 * k < 5; beside it DerSimonian-Laird with Knapp-Hartung, the fixed effect (normal), and the unweighted mean of all trials.
 * I² = 100 τ²/(τ² + s²), s² = (k-1) Σw/((Σw)² - Σw²), H² = (τ² + s²)/s² (Higgins & Thompson 2002).
 * @throws RangeError without a trial or with an effect that is no number
 */
export function synthesis(
  trials: readonly TrialEffect[],
  options: { medida?: EffectMeasure; alfa?: number } = {},
): Synthesis {
  const { medida = 'diferenca', alfa = 0.05 } = options
  if (trials.length === 0 || trials.some((t) => !Number.isFinite(t.efeito))) {
    throw new RangeError('No effects to join')
  }
  const index = trials.flatMap((t, i) => (hasError(t) ? [i] : []))
  const part = index.map((i) => trials[i] as TrialEffect)
  const k = part.length
  const centred = centredEffects(part)
  const main = k > 0 ? randomEffects(part, 'reml', alfa, centred) : { motivo: NO_ERROR }
  const answer: Synthesis = {
    medida,
    k,
    k_todos: trials.length,
    reml_hk: main,
    dl_hk: k > 0 ? randomEffects(part, 'dl', alfa, centred) : { motivo: NO_ERROR },
    efeito_fixo: k > 0 ? fixedEffect(centred, alfa) : { motivo: NO_ERROR },
    sem_peso: unweighted(trials, alfa),
    ...heterogeneity(centred, 'motivo' in main ? null : main.tau2),
    vitorias: wins(trials, alfa),
    influencia: 'motivo' in main ? main : influence(part, index, main),
    funil: k >= 10 ? egger(part) : { motivo: 'o gráfico de funil pede dez ensaios' },
    ensaios: eachTrial(trials, index, main, alfa),
    avisos:
      k === 0
        ? ['nenhum_ep']
        : k === 1
          ? ['um_ensaio']
          : k === 2
            ? ['dois_ensaios']
            : k < 5
              ? ['poucos_ensaios']
              : [],
  }
  const imputed = trials.filter((t) => t.origem_ep === 'imputada' && isError(t.ep))
  if (imputed.length > 0) {
    const all = trials.filter((t) => isError(t.ep))
    answer.com_imputados = randomEffects(all, 'reml', alfa)
  }
  if (medida === 'lnrr' && !('motivo' in main)) answer.percentual = percentOf(main)
  return answer
}

/** Effects less their mean, and variances, of trials with SE. */
export interface Centred {
  centre: number
  y: Float64Array
  v: Float64Array
}

export function centredEffects(part: readonly TrialEffect[]): Centred {
  const y = new Float64Array(part.length)
  const v = new Float64Array(part.length)
  part.forEach((t, i) => {
    y[i] = t.efeito
    v[i] = (t.ep as number) ** 2
  })
  const centre = meanOf(y)
  for (let i = 0; i < y.length; i++) y[i] = (y[i] as number) - centre
  return { centre, y, v }
}

/** Variance factor of Knapp and Hartung (2003): Σ w e²/(k - p); below five trials not less than 1. */
export function knappHartung(w: Float64Array, residuals: Float64Array, p: number): number {
  const k = w.length
  const factor = residualSquares(w, residuals) / (k - p)
  return k < 5 ? Math.max(1, factor) : factor
}

/** Random effects of trials that all have an SE; one trial gives its own result by its own gl. */
export function randomEffects(
  part: readonly TrialEffect[],
  method: 'reml' | 'dl',
  alfa = 0.05,
  { centre, y, v }: Centred = centredEffects(part),
): RandomEffects {
  const k = part.length
  if (k === 1) return ownResult(part[0] as TrialEffect, alfa)
  const mean = groupMeans(y, new Int32Array(k), 1)
  const tau2 = method === 'reml' ? remlTau2(v, mean) : momentTau2(v, mean)
  const w = weightsAt(v, tau2)
  const residuals = new Float64Array(k)
  mean.fit(w, residuals)
  const sum = total(w)
  const estimativa = centre + (y[0] as number) - (residuals[0] as number)
  const ep = Math.sqrt(knappHartung(w, residuals, 1) / sum)
  const t = studentQuantile(1 - alfa / 2, k - 1)
  const half = t * Math.sqrt(ep * ep + tau2)
  return {
    k,
    estimativa,
    ep,
    ic_baixo: estimativa - t * ep,
    ic_alto: estimativa + t * ep,
    p: ep > 0 ? studentTwoSided(estimativa / ep, k - 1) : null,
    gl: k - 1,
    tau2,
    tau: Math.sqrt(tau2),
    predicao_baixo: k > 2 ? estimativa - half : null,
    predicao_alto: k > 2 ? estimativa + half : null,
    pesos: shares(w, sum),
  }
}

function ownResult({ efeito, ep, gl }: TrialEffect, alfa: number): RandomEffects {
  const error = ep as number
  const half = (gl === null ? normalQuantile(1 - alfa / 2) : studentQuantile(1 - alfa / 2, gl)) * error
  return {
    k: 1,
    estimativa: efeito,
    ep: error,
    ic_baixo: efeito - half,
    ic_alto: efeito + half,
    p: studentTwoSided(efeito / error, gl ?? Infinity),
    gl,
    tau2: null,
    tau: null,
    predicao_baixo: null,
    predicao_alto: null,
    pesos: [1],
  }
}

function shares(w: Float64Array, sum: number): number[] {
  const out = new Array<number>(w.length)
  for (let i = 0; i < w.length; i++) out[i] = (w[i] as number) / sum
  return out
}

function total(w: Float64Array): number {
  let sum = 0
  for (let i = 0; i < w.length; i++) sum += w[i] as number
  return sum
}

function fixedEffect({ centre, y, v }: Centred, alfa: number): Interval {
  const w = weightsAt(v, 0)
  const residuals = new Float64Array(y.length)
  groupMeans(y, new Int32Array(y.length), 1).fit(w, residuals)
  const estimativa = centre + (y[0] as number) - (residuals[0] as number)
  const ep = Math.sqrt(1 / total(w))
  const half = normalQuantile(1 - alfa / 2) * ep
  return { estimativa, ep, ic_baixo: estimativa - half, ic_alto: estimativa + half }
}

function unweighted(trials: readonly TrialEffect[], alfa: number): Synthesis['sem_peso'] {
  const k = trials.length
  if (k < 2) return { motivo: ONE }
  const y = new Float64Array(k)
  for (let i = 0; i < k; i++) y[i] = (trials[i] as TrialEffect).efeito
  const estimativa = meanOf(y)
  const ep = Math.sqrt(sumOfSquares(y) / (k - 1) / k)
  const half = studentQuantile(1 - alfa / 2, k - 1) * ep
  return {
    estimativa,
    ep,
    ic_baixo: estimativa - half,
    ic_alto: estimativa + half,
    p: ep > 0 ? studentTwoSided(estimativa / ep, k - 1) : null,
    gl: k - 1,
    k,
  }
}

function heterogeneity({ y, v }: Centred, tau2: number | null): Pick<Synthesis, 'q' | 'i2' | 'h2'> {
  const k = y.length
  if (k < 2 || tau2 === null) return { q: { motivo: k === 0 ? NO_ERROR : ONE }, i2: null, h2: null }
  const w = weightsAt(v, 0)
  const residuals = new Float64Array(k)
  // tr P of one mean is Σw - Σw²/Σw.
  const { trace } = groupMeans(y, new Int32Array(k), 1).fit(w, residuals)
  const q = residualSquares(w, residuals)
  const s2 = (k - 1) / trace
  return {
    q: { q, gl: k - 1, p: chiSquareUpper(q, k - 1) },
    i2: (100 * tau2) / (tau2 + s2),
    h2: (tau2 + s2) / s2,
  }
}

/** Trials above zero among those that are not zero. */
function wins(trials: readonly TrialEffect[], alfa: number): Synthesis['vitorias'] {
  const above = trials.filter((t) => t.efeito > 0).length
  const n = trials.filter((t) => t.efeito !== 0).length
  if (n === 0) return { motivo: 'nenhum ensaio difere da Testemunha' }
  return { ...wilson(above, n, alfa), p_sinal: signTest(above, n) }
}

function eachTrial(
  trials: readonly TrialEffect[],
  index: readonly number[],
  main: RandomEffects | Absent,
  alfa: number,
): SynthesisTrial[] {
  const quantiles = new Map<number | null, number>()
  const quantile = (gl: number | null): number => {
    let t = quantiles.get(gl)
    if (t === undefined) {
      t = gl === null ? normalQuantile(1 - alfa / 2) : studentQuantile(1 - alfa / 2, gl)
      quantiles.set(gl, t)
    }
    return t
  }
  const place = new Map(index.map((i, n) => [i, n]))
  return trials.map((t, i) => {
    const half = isError(t.ep) ? quantile(t.gl) * t.ep : null
    const n = place.get(i)
    return {
      ...t,
      ic_baixo: half === null ? null : t.efeito - half,
      ic_alto: half === null ? null : t.efeito + half,
      peso: n === undefined || 'motivo' in main ? null : (main.pesos[n] ?? null),
    }
  })
}

/** 100 (exp(x) - 1) of an estimate, its interval and its prediction. */
function percentOf(main: RandomEffects): Percent {
  const of = (x: number): number => 100 * Math.expm1(x)
  const maybe = (x: number | null): number | null => (x === null ? null : of(x))
  return {
    estimativa: of(main.estimativa),
    ic_baixo: of(main.ic_baixo),
    ic_alto: of(main.ic_alto),
    predicao_baixo: maybe(main.predicao_baixo),
    predicao_alto: maybe(main.predicao_alto),
  }
}
