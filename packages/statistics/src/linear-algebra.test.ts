import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  at,
  backSolve,
  cholesky,
  choleskyInverse,
  choleskySolve,
  dot,
  inverseOfGram,
  meanOf,
  multiplyVector,
  qrPivoted,
  row,
  sumOfSquares,
  symmetricEigen,
} from './linear-algebra.ts'

const numbers = (length: number) =>
  fc.array(fc.double({ min: -10, max: 10, noNaN: true }), { minLength: length, maxLength: length })

describe('QR with column pivoting', () => {
  it('leaves a residual orthogonal to every column', () => {
    fc.assert(
      fc.property(numbers(8), numbers(8), numbers(8), numbers(8), (a, b, c, y) => {
        const columns = [a, b, c].map((v) => Float64Array.from(v))
        const qr = qrPivoted(columns, 8)
        const rest = qr.qt(y)
        for (let j = 0; j < qr.rank; j++) rest[j] = 0
        const residual = qr.q(rest)
        for (const column of columns) {
          expect(Math.abs(dot(column, residual))).toBeLessThan(1e-6)
        }
      }),
      { numRuns: 100 },
    )
  })

  it('counts the columns that depend on others', () => {
    const one = new Float64Array(6).fill(1)
    const a = Float64Array.from([1, 0, 0, 1, 0, 0])
    const b = Float64Array.from([0, 1, 1, 0, 1, 1])
    expect(qrPivoted([one, a, b], 6).rank).toBe(2)
    expect(qrPivoted([one, one.map((v) => v * 1e9)], 6).rank).toBe(1)
    expect(qrPivoted([], 6).rank).toBe(0)
    expect(qrPivoted([new Float64Array(6)], 6).rank).toBe(0)
  })

  it('solves the certified problem of Longley-like collinearity exactly enough', () => {
    // y = 1 + x + x^2 + x^3 on 0..20, the design of a standard test set with all coefficients 1.
    const x = Float64Array.from({ length: 21 }, (_, i) => i)
    const columns = [0, 1, 2, 3].map((g) => x.map((v) => v ** g))
    const y = x.map((v) => 1 + v + v ** 2 + v ** 3)
    const qr = qrPivoted(columns, 21)
    const solved = backSolve(qr, qr.qt(y))
    for (const value of solved) expect(value).toBeCloseTo(1, 8)
    const inverse = inverseOfGram(qr)
    const gram = columns.map((c) => Float64Array.from(columns, (d) => dot(c, d)))
    const j0 = qr.pivot[0] as number
    const product = Float64Array.from(qr.pivot, (j) => at(gram, j0, j))
    expect(dot(row(inverse, 0), product)).toBeCloseTo(1, 6)
  })
})

describe('symmetric matrices', () => {
  const m = [
    [4, 1, 0.5],
    [1, 3, 0.25],
    [0.5, 0.25, 2],
  ].map((r) => Float64Array.from(r))

  it('inverts by Cholesky', () => {
    const l = cholesky(m)
    if (!l) throw new Error('positive definite')
    const inverse = choleskyInverse(l)
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) expect(dot(row(m, i), row(inverse, j))).toBeCloseTo(i === j ? 1 : 0, 12)
    }
    const x = choleskySolve(l, [1, 2, 3])
    expect(Array.from(multiplyVector(m, x), (v) => Math.round(v * 1e10) / 1e10)).toEqual([1, 2, 3])
  })

  it('refuses what is not positive definite', () => {
    expect(cholesky([Float64Array.of(1, 1), Float64Array.of(1, 1)])).toBeNull()
  })

  it('is rebuilt from its eigenvectors', () => {
    const { values, vectors } = symmetricEigen(m)
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        let sum = 0
        for (let c = 0; c < 3; c++) sum += (values[c] as number) * at(vectors, c, i) * at(vectors, c, j)
        expect(sum).toBeCloseTo(at(m, i, j), 12)
      }
    }
  })
})

it('centres before squaring', () => {
  const shifted = [1e8 + 1, 1e8 + 2, 1e8 + 3]
  expect(meanOf(shifted)).toBe(1e8 + 2)
  expect(sumOfSquares(shifted)).toBe(2)
})
