/** Cells of split plots and strips as means with a covariance, so that a trial of several errors gives an effect too. */
import type { Built } from './designs.ts'
import type { EffectInput, ErrorPart } from './effects.ts'
import { at, type Matrix, meanOf, row, zeros } from './linear-algebra.ts'
import { isRefusal, type Prepared, plotsByCell } from './prepare.ts'
import type { Analysis, Group, Refusal } from './result.ts'
import { analyseSplitPlot } from './split-plot.ts'
import { type TwoFactors, twoFactors } from './strata.ts'
import { analyseStrips } from './strips.ts'

/** Means of the cells a:b with their covariance. Split plots with losses: those of REML, whose gl is the least of its means. */
export function strataEffectInput(prepared: Prepared): EffectInput | Refusal {
  const factors = twoFactors(prepared)
  if (isRefusal(factors)) return factors
  const strips = prepared.trial.delineamento === 'FAIXAS'
  const built: Built | Refusal = strips ? analyseStrips(prepared) : analyseSplitPlot(prepared)
  if (isRefusal(built)) return built
  const { analysis } = built
  const niveis = prepared.cells.map((c) => c.nivel)
  if (analysis.anova.metodo === 'reml') return fromPairs(prepared, factors, analysis)
  const plots = plotsByCell(prepared)
  const ajustadas = plots.map((list) => meanOf(list.map((i) => prepared.z[i] as number)))
  if (analysis.variancia_zero) return { niveis, ajustadas, covariancia: null, gl: null, origem_ep: 'ausente' }
  const estratos = errorParts(factors, analysis, plots[0]?.length ?? 1, strips)
  const covariancia = zeros(niveis.length, niveis.length)
  for (const part of estratos) {
    for (let i = 0; i < niveis.length; i++) {
      for (let j = 0; j < niveis.length; j++) {
        row(covariancia, i)[j] = at(covariancia, i, j) + part.qm * (part.coeficientes[i]?.[j] ?? 0)
      }
    }
  }
  return { niveis, ajustadas, covariancia, gl: null, estratos, origem_ep: 'parcelas' }
}

/**
 * Covariance of cell means as Σ QM_s U_s. With r plots a cell, J_A = 1 for cells of one level of A: U_a = J_A/(b r),
 * U_b = J_B/(a r) (strips only), and the last error has what is left of I/r.
 */
function errorParts(factors: TwoFactors, analysis: Analysis, r: number, strips: boolean): ErrorPart[] {
  const a = factors.levels.A.length
  const b = factors.levels.B.length
  const size = a * b
  const rest = zeros(size, size)
  for (let c = 0; c < size; c++) row(rest, c)[c] = 1 / r
  const shared = (lists: readonly number[][]): Matrix => {
    const u = zeros(size, size)
    for (const list of lists) {
      for (const i of list) {
        for (const j of list) {
          const value = 1 / (list.length * r)
          row(u, i)[j] = value
          row(rest, i)[j] = at(rest, i, j) - value
        }
      }
    }
    return u
  }
  const byA = shared(factors.cellOf)
  const byB = strips
    ? shared(factors.levels.B.map((_, j) => factors.cellOf.map((line) => line[j] as number)))
    : null
  return [byA, ...(byB ? [byB] : []), rest].map((coeficientes, s) => {
    const error = analysis.residuos[s] as Analysis['residuos'][number]
    return { qm: error.qm, gl: error.gl, coeficientes }
  })
}

/** REML tells each mean's error and each pair's: Cov(i, j) = (V_i + V_j - V_ij)/2. */
function fromPairs(prepared: Prepared, factors: TwoFactors, analysis: Analysis): EffectInput {
  const group = analysis.grupos.find((g) => g.efeito === 'A:B') as Group
  const k = prepared.cells.length
  const niveis = prepared.cells.map((c) => c.nivel)
  const ajustadas = new Array<number>(k).fill(0)
  const cellOf = new Map<string, number>()
  const covariancia = zeros(k, k)
  let gl = Infinity
  factors.cellOf.forEach((line, i) => {
    line.forEach((c, j) => {
      cellOf.set(`${factors.levels.A[i]}:${factors.levels.B[j]}`, c)
    })
  })
  let known = true
  for (const mean of group.medias) {
    const c = cellOf.get(mean.nivel) as number
    ajustadas[c] = mean.ajustada ?? 0
    row(covariancia, c)[c] = (mean.ep ?? 0) ** 2
    known = known && mean.ep !== null && mean.ajustada !== null
    gl = Math.min(gl, mean.gl ?? Infinity)
  }
  for (const pair of group.pares ?? []) {
    const i = cellOf.get(pair.a) as number
    const j = cellOf.get(pair.b) as number
    const value = (at(covariancia, i, i) + at(covariancia, j, j) - pair.ep ** 2) / 2
    row(covariancia, i)[j] = value
    row(covariancia, j)[i] = value
  }
  return {
    niveis,
    ajustadas,
    covariancia: known ? covariancia : null,
    gl: known && gl < Infinity ? gl : null,
    origem_ep: known ? 'parcelas' : 'ausente',
  }
}
