import { describe, expect, it } from 'vitest'
import { fQuantile, fUpper, studentQuantile, studentTwoSided, studentUpper } from './distributions.ts'
import { noncentralFUpper, noncentralStudentUpper } from './noncentral.ts'
import { detectableDifference, powerTable } from './power.ts'
import cases from './reference/power.json' with { type: 'json' }
import reference from './reference/special-functions-2.json' with { type: 'json' }

describe('non-central distributions', () => {
  it('give the reference tails', () => {
    for (const [t = 0, df = 0, ncp = 0, p = 0] of reference.nct_upper.rows) {
      expect(noncentralStudentUpper(t, df, ncp)).toBeCloseTo(p, 11)
    }
    for (const [f = 0, d1 = 0, d2 = 0, ncp = 0, p = 0] of reference.ncf_upper.rows) {
      expect(noncentralFUpper(f, d1, d2, ncp)).toBeCloseTo(p, 12)
    }
  })

  it('are the central ones without non-centrality, and t² is F', () => {
    expect(noncentralStudentUpper(1.3, 7, 0)).toBeCloseTo(studentUpper(1.3, 7), 13)
    expect(noncentralFUpper(2.1, 3, 12, 0)).toBe(fUpper(2.1, 3, 12))
    for (const ncp of [0.3, 2, 9, 40]) {
      for (const df of [1, 4, 33]) {
        const t = studentQuantile(0.975, df)
        const both = noncentralStudentUpper(t, df, ncp) + noncentralStudentUpper(t, df, -ncp)
        expect(both).toBeCloseTo(noncentralFUpper(fQuantile(0.95, 1, df), 1, df, ncp * ncp), 10)
      }
    }
  })

  it('refuse a non-centrality that is none', () => {
    expect(() => noncentralFUpper(1, 2, 3, -1)).toThrow(RangeError)
    expect(() => noncentralStudentUpper(1, 2, Infinity)).toThrow(RangeError)
  })
})

describe('power of a trial', () => {
  it('is that of the case file', () => {
    for (const { consulta, linhas } of cases) {
      const delineamento = consulta.delineamento === 'DIC' ? 'DIC' : 'DBC'
      const table = powerTable({ ...consulta, delineamento, alfa: 0.05 })
      expect(table.linhas).toHaveLength(linhas.length)
      table.linhas.forEach((row, i) => {
        const expected = linhas[i]
        expect([row.r, row.gl]).toEqual([expected?.r, expected?.gl])
        expect(Math.abs(row.poder_f - (expected?.poder_f ?? 0))).toBeLessThan(1e-8)
        expect(Math.abs(row.poder_t - (expected?.poder_t ?? 0))).toBeLessThan(1e-8)
        expect(Math.abs(row.dif_detectavel_80 / (expected?.dif_detectavel_80 ?? 0) - 1)).toBeLessThan(1e-7)
      })
      expect(table.sugerido).toBe(linhas.find((row) => row.poder_t >= 0.8)?.r)
    }
  })

  it('has no suggestion where 20 repetitions are too few', () => {
    const input = { delineamento: 'DIC', tratamentos: 3, cv: 30, diferenca: 5, alfa: 0.05 } as const
    expect(powerTable(input).sugerido).toBe(null)
    expect(() => powerTable({ ...input, tratamentos: 1 })).toThrow(RangeError)
    expect(() => powerTable({ ...input, cv: 0 })).toThrow(RangeError)
  })

  it('detects with 80 % the difference that it says, in the unit of the response', () => {
    const difference = detectableDifference({ gl: 15, qm: 110000, r: 4, alfa: 0.05 }) ?? 0
    const ncp = difference / Math.sqrt((2 * 110000) / 4)
    const critical = studentQuantile(0.975, 15)
    expect(studentTwoSided(critical, 15)).toBeCloseTo(0.05, 12)
    expect(
      noncentralStudentUpper(critical, 15, ncp) + noncentralStudentUpper(critical, 15, -ncp),
    ).toBeCloseTo(0.8, 11)
    expect(detectableDifference({ gl: 15, qm: 0, r: 4, alfa: 0.05 })).toBe(null)
    expect(detectableDifference({ gl: 0, qm: 1, r: 4, alfa: 0.05 })).toBe(null)
  })

  it('stays bounded for a difference of hundreds of errors', () => {
    const table = powerTable({ delineamento: 'DBC', tratamentos: 2, cv: 1, diferenca: 500, alfa: 0.001 })
    for (const row of table.linhas) {
      expect(row.poder_f).toBeLessThanOrEqual(1)
      expect(Math.abs(row.poder_f - row.poder_t)).toBeLessThan(1e-8)
    }
  })
})
