import { describe, expect, it } from 'vitest'
import {
  chiSquareQuantile,
  chiSquareUpper,
  fQuantile,
  fUpper,
  normalCdf,
  normalQuantile,
  normalUpper,
  studentQuantile,
  studentTwoSided,
  studentUpper,
} from './distributions.ts'
import reference from './reference/special-functions.json' with { type: 'json' }
import { logGamma } from './special.ts'

/** Numbers with 12 significant digits: nothing beyond 5e-12 can be asked of them. */
function near(actual: number, expected: number, relative = 5e-12) {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(relative * Math.abs(expected))
}

describe('distributions', () => {
  it('give the reference tails of F, t and χ²', () => {
    for (const [f = 0, d1 = 0, d2 = 0, p = 0] of reference.f_upper.rows) near(fUpper(f, d1, d2), p)
    for (const [t = 0, df = 0, p = 0] of reference.t_upper.rows) near(studentUpper(t, df), p)
    for (const [x = 0, df = 0, p = 0] of reference.chi2_upper.rows) near(chiSquareUpper(x, df), p)
  })

  it('give known values with 15 digits', () => {
    near(normalUpper(1.96), 0.024997895148220435, 1e-14)
    near(normalUpper(12), 1.7764821120776896e-33, 1e-13)
    near(normalUpper(-1), 0.8413447460685429, 1e-15)
    near(studentTwoSided(1, 1), 0.5, 1e-15)
    near(studentUpper(3, 1e6), 0.0013499312707108985, 1e-12)
    near(fUpper(1, 2, 2), 0.5, 1e-15)
    // χ² with 2 degrees of freedom is exponential.
    near(chiSquareUpper(20, 2), Math.exp(-10), 1e-13)
    near(logGamma(0.5), Math.log(Math.PI) / 2, 1e-14)
    near(logGamma(101), 363.73937555556347, 1e-14)
  })

  it('invert themselves, at fractional degrees of freedom too', () => {
    for (const df of [0.8, 1, 2.6279, 14.1, 400, Infinity]) {
      for (const p of [1e-12, 0.001, 0.05, 0.5, 0.95, 0.999]) {
        near(studentUpper(-studentQuantile(p, df), df), p, 1e-11)
        near(1 - fUpper(fQuantile(p, 3.5, df), 3.5, df), p, p < 0.01 ? 1e-3 : 1e-11)
        near(1 - normalUpper(normalQuantile(p)), p, p < 0.01 ? 1e-3 : 1e-13)
        near(normalCdf(normalQuantile(p)), p, 1e-13)
      }
      if (df < Infinity) near(chiSquareUpper(chiSquareQuantile(0.95, df), df), 0.05, 1e-12)
    }
    near(studentQuantile(0.975, 27), 2.051830516480285, 1e-12)
  })

  it('end where the distribution ends and refuse what is none', () => {
    expect(studentUpper(Infinity, 3)).toBe(0)
    expect(fUpper(0, 2, 5)).toBe(1)
    expect(normalQuantile(0)).toBe(-Infinity)
    expect(studentQuantile(1, 4)).toBe(Infinity)
    expect(studentQuantile(0.5, 4)).toBe(0)
    expect(fQuantile(0, 2, 4)).toBe(0)
    expect(() => studentUpper(1, 0)).toThrow(RangeError)
    expect(() => fUpper(Number.NaN, 1, 2)).toThrow(RangeError)
    expect(() => normalQuantile(1.1)).toThrow(RangeError)
  })
})
