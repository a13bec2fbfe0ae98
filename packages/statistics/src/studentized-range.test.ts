import { describe, expect, it } from 'vitest'
import { studentTwoSided } from './distributions.ts'
import first from './reference/special-functions.json' with { type: 'json' }
import second from './reference/special-functions-2.json' with { type: 'json' }
import {
  studentizedRange,
  studentizedRangeQuantile,
  studentizedRanges,
  studentizedRangeUpper,
} from './studentized-range.ts'

/** 1e-9 relative; the references themselves end at about 1e-15. */
function close(actual: number, expected: number, relative = 1e-9, absolute = 1e-15) {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(Math.max(relative * expected, absolute))
}

describe('studentised range', () => {
  it('gives the reference tails, by quadrature and by its table', () => {
    for (const [q = 0, k = 0, df = 0, p = 0] of first.ptukey_upper.rows) {
      close(studentizedRangeUpper(q, k, df), p)
      close(studentizedRange(k, df).upper(q), p)
    }
    for (const [q = 0, k = 0, df = 0, p = 0] of second.ptukey_upper.rows) {
      close(studentizedRangeUpper(q, k, df), p)
      close(studentizedRange(k, df).upper(q), p)
    }
  })

  it('gives the reference quantiles', () => {
    for (const [p = 0, k = 0, df = 0, q = 0] of first.qtukey.rows) {
      close(studentizedRangeQuantile(1 - p, k, df), q, 1e-9)
    }
  })

  it('is 1.2157880759283e-7 at q 10, k 12, df 60 (20 digits of precision)', () => {
    close(studentizedRangeUpper(10, 12, 60), 1.2157880759283e-7, 1e-12, 0)
  })

  it('is the t of two means for k = 2', () => {
    for (const df of [1, 7.3, 60, Infinity]) {
      for (const q of [0.5, 3, 9]) {
        close(studentizedRangeUpper(q, 2, df), studentTwoSided(q / Math.SQRT2, df), 1e-14)
        close(studentizedRange(2, df).upper(q), studentTwoSided(q / Math.SQRT2, df), 1e-14)
      }
    }
  })

  it('agrees with its table for many means, few, fractional and infinite degrees of freedom', () => {
    for (const df of [1, 3.7, 29.5, 5000, Infinity]) {
      const ranges = studentizedRanges(120, df)
      for (const k of [3, 40, 120]) {
        for (let q = 0.4; q < 12; q *= 1.5) close(ranges[k]?.upper(q) ?? 0, studentizedRangeUpper(q, k, df))
        for (const p of [0.999, 0.5, 0.05, 1e-6]) close(ranges[k]?.upper(ranges[k]?.quantile(p) ?? 0) ?? 0, p)
      }
    }
  })

  it('gives the same bytes whatever was asked before', () => {
    const ask = () => [3, 10, 30, 110].map((k) => studentizedRange(k, 29.5).upper(4.2))
    const before = ask()
    studentizedRanges(160, 12)
    expect(ask()).toEqual(before)
  })

  it('keeps the lower tail that Duncan needs for hundreds of means', () => {
    const range = studentizedRange(500, 1497)
    const rest = 0.95 ** 499
    const q = range.quantile(1 - rest, rest)
    close(range.lower(q), rest, 1e-10, 0)
    close(range.lower(5) + range.upper(5), 1, 1e-9)
  })

  it('ends where it ends and refuses what is none', () => {
    expect(studentizedRangeUpper(0, 4, 10)).toBe(1)
    expect(studentizedRange(4, 10).upper(-1)).toBe(1)
    expect(studentizedRangeUpper(1e9, 4, Infinity)).toBe(0)
    expect(() => studentizedRangeUpper(1, 1, 10)).toThrow(RangeError)
    expect(() => studentizedRangeUpper(Number.NaN, 3, 10)).toThrow(RangeError)
    expect(() => studentizedRange(3, 0)).toThrow(RangeError)
    expect(() => studentizedRangeQuantile(1, 3, 10)).toThrow(RangeError)
  })
})
