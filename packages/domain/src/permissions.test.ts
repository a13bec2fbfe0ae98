import { expect, test } from 'vitest'
import { can } from './permissions.ts'

const owner = { id: 'a', role: 'user' } as const
const other = { id: 'b', role: 'consultor' } as const
const admin = { id: 'c', role: 'admin' } as const

test('everybody signed in reads and creates, a visitor does not', () => {
  expect(can(other, 'experiment.read').allowed).toBe(true)
  expect(can(other, 'experiment.create').allowed).toBe(true)
  expect(can(null, 'experiment.read').allowed).toBe(false)
})

test('only the owner and an administrator change a record', () => {
  for (const action of ['experiment.edit', 'experiment.delete', 'document.delete'] as const) {
    expect(can(owner, action, { owner: 'a' }).allowed).toBe(true)
    expect(can(admin, action, { owner: 'a' }).allowed).toBe(true)
    expect(can(other, action, { owner: 'a' })).toMatchObject({ allowed: false })
  }
})

test('a record whose account was erased belongs to nobody', () => {
  expect(can(owner, 'experiment.edit', { owner: null }).allowed).toBe(false)
})

test('who has just deleted what is theirs may take it back; else restoring is for administrators', () => {
  const deleted = (by: string, agoMs: number) => ({ owner: 'a', deleted: { by, agoMs } })
  expect(can(owner, 'experiment.restore', deleted('a', 1_000)).allowed).toBe(true)
  expect(can(owner, 'experiment.restore', deleted('a', 10 * 60_000)).allowed).toBe(false)
  expect(can(owner, 'experiment.restore', deleted('c', 1_000)).allowed).toBe(false)
  expect(can(owner, 'experiment.restore', { owner: 'a' }).allowed).toBe(false)
  expect(can(other, 'experiment.restore', deleted('b', 1_000)).allowed).toBe(false)
  expect(can(admin, 'experiment.restore', deleted('a', 10 * 60_000)).allowed).toBe(true)
})

test('administration is for administrators', () => {
  expect(can(owner, 'admin').allowed).toBe(false)
  expect(can(admin, 'admin').allowed).toBe(true)
})
