import { expect, test } from 'vitest'
import { nextKeys } from './row-keys.ts'

const keysOf = (sameQuestion: boolean, ...lists: string[]) => {
  let held = new Map<string, number>()
  for (const ids of lists) held = nextKeys(held, ids.split(''), { sameQuestion })
  return Object.fromEntries(held)
}

test('while the question stands, what stays keeps its key and what comes gets a key of its own', () => {
  expect(keysOf(true, 'abcd', 'xabc')).toEqual({ x: 4, a: 0, b: 1, c: 2 })
  expect(keysOf(true, 'abcd', 'acd')).toEqual({ a: 0, c: 2, d: 3 })
  expect(keysOf(true, 'abcd', 'wxyz')).toEqual({ w: 4, x: 5, y: 6, z: 7 })
})

test('under another question the keys stay in their places, however long the list is', () => {
  expect(keysOf(false, 'abcd', 'wdyz')).toEqual({ w: 0, d: 1, y: 2, z: 3 })
  expect(keysOf(false, 'abcd', 'pq')).toEqual({ p: 0, q: 1 })
  expect(keysOf(false, 'ab', 'wxyz')).toEqual({ w: 0, x: 1, y: 2, z: 3 })
  expect(keysOf(false, 'ab', '', 'xy')).toEqual({ x: 0, y: 1 })
})
