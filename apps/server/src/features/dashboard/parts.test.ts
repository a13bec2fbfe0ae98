import { expect, test } from 'vitest'
import type { View } from './fold.repository.ts'
import { nextStep } from './parts.ts'
import type { SeenSet } from './views.repository.ts'

const set = (id: number, owner: string, n: number, costs = true): SeenSet => ({ id, owner, n, costs })

/** Takes steps until there is none; a part holds what its last step said. */
function arranged(seen: readonly SeenSet[], from: readonly View[] = []): View[] {
  const parts = from.map((part) => ({ ...part }))
  for (let step = nextStep(parts, seen), taken = 0; step; step = nextStep(parts, seen)) {
    taken += 1
    expect(taken).toBeLessThan(2_000)
    const held = [...step.sets].sort((a, b) => a.id - b.id)
    const values = {
      acervos: held.map(({ id }) => id),
      com_custos: held.flatMap(({ id, costs }) => (costs ? [id] : [])),
    }
    const known = parts.find(({ id }) => id === step?.part?.id)
    if (known) Object.assign(known, values)
    else parts.push({ id: parts.length + 1, parte: parts.length + 1, ...values })
    const all = parts.flatMap(({ acervos }) => acervos)
    expect(new Set(all).size, 'no set is in two parts at any time').toBe(all.length)
  }
  return parts
}

/** Owner n has 1/n of the trials of the first. */
const many = (owners: number): SeenSet[] =>
  Array.from({ length: owners }, (_, n) =>
    set(n + 1, `owner ${n}`, Math.round(70_000 / (n + 1)), n % 2 === 0),
  )
const sizeOf = (seen: readonly SeenSet[], part: View | undefined) =>
  seen.filter(({ id }) => part?.acervos.includes(id)).reduce((n, { n: more }) => n + more, 0)

test('every set is in one part with the costs that are seen, and no part of several owners holds much', () => {
  const seen = many(250)
  const total = seen.reduce((n, { n: more }) => n + more, 0)
  const parts = arranged(seen)
  expect(parts.flatMap(({ acervos }) => acervos).sort((a, b) => a - b)).toEqual(seen.map(({ id }) => id))
  for (const part of parts) {
    expect(part.com_custos).toEqual(part.acervos.filter((id) => id % 2 === 1))
    if (part.acervos.length > 1) expect(sizeOf(seen, part)).toBeLessThanOrEqual(total / 16)
  }
  expect(parts.length).toBeLessThanOrEqual(32)
})

test('what is seen no longer, or with other costs, changes the part that held it and no other', () => {
  const seen = many(250)
  const parts = arranged(seen)
  const without = seen.filter(({ id }) => id !== 2)
  const changed = arranged(
    without.map((each) => (each.id === 3 ? { ...each, costs: false } : each)),
    parts,
  )
  const touched = changed.filter((part, at) => JSON.stringify(part) !== JSON.stringify(parts[at]))
  expect(touched).toMatchObject([{ acervos: [] }, { acervos: parts[2]?.acervos }])
  expect(parts[2]?.com_custos).toContain(3)
  expect(touched[1]?.com_custos).toEqual(parts[2]?.com_custos.filter((id) => id !== 3))
})

test('sets of one owner come into one part, and who outgrows it gets another', () => {
  const seen = [...many(40), set(100, 'owner 39', 5), set(101, 'owner 0', 0)]
  const parts = arranged(seen)
  const of = (id: number, among = parts) => among.find(({ acervos }) => acervos.includes(id))
  expect(of(100)).toBe(of(40))
  expect(of(101)).toBe(of(1))
  const grown = seen.map((each) => (each.id === 40 ? { ...each, n: 200_000 } : each))
  const later = arranged([...grown, set(102, 'new', 1)], parts)
  expect(of(40, later)?.acervos).toEqual([40, 100])
})

test('nothing seen needs no part, and trials that are not there yet one', () => {
  expect(nextStep([], [])).toBeNull()
  expect(arranged([set(1, 'a', 0), set(2, 'b', 0)])).toMatchObject([{ acervos: [1, 2], com_custos: [1, 2] }])
})
