import { fUpper } from './distributions.ts'
import { fTest } from './groups.ts'
import { dot, meanOf } from './linear-algebra.ts'
import { centred, explainedBy, type Fit } from './model.ts'
import { type Prepared, plotsByCell } from './prepare.ts'
import type { Absent, Analysis, Assumptions, FittedPlot } from './result.ts'
import { shapiroWilk } from './shapiro.ts'
import { bartlett, brownForsythe } from './variances.ts'

/** Residual variance that is nothing but rounding. */
export function isZeroVariance(rss: number, total: number, y: Float64Array): boolean {
  let largest = 0
  for (const value of y) largest = Math.max(largest, Math.abs(value))
  return rss <= Math.max(1e-22 * total, y.length * (8 * Number.EPSILON * largest) ** 2)
}

/** Assumptions on the model's residuals and, by cell, on the analysed scale. */
export function assumptions(
  prepared: Prepared,
  residuals: Float64Array,
  qm: number,
  semErro: boolean,
): Assumptions {
  const motivo = 'sem variação entre as parcelas'
  if (semErro) return { shapiro: { motivo }, levene: { motivo }, bartlett: { motivo }, max_residuo: 0 }
  const groups = plotsByCell(prepared).map((list) => list.map((i) => prepared.z[i] as number))
  let largest = 0
  for (const value of residuals) largest = Math.max(largest, Math.abs(value))
  return {
    shapiro: shapiroWilk(Array.from(residuals)),
    levene: brownForsythe(groups),
    bartlett: bartlett(groups),
    max_residuo: largest / Math.sqrt(qm),
  }
}

export function fittedPlots(
  prepared: Prepared,
  fitted: Float64Array,
  residuals: Float64Array,
  qm: number,
): FittedPlot[] {
  return prepared.plots
    .map((plot, i) => ({
      parcela: plot.numero,
      tratamento: plot.tratamento,
      observado: prepared.z[i] as number,
      ajustado: fitted[i] as number,
      residuo: residuals[i] as number,
      padronizado: qm > 0 ? (residuals[i] as number) / Math.sqrt(qm) : 0,
    }))
    .sort((a, b) => a.parcela - b.parcela)
}

/** Tukey's one degree of freedom (1949): the square of the fitted values added last. */
export function nonAdditivity(
  prepared: Prepared,
  fit: Fit,
  semErro: boolean,
): { f: number; gl1: number; gl2: number; p: number } | Absent {
  const gl2 = fit.gl - 1
  if (semErro || gl2 < 1) return { motivo: 'não há graus de liberdade para o teste' }
  const spread = Math.sqrt(fit.total.sq)
  const square = fit.fitted.map((value) => ((value - fit.centre) / spread) ** 2)
  const rest = fit.residualise(square)
  const size = dot(rest, rest)
  if (size < 1e-18 * dot(square, square)) return { motivo: 'os valores ajustados não permitem o teste' }
  const sq =
    dot(
      rest,
      prepared.z.map((value) => value - fit.centre),
    ) **
      2 /
    size
  const left = fit.rss - sq
  if (!(left > 0)) return { motivo: 'não há resíduo para o teste' }
  const f = sq / (left / gl2)
  return { f, gl1: 1, gl2, p: fUpper(f, 1, gl2) }
}

/** The slope and the test of equal slopes (covariable within each treatment, added last). */
export function covariableOf(
  prepared: Prepared,
  fit: Fit,
  qm: number,
  semErro: boolean,
): NonNullable<Analysis['covariavel']> {
  const x = prepared.covariavel as Float64Array
  const term = fit.terms.find((t) => t.fonte === 'covariavel')
  const coeficiente = term?.coefficients[0] ?? 0
  const unit = term?.unscaled[0]?.[0] ?? 0
  const test = fTest(term?.sq ?? null, 1, qm, fit.gl, semErro)
  const answer: NonNullable<Analysis['covariavel']> = {
    coeficiente,
    ep: Math.sqrt(qm * unit),
    p: test.p ?? 1,
    media: meanOf(x),
  }
  const slopes = semErro ? null : equalSlopes(prepared, fit, centred(x))
  if (slopes) answer.inclinacoes = slopes
  return answer
}

function equalSlopes(
  prepared: Prepared,
  fit: Fit,
  x: Float64Array,
): { f: number; gl1: number; gl2: number; p: number } | null {
  const columns = prepared.cells
    .slice(1)
    .map((_, j) => x.map((value, i) => (prepared.cell[i] === j + 1 ? value : 0)))
  const rests = columns.map((c) => fit.residualise(c))
  const lengths = columns.map((c) => Math.sqrt(dot(c, c)))
  const { rank, explained } = explainedBy(rests, lengths, fit.residuals)
  const gl2 = fit.gl - rank
  const left = fit.rss - explained
  if (rank < 1 || gl2 < 1 || !(left > 1e-14 * fit.rss)) return null
  const f = explained / rank / (left / gl2)
  return { f, gl1: rank, gl2, p: fUpper(f, rank, gl2) }
}
