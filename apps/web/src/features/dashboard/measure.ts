import {
  counted,
  type ExperimentFilter,
  filterValues,
  formatFixed,
  formatNumber,
  type Gain,
  gainPercent,
  type Overview,
  tradingUnit,
} from '@ensaio/domain'
import { studentQuantile } from '@ensaio/statistics/distributions'
import type { Axis } from '../../charts/data.ts'
import type { Measure } from './MeasureSwitch.tsx'

/** The unit of a crop, and how many kg it holds. */
export type Unit = { name: string; kg: number }
const KG: Unit = { name: 'kg/ha', kg: 1 }

/** The crop in view if there is but one. */
export const cropOf = ({ por_cultura }: Overview, filter: ExperimentFilter): string | null =>
  (filterValues(filter.nao).includes('cultura') ? undefined : filter.cultura) ??
  (por_cultura.length === 1 ? (por_cultura[0]?.chave ?? null) : null)

/** How the crop is sold; kg/ha where several are in view, or the crop has no unit of its own. */
export function unitOf(crop: string | null): Unit {
  const traded = crop === null ? null : tradingUnit(crop, '')
  return traded ? { name: `${traded.unidade}/ha`, kg: traded.kg_por_unidade } : KG
}

export const gainAxis = (measure: Measure, unit: Unit): Axis => ({
  name: 'Ganho sobre a Testemunha',
  unit: measure === 'ganho_percent' ? '%' : unit.name,
  decimals: measure === 'ganho_percent' || unit.kg > 1 ? 1 : 0,
})

export type Estimate = { value: number; low: number | null; high: number | null }

/** Mean gain between trials with its interval of 95 %: t with n - 1; null where the ratio does not exist. */
export function estimateOf(gain: Gain, measure: Measure, unit: Unit): Estimate | null {
  const percent = measure === 'ganho_percent'
  const { n, mean, deviation } = percent
    ? { n: gain.n_razao, mean: gain.razao, deviation: gain.desvio_razao }
    : { n: gain.n, mean: gain.media, deviation: gain.desvio }
  if (mean === null) return null
  const shown = (value: number) => (percent ? (gainPercent(value) ?? 0) : value / unit.kg)
  if (n < 2 || deviation === null) return { value: shown(mean), low: null, high: null }
  const half = (studentQuantile(0.975, n - 1) * deviation) / Math.sqrt(n)
  return { value: shown(mean), low: shown(mean - half), high: shown(mean + half) }
}

export const signed = (value: number, decimals: number) =>
  `${value > 0 ? '+' : ''}${formatFixed(value, decimals)}`

export const intervalText = ({ low, high }: Estimate, decimals: number) =>
  low === null || high === null ? '–' : `${signed(low, decimals)} a ${signed(high, decimals)}`

/** 'venceu 37 de 39' */
export const winsText = ({ vitorias, diferentes }: Gain) =>
  `venceu ${formatNumber(vitorias, 0)} de ${formatNumber(diferentes, 0)}`

export const trialsText = (n: number) => counted(n, 'ensaio', 'ensaios')
