import { describe, expect, it } from 'vitest'
import { studentQuantile, studentTwoSided } from './distributions.ts'
import { dunnett, productForm } from './dunnett.ts'
import reference from './reference/special-functions-2.json' with { type: 'json' }

function close(actual: number, expected: number, relative = 1e-9, absolute = 1e-14) {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(Math.max(relative * expected, absolute))
}

const product = (lambda: readonly number[]) =>
  lambda.map((x, i) => lambda.map((y, j) => (i === j ? 1 : x * y)))

/** Correlations of an incomplete layout: no product, yet a correlation matrix. */
const general = [
  [1, 0.55, 0.4, 0.6],
  [0.55, 1, 0.5, 0.35],
  [0.4, 0.5, 1, 0.45],
  [0.6, 0.35, 0.45, 1],
]

describe('dunnett', () => {
  it('gives the reference tails of equal correlations', () => {
    for (const [t = 0, k = 0, df = 0, rho = 0, p = 0] of reference.dunnett_upper.rows) {
      close(dunnett(product(new Array(k).fill(Math.sqrt(rho))), df).upper(t), p)
    }
  })

  it('gives the reference tails of unequal repetitions, and inverts them', () => {
    for (const { t, df, n0, n, p } of reference.dunnett_upper.unequal) {
      const tail = dunnett(product(n.map((r) => Math.sqrt(r / (r + n0)))), df)
      expect(tail.exato).toBe(true)
      close(tail.upper(t), p, 1e-11)
      close(tail.quantile(p), t, 1e-10)
    }
  })

  it('is t for one comparison', () => {
    const tail = dunnett([[1]], 12)
    close(tail.upper(2), studentTwoSided(2, 12), 1e-15)
    close(tail.quantile(0.05), studentQuantile(0.975, 12), 1e-13)
  })

  it('is exact whatever the signs, and for any two comparisons', () => {
    const flipped = [
      [1, -0.3, 0.3],
      [-0.3, 1, -0.3],
      [0.3, -0.3, 1],
    ]
    const plain = product(new Array(3).fill(Math.sqrt(0.3)))
    expect(dunnett(flipped, 9).exato).toBe(true)
    close(dunnett(flipped, 9).upper(2.3), dunnett(plain, 9).upper(2.3), 1e-12)
    expect(
      productForm([
        [1, 0.2],
        [0.2, 1],
      ]).exact,
    ).toBe(true)
    expect(productForm(general).exact).toBe(false)
  })

  it('lies within 5e-4 of the product when the correlations all but have its form', () => {
    const lambda = [0.7, 0.72, 0.68, 0.75, 0.71]
    const bent = product(lambda).map((row, i) =>
      row.map((rho, j) => rho + (i + j === 3 && i !== j ? 1e-7 : 0)),
    )
    const [exact, lattice] = [dunnett(product(lambda), 15), dunnett(bent, 15)]
    expect(lattice.exato).toBe(false)
    for (const t of [1, 2, 2.7, 4]) close(lattice.upper(t), exact.upper(t), 0, 1e-6)
  })

  it('by the lattice is the probability that long integration gives, and the same each time', () => {
    // By randomised quasi-Monte Carlo of 4e6 points, good to 2e-7.
    const tail = dunnett(general, 15)
    expect(tail.exato).toBe(false)
    for (const [t = 0, p = 0] of [
      [1.5, 0.402458],
      [2.5, 0.0771502],
      [3.2, 0.0200273],
    ]) {
      close(tail.upper(t), p, 0, 1e-4)
      expect(dunnett(general, 15).upper(t)).toBe(tail.upper(t))
    }
    close(tail.upper(tail.quantile(0.05)), 0.05, 1e-9)
  })

  it('never rises with t', () => {
    const tail = dunnett(general, 6)
    let before = 1
    for (let t = 0; t < 12; t += 0.05) {
      const now = tail.upper(t)
      expect(now).toBeLessThanOrEqual(before + 1e-9)
      before = now
    }
  })
})
