import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compactLetters, letterName } from './letters.ts'

type Verdict = 'different' | 'equal' | 'unknown'

/** Letters of n means already in order, by a function of two places. */
const lettered = (n: number, verdict: (i: number, j: number) => Verdict): string[] =>
  compactLetters(
    Array.from({ length: n }, (_, i) => i),
    verdict,
  )

/** The names in a text: 'aba'' is a, b, a'. */
const names = (text: string): string[] => text.match(/[a-z]'*/g) ?? []
const shares = (x: string, y: string) => names(x).some((name) => names(y).includes(name))

describe('compact letters', () => {
  it('are runs where the differences are those of ordered means', () => {
    expect(lettered(4, (i, j) => (Math.abs(i - j) > 1 ? 'different' : 'equal'))).toEqual([
      'a',
      'ab',
      'bc',
      'c',
    ])
    expect(lettered(3, () => 'equal')).toEqual(['a', 'a', 'a'])
    expect(lettered(3, () => 'different')).toEqual(['a', 'b', 'c'])
    expect(lettered(1, () => 'equal')).toEqual(['a'])
  })

  it('are maximal sets where a pair inside a run differs', () => {
    // Only the first two differ: {1, 3} and {2, 3}.
    expect(lettered(3, (i, j) => (i + j === 1 ? 'different' : 'equal'))).toEqual(['a', 'b', 'ab'])
    // The ends agree, the middle differs from both.
    expect(lettered(3, (i, j) => (i + j === 2 ? 'equal' : 'different'))).toEqual(['a', 'b', 'a'])
  })

  it('go to the means by index, the largest first', () => {
    expect(compactLetters([2, 0, 1], (i, j) => (i !== 1 && j !== 1 ? 'equal' : 'different'))).toEqual([
      'a',
      'b',
      'a',
    ])
  })

  it("go on with a' after z", () => {
    expect([0, 25, 26, 51, 52].map(letterName)).toEqual(['a', 'z', "a'", "z'", "a''"])
  })

  it('share a letter if and only if the pair does not differ, and no letter is idle', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 14 }),
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 91, maxLength: 91 }),
        fc.integer({ min: 0, max: 2 }),
        (n, draws, limit) => {
          const verdict = (i: number, j: number): Verdict => {
            const [a, b] = [Math.min(i, j), Math.max(i, j)]
            return (draws[(b * (b - 1)) / 2 + a] ?? 0) > limit ? 'different' : 'equal'
          }
          const texts = lettered(n, verdict)
          for (let i = 0; i < n; i++) {
            expect(names(texts[i] ?? '').length).toBeGreaterThan(0)
            for (let j = 0; j < i; j++) {
              expect(shares(texts[i] ?? '', texts[j] ?? '')).toBe(verdict(i, j) === 'equal')
            }
          }
          expect(names(texts[0] ?? '')[0]).toBe('a')
        },
      ),
      { numRuns: 300 },
    )
  })

  it('hold for hundreds of means whose sets would be thousands', () => {
    let x = 1
    const draw = () => {
      x = (x * 16807) % 2147483647
      return x / 2147483647
    }
    const matrix = Array.from({ length: 150 }, () => Array.from({ length: 150 }, draw))
    const verdict = (i: number, j: number): Verdict =>
      (matrix[Math.min(i, j)]?.[Math.max(i, j)] ?? 0) < 0.3 ? 'different' : 'equal'
    const texts = lettered(150, verdict).map(names)
    for (let i = 0; i < 150; i++) {
      const own = new Set(texts[i])
      for (let j = 0; j < i; j++) {
        expect(texts[j]?.some((name) => own.has(name))).toBe(verdict(i, j) === 'equal')
      }
    }
  })

  it('never share a letter by a pair without a p-value', () => {
    expect(lettered(3, () => 'unknown')).toEqual(['na', 'na', 'na'])
    // The last mean cannot be compared with any other.
    expect(lettered(4, (i, j) => (i === 3 || j === 3 ? 'unknown' : 'equal'))).toEqual(['a', 'a', 'a', 'na'])
    // One pair only: the smaller of the two is left without.
    expect(lettered(3, (i, j) => (i + j === 1 ? 'unknown' : 'equal'))).toEqual(['a', 'na', 'a'])
  })
})
