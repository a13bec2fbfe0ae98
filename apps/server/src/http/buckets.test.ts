import { expect, test } from 'vitest'
import { buckets } from './buckets.ts'

test('a burst passes, then as many as come back, and nobody takes from another', () => {
  const take = buckets({ capacity: 3, perSecond: 2 })
  expect([1, 2, 3, 4].map(() => take('ana', 0))).toEqual([0, 0, 0, 0.5])
  expect(take('bia', 0)).toBe(0)
  expect(take('ana', 500)).toBe(0)
  expect(take('ana', 500)).toBe(0.5)
  expect(take('ana', 60_000)).toBe(0)
})
