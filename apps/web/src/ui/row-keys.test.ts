import { expect, test } from 'vitest'
import { nextKeys } from './row-keys.ts'

const keysOf = (...lists: string[]) => {
  let held = new Map<string, number>()
  for (const ids of lists) held = nextKeys(held, ids.split(''))
  return Object.fromEntries(held)
}

test('a row that stays keeps its key, and a single new one gets a key of its own', () => {
  expect(keysOf('abcd', 'xabc')).toEqual({ x: 4, a: 0, b: 1, c: 2 })
  expect(keysOf('abcd', 'acd')).toEqual({ a: 0, c: 2, d: 3 })
  expect(keysOf('abcd', 'dcba')).toEqual({ d: 3, c: 2, b: 1, a: 0 })
})

test('another list takes the keys in their places, however long it is', () => {
  expect(keysOf('abcd', 'wdyz')).toEqual({ w: 0, d: 1, y: 2, z: 3 })
  expect(keysOf('abcd', 'xabc', 'pq')).toEqual({ p: 4, q: 0 })
  expect(keysOf('ab', 'wxyz')).toEqual({ w: 0, x: 1, y: 2, z: 3 })
  expect(keysOf('ab', '', 'xy')).toEqual({ x: 0, y: 1 })
})
