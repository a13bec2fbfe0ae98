import type { EffectInput, ErrorPart, ErrorSource } from './effects.ts'
import { row, zeros } from './linear-algebra.ts'

/** Adjusted means with their covariance as short as they are kept: arrays of numbers that JSON holds to the last digit. */
export interface StoredEffects {
  /** Numbers of the treatments. */
  n: number[]
  /** Adjusted means, in the variable's unit. */
  m: number[]
  gl: number | null
  /** Diagonal of a covariance that has nothing beside it. */
  d?: number[]
  /** Lower triangle of a covariance, row by row. */
  t?: number[]
  /** Errors that the covariance is a sum of: mean square, gl, and the lower triangle of its coefficients. */
  e?: { qm: number; gl: number; t: number[] }[]
}

/** A covariance of more treatments is not kept: a row of it would be hundreds of kilobytes. */
const MOST_PACKED = 200

/** Null where the covariance is too large to be kept. `niveis` are the treatments' numbers as text. */
export function packEffects({
  niveis,
  ajustadas,
  covariancia,
  gl,
  estratos,
}: EffectInput): StoredEffects | null {
  const k = niveis.length
  const base = { n: niveis.map(Number), m: Array.from(ajustadas), gl }
  if (!covariancia) return base
  if (!estratos) {
    const diagonal = Array.from({ length: k }, (_, i) => covariancia[i]?.[i] ?? 0)
    if (isDiagonal(covariancia, k)) return { ...base, d: diagonal }
  }
  if (k > MOST_PACKED) return null
  if (!estratos) return { ...base, t: triangle(covariancia, k) }
  return {
    ...base,
    e: estratos.map(({ qm, gl, coeficientes }) => ({ qm, gl, t: triangle(coeficientes, k) })),
  }
}

/** What was packed; without an error it is 'ausente', whatever is said of its source. */
export function unpackEffects({ n, m, gl, d, t, e }: StoredEffects, origem_ep: ErrorSource): EffectInput {
  const k = n.length
  const base = { niveis: n.map(String), ajustadas: m }
  if (d) return { ...base, covariancia: ofDiagonal(d), gl, origem_ep }
  if (t) return { ...base, covariancia: ofTriangle(t, k), gl, origem_ep }
  if (!e) return { ...base, covariancia: null, gl: null, origem_ep: 'ausente' }
  const estratos = e.map(
    (part): ErrorPart => ({ qm: part.qm, gl: part.gl, coeficientes: ofTriangle(part.t, k) }),
  )
  const covariancia = zeros(k, k)
  for (let i = 0; i < k; i++)
    for (let j = 0; j < k; j++)
      row(covariancia, i)[j] = estratos.reduce(
        (sum, { qm, coeficientes }) => sum + qm * (coeficientes[i]?.[j] ?? 0),
        0,
      )
  return { ...base, covariancia, gl, estratos, origem_ep }
}

type Square = ArrayLike<ArrayLike<number>>

/** Beside the diagonal is nothing but what rounding left. */
function isDiagonal(square: Square, k: number): boolean {
  for (let i = 0; i < k; i++)
    for (let j = 0; j < i; j++) {
      const size = Math.sqrt((square[i]?.[i] ?? 0) * (square[j]?.[j] ?? 0))
      if (Math.abs(square[i]?.[j] ?? 0) > 1e-14 * size) return false
    }
  return true
}

function triangle(square: Square, k: number): number[] {
  const packed: number[] = []
  for (let i = 0; i < k; i++) for (let j = 0; j <= i; j++) packed.push(square[i]?.[j] ?? 0)
  return packed
}

function ofTriangle(packed: readonly number[], k: number): Square {
  const square = zeros(k, k)
  let at = 0
  for (let i = 0; i < k; i++)
    for (let j = 0; j <= i; j++) {
      const value = packed[at++] ?? 0
      row(square, i)[j] = value
      row(square, j)[i] = value
    }
  return square
}

/** Rows that hold their diagonal alone: of many treatments few are read. */
function ofDiagonal(diagonal: readonly number[]): Square {
  return diagonal.map((value, i) => {
    const one = new Float64Array(diagonal.length)
    one[i] = value
    return one
  })
}
