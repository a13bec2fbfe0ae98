import { isComplete } from './designs.ts'
import { type Prepared, plotsByCell } from './prepare.ts'
import { friedman, kruskalWallis } from './ranks.ts'
import type { Analysis } from './result.ts'
import { welchTest } from './welch.ts'

/**
 * The tests that are offered beside the analysis of variance, on the original scale: Kruskal-Wallis and Welch in a DIC
 * of one factor, Friedman in a complete DBC of one factor. Absent elsewhere.
 */
export function alternatives(
  prepared: Prepared,
  analysis: Analysis,
): Pick<Analysis, 'nao_parametrico' | 'welch'> {
  const { trial, cells, alfa } = prepared
  if (prepared.factors.length > 1 || prepared.covariavel || prepared.scale.nome !== 'nenhuma') return {}
  if (analysis.variancia_zero) return {}
  const niveis = cells.map((c) => c.nivel)
  if (trial.delineamento === 'DIC') {
    const groups = plotsByCell(prepared).map((list) => list.map((i) => prepared.y[i] as number))
    return {
      nao_parametrico: kruskalWallis(niveis, groups, alfa),
      welch: welchTest(niveis, groups),
    }
  }
  if (trial.delineamento === 'DBC' && isComplete(prepared)) {
    const blocks = new Map<number, number[]>()
    prepared.plots.forEach((plot, i) => {
      const row = blocks.get(plot.bloco) ?? new Array<number>(cells.length).fill(0)
      row[prepared.cell[i] as number] = prepared.y[i] as number
      blocks.set(plot.bloco, row)
    })
    const rising = [...blocks.entries()].sort(([a], [b]) => a - b).map(([, row]) => row)
    return { nao_parametrico: friedman(niveis, rising, alfa) }
  }
  return {}
}
