import { expect, test } from 'vitest'
import { SESSION_KEY, sessionToken } from './field-session.ts'

const tokenOf = (aal: string) => `x.${btoa(JSON.stringify({ aal })).replaceAll('=', '')}.y`
const kept = (session: object) => ({
  getItem: async (key: string) => (key === SESSION_KEY ? JSON.stringify(session) : null),
  setItem: async () => undefined,
})
const GUARDED = { factors: [{ status: 'verified' }] }
const SESSION = { refresh_token: 'r', expires_at: Date.now() / 1000 + 3600 }

test('nothing is sent with a session whose second factor is still asked for', async () => {
  for (const [aal, user, answer] of [
    ['aal1', GUARDED, null],
    ['aal2', GUARDED, tokenOf('aal2')],
    ['aal1', { factors: [{ status: 'unverified' }] }, tokenOf('aal1')],
    ['aal1', {}, tokenOf('aal1')],
    ['aal1', undefined, tokenOf('aal1')],
  ] as const)
    expect(await sessionToken(kept({ ...SESSION, access_token: tokenOf(aal), user }), false)).toBe(answer)
  const broken = kept({ ...SESSION, access_token: 'nada', user: GUARDED })
  expect(await sessionToken(broken, false)).toBeNull()
})
