/** Gain over the control as pure functions: what the demo mode shows, and the oracle of the server's sums. */
import type { Gain } from './dashboard.ts'
import type { Experiment, StoredTreatment } from './experiment.ts'

/** Of one trial: kg/ha to a millionth, and the natural logarithm of the ratio to a billionth. */
export interface TrialGain {
  ganho: number
  /** Null where a yield is zero. */
  razao: number | null
}

/**
 * Gain of the mean of some treatments (all but the control, unless told) over the control, the first treatment; null
 * without either, or where the control yielded nothing.
 */
export function gainOf(
  { tratamentos: [control, ...others] }: Pick<Experiment, 'tratamentos'>,
  wanted: (treatment: StoredTreatment) => boolean = () => true,
): TrialGain | null {
  const chosen = others.filter(wanted)
  if (!control || chosen.length === 0 || !(control.produtividade > 0)) return null
  const mean = chosen.reduce((sum, { produtividade }) => sum + produtividade, 0) / chosen.length
  return {
    ganho: rounded(mean - control.produtividade, 1e6),
    razao: mean > 0 ? rounded(Math.log(mean / control.produtividade), 1e9) : null,
  }
}

/** 100 (exp - 1) of a mean of logarithms. */
export const gainPercent = (razao: number | null | undefined): number | null =>
  razao == null ? null : 100 * Math.expm1(razao)

/** The gains of many trials in one; null for none. */
export function gainsOf(gains: readonly (TrialGain | null)[]): Gain | null {
  const known = gains.filter((gain) => gain !== null)
  const ratios = known.flatMap(({ razao }) => (razao === null ? [] : [razao]))
  const all = known.map(({ ganho }) => ganho)
  if (all.length === 0) return null
  return {
    n: all.length,
    media: meanOf(all),
    desvio: deviationOf(all),
    n_razao: ratios.length,
    razao: ratios.length === 0 ? null : meanOf(ratios),
    desvio_razao: deviationOf(ratios),
    vitorias: all.filter((gain) => gain > 0).length,
    diferentes: all.filter((gain) => gain !== 0).length,
  }
}

const rounded = (value: number, scale: number) => Math.round(value * scale) / scale
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

function deviationOf(values: readonly number[]): number | null {
  if (values.length < 2) return null
  const centre = meanOf(values)
  return Math.sqrt(values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1))
}
