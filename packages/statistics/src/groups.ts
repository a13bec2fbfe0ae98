import { compareMeans } from './comparisons.ts'
import { fUpper, studentQuantile } from './distributions.ts'
import { at, type Matrix, meanOf, sandwich, sumOfSquares } from './linear-algebra.ts'
import { homogeneitySquares } from './model.ts'
import type { Prepared } from './prepare.ts'
import type { Absent, Comparison, FTest, Group, Letters, LevelMean, Pair } from './result.ts'

/** Adjusted means of one group with what their comparison needs. `covariancia` is in the square of the analysed unit. */
export interface GroupInput {
  efeito: string
  dentro: Record<string, string> | null
  niveis: string[]
  /** Plots of each level, as indices of the prepared plots. */
  plots: number[][]
  ajustadas: Float64Array
  covariancia: Matrix
  gl: number | ((i: number, j: number) => number)
  /** Degrees of freedom of each mean's own error, when they differ (REML). */
  glMedias?: number[]
  f?: FTest
  scottKnott: { qm: number; gl: number; r: number[] } | Absent
  control: number | null
  /** Standard deviations are of plots treated alike only. */
  comDesvio: boolean
  /** The residual variance is zero: nothing can be tested. */
  semErro: boolean
}

/** Weights that average `size` cells into each level: rows of L, equal weights within a level. */
export function averaging(members: readonly number[][], size: number): Matrix {
  return members.map((list) => {
    const r = new Float64Array(size)
    for (const c of list) r[c] = 1 / list.length
    return r
  })
}

/** F of 'the means of this group are equal' against an error of mean square `qm` with `gl` degrees of freedom. */
export function groupF(
  means: Float64Array,
  unscaled: Matrix,
  qm: number,
  gl: number,
  semErro: boolean,
): FTest {
  const sq = homogeneitySquares(means, unscaled)
  return fTest(sq, means.length - 1, qm, gl, semErro)
}

export function fTest(sq: number | null, df: number, qm: number, gl: number, semErro: boolean): FTest {
  if (sq === null || semErro || !(qm > 0) || df < 1) return { sq, gl: df, f: null, p: null }
  const f = sq / df / qm
  return { sq, gl: df, f, p: fUpper(f, df, gl) }
}

/** Averages of cells with their unscaled covariance. */
export function averaged(l: Matrix, means: Float64Array, unscaled: Matrix): { m: Float64Array; u: Matrix } {
  const c = meanOf(means)
  const m = Float64Array.from(l, (r) => {
    let sum = 0
    for (let i = 0; i < r.length; i++) sum += (r[i] as number) * ((means[i] as number) - c)
    return sum + c
  })
  return { m, u: sandwich(l, unscaled) }
}

export function scaled(m: Matrix, factor: number): Matrix {
  return m.map((r) => r.map((value) => value * factor))
}

/** The group as the answer shows it: means with intervals (also back on the original scale), pairs, letters, tests. */
export function buildGroup(prepared: Prepared, input: GroupInput): Group {
  const { scale, alfa } = prepared
  const original = scale.nome === 'nenhuma'
  const medias = input.niveis.map((nivel, i): LevelMean => {
    const plots = input.plots[i] as number[]
    const z = plots.map((p) => prepared.z[p] as number)
    const ajustada = input.ajustadas[i] as number
    const ep = Math.sqrt(Math.max(0, at(input.covariancia, i, i)))
    const gl = input.glMedias ? (input.glMedias[i] as number) : typeof input.gl === 'number' ? input.gl : null
    const half = input.semErro || gl === null ? null : studentQuantile(1 - alfa / 2, gl) * ep
    const mean: LevelMean = {
      nivel,
      n: plots.length,
      media: z.length > 0 ? meanOf(z) : null,
      ajustada,
      ep: input.semErro ? null : ep,
      ic_baixo: half === null ? null : ajustada - half,
      ic_alto: half === null ? null : ajustada + half,
      desvio: input.comDesvio && z.length > 1 ? Math.sqrt(sumOfSquares(z) / (z.length - 1)) : null,
    }
    if (input.glMedias && gl !== null) mean.gl = gl
    if (!original) addOriginal(prepared, mean, plots)
    return mean
  })
  const control = input.control === null ? null : (medias[input.control] as LevelMean)
  const check = control?.ajustada ?? 0
  // A check of zero but for rounding has no percentage.
  if (original && Math.abs(check) > 1e-12 * Math.max(...input.ajustadas.map(Math.abs))) {
    for (const m of medias) if (m.ajustada !== null) m.relativa_percent = (100 * m.ajustada) / check
  }
  const group: Group = {
    efeito: input.efeito,
    dentro: input.dentro,
    gl: typeof input.gl === 'number' ? input.gl : null,
    medias,
  }
  if (input.f) group.f = input.f
  if (input.niveis.length > 1) Object.assign(group, compare(prepared, input))
  return group
}

function addOriginal(prepared: Prepared, mean: LevelMean, plots: readonly number[]): void {
  const media = prepared.scale.back(mean.ajustada as number)
  if (media !== null) {
    mean.original = {
      media,
      ic_baixo: mean.ic_baixo === null ? null : prepared.scale.back(mean.ic_baixo),
      ic_alto: mean.ic_alto === null ? null : prepared.scale.back(mean.ic_alto),
    }
  }
  mean.aritmetica = meanOf(plots.map((p) => prepared.y[p] as number))
}

function compare(prepared: Prepared, input: GroupInput): Comparison {
  if (input.semErro) return withoutError(input)
  return compareMeans({
    niveis: input.niveis,
    n: input.plots.map((list) => list.length),
    ajustadas: input.ajustadas,
    covariancia: input.covariancia,
    gl: input.gl,
    alfa: prepared.alfa,
    scott_knott: input.scottKnott,
    testemunha: input.control,
    escala_original: prepared.scale.nome === 'nenhuma',
  })
}

const NO_ERROR = 'sem variação entre as parcelas não há erro para comparar as médias'

/** Without residual variance no pair has a p and every letter is 'na'. */
function withoutError(input: Pick<GroupInput, 'niveis' | 'ajustadas' | 'control'>): Comparison {
  const na = (): Letters => Object.fromEntries(input.niveis.map((nivel) => [nivel, 'na']))
  const pares: Pair[] = []
  input.niveis.forEach((a, i) => {
    for (let j = i + 1; j < input.niveis.length; j++) {
      pares.push({
        a,
        b: input.niveis[j] as string,
        diferenca: (input.ajustadas[i] as number) - (input.ajustadas[j] as number),
        ep: 0,
        t: null,
        p_t: null,
        p_bonferroni: null,
        p_holm: null,
        p_tukey: null,
        p_snk: null,
        p_duncan: null,
        ic_tukey_baixo: null,
        ic_tukey_alto: null,
      })
    }
  })
  return {
    pares,
    letras: { tukey: na(), t: na(), bonferroni: na(), holm: na(), duncan: na(), snk: na() },
    criticos: null,
    scott_knott: { motivo: NO_ERROR },
    dunnett: input.control === null ? null : { motivo: NO_ERROR },
  }
}
