import { type Built, header } from './designs.ts'
import { assumptions, fittedPlots, isZeroVariance } from './diagnostics.ts'
import { fUpper } from './distributions.ts'
import { anovaRow, effectContrasts, effectLabel, type FactorialLayout } from './factorial.ts'
import { averaging, buildGroup, type GroupInput } from './groups.ts'
import {
  at,
  cholesky,
  dot,
  forwardSolve,
  type Matrix,
  meanOf,
  multiplyVector,
  row,
  sandwich,
  sumOfSquares,
  symmetricEigen,
} from './linear-algebra.ts'
import { fitModel, isFit, sumContrasts } from './model.ts'
import { type Prepared, plotsByCell, refuse } from './prepare.ts'
import { type Reml, reml } from './reml.ts'
import type { Analysis, AnovaRow, Refusal } from './result.ts'
import type { WholePlots } from './split-plot.ts'
import type { TwoFactors } from './strata.ts'

/**
 * Split-plot that is not complete: blocks, A, B and A:B fixed, whole plots random, by REML; type III F with the degrees
 * of freedom of FAI; CORNELIUS (1996), adjusted means with SATTERTHWAITE's. A variance estimated as zero is 0.
 */
export function analyseSplitPlotReml(
  prepared: Prepared,
  factors: TwoFactors,
  whole: WholePlots,
): Built | Refusal {
  const { z, cell } = prepared
  const cells = prepared.cells.length
  const blocks = sumContrasts(whole.block, whole.blocks)
  const centre = meanOf(z)
  const y = z.map((value) => value - centre)
  const fixed = fitModel(z, cell, cells, [{ fonte: 'bloco', columns: blocks }])
  if (!isFit(fixed)) return refuse('analysis.disconnected', ...prepared.cells.map((c) => c.nivel))
  const within = fitModel(
    z,
    cell,
    cells,
    [{ fonte: 'parcela', columns: sumContrasts(whole.codes, whole.count) }],
    true,
  )
  if (!isFit(within) || within.gl < 1 || fixed.gl <= within.gl) return refuse('analysis.too_few')
  const semErro = isZeroVariance(fixed.rss, fixed.total.sq, z)
  const p = cells + blocks.length
  const x = z.reduce<Matrix>((rows, _, i) => {
    const r = new Float64Array(p)
    r[cell[i] as number] = 1
    blocks.forEach((column, j) => {
      r[cells + j] = column[i] as number
    })
    rows.push(r)
    return rows
  }, [])
  const model = reml(x, y, whole.codes, whole.count)
  if (!model) return refuse('analysis.too_few')

  const combination = factors.cellOf.flat()
  const layout: FactorialLayout = {
    keys: ['A', 'B'],
    levels: [factors.levels.A, factors.levels.B],
    combination,
    additional: [],
  }
  const rows: AnovaRow[] = []
  const test = (fonte: string, rotulo: string, l: Matrix): void => {
    const { f, gl } = semErro ? { f: null, gl: null } : manyDegrees(model, l)
    rows.push({
      ...anovaRow(fonte, rotulo, { sq: null, gl: l.length, f: null, p: null }, null),
      f,
      p: f === null || gl === null ? null : fUpper(f, l.length, gl),
      gl_den: gl,
    })
  }
  if (blocks.length > 0) test('bloco', 'Blocos', unitRows(cells, blocks.length, p))
  for (const effect of [['A'], ['B'], ['A', 'B']] as ('A' | 'B')[][]) {
    const fonte = effect.join(':')
    test(fonte, effectLabel(fonte), effectContrasts(layout, effect, p))
  }
  const inputs = groupInputs(prepared, factors, model, rows, semErro)
  const mean = centre
  const analysis: Analysis = {
    ...header(prepared),
    modelo: blocks.length > 0 ? 'bloco + A*B + (parcela)' : 'A*B + (parcela)',
    completo: false,
    anova: {
      tipo: 'III',
      metodo: 'reml',
      linhas: rows,
      total: { gl: z.length - 1, sq: sumOfSquares(z) },
    },
    residuos: [
      {
        chave: 'residuo_b',
        gl: within.gl,
        qm: model.residuo,
        cv: mean === 0 ? null : (100 * Math.sqrt(model.residuo)) / mean,
      },
    ],
    media_geral: mean,
    r2: null,
    grupos: inputs.map((input) => buildGroup(prepared, input)),
    pressupostos: assumptions(prepared, within.residuals, within.rss / within.gl, semErro),
    ajuste: fittedPlots(prepared, within.fitted, within.residuals, semErro ? 0 : within.rss / within.gl),
    componentes: { parcela: model.parcela, residuo: model.residuo },
  }
  if (semErro) analysis.variancia_zero = true
  return { analysis, inputs: [], fit: null }
}

function unitRows(start: number, count: number, size: number): Matrix {
  return Array.from({ length: count }, (_, j) => {
    const r = new Float64Array(size)
    r[start + j] = 1
    return r
  })
}

/** F of L b = 0 and its denominator degrees of freedom: eigenvectors of L C L' give independent t^2, whose nu are joined. */
function manyDegrees(model: Reml, l: Matrix): { f: number; gl: number } | { f: null; gl: null } {
  const q = l.length
  const lb = multiplyVector(l, model.beta)
  const lcl = sandwich(l, model.covariance)
  const factor = cholesky(lcl, 1e-12)
  if (!factor) return { f: null, gl: null }
  const half = forwardSolve(factor, lb)
  const f = dot(half, half) / q
  const { vectors } = symmetricEigen(lcl)
  const nus = vectors.map((v) => {
    const combined = new Float64Array(row(l, 0).length)
    l.forEach((r, i) => {
      for (let j = 0; j < r.length; j++)
        combined[j] = (combined[j] as number) + (v[i] as number) * (r[j] as number)
    })
    return model.degrees(combined)
  })
  if (q === 1) return { f, gl: nus[0] as number }
  let expected = 0
  for (const nu of nus) if (nu > 2) expected += nu / (nu - 2)
  return { f, gl: expected > q ? (2 * expected) / (expected - q) : 2 }
}

/** A, B and the cells, each mean and each pair with its own degrees of freedom. */
function groupInputs(
  prepared: Prepared,
  factors: TwoFactors,
  model: Reml,
  rows: readonly AnovaRow[],
  semErro: boolean,
): GroupInput[] {
  const centre = meanOf(prepared.z)
  const byCell = plotsByCell(prepared)
  const p = model.beta.length
  const { A, B } = factors.levels
  const members = (efeito: string): { niveis: string[]; cells: number[][] } => {
    if (efeito === 'A') return { niveis: A, cells: A.map((_, i) => factors.cellOf[i] as number[]) }
    if (efeito === 'B') {
      return { niveis: B, cells: B.map((_, j) => factors.cellOf.map((line) => line[j] as number)) }
    }
    return {
      niveis: A.flatMap((a) => B.map((b) => `${a}:${b}`)),
      cells: factors.cellOf.flat().map((c) => [c]),
    }
  }
  return ['A', 'B', 'A:B'].map((efeito): GroupInput => {
    const { niveis, cells } = members(efeito)
    const l = averaging(cells, p)
    const covariancia = sandwich(l, model.covariance)
    const cache = new Map<number, number>()
    const tested = rows.find((r) => r.fonte === efeito)
    return {
      efeito,
      dentro: null,
      niveis,
      plots: cells.map((list) => list.flatMap((c) => byCell[c] as number[])),
      ajustadas: multiplyVector(l, model.beta).map((value) => value + centre),
      covariancia,
      gl: (i, j) => {
        const key = i * niveis.length + j
        const known = cache.get(key)
        if (known !== undefined) return known
        const difference = row(l, i).map((value, c) => value - at(l, j, c))
        const nu = model.degrees(difference)
        cache.set(key, nu)
        return nu
      },
      glMedias: l.map((r) => model.degrees(r)),
      ...(tested ? { f: { sq: null, gl: tested.gl, f: tested.f, p: tested.p } } : {}),
      scottKnott: { motivo: 'Scott-Knott pede ensaio completo ou DIC' },
      control: null,
      comDesvio: false,
      semErro,
    }
  })
}
