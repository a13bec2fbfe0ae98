import { fTest } from './groups.ts'
import type { Matrix } from './linear-algebra.ts'
import { type Fit, waldSquares } from './model.ts'
import { type Prepared, refuse } from './prepare.ts'
import type { AnovaRow, FactorKey, FTest, Refusal } from './result.ts'

/** The cells of a factorial: which treatment each combination of levels is. */
export interface FactorialLayout {
  keys: FactorKey[]
  levels: string[][]
  /** Cell index of each combination, the last factor running fastest. */
  combination: number[]
  /** Cells outside the factorial. */
  additional: number[]
}

/** Order of the effects of a factorial: main effects, then interactions by size. */
export function effectsOf(keys: readonly FactorKey[]): FactorKey[][] {
  const all: FactorKey[][] = []
  for (let size = 1; size <= keys.length; size++) {
    for (const subset of subsets(keys, size)) all.push(subset)
  }
  return all
}

function subsets(keys: readonly FactorKey[], size: number): FactorKey[][] {
  if (size === 0) return [[]]
  return keys.flatMap((key, i) => subsets(keys.slice(i + 1), size - 1).map((rest) => [key, ...rest]))
}

/** 'VC × B0.5': a level that is a bare number carries the letter of its factor. */
export function cellName(keys: readonly string[], levels: readonly string[]): string {
  return levels.map((level, i) => (/^[\d.,+-]+$/.test(level) ? `${keys[i]}${level}` : level)).join(' × ')
}

/**
 * Finds each combination among the treatments. Refuses combinations without a valid plot (`empty_cell`), two treatments
 * of the same combination and a factor with one level (`layout` in words).
 */
export function factorialLayout(prepared: Prepared): FactorialLayout | Refusal {
  const keys = prepared.factors.map((f) => f.chave)
  const levels = prepared.factors.map((f) => f.niveis)
  const counts = new Float64Array(prepared.cells.length)
  for (const c of prepared.cell) counts[c] = (counts[c] as number) + 1
  const found = new Map<string, number>()
  const additional: number[] = []
  for (let c = 0; c < prepared.cells.length; c++) {
    const niveis = prepared.cells[c]?.niveis
    if (!niveis || keys.some((key) => niveis[key] === undefined)) {
      additional.push(c)
      continue
    }
    const name = JSON.stringify(keys.map((key) => niveis[key]))
    const twin = found.get(name)
    if (twin !== undefined) {
      const pair = [prepared.cells[twin]?.nivel, prepared.cells[c]?.nivel].join(' e ')
      return refuse('analysis.layout', 'fatorial', `${pair} têm os mesmos níveis`)
    }
    found.set(name, c)
  }
  const combination: number[] = []
  const empty: string[] = []
  for (const combo of combinations(levels)) {
    const c = found.get(JSON.stringify(combo))
    if (c === undefined || counts[c] === 0) empty.push(cellName(keys, combo))
    else combination.push(c)
  }
  if (empty.length > 0) return refuse('analysis.empty_cell', ...empty)
  const lost = additional.filter((c) => counts[c] === 0)
  if (lost.length > 0) {
    return refuse('analysis.disconnected', ...lost.map((c) => prepared.cells[c]?.nivel ?? ''))
  }
  if (levels.some((list) => list.length < 2)) {
    return refuse('analysis.layout', 'fatorial', 'cada fator precisa de pelo menos dois níveis')
  }
  return { keys, levels, combination, additional }
}

function combinations(levels: readonly string[][]): string[][] {
  return levels.reduce<string[][]>(
    (lists, next) => lists.flatMap((l) => next.map((level) => [...l, level])),
    [[]],
  )
}

/** Cells whose level of each named factor is the one asked. */
export function membersOf(layout: FactorialLayout, where: Partial<Record<FactorKey, string>>): number[] {
  return layout.combination.filter((_, i) => {
    let rest = i
    for (let f = layout.keys.length - 1; f >= 0; f--) {
      const list = layout.levels[f] as string[]
      const level = list[rest % list.length]
      rest = Math.floor(rest / list.length)
      const asked = where[layout.keys[f] as FactorKey]
      if (asked !== undefined && asked !== level) return false
    }
    return true
  })
}

/** Rows of L for an effect: products of differences to the last level, averaged over the factors not in it. */
export function effectContrasts(
  layout: FactorialLayout,
  effect: readonly FactorKey[],
  cells: number,
): Matrix {
  let rows: { factor: number; level: number }[][] = [[]]
  for (const key of effect) {
    const factor = layout.keys.indexOf(key)
    const size = (layout.levels[factor] as string[]).length
    rows = rows.flatMap((r) => Array.from({ length: size - 1 }, (_, level) => [...r, { factor, level }]))
  }
  const sizes = layout.levels.map((list) => list.length)
  let averaged = 1
  layout.keys.forEach((key, f) => {
    if (!effect.includes(key)) averaged *= sizes[f] as number
  })
  return rows.map((wanted) => {
    const out = new Float64Array(cells)
    layout.combination.forEach((cell, i) => {
      const place = placeOf(i, sizes)
      let weight = 1 / averaged
      for (const { factor, level } of wanted) {
        const here = place[factor] as number
        weight *= here === level ? 1 : here === (sizes[factor] as number) - 1 ? -1 : 0
      }
      out[cell] = weight
    })
    return out
  })
}

function placeOf(index: number, sizes: readonly number[]): number[] {
  const place: number[] = []
  let rest = index
  for (let f = sizes.length - 1; f >= 0; f--) {
    place[f] = rest % (sizes[f] as number)
    rest = Math.floor(rest / (sizes[f] as number))
  }
  return place
}

/** Type III test of each effect on the residual of the full model; with additional treatments, also their partition. */
export function factorialRows(layout: FactorialLayout, fit: Fit, semErro: boolean): AnovaRow[] {
  const qm = fit.rss / fit.gl
  const rows: AnovaRow[] = []
  const add = (fonte: string, rotulo: string, l: Matrix): void => {
    rows.push(anovaRow(fonte, rotulo, wald(fit, l, qm, semErro), fit.gl))
  }
  for (const effect of effectsOf(layout.keys)) {
    const fonte = effect.join(':')
    add(fonte, effectLabel(fonte), effectContrasts(layout, effect, fit.k))
  }
  if (layout.additional.length > 0) {
    const contrast = new Float64Array(fit.k)
    for (const c of layout.combination) contrast[c] = 1 / layout.combination.length
    for (const c of layout.additional) contrast[c] = -1 / layout.additional.length
    add('fatorial_vs_adicional', 'Fatorial × adicional', [contrast])
  }
  if (layout.additional.length > 1) {
    const last = layout.additional[layout.additional.length - 1] as number
    const l = layout.additional.slice(0, -1).map((c) => {
      const r = new Float64Array(fit.k)
      r[c] = 1
      r[last] = -1
      return r
    })
    add('adicionais', 'Entre adicionais', l)
  }
  return rows
}

export function effectLabel(fonte: string): string {
  return fonte.includes(':') ? fonte.split(':').join(' × ') : `Fator ${fonte}`
}

function wald(fit: Fit, l: Matrix, qm: number, semErro: boolean): FTest {
  return fTest(waldSquares(l, fit.means, fit.unscaled), l.length, qm, fit.gl, semErro)
}

export function anovaRow(fonte: string, rotulo: string, test: FTest, glDen: number | null): AnovaRow {
  return {
    fonte,
    rotulo,
    gl: test.gl,
    sq: test.sq,
    qm: test.sq === null || test.gl === 0 ? null : test.sq / test.gl,
    f: test.f,
    p: test.p,
    gl_den: test.f === null ? null : glDen,
  }
}

/** Names of the combinations of two factors that no valid plot holds. */
export function emptyCells(
  prepared: Prepared,
  factors: { levels: { A: string[]; B: string[] }; cellOf: number[][] },
): string[] {
  const seen = new Set(prepared.cell)
  return factors.levels.A.flatMap((a, i) =>
    factors.levels.B.flatMap((b, j) => {
      const c = factors.cellOf[i]?.[j] ?? -1
      return c >= 0 && seen.has(c) ? [] : [cellName(['A', 'B'], [a, b])]
    }),
  )
}
