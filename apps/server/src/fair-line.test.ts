import { expect, test } from 'vitest'
import { fairLine } from './fair-line.ts'

test('works are taken in turns, and the place of each is how many were taken before it', () => {
  const line = fairLine<string>()
  const works = ['a1', 'a2', 'a3', 'b1', 'c1', 'c2', 'b2', 'a4', 'd1']
  for (const work of works) line.join(work.charAt(0), work)
  const places = works.map((work) => [work, line.ahead(work)])
  const taken: string[] = []
  for (let next = line.take(() => true); next; next = line.take(() => true)) taken.push(next.work)
  expect(taken).toEqual(['a1', 'b1', 'c1', 'd1', 'a2', 'b2', 'c2', 'a3', 'a4'])
  expect(places).toEqual(works.map((work) => [work, taken.indexOf(work)]))
})

test('who leaves is not taken, who may not go is passed over and keeps the place', () => {
  const line = fairLine<string>()
  for (const work of ['a1', 'a2', 'b1']) line.join(work.charAt(0), work)
  expect(line.leave('a1')).toBe(true)
  expect(line.leave('a1')).toBe(false)
  expect(line.take((who) => who !== 'a')).toEqual({ who: 'b', work: 'b1' })
  expect([...line]).toEqual(['a2'])
  expect([line.length, line.lengthOf('a'), line.lengthOf('b')]).toEqual([1, 1, 0])
})
