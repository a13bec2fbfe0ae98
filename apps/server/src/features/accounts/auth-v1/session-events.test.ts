import { type AuthChangeEvent, createClient } from '@supabase/supabase-js'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD, startTestServer, type TestServer } from '../../../test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ env: { TEST_OUTBOX: '1' } })
})
afterAll(() => server.stop())

/** A client that keeps its session in memory and tells every event. */
function watched() {
  const memory = new Map<string, string>()
  const supabase = createClient(server.url, 'sb_publishable_teste', {
    auth: {
      autoRefreshToken: false,
      storage: {
        getItem: (key) => memory.get(key) ?? null,
        setItem: (key, value) => void memory.set(key, value),
        removeItem: (key) => void memory.delete(key),
      },
    },
  })
  const events: AuthChangeEvent[] = []
  supabase.auth.onAuthStateChange((event) => void events.push(event))
  return { supabase, events }
}

test('the public client goes through every session event', async () => {
  const { supabase, events } = watched()
  const email = 'eventos@exemplo.com.br'
  await supabase.auth.signUp({ email, password: PASSWORD, options: { data: { name: 'Eva' } } })
  await supabase.auth.refreshSession()
  await supabase.auth.updateUser({ data: { company: 'Agro' } })
  const { data: factor } = await supabase.auth.mfa.enroll({ factorType: 'totp' })
  if (factor?.type !== 'totp') throw new Error('no factor')
  const code = new TOTP({ secret: Secret.fromBase32(factor.totp.secret) }).generate()
  await supabase.auth.mfa.challengeAndVerify({ factorId: factor.id, code })
  await supabase.auth.signOut()
  await supabase.auth.resetPasswordForEmail(email)
  const letter = (await server.call('GET', '/__outbox')).body.find(
    (each: { to: string; type: string }) => each.to === email && each.type === 'recovery',
  )
  await supabase.auth.verifyOtp({ type: 'recovery', token_hash: letter.token_hash })
  expect(events).toEqual([
    'INITIAL_SESSION',
    'SIGNED_IN',
    'TOKEN_REFRESHED',
    'USER_UPDATED',
    'MFA_CHALLENGE_VERIFIED',
    'SIGNED_OUT',
    'PASSWORD_RECOVERY',
  ])
})

test('a session ended elsewhere signs the client out at its next question', async () => {
  const { supabase, events } = watched()
  const person = await server.person()
  await supabase.auth.signInWithPassword(person)
  await server.call('POST', '/auth/v1/logout', { token: person.token })
  expect((await supabase.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
  expect(events.at(-1)).toBe('SIGNED_OUT')
})
