import { describe, expect, it } from 'vitest'
import { scottKnott } from './scott-knott.ts'

const names = (k: number) => Array.from({ length: k }, (_, i) => `T${i + 1}`)

describe('Scott-Knott', () => {
  it('cuts where the parts differ most, as computed by hand', () => {
    // Means 1, 2, 10 with error variance 0.5 a mean: cut after 10, b0 = 10² + 3²/2 - 13²/3.
    const answer = scottKnott(names(3), [1, 2, 10], { qm: 2, gl: 9, r: [4, 4, 4] }, 0.05)
    const [first, second] = answer.divisoes
    expect(first?.corte).toBe('T3')
    expect(first?.b0).toBeCloseTo(100 + 4.5 - 169 / 3, 12)
    expect(first?.sigma2).toBeCloseTo((146 / 3 + 9 * 0.5) / 12, 12)
    expect(first?.gl).toBeCloseTo(3 / (Math.PI - 2), 12)
    expect(second).toMatchObject({ primeiro: 'T2', ultimo: 'T1' })
    expect(answer.grupos).toEqual({ T1: 'b', T2: 'b', T3: 'a' })
  })

  it('stops at a cut that is not significant, whatever lies below', () => {
    const answer = scottKnott(names(4), [5, 5.1, 5.2, 5.3], { qm: 4, gl: 12, r: [4, 4, 4, 4] }, 0.05)
    expect(answer.divisoes).toHaveLength(1)
    expect(new Set(Object.values(answer.grupos))).toEqual(new Set(['a']))
  })

  it('takes equal means, one mean and hundreds of groups', () => {
    expect(scottKnott(names(3), [2, 2, 2], { qm: 1, gl: 6, r: [3, 3, 3] }, 0.05).divisoes[0]).toMatchObject({
      b0: 0,
      lambda: 0,
      p: 1,
    })
    expect(scottKnott(['T1'], [3], { qm: 1, gl: 6, r: [3] }, 0.05)).toEqual({
      grupos: { T1: 'a' },
      divisoes: [],
    })
    const steps = Array.from({ length: 300 }, (_, i) => 1000 * 2 ** (i / 8))
    const answer = scottKnott(names(300), steps, { qm: 1e-6, gl: 900, r: steps.map(() => 4) }, 0.05)
    expect(answer.grupos.T300).toBe('a')
    for (const { p, lambda } of answer.divisoes)
      expect(Number.isFinite(p) && Number.isFinite(lambda)).toBe(true)
  })
})
