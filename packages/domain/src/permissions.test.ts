import { expect, test } from 'vitest'
import { UNDO_MS } from './constants.ts'
import { type Action, type Actor, can, RECEIVED } from './permissions.ts'

const HOME = 'home'
const actor = (papel: Actor['papel'], of: Partial<Actor> = {}): Actor => ({
  id: papel,
  role: 'user',
  organization: HOME,
  papel,
  ...of,
})
const own = (papel: Actor['papel']) => ({ owner: papel, organization: HOME })
const anothers = { owner: 'another', organization: HOME }
const foreign = { owner: null, organization: 'elsewhere' }
const allowed = (papel: Actor['papel'], action: Action, record?: Parameters<typeof can>[2]) =>
  can(actor(papel), action, record).allowed

test('a visitor may do nothing', () => {
  for (const action of ['experiment.read', 'experiment.create', 'admin'] as const)
    expect(can(null, action)).toEqual({ allowed: false, reason: 'Entre na sua conta para continuar' })
})

// organizations.md 1.3
test.each([
  ['dono', { read: true, create: true, own: true, others: true, share: true, invite: true, owns: true }],
  ['gestor', { read: true, create: true, own: true, others: true, share: true, invite: true, owns: false }],
  [
    'pesquisador',
    { read: true, create: true, own: true, others: false, share: false, invite: false, owns: false },
  ],
  [
    'leitor',
    { read: true, create: false, own: false, others: false, share: false, invite: false, owns: false },
  ],
] as const)('what a %s may do in their organisation', (papel, may) => {
  expect(allowed(papel, 'experiment.read', anothers)).toBe(may.read)
  expect(allowed(papel, 'experiment.create')).toBe(may.create)
  for (const action of [
    'experiment.edit',
    'experiment.delete',
    'experiment.embargo',
    'document.delete',
  ] as const) {
    expect(allowed(papel, action, own(papel))).toBe(may.own)
    expect(allowed(papel, action, anothers)).toBe(may.others)
  }
  expect(allowed(papel, 'experiment.share', own(papel))).toBe(may.share)
  expect(allowed(papel, 'organization.invite')).toBe(may.invite)
  expect(allowed(papel, 'organization.own')).toBe(may.owns)
})

test('nobody changes, shares or looks into the past of what was received', () => {
  for (const papel of ['dono', 'gestor', 'pesquisador', 'leitor'] as const)
    for (const action of [
      'experiment.edit',
      'experiment.delete',
      'experiment.share',
      'experiment.history',
    ] as const)
      expect(can(actor(papel), action, foreign)).toEqual({ allowed: false, reason: RECEIVED })
  expect(allowed('leitor', 'experiment.comment', foreign)).toBe(false)
  expect(allowed('leitor', 'experiment.comment', { ...foreign, comments: true })).toBe(true)
  expect(allowed('leitor', 'experiment.comment', anothers)).toBe(true)
})

// organizations.md 3.6
test('a closed organisation is read, and nothing of it is changed', () => {
  const may = (action: Action, record?: Parameters<typeof can>[2]) =>
    can(actor('dono', { closed: true }), action, record)
  const reason = 'Esta organização está fechada para alterações'
  for (const action of [
    'experiment.create',
    'experiment.edit',
    'experiment.delete',
    'experiment.restore',
    'experiment.embargo',
    'experiment.share',
    'experiment.comment',
    'plots.edit',
    'plots.collect',
    'analysis.record',
    'prices.edit',
    'document.delete',
  ] as const)
    expect(may(action, own('dono'))).toEqual({ allowed: false, reason })
  expect(may('plots.collect', { ...own('dono'), team: true })).toEqual({ allowed: false, reason })
  expect(may('experiment.comment', { ...foreign, comments: true })).toEqual({ allowed: false, reason })
  // What was received stays that; and an owner opens it again.
  expect(may('experiment.edit', foreign)).toEqual({ allowed: false, reason: RECEIVED })
  for (const action of ['experiment.read', 'experiment.history', 'organization.own'] as const)
    expect(may(action, own('dono')).allowed).toBe(true)
})

test('who deleted their own just now takes it back', () => {
  const deleted = (agoMs: number, by: string) => ({ ...own('pesquisador'), deleted: { by, agoMs } })
  expect(allowed('pesquisador', 'experiment.restore', deleted(UNDO_MS, 'pesquisador'))).toBe(true)
  expect(allowed('pesquisador', 'experiment.restore', deleted(UNDO_MS + 1, 'pesquisador'))).toBe(false)
  expect(allowed('pesquisador', 'experiment.restore', deleted(0, 'another'))).toBe(false)
  expect(allowed('gestor', 'experiment.restore', { ...anothers, deleted: { by: null, agoMs: 1e9 } })).toBe(
    true,
  )
})

test('the role of an account decides about the installation alone', () => {
  expect(can(actor('leitor', { role: 'admin' }), 'admin').allowed).toBe(true)
  expect(can(actor('dono'), 'admin').allowed).toBe(false)
  expect(can(actor('leitor', { role: 'admin' }), 'experiment.edit', anothers).allowed).toBe(false)
})

test('the reason says who may, in either kind of installation', () => {
  const reason = (action: Action, several: boolean) => {
    const decision = can(actor('pesquisador', { several }), action, anothers)
    return decision.allowed ? null : decision.reason
  }
  expect(reason('experiment.edit', false)).toBe(
    'Só quem criou o experimento ou um administrador pode editá-lo',
  )
  expect(reason('experiment.edit', true)).toBe(
    'Só quem criou o experimento, um gestor ou o dono pode editá-lo',
  )
  expect(reason('prices.edit', false)).toBe(
    'Só quem criou o experimento ou um administrador pode alterar os preços',
  )
  expect(reason('experiment.share', true)).toBe('Só um gestor ou o dono pode compartilhar')
  const reader = can(actor('leitor'), 'experiment.create')
  expect(reader.allowed ? '' : reader.reason).toBe('Leitores não podem alterar experimentos')
})
