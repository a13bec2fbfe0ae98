import { createClient } from '@supabase/supabase-js'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestServer, type TestServer } from '../../../test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const codeOf = (secret: string, timestamp = Date.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })

async function signedIn(person: Person) {
  const supabase = createClient(server.url, 'sb_publishable_teste', {
    auth: { persistSession: false, autoRefreshToken: false },
  })
  const { error } = await supabase.auth.signInWithPassword(person)
  expect(error).toBeNull()
  return supabase
}

async function enrolled() {
  const person = await server.person()
  const supabase = await signedIn(person)
  const { data, error } = await supabase.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Celular' })
  if (error || data.type !== 'totp') throw error ?? new Error('no factor')
  const code = codeOf(data.totp.secret)
  const verified = await supabase.auth.mfa.challengeAndVerify({ factorId: data.id, code })
  expect(verified.error).toBeNull()
  return { person, supabase, factor: data, code }
}

describe('an authenticator app', () => {
  test('is enrolled with a picture that can stand in a data address', async () => {
    const supabase = await signedIn(await server.person())
    const { data } = await supabase.auth.mfa.enroll({ factorType: 'totp', issuer: 'Ensaio: teste' })
    expect(data).toMatchObject({ type: 'totp' })
    const totp = data?.type === 'totp' ? data.totp : null
    expect(totp?.qr_code).toContain('<svg')
    expect(totp?.qr_code.replace('data:image/svg+xml;utf-8,', '')).not.toContain('#')
    expect(totp?.uri).toMatch(/^otpauth:\/\/totp\//)
    expect(totp?.secret).toMatch(/^[A-Z2-7]{32}$/)
  })

  test('raises the session from aal1 to aal2 and ends the weaker ones', async () => {
    const person = await server.person()
    const other = await signedIn(person)
    const supabase = await signedIn(person)
    const { data } = await supabase.auth.mfa.enroll({ factorType: 'totp' })
    if (data?.type !== 'totp') throw new Error('no factor')
    const before = await supabase.auth.mfa.getAuthenticatorAssuranceLevel()
    expect(before.data).toMatchObject({ currentLevel: 'aal1' })
    const old = (await supabase.auth.getSession()).data.session
    await supabase.auth.mfa.challengeAndVerify({ factorId: data.id, code: codeOf(data.totp.secret) })
    const after = await supabase.auth.mfa.getAuthenticatorAssuranceLevel()
    expect(after.data).toMatchObject({ currentLevel: 'aal2', nextLevel: 'aal2' })
    expect((await other.auth.getUser()).error).not.toBeNull()
    const stale = await server.call('POST', '/auth/v1/token?grant_type=refresh_token', {
      body: { refresh_token: old?.refresh_token },
    })
    expect(stale.body.error_code).toBe('refresh_token_already_used')
  })

  test('is asked for again at the next sign-in, by /api too', async () => {
    const { person, factor } = await enrolled()
    const supabase = await signedIn(person)
    const level = await supabase.auth.mfa.getAuthenticatorAssuranceLevel()
    expect(level.data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' })
    const token = (await supabase.auth.getSession()).data.session?.access_token ?? ''
    const refused = await server.call('GET', '/api/profile', { token })
    expect(refused).toMatchObject({ status: 403, body: { code: 'auth.mfa_required' } })
    const later = codeOf(factor.totp.secret, Date.now() + 30_000)
    expect(
      (await supabase.auth.mfa.challengeAndVerify({ factorId: factor.id, code: later })).error,
    ).toBeNull()
    const raised = (await supabase.auth.getSession()).data.session?.access_token ?? ''
    expect((await server.call('GET', '/api/profile', { token: raised })).status).toBe(200)
  })

  test('does not take the same code twice', async () => {
    const { person, factor, code } = await enrolled()
    const supabase = await signedIn(person)
    const { error } = await supabase.auth.mfa.challengeAndVerify({ factorId: factor.id, code })
    expect(error).toMatchObject({
      status: 422,
      code: 'mfa_verification_failed',
      message: 'Invalid TOTP code entered',
    })
  })

  test('voids a challenge after five wrong codes', async () => {
    const { supabase, factor } = await enrolled()
    const { data: challenge } = await supabase.auth.mfa.challenge({ factorId: factor.id })
    const attempt = () =>
      supabase.auth.mfa.verify({ factorId: factor.id, challengeId: challenge?.id ?? '', code: '000000' })
    for (let guess = 0; guess < 5; guess += 1)
      expect((await attempt()).error).toMatchObject({ code: 'mfa_verification_failed' })
    expect((await attempt()).error).toMatchObject({ code: 'mfa_challenge_expired' })
  })

  test('keeps aal2 over a refresh and falls back when it is removed', async () => {
    const { supabase, factor } = await enrolled()
    await supabase.auth.refreshSession()
    expect((await supabase.auth.mfa.getAuthenticatorAssuranceLevel()).data?.currentLevel).toBe('aal2')
    expect((await supabase.auth.mfa.unenroll({ factorId: factor.id })).data).toEqual({ id: factor.id })
    await supabase.auth.refreshSession()
    expect((await supabase.auth.mfa.getAuthenticatorAssuranceLevel()).data?.currentLevel).toBe('aal1')
  })

  test('stands sealed in the database', async () => {
    const { factor } = await enrolled()
    const { rows } = await sql<{ found: boolean }>`
      select position(convert_to(${factor.totp.secret}, 'utf8') in secret_enc) > 0 as found
      from auth.factors where id = ${factor.id}
    `.execute(server.handle)
    expect(rows[0]?.found).toBe(false)
  })
})

describe('a factor', () => {
  test('that is verified guards against adding or removing one with a single proof', async () => {
    const { person, factor } = await enrolled()
    const supabase = await signedIn(person)
    const added = await supabase.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Outro' })
    expect(added.error).toMatchObject({ status: 403, code: 'insufficient_aal' })
    const removed = await supabase.auth.mfa.unenroll({ factorId: factor.id })
    expect(removed.error).toMatchObject({ status: 422, code: 'insufficient_aal' })
    const changed = await supabase.auth.updateUser({ password: 'outra-senha-boa' })
    expect(changed.error).toMatchObject({ status: 401, code: 'insufficient_aal' })
  })

  test('of somebody else is not there', async () => {
    const { factor } = await enrolled()
    const other = await signedIn(await server.person())
    const { error } = await other.auth.mfa.challenge({ factorId: factor.id })
    expect(error).toMatchObject({ status: 404, code: 'mfa_factor_not_found' })
  })

  test('needs a name of its own', async () => {
    const { supabase } = await enrolled()
    const { error } = await supabase.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Celular' })
    expect(error).toMatchObject({ status: 422, code: 'mfa_factor_name_conflict' })
  })

  test.each([
    ['phone', 422, 'mfa_phone_enroll_not_enabled'],
    ['olho', 400, 'validation_failed'],
  ])('of type %s answers %i %s', async (factor_type, status, code) => {
    const { token } = await server.person()
    const answer = await server.call('POST', '/auth/v1/factors', { token, body: { factor_type } })
    expect(answer).toMatchObject({ status, body: { error_code: code } })
  })

  test('with an id that is none is refused', async () => {
    const { token } = await server.person()
    const answer = await server.call('POST', '/auth/v1/factors/abc/challenge', { token, body: {} })
    expect(answer).toMatchObject({ status: 404, body: { msg: 'factor_id must be an UUID' } })
  })
})

test('a WebAuthn factor is challenged with creation options for this site', async () => {
  const { token } = await server.person()
  const made = await server.call('POST', '/auth/v1/factors', {
    token,
    body: { factor_type: 'webauthn', friendly_name: 'Chave' },
  })
  expect(made.body).toMatchObject({ type: 'webauthn', friendly_name: 'Chave' })
  const { body } = await server.call('POST', `/auth/v1/factors/${made.body.id}/challenge`, {
    token,
    body: {},
  })
  expect(body).toMatchObject({
    type: 'webauthn',
    webauthn: { type: 'create', credential_options: { publicKey: { rp: { id: 'localhost' } } } },
  })
  const answer = await server.call('POST', `/auth/v1/factors/${made.body.id}/verify`, {
    token,
    body: { challenge_id: body.id, webauthn: { type: 'create', credential_response: { id: 'x' } } },
  })
  expect(answer).toMatchObject({ status: 422, body: { error_code: 'mfa_verification_failed' } })
})
