import { header } from './designs.ts'
import { assumptions, fittedPlots, isZeroVariance } from './diagnostics.ts'
import { anovaRow, effectLabel } from './factorial.ts'
import { buildGroup, fTest, type GroupInput, groupF } from './groups.ts'
import { type Matrix, meanOf, row, sumOfSquares, zeros } from './linear-algebra.ts'
import { layoutRefusal, type Prepared } from './prepare.ts'
import type { Analysis, AnovaRow, FactorKey, Refusal, ResidualRow } from './result.ts'

/** One error of a design of several: its mean square, degrees of freedom and whether it is nothing but rounding. */
export interface ErrorStratum {
  chave: ResidualRow['chave']
  gl: number
  sq: number
  qm: number
  zero: boolean
}

/** The two factors of a split-plot or strip-plot, as codes of the prepared plots. */
export interface TwoFactors {
  levels: { A: string[]; B: string[] }
  a: Int32Array
  b: Int32Array
  /** Cell of each pair of levels: cellOf[a][b]. */
  cellOf: number[][]
}

/** Levels of A and B by plot. Refuses a sheet without both factors, additional treatments and repeated combinations. */
export function twoFactors(prepared: Prepared): TwoFactors | Refusal {
  const { trial, cells } = prepared
  const levels = { A: levelsFor(prepared, 'A'), B: levelsFor(prepared, 'B') }
  if (levels.A.length < 2 || levels.B.length < 2) {
    return layoutRefusal(trial, 'são necessários os fatores A e B, com pelo menos dois níveis cada')
  }
  if (prepared.covariavel) return layoutRefusal(trial, 'covariável não é analisada neste delineamento')
  const cellOf = levels.A.map(() => levels.B.map(() => -1))
  for (let c = 0; c < cells.length; c++) {
    const niveis = cells[c]?.niveis
    const i = levels.A.indexOf(niveis?.A ?? '')
    const j = levels.B.indexOf(niveis?.B ?? '')
    if (i < 0 || j < 0) return layoutRefusal(trial, `tratamento ${cells[c]?.nivel} está fora do fatorial`)
    const line = cellOf[i] as number[]
    if ((line[j] as number) >= 0) {
      return layoutRefusal(
        trial,
        `${cells[line[j] as number]?.nivel} e ${cells[c]?.nivel} têm os mesmos níveis`,
      )
    }
    line[j] = c
  }
  const place = new Map<number, [number, number]>()
  cellOf.forEach((line, i) => {
    line.forEach((c, j) => {
      place.set(c, [i, j])
    })
  })
  return {
    levels,
    a: Int32Array.from(prepared.cell, (c) => place.get(c)?.[0] ?? 0),
    b: Int32Array.from(prepared.cell, (c) => place.get(c)?.[1] ?? 0),
    cellOf,
  }
}

function levelsFor(prepared: Prepared, key: FactorKey): string[] {
  return prepared.factors.find((f) => f.chave === key)?.niveis ?? []
}

/** Sum over classes of n (mean of class - 0)^2 of values given by class codes. */
export function betweenSquares(values: Float64Array, codes: ArrayLike<number>, classes: number): number {
  const means = classMeans(values, codes, classes)
  let sq = 0
  for (let i = 0; i < values.length; i++) sq += (means[codes[i] as number] as number) ** 2
  return sq
}

export function classMeans(values: Float64Array, codes: ArrayLike<number>, classes: number): Float64Array {
  const sums = new Float64Array(classes)
  const counts = new Float64Array(classes)
  for (let i = 0; i < values.length; i++) {
    const c = codes[i] as number
    sums[c] = (sums[c] as number) + (values[i] as number)
    counts[c] = (counts[c] as number) + 1
  }
  return sums.map((sum, c) => ((counts[c] as number) > 0 ? sum / (counts[c] as number) : 0))
}

/** Takes the class means out of the values: what is left is orthogonal to the classes. */
export function sweep(values: Float64Array, codes: ArrayLike<number>, classes: number): Float64Array {
  const means = classMeans(values, codes, classes)
  return values.map((value, i) => value - (means[codes[i] as number] as number))
}

export function stratum(
  chave: ErrorStratum['chave'],
  gl: number,
  sq: number,
  total: number,
  z: Float64Array,
): ErrorStratum {
  return { chave, gl, sq, qm: sq / gl, zero: isZeroVariance(sq, total, z) }
}

/** Error of one factor within a level of the other: (E1 + (q-1) E2)/q with gl by SATTERTHWAITE (1946). */
export function combined(first: ErrorStratum, second: ErrorStratum, q: number): ErrorStratum {
  const rest = (q - 1) * second.qm
  const sum = first.qm + rest
  const gl = sum > 0 ? (sum * sum) / (first.qm ** 2 / first.gl + rest ** 2 / second.gl) : first.gl
  return {
    chave: first.chave,
    gl,
    qm: sum / q,
    sq: (sum / q) * gl,
    zero: sum === 0 || (first.zero && second.zero),
  }
}

export function strataRow(fonte: string, gl: number, sq: number, error: ErrorStratum): AnovaRow {
  const label = fonte === 'bloco' ? 'Blocos' : effectLabel(fonte)
  return anovaRow(fonte, label, fTest(sq, gl, error.qm, error.gl, error.zero), error.gl)
}

const ERROR_LABEL = {
  residuo: 'Resíduo',
  residuo_a: 'Resíduo (a)',
  residuo_b: 'Resíduo (b)',
  residuo_c: 'Resíduo (c)',
}

export function errorRow(error: ErrorStratum): AnovaRow {
  return {
    fonte: error.chave,
    rotulo: ERROR_LABEL[error.chave],
    gl: error.gl,
    sq: error.sq,
    qm: error.qm,
    f: null,
    p: null,
    gl_den: null,
  }
}

/** Means of one factor, all over or within a level of the other, each on its own error. Complete designs. */
export function strataInput(
  prepared: Prepared,
  factors: TwoFactors,
  key: 'A' | 'B',
  within: number | null,
  error: ErrorStratum,
): { input: GroupInput; qm: number } {
  const niveis = factors.levels[key]
  const other = key === 'A' ? 'B' : 'A'
  const own = key === 'A' ? factors.a : factors.b
  const others = key === 'A' ? factors.b : factors.a
  const plots: number[][] = niveis.map(() => [])
  own.forEach((level, i) => {
    if (within === null || others[i] === within) plots[level]?.push(i)
  })
  const means = Float64Array.from(plots, (list) => meanOf(list.map((i) => prepared.z[i] as number)))
  const unscaled: Matrix = zeros(niveis.length, niveis.length)
  const covariancia: Matrix = zeros(niveis.length, niveis.length)
  plots.forEach((list, i) => {
    row(unscaled, i)[i] = 1 / list.length
    row(covariancia, i)[i] = error.qm / list.length
  })
  return {
    qm: error.qm,
    input: {
      efeito: key,
      dentro: within === null ? null : { [other]: factors.levels[other][within] as string },
      niveis,
      plots,
      ajustadas: means,
      covariancia,
      gl: error.gl,
      f: groupF(means, unscaled, error.qm, error.gl, error.zero),
      scottKnott: { qm: error.qm, gl: error.gl, r: plots.map((list) => list.length) },
      control: null,
      comDesvio: false,
      semErro: error.zero,
    },
  }
}

/** The answer of a design of several errors; `residuals` are those of the last one. */
export function strataAnalysis(
  prepared: Prepared,
  parts: {
    modelo: string
    rows: AnovaRow[]
    errors: ErrorStratum[]
    inputs: { input: GroupInput; qm: number }[]
    residuals: Float64Array
  },
): Analysis {
  const mean = meanOf(prepared.z)
  const last = parts.errors[parts.errors.length - 1] as ErrorStratum
  const fitted = prepared.z.map((value, i) => value - (parts.residuals[i] as number))
  const analysis: Analysis = {
    ...header(prepared),
    modelo: parts.modelo,
    completo: true,
    anova: {
      tipo: 'I',
      metodo: 'mq',
      linhas: parts.rows,
      total: { gl: prepared.z.length - 1, sq: sumOfSquares(prepared.z) },
    },
    residuos: parts.errors.map((e) => ({
      chave: e.chave,
      gl: e.gl,
      qm: e.qm,
      cv: mean === 0 ? null : (100 * Math.sqrt(e.qm)) / mean,
    })),
    media_geral: mean,
    r2: null,
    grupos: parts.inputs.map(({ input }) => buildGroup(prepared, input)),
    pressupostos: assumptions(prepared, parts.residuals, last.qm, last.zero),
    ajuste: fittedPlots(prepared, fitted, parts.residuals, last.zero ? 0 : last.qm),
  }
  if (parts.errors.every((e) => e.zero)) analysis.variancia_zero = true
  return analysis
}
