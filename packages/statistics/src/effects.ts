/**
 * One effect per trial: treatments that hold a product against the control, from adjusted means with their covariance.
 * Several such treatments are averaged with equal weights, and their common control is in the covariance once.
 */
import { fitDesign } from './designs.ts'
import { isZeroVariance } from './diagnostics.ts'
import { strataEffectInput } from './effects-strata.ts'
import { scaled } from './groups.ts'
import { type Matrix, meanOf, row, zeros } from './linear-algebra.ts'
import { isRefusal, prepare } from './prepare.ts'
import { type RebuiltInput, rebuiltError } from './rebuilt.ts'
import type { Absent, AnalysisOptions, Refusal, TrialInput } from './result.ts'

export type EffectMeasure = 'diferenca' | 'lnrr'
export type ErrorSource = 'parcelas' | 'reconstruida' | 'ausente' | 'imputada'

/** Adjusted means of a trial (original scale) with their covariance, in the response's unit and its square. */
export interface EffectInput {
  niveis: string[]
  ajustadas: ArrayLike<number>
  /** Null: the error is unknown. */
  covariancia: ArrayLike<ArrayLike<number>> | null
  gl: number | null
  /** Where the covariance is of several errors: its parts, from which each comparison has its own gl. */
  estratos?: ErrorPart[]
  /** Coefficient of variation, %, where there is one error and the mean is not zero. */
  cv?: number
  origem_ep: ErrorSource
}

/** One error of a covariance: mean square x coefficients. */
export interface ErrorPart {
  qm: number
  gl: number
  coeficientes: ArrayLike<ArrayLike<number>>
}

export interface TrialEffect {
  /** Difference, in the response's unit, or ln of the ratio. */
  efeito: number
  /** Null where the error is unknown or zero: never invented. */
  ep: number | null
  gl: number | null
  origem_ep: ErrorSource
}

/**
 * Adjusted means and covariance of the treatments of a trial on the original scale: one error (DIC, DBC, DBI, DQL;
 * factorials by cell; treatments without a valid plot are left out), or the errors of split plots and strips together.
 * Refusals as of the analysis.
 */
export function effectInput(trial: TrialInput, options: AnalysisOptions = {}): EffectInput | Refusal {
  const several = trial.delineamento === 'PSUB' || trial.delineamento === 'FAIXAS'
  const prepared = prepare(trial, {
    ...(options.alfa === undefined ? {} : { alfa: options.alfa }),
    ...(several ? {} : { ignorar_fatores: true }),
  })
  if (isRefusal(prepared)) return prepared
  if (several) return strataEffectInput(prepared)
  const fit = fitDesign(prepared)
  if (isRefusal(fit)) return fit
  const none = isZeroVariance(fit.rss, fit.total.sq, prepared.z)
  const mean = meanOf(prepared.y)
  return {
    ...(none || mean === 0 ? {} : { cv: (100 * Math.sqrt(fit.rss / fit.gl)) / Math.abs(mean) }),
    niveis: prepared.cells.map((c) => c.nivel),
    ajustadas: fit.means,
    covariancia: none ? null : scaled(fit.unscaled, fit.rss / fit.gl),
    gl: none ? null : fit.gl,
    origem_ep: none ? 'ausente' : 'parcelas',
  }
}

/** The same from what a report prints (means, CV or DMS, repetitions, design): covariance MSE/r on the diagonal. */
export function effectInputOfReport(report: RebuiltInput, alfa = 0.05): EffectInput | Refusal {
  const known = rebuiltError(report, alfa)
  if (isRefusal(known)) return known
  const { niveis, m, r, gl, error } = known
  return {
    ...{ niveis, ajustadas: m, covariancia: ofMeans(m.length, error.qm / r), gl },
    ...{ cv: (100 * Math.sqrt(error.qm)) / Math.abs(meanOf(m)), origem_ep: 'reconstruida' },
  }
}

/**
 * The same from means alone: without an error, or with that of a CV taken from other trials (%: MSE = (CV mean/100)²,
 * r repetitions), which is marked 'imputada' and has no gl of its own.
 */
export function effectInputOfMeans(
  medias: readonly { nivel: string; media: number }[],
  imputed?: { cv: number; r: number },
): EffectInput {
  const m = medias.map(({ media }) => media)
  const variance = imputed ? ((imputed.cv / 100) * meanOf(m)) ** 2 / imputed.r : 0
  return {
    niveis: medias.map(({ nivel }) => nivel),
    ajustadas: m,
    covariancia: variance > 0 ? ofMeans(m.length, variance) : null,
    gl: null,
    origem_ep: variance > 0 ? 'imputada' : 'ausente',
  }
}

function ofMeans(k: number, variance: number): Matrix {
  const covariance = zeros(k, k)
  for (let i = 0; i < k; i++) row(covariance, i)[i] = variance
  return covariance
}

/**
 * Effect of the mean T of the adjusted means of `treatments` against that of `control` (indices of `niveis`):
 * 'diferenca' T - C, var = V(T) + V(C) - 2 Cov(T, C); 'lnrr' ln(T/C) (Hedges, Gurevitch & Curtis 1999), by the delta
 * method var = V(T)/T² + V(C)/C² - 2 Cov(T, C)/(TC). A ratio needs both means above zero, else its reason comes back.
 * @throws RangeError without a treatment, or with the control among them
 */
export function effectOf(
  input: EffectInput,
  treatments: readonly number[],
  control: number,
  medida: EffectMeasure = 'diferenca',
): TrialEffect | Absent {
  const chosen = [...new Set(treatments)].sort((a, b) => a - b)
  const k = input.niveis.length
  if (chosen.length === 0 || chosen.includes(control)) throw new RangeError('Nothing to compare')
  if ([...chosen, control].some((i) => !(i >= 0 && i < k))) throw new RangeError('No such treatment')
  const c = input.ajustadas[control] as number
  const m = meanOf(chosen.map((i) => input.ajustadas[i] as number))
  const ratio = medida === 'lnrr'
  if (ratio && !(m > 0 && c > 0)) return { motivo: 'a razão pede médias maiores que zero' }
  const scale = ratio ? [m, c] : [1, 1]
  const weights = [
    ...chosen.map((i) => ({ i, w: 1 / (chosen.length * (scale[0] as number)) })),
    { i: control, w: -1 / (scale[1] as number) },
  ]
  const variance = input.covariancia ? varianceOf(input.covariancia, weights) : 0
  const known = variance > 0 && variance < Infinity
  return {
    efeito: ratio ? Math.log(m / c) : m - c,
    ep: known ? Math.sqrt(variance) : null,
    gl: known ? (input.estratos ? satterthwaite(input.estratos, weights) : input.gl) : null,
    origem_ep: known ? input.origem_ep : 'ausente',
  }
}

type Weights = readonly { i: number; w: number }[]

/** w'Vw; 0 where only rounding is left of it: that is no error variance. */
function varianceOf(covariance: ArrayLike<ArrayLike<number>>, weights: Weights): number {
  let variance = 0
  let size = 0
  for (const a of weights) {
    for (const b of weights) {
      const part = a.w * b.w * (covariance[a.i]?.[b.i] ?? 0)
      variance += part
      size += Math.abs(part)
    }
  }
  return variance > 1e-14 * size ? variance : 0
}

/** gl of a variance that is a sum over errors (SATTERTHWAITE, 1946): (Σ s_e)² / Σ s_e²/gl_e. */
function satterthwaite(parts: readonly ErrorPart[], weights: Weights): number | null {
  const shares = parts.map(({ qm, gl, coeficientes }) => ({ gl, s: qm * varianceOf(coeficientes, weights) }))
  const sum = shares.reduce((all, { s }) => all + s, 0)
  const below = shares.reduce((all, { gl, s }) => all + (s * s) / gl, 0)
  return below > 0 ? (sum * sum) / below : null
}

/** A trial's comparison as it may have been registered twice. */
export interface Registered {
  /** What must be equal: crop, city and year. */
  chave: string
  testemunha: number
  tratamento: number
  /** Fingerprint of the document that it comes from. */
  documento?: string | null
}

/**
 * Trials registered more than once: the same document, or the same key with yields of control and treatment within
 * `tolerance` (0.5 kg/ha). Given the oldest first; each answer is the index of the kept (oldest) trial, or null.
 */
export function duplicatesOf(trials: readonly Registered[], tolerance = 0.5): (number | null)[] {
  const documents = new Map<string, number>()
  const places = new Map<string, number[]>()
  const step = Math.max(tolerance, Number.MIN_VALUE)
  return trials.map((trial, i) => {
    const known = trial.documento ? documents.get(trial.documento) : undefined
    if (known !== undefined) return known
    const near = (other: Registered): boolean =>
      Math.abs(other.testemunha - trial.testemunha) <= tolerance &&
      Math.abs(other.tratamento - trial.tratamento) <= tolerance
    const box = Math.floor(trial.testemunha / step)
    for (const place of [box - 1, box, box + 1]) {
      const twin = places.get(`${place} ${trial.chave}`)?.find((j) => near(trials[j] as Registered))
      if (twin !== undefined) return twin
    }
    if (trial.documento) documents.set(trial.documento, i)
    const key = `${box} ${trial.chave}`
    const list = places.get(key)
    if (list) list.push(i)
    else places.set(key, [i])
    return null
  })
}
