import { expect, test } from 'vitest'
import { pearson } from './aggregates.ts'
import { pearsonInference, studentUpperTail } from './pearson.ts'

// pt(t, df, lower.tail = FALSE) in R 4.2.2
test.each([
  [0.01, 1, 0.496817007235],
  [5, 1, 0.062832958189],
  [1.5, 2, 0.136196562445],
  [50, 2, 0.000199880079944],
  [4, 3, 0.0140042280051],
  [1, 5, 0.181608733825],
  [20, 5, 2.88775818661e-6],
  [3, 8, 0.00853584061689],
  [0.5, 10, 0.313946802871],
  [12, 10, 1.46070441238e-7],
  [2.5, 15, 0.0122529016233],
  [0.1, 20, 0.460669970673],
  [8, 20, 5.82831413574e-8],
  [2, 30, 0.0273125224815],
  [0.01, 60, 0.496027231759],
  [5, 60, 2.64401210534e-6],
  [1.5, 120, 0.0681204176154],
  [50, 120, 1.67194463726e-82],
  [4, 1000, 3.40049596044e-5],
])('t = %d with %d degrees of freedom leaves %d above it, as in R', (t, df, p) => {
  const relative = Math.abs(studentUpperTail(t, df) - p) / p
  expect(relative).toBeLessThan(1e-6)
})

test("the 95 % interval is Fisher's, worked by hand for r = 0.5 and n = 28", () => {
  // atanh(0.5) = 0.549306, half-width 1.959964 / 5 = 0.391993
  const inference = pearsonInference(0.5, 28)
  expect(inference?.low).toBeCloseTo(Math.tanh(0.549306 - 0.391993), 5)
  expect(inference?.high).toBeCloseTo(Math.tanh(0.549306 + 0.391993), 5)
})

test('three pairs have a p-value and no interval, two have nothing', () => {
  expect(pearsonInference(0.9, 3)).toMatchObject({ low: null, high: null })
  expect(pearsonInference(0.9, 2)).toBeNull()
})

test('what does not vary has no coefficient, whatever rounding leaves of it', () => {
  const same = [0.1, 3233.3333333333335, 1 / 3]
  for (const y of same)
    for (const n of [3, 7, 11]) {
      const pairs = Array.from({ length: n }, (_, at) => [at, y] as const)
      expect(pearson(pairs), `${n} times ${y}`).toBeNull()
    }
  expect(
    pearson([
      [1, 3000],
      [2, 3000.001],
      [3, 3000.002],
    ]),
  ).toBeCloseTo(1, 6)
})
