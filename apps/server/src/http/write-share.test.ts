import { expect, test } from 'vitest'
import { writeShares } from './write-share.ts'

const MB = 1024 ** 2

test('a person who has written their share waits until it comes back; nobody else does', () => {
  let clock = 0
  const shares = writeShares(() => clock)
  expect(shares.take('ana', 500 * MB)).toBe(0)
  const wait = shares.take('ana', 20 * MB)
  expect(wait).toBeGreaterThan(0)
  expect(shares.take('bia', 500 * MB)).toBe(0)
  // A small one still fits.
  expect(shares.take('ana', MB)).toBe(0)
  clock += 1000 * (wait + 30)
  expect(shares.take('ana', 20 * MB)).toBe(0)
})

test('of many people the share of who writes on is kept', () => {
  const shares = writeShares(() => 0)
  shares.take('ana', 512 * MB)
  for (let n = 0; n < 9_000; n += 1) shares.take(`p${n}`, 1)
  expect(shares.take('ana', 1)).toBeGreaterThan(0)
})
