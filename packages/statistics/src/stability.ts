/** How treatments hold over environments, from a full table of their means. */
import { fUpper, studentTwoSided } from './distributions.ts'
import { meanOf, sumOfSquares } from './linear-algebra.ts'
import type { Absent } from './result.ts'

export interface StabilityRow {
  nivel: string
  media: number
  /** Eberhart & Russell (1966): slope on the environmental index, its t against 1, variance of the deviations. */
  b: number
  t_b: number | null
  p_b: number | null
  s2d: number
  f_d: number | null
  p_d: number | null
  /** Share of the treatment's squares over environments that the line explains; null where it does not vary. */
  r2: number | null
  /** Wricke (1962): squares of the interaction that are the treatment's, and their share in %. */
  wricke: number
  wricke_percent: number | null
  /** Lin & Binns (1988): Σ (m_te - best of e)² / (2E); small is good. */
  lin_binns: number
}

/**
 * Stability over E >= 4 environments. I_e = mean of e - grand mean; b = Σ m I / ΣI²; deviations δ² = Σ(m - m̄)² - b² ΣI²;
 * S²d = δ²/(E-2) - s², F = [δ²/(E-2)]/s² with (E-2, gl); t = (b - 1)/√(s²/ΣI²) with gl.
 * @param table rows are treatments, columns environments, in the response's unit
 * @param error s²: variance of one mean of the table (MSE/r), with the gl of the joint residual
 * @param larger whether larger is better, which Lin & Binns need
 */
export function stability(
  niveis: readonly string[],
  table: readonly Float64Array[],
  error: { s2: number; gl: number },
  larger = true,
): StabilityRow[] | Absent {
  const environments = table[0]?.length ?? 0
  if (environments < 4) return { motivo: 'a estabilidade pede quatro ambientes' }
  const means = Float64Array.from(table, meanOf)
  const column = (e: number): Float64Array => Float64Array.from(table, (r) => r[e] as number)
  const byEnvironment = Float64Array.from({ length: environments }, (_, e) => meanOf(column(e)))
  const grand = meanOf(means)
  const index = byEnvironment.map((value) => value - grand)
  const squares = sumOfSquares(byEnvironment)
  const size = table.reduce((sum, r) => sum + sumOfSquares(r), 0)
  if (!(squares > 1e-20 * size)) return { motivo: 'os ambientes não diferem' }
  const best = Float64Array.from({ length: environments }, (_, e) =>
    column(e).reduce((a, b) => (larger === b > a ? b : a)),
  )
  const rows = niveis.map((nivel, t): StabilityRow => {
    const m = table[t] as Float64Array
    const media = means[t] as number
    let cross = 0
    for (let e = 0; e < environments; e++) cross += ((m[e] as number) - media) * (index[e] as number)
    const b = cross / squares
    let deviations = 0
    let interaction = 0
    let behind = 0
    for (let e = 0; e < environments; e++) {
      const own = (m[e] as number) - media
      deviations += (own - b * (index[e] as number)) ** 2
      interaction += (own - (index[e] as number)) ** 2
      behind += ((m[e] as number) - (best[e] as number)) ** 2
    }
    const ms = deviations / (environments - 2)
    const t_b = error.s2 > 0 ? (b - 1) / Math.sqrt(error.s2 / squares) : null
    const f_d = error.s2 > 0 ? ms / error.s2 : null
    const all = sumOfSquares(m)
    return {
      nivel,
      media,
      b,
      t_b,
      p_b: t_b === null ? null : studentTwoSided(t_b, error.gl),
      s2d: ms - error.s2,
      f_d,
      p_d: f_d === null ? null : fUpper(f_d, environments - 2, error.gl),
      r2: all > 0 ? 1 - deviations / all : null,
      wricke: interaction,
      wricke_percent: null,
      lin_binns: behind / (2 * environments),
    }
  })
  const sum = rows.reduce((all, { wricke }) => all + wricke, 0)
  if (sum > 0) for (const r of rows) r.wricke_percent = (100 * r.wricke) / sum
  return rows
}
