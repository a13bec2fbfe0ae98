import { type Built, lostLevels } from './designs.ts'
import { emptyCells } from './factorial.ts'
import { meanOf, sumOfSquares } from './linear-algebra.ts'
import { codesOf, isRefusal, layoutRefusal, type Prepared, refuse } from './prepare.ts'
import type { Refusal } from './result.ts'
import { analyseSplitPlotReml } from './split-plot-reml.ts'
import {
  betweenSquares,
  classMeans,
  combined,
  errorRow,
  strataAnalysis,
  strataInput,
  strataRow,
  stratum,
  sweep,
  type TwoFactors,
  twoFactors,
} from './strata.ts'

/** Whole plots of the valid sub-plots. */
export interface WholePlots {
  /** Whole plot of each sub-plot, 0..count-1. */
  codes: Int32Array
  count: number
  block: Int32Array
  blocks: number
  /** Level of A of each whole plot. */
  a: Int32Array
}

/**
 * Split-plot: whole plots are (block, level of A), or `parcela_principal` where given; without blocks they are drawn
 * completely at random. Complete trials by strata (three errors: whole plots, sub-plots, and both combined for A within
 * B); otherwise by REML.
 */
export function analyseSplitPlot(prepared: Prepared): Built | Refusal {
  const factors = twoFactors(prepared)
  if (isRefusal(factors)) return factors
  const empty = emptyCells(prepared, factors)
  if (empty.length > 0) return refuse('analysis.empty_cell', ...empty)
  const lost = lostLevels(prepared, 'bloco')
  if (lost.length > 0) return refuse('analysis.disconnected', ...lost)
  const whole = wholePlots(prepared, factors)
  if (isRefusal(whole)) return whole
  if (sumOfSquares(prepared.z) === 0) return refuse('analysis.no_variation')
  return isComplete(prepared, factors, whole)
    ? byStrata(prepared, factors, whole)
    : analyseSplitPlotReml(prepared, factors, whole)
}

export function wholePlots(prepared: Prepared, factors: TwoFactors): WholePlots | Refusal {
  const { trial, plots } = prepared
  const given = trial.parcelas.every((p) => typeof p.parcela_principal === 'number')
  const blocked = trial.parcelas.every((p) => typeof p.bloco === 'number')
  const ids = new Map<string, number>()
  const a: number[] = []
  const codes = new Int32Array(plots.length)
  for (let i = 0; i < plots.length; i++) {
    const plot = plots[i] as Prepared['plots'][number]
    const level = factors.a[i] as number
    const key = given ? `${blocked ? plot.bloco : ''} ${plot.principal}` : `${plot.bloco} ${level}`
    let id = ids.get(key)
    if (id === undefined) {
      id = ids.size
      ids.set(key, id)
      a.push(level)
    } else if (a[id] !== level) {
      return layoutRefusal(trial, `a parcela principal ${plot.principal} tem mais de um nível de A`)
    }
    codes[i] = id
  }
  const { codes: block, levels } = codesOf(plots.map((p) => (blocked ? p.bloco : 0)))
  return { codes, count: ids.size, block, blocks: levels.length, a: Int32Array.from(a) }
}

/** Every whole plot with each level of B once, and each level of A in as many whole plots of every block. */
function isComplete(prepared: Prepared, factors: TwoFactors, whole: WholePlots): boolean {
  const size = factors.levels.B.length
  const seen = new Set(prepared.plots.map((_, i) => `${whole.codes[i]} ${factors.b[i]}`))
  if (seen.size !== prepared.plots.length || seen.size !== whole.count * size) return false
  const perPlace = new Map<string, Set<number>>()
  whole.codes.forEach((w, i) => {
    const key = `${whole.block[i]} ${factors.a[i]}`
    const set = perPlace.get(key) ?? new Set<number>()
    perPlace.set(key, set.add(w))
  })
  const places = whole.blocks * factors.levels.A.length
  const counts = [...perPlace.values()].map((set) => set.size)
  if (counts.length !== places || counts.some((c) => c !== counts[0])) return false
  return whole.blocks === 1 || counts[0] === 1
}

function byStrata(prepared: Prepared, factors: TwoFactors, whole: WholePlots): Built | Refusal {
  const { z } = prepared
  const sizes = { a: factors.levels.A.length, b: factors.levels.B.length }
  const centre = meanOf(z)
  const y = z.map((value) => value - centre)
  const total = sumOfSquares(z)
  const cells = sizes.a * sizes.b
  const cell = factors.a.map((a, i) => a * sizes.b + (factors.b[i] as number))
  // Each step takes out what the earlier terms hold, so that every sum of squares is one of squares, not a difference.
  const noBlock = sweep(y, whole.block, whole.blocks)
  const plotLevel = classMeans(noBlock, whole.codes, whole.count)
  const atWhole = noBlock.map((_, i) => plotLevel[whole.codes[i] as number] as number)
  const restWhole = sweep(atWhole, factors.a, sizes.a)
  const within = sweep(y, whole.codes, whole.count)
  const noB = sweep(within, factors.b, sizes.b)
  const residuals = sweep(noB, cell, cells)
  const squares = (v: Float64Array): number => v.reduce((sum, value) => sum + value * value, 0)
  const glA = whole.count - whole.blocks - sizes.a + 1
  const glB = z.length - whole.count - (cells - sizes.a)
  if (glA < 1 || glB < 1) return refuse('analysis.too_few')
  const ea = stratum('residuo_a', glA, squares(restWhole), total, z)
  const eb = stratum('residuo_b', glB, squares(residuals), total, z)
  const rows = [
    ...(whole.blocks > 1
      ? [strataRow('bloco', whole.blocks - 1, betweenSquares(y, whole.block, whole.blocks), ea)]
      : []),
    strataRow('A', sizes.a - 1, betweenSquares(noBlock, factors.a, sizes.a), ea),
    errorRow(ea),
    strataRow('B', sizes.b - 1, betweenSquares(within, factors.b, sizes.b), eb),
    strataRow('A:B', (sizes.a - 1) * (sizes.b - 1), betweenSquares(noB, cell, cells), eb),
    errorRow(eb),
  ]
  const both = combined(ea, eb, sizes.b)
  const inputs = [
    strataInput(prepared, factors, 'A', null, ea),
    strataInput(prepared, factors, 'B', null, eb),
    ...factors.levels.A.map((_, i) => strataInput(prepared, factors, 'B', i, eb)),
    ...factors.levels.B.map((_, j) => strataInput(prepared, factors, 'A', j, both)),
  ]
  const modelo = whole.blocks > 1 ? 'bloco + A + bloco:A + B + A:B' : 'A + parcela(A) + B + A:B'
  const analysis = strataAnalysis(prepared, { modelo, rows, errors: [ea, eb], inputs, residuals })
  return { analysis, inputs, fit: null }
}
