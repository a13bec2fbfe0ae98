import type { Built } from './designs.ts'
import { emptyCells } from './factorial.ts'
import { meanOf, sumOfSquares } from './linear-algebra.ts'
import { codesOf, isRefusal, type Prepared, refuse } from './prepare.ts'
import type { Refusal } from './result.ts'
import {
  betweenSquares,
  combined,
  errorRow,
  strataAnalysis,
  strataInput,
  strataRow,
  stratum,
  sweep,
  twoFactors,
} from './strata.ts'

/**
 * Strip-plot in complete blocks: A on block:A, B on block:B, A:B on the rest; each factor within a level of the other on
 * its own error combined with the last. Lost plots are refused.
 */
export function analyseStrips(prepared: Prepared): Built | Refusal {
  const factors = twoFactors(prepared)
  if (isRefusal(factors)) return factors
  const { z, plots } = prepared
  const a = factors.levels.A.length
  const b = factors.levels.B.length
  if (prepared.n.validas < prepared.n.parcelas) return refuse('analysis.strip_lost')
  const empty = emptyCells(prepared, factors)
  if (empty.length > 0) return refuse('analysis.empty_cell', ...empty)
  const { codes: block, levels } = codesOf(plots.map((p) => p.bloco))
  const blocks = levels.length
  const places = new Set(plots.map((_, i) => `${block[i]} ${prepared.cell[i]}`))
  if (places.size !== plots.length || places.size !== blocks * a * b) return refuse('analysis.strip_lost')
  if (blocks < 2) return refuse('analysis.too_few')
  const total = sumOfSquares(z)
  if (total === 0) return refuse('analysis.no_variation')

  const centre = meanOf(z)
  const y = z.map((value) => value - centre)
  const codeA = factors.a.map((level, i) => (block[i] as number) * a + level)
  const codeB = factors.b.map((level, i) => (block[i] as number) * b + level)
  const cell = factors.a.map((level, i) => level * b + (factors.b[i] as number))
  const noBlock = sweep(y, block, blocks)
  const noA = sweep(noBlock, factors.a, a)
  const noB = sweep(noBlock, factors.b, b)
  const within = sweep(sweep(y, codeA, blocks * a), codeB, blocks * b)
  // Two crossed sweeps: the second undoes nothing of the first in a complete block.
  const residuals = sweep(within, cell, a * b)
  const ea = stratum('residuo_a', (a - 1) * (blocks - 1), betweenSquares(noA, codeA, blocks * a), total, z)
  const eb = stratum('residuo_b', (b - 1) * (blocks - 1), betweenSquares(noB, codeB, blocks * b), total, z)
  const squares = residuals.reduce((sum, value) => sum + value * value, 0)
  const ec = stratum('residuo_c', (a - 1) * (b - 1) * (blocks - 1), squares, total, z)
  const rows = [
    strataRow('bloco', blocks - 1, betweenSquares(y, block, blocks), ea),
    strataRow('A', a - 1, betweenSquares(noBlock, factors.a, a), ea),
    errorRow(ea),
    strataRow('B', b - 1, betweenSquares(noBlock, factors.b, b), eb),
    errorRow(eb),
    strataRow('A:B', (a - 1) * (b - 1), betweenSquares(within, cell, a * b), ec),
    errorRow(ec),
  ]
  const forA = combined(ea, ec, b)
  const forB = combined(eb, ec, a)
  const inputs = [
    strataInput(prepared, factors, 'A', null, ea),
    strataInput(prepared, factors, 'B', null, eb),
    ...factors.levels.A.map((_, i) => strataInput(prepared, factors, 'B', i, forB)),
    ...factors.levels.B.map((_, j) => strataInput(prepared, factors, 'A', j, forA)),
  ]
  const modelo = 'bloco + A + bloco:A + B + bloco:B + A:B'
  const analysis = strataAnalysis(prepared, { modelo, rows, errors: [ea, eb, ec], inputs, residuals })
  return { analysis, inputs, fit: null }
}
