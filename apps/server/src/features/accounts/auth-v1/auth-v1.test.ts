import { createHash, randomBytes } from 'node:crypto'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD, startTestServer, type TestServer } from '../../../test-server.ts'

let server: TestServer
let people = 0

beforeAll(async () => {
  server = await startTestServer({ env: { TEST_OUTBOX: '1', AUTH_REUSE_INTERVAL: '0' } })
})
afterAll(() => server.stop())

const client = (): SupabaseClient =>
  createClient(server.url, 'sb_publishable_teste', {
    auth: { persistSession: false, autoRefreshToken: false },
  })
const address = () => `cliente${++people}@exemplo.com.br`
const letters = async (to: string) =>
  (await server.call('GET', '/__outbox')).body.filter((letter: { to: string }) => letter.to === to)

async function signedUp(supabase = client()) {
  const email = address()
  const { data, error } = await supabase.auth.signUp({
    email,
    password: PASSWORD,
    options: { data: { name: 'Bia' } },
  })
  expect(error).toBeNull()
  if (!data.session || !data.user) throw new Error('no session')
  return { supabase, email, session: data.session, user: data.user }
}

describe('sign-up', () => {
  test('opens a session and stores the name', async () => {
    const { user, session } = await signedUp()
    expect(user).toMatchObject({ role: 'authenticated', aud: 'authenticated', phone: '' })
    expect(user.app_metadata).toEqual({ provider: 'email', providers: ['email'], role: 'user' })
    expect(user.user_metadata).toMatchObject({ name: 'Bia' })
    expect(user.identities).toHaveLength(1)
    expect(session.expires_in).toBe(3600)
  })

  test('of a known address is refused, its password stays, and its owner gets a letter', async () => {
    const { email } = await signedUp()
    const { error } = await client().auth.signUp({ email, password: 'outra-senha-boa' })
    expect(error).toMatchObject({
      status: 422,
      code: 'user_already_exists',
      message: 'User already registered',
    })
    const { error: failure } = await client().auth.signInWithPassword({ email, password: PASSWORD })
    expect(failure).toBeNull()
    expect(await letters(email)).toMatchObject([{ type: 'signup_attempt' }])
  })

  test('cannot choose role, id or app_metadata', async () => {
    const { body } = await server.call('POST', '/auth/v1/signup', {
      body: {
        email: address(),
        password: PASSWORD,
        id: '0190b3a0-0000-7000-8000-000000000000',
        role: 'admin',
        aud: 'x',
        app_metadata: { role: 'admin' },
        data: { role: 'admin', requested_role: 'admin' },
      },
    })
    expect(body.user.id).not.toBe('0190b3a0-0000-7000-8000-000000000000')
    expect(body.user.app_metadata.role).toBe('user')
    const { body: profile } = await server.call('GET', '/api/profile', { token: body.access_token })
    expect(profile.user).toMatchObject({ role: 'user', requestedRole: 'admin' })
  })

  test('at the same moment makes one account', async () => {
    const email = address()
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => server.call('POST', '/auth/v1/signup', { body: { email, password: PASSWORD } })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422])
  })

  test.each([
    [{ email: 'a@b.br', password: '12345' }, 422, 'weak_password'],
    [{ email: 'a@b.br', password: '123456' }, 422, 'weak_password'],
    [{ email: 'a@b.br', password: 'x'.repeat(201) }, 400, 'validation_failed'],
    [{ email: 'sem-arroba', password: PASSWORD }, 400, 'validation_failed'],
    [{ email: 'sem-arroba', password: '123' }, 400, 'validation_failed'],
    [{ email: { a: 1 }, password: PASSWORD }, 400, 'validation_failed'],
    [{ email: 'a@b.br' }, 400, 'validation_failed'],
    [{}, 422, 'anonymous_provider_disabled'],
    [{ phone: '+5511999999999', password: PASSWORD }, 400, 'phone_provider_disabled'],
  ])('of %j answers %i %s', async (body, status, code) => {
    const answer = await server.call('POST', '/auth/v1/signup', {
      body,
      headers: { 'x-supabase-api-version': '2024-01-01' },
    })
    expect(answer.status).toBe(status)
    expect(answer.body.code).toBe(code)
    expect(answer.headers.get('x-sb-error-code')).toBe(code)
    expect(answer.headers.get('x-supabase-api-version')).toBe('2024-01-01')
  })
})

test('without the version header an error has its older form', async () => {
  const { body } = await server.call('POST', '/auth/v1/token?grant_type=password', {
    body: { email: 'ninguem@exemplo.com.br', password: PASSWORD },
  })
  expect(body).toEqual({ code: 400, error_code: 'invalid_credentials', msg: 'Invalid login credentials' })
})

test.each([
  ['[1]', 'bad_json'],
  ['null', 'bad_json'],
  ['{', 'bad_json'],
  ['"x"', 'bad_json'],
])('the body %s is refused as %s', async (body, code) => {
  const answer = await server.call('POST', '/auth/v1/token?grant_type=password', { body })
  expect(answer.status).toBe(400)
  expect(answer.body.error_code).toBe(code)
})

test('an unknown path answers JSON', async () => {
  const answer = await server.call('POST', '/auth/v1/otp', { body: {} })
  expect(answer.status).toBe(404)
  expect(answer.body.msg).toBe('Not found')
})

describe('sign-in', () => {
  test('with a wrong password or an unknown address says the same', async () => {
    const { email } = await signedUp()
    for (const who of [email, 'ninguem@exemplo.com.br']) {
      const { error } = await client().auth.signInWithPassword({ email: who, password: 'errada-mesmo' })
      expect(error).toMatchObject({
        status: 400,
        code: 'invalid_credentials',
        message: 'Invalid login credentials',
      })
    }
  })

  test('gives tokens that the published keys verify', async () => {
    const { supabase, email } = await signedUp()
    const { data, error } = await supabase.auth.getClaims()
    expect(error).toBeNull()
    expect(data?.claims).toMatchObject({ email, role: 'authenticated', aal: 'aal1', aud: 'authenticated' })
    expect(data?.header.alg).toBe('ES256')
  })

  test('of a blocked account is told only after the right password', async () => {
    const { email, user, session } = await signedUp()
    await sql`update auth.users set blocked_at = now() where id = ${user.id}`.execute(server.handle)
    const wrong = await client().auth.signInWithPassword({ email, password: 'errada-mesmo' })
    expect(wrong.error).toMatchObject({ code: 'invalid_credentials' })
    const right = await client().auth.signInWithPassword({ email, password: PASSWORD })
    expect(right.error).toMatchObject({ status: 400, code: 'user_banned' })
    const live = await server.call('GET', '/auth/v1/user', { token: session.access_token })
    expect(live).toMatchObject({ status: 403, body: { error_code: 'user_banned' } })
    const api = await server.call('GET', '/api/profile', { token: session.access_token })
    expect(api).toMatchObject({ status: 403, body: { code: 'auth.blocked' } })
  })
})

describe('a refresh token', () => {
  const refresh = (token: string) =>
    server.call('POST', '/auth/v1/token?grant_type=refresh_token', { body: { refresh_token: token } })

  test('gives a new one, and its parent still gives the newest', async () => {
    const { session } = await signedUp()
    const first = await refresh(session.refresh_token)
    expect(first.status).toBe(200)
    expect(first.body.refresh_token).not.toBe(session.refresh_token)
    const again = await refresh(session.refresh_token)
    expect(again.body.refresh_token).toBe(first.body.refresh_token)
  })

  test('older than that ends the session', async () => {
    const { session } = await signedUp()
    const first = await refresh(session.refresh_token)
    const second = await refresh(first.body.refresh_token)
    const stolen = await refresh(session.refresh_token)
    expect(stolen).toMatchObject({ status: 400, body: { error_code: 'refresh_token_already_used' } })
    expect((await refresh(second.body.refresh_token)).body.error_code).toBe('refresh_token_not_found')
    const user = await server.call('GET', '/auth/v1/user', { token: second.body.access_token })
    expect(user.body.error_code).toBe('session_not_found')
  })

  test('used by two tabs at once leaves both with the same session', async () => {
    const { session } = await signedUp()
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => refresh(session.refresh_token)))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1)
  })

  test.each([
    ['', 'validation_failed'],
    ['abc', 'validation_failed'],
    [randomBytes(38).toString('base64url'), 'validation_failed'],
  ])('that is malformed (%s) is refused', async (token, code) => {
    expect(await refresh(token)).toMatchObject({ status: 400, body: { error_code: code } })
  })

  test('with a forged signature is unknown', async () => {
    const { session } = await signedUp()
    const bytes = Buffer.from(session.refresh_token, 'base64url')
    const forged = Buffer.concat([bytes.subarray(0, -20), randomBytes(16)])
    const sum = createHash('sha256').update(forged).digest().subarray(0, 4)
    const answer = await refresh(Buffer.concat([forged, sum]).toString('base64url'))
    expect(answer.body.error_code).toBe('refresh_token_not_found')
  })
})

describe('sign-out', () => {
  const two = async () => {
    const one = await signedUp()
    const other = client()
    await other.auth.signInWithPassword({ email: one.email, password: PASSWORD })
    return { one: one.supabase, other }
  }
  const alive = async (supabase: SupabaseClient, token: string | undefined) =>
    (await supabase.auth.getUser(token)).error === null

  test.each([
    ['global', false, false],
    ['local', false, true],
    ['others', true, false],
  ] as const)('%s', async (scope, mine, theirs) => {
    const { one, other } = await two()
    const tokens = [one, other].map(async (c) => (await c.auth.getSession()).data.session?.access_token)
    const [token, otherToken] = await Promise.all(tokens)
    expect((await one.auth.signOut({ scope })).error).toBeNull()
    expect(await alive(client(), token)).toBe(mine)
    expect(await alive(client(), otherToken)).toBe(theirs)
  })

  test('in an unknown scope is refused', async () => {
    const { session } = await signedUp()
    const answer = await server.call('POST', '/auth/v1/logout?scope=tudo', { token: session.access_token })
    expect(answer.status).toBe(400)
  })
})

describe('recovery', () => {
  test('by the mailed code sets a new password and ends the other sessions', async () => {
    const { email, session } = await signedUp()
    const supabase = client()
    expect((await supabase.auth.resetPasswordForEmail(email)).error).toBeNull()
    const [letter] = await letters(email)
    expect(letter).toMatchObject({ type: 'recovery', otp: expect.stringMatching(/^\d{6}$/) })
    const { data, error } = await supabase.auth.verifyOtp({ email, token: letter.otp, type: 'recovery' })
    expect(error).toBeNull()
    expect(data.session?.user.email).toBe(email)
    const { error: failure } = await supabase.auth.updateUser({ password: 'uma-senha-novinha' })
    expect(failure).toBeNull()
    const old = await server.call('GET', '/auth/v1/user', { token: session.access_token })
    expect(old.body.error_code).toBe('session_not_found')
    const again = await client().auth.signInWithPassword({ email, password: 'uma-senha-novinha' })
    expect(again.error).toBeNull()
  })

  test('by the link of the letter goes to the safe address with a session in the fragment', async () => {
    const { email } = await signedUp()
    await server.call('POST', '/auth/v1/recover?redirect_to=http://localhost:3000/profile', {
      body: { email },
    })
    const [letter] = await letters(email)
    const path = `/auth/v1/verify?token=${letter.token_hash}&type=recovery&redirect_to=`
    const { status, headers } = await server.call(
      'GET',
      `${path}${encodeURIComponent('https://mau.example/x')}`,
    )
    expect(status).toBe(303)
    const url = new URL(headers.get('location') ?? '')
    expect(url.origin).toBe('http://localhost:3000')
    const fragment = new URLSearchParams(url.hash.slice(1))
    expect(fragment.get('type')).toBe('recovery')
    expect(fragment.get('token_type')).toBe('bearer')
    const user = await server.call('GET', '/auth/v1/user', { token: fragment.get('access_token') ?? '' })
    expect(user.body.email).toBe(email)
    const second = await server.call('GET', path)
    const failure = new URLSearchParams(new URL(second.headers.get('location') ?? '').hash.slice(1))
    expect(failure.get('error_code')).toBe('otp_expired')
  })

  test('by PKCE gives a code that only the verifier exchanges, once', async () => {
    const { email } = await signedUp()
    const verifier = randomBytes(32).toString('hex')
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const ask = async () => {
      await server.call('POST', '/auth/v1/recover', {
        body: { email, code_challenge: challenge, code_challenge_method: 's256' },
      })
      const letter = (await letters(email)).at(-1)
      expect(letter.token_hash).toMatch(/^pkce_/)
      const { headers } = await server.call('GET', `/auth/v1/verify?token=${letter.token_hash}&type=recovery`)
      return new URL(headers.get('location') ?? '').searchParams.get('code') ?? ''
    }
    const exchange = (auth_code: string, code_verifier: string) =>
      server.call('POST', '/auth/v1/token?grant_type=pkce', { body: { auth_code, code_verifier } })
    const code = await ask()
    expect((await exchange(code, verifier)).status).toBe(200)
    expect(await exchange(code, verifier)).toMatchObject({
      status: 404,
      body: { error_code: 'flow_state_not_found' },
    })
    expect(await exchange(await ask(), 'x'.repeat(43))).toMatchObject({
      status: 400,
      body: { error_code: 'bad_code_verifier' },
    })
  })

  test('of an unknown address answers the same and sends nothing', async () => {
    const { status, body } = await server.call('POST', '/auth/v1/recover', {
      body: { email: 'desconhecido@exemplo.com.br' },
    })
    expect({ status, body }).toEqual({ status: 200, body: {} })
    expect(await letters('desconhecido@exemplo.com.br')).toEqual([])
  })

  test('allows five guesses, then the code is void', async () => {
    const { email } = await signedUp()
    await server.call('POST', '/auth/v1/recover', { body: { email } })
    const [letter] = await letters(email)
    const wrong = letter.otp === '000000' ? '000001' : '000000'
    for (let guess = 0; guess < 5; guess += 1) {
      const { error } = await client().auth.verifyOtp({ email, token: wrong, type: 'recovery' })
      expect(error).toMatchObject({ status: 403, code: 'otp_expired' })
    }
    const { error } = await client().auth.verifyOtp({ email, token: letter.otp, type: 'recovery' })
    expect(error).toMatchObject({ status: 403, code: 'otp_expired' })
    // Whoever guessed has voided the code only: the link of the letter is as good as before.
    const link = await client().auth.verifyOtp({ token_hash: letter.token_hash, type: 'recovery' })
    expect(link.data.session).not.toBeNull()
  })
})

describe('changing one’s own account', () => {
  test('merges data, and null takes a key away', async () => {
    const { supabase } = await signedUp()
    const { data } = await supabase.auth.updateUser({ data: { company: 'Agro', name: null } })
    expect(data.user?.user_metadata).toMatchObject({ company: 'Agro' })
    expect(data.user?.user_metadata).not.toHaveProperty('name')
  })

  test('by a session that came by mail sets a password at once, and later only with the old one', async () => {
    const byMail = async () => {
      const { email } = await signedUp()
      await server.call('POST', '/auth/v1/recover', { body: { email } })
      const [letter] = await letters(email)
      const supabase = client()
      const { data } = await supabase.auth.verifyOtp({ token_hash: letter.token_hash, type: 'recovery' })
      const change = (body: object) =>
        server.call('PUT', '/auth/v1/user', { token: data.session?.access_token ?? '', body })
      return { id: data.user?.id ?? '', change }
    }
    const soon = await byMail()
    expect((await soon.change({ password: 'uma-senha-novinha' })).status).toBe(200)
    const later = await byMail()
    await sql`
      update auth.amr set at = at - interval '16 minutes'
      where session_id in (select id from auth.sessions where user_id = ${later.id})
    `.execute(server.handle)
    expect(await later.change({ password: 'uma-senha-novinha' })).toMatchObject({
      status: 400,
      body: { error_code: 'current_password_required' },
    })
    const known = { password: 'uma-senha-novinha', current_password: PASSWORD }
    expect((await later.change(known)).status).toBe(200)
  })

  test('cannot write app_metadata', async () => {
    const { session } = await signedUp()
    const answer = await server.call('PUT', '/auth/v1/user', {
      token: session.access_token,
      body: { app_metadata: { role: 'admin' } },
    })
    expect(answer).toMatchObject({ status: 403, body: { error_code: 'not_admin' } })
  })

  test('asks for the old password before a new one', async () => {
    const { session } = await signedUp()
    const put = (body: object) => server.call('PUT', '/auth/v1/user', { token: session.access_token, body })
    expect((await put({ password: 'outra-senha-boa' })).body.error_code).toBe('current_password_required')
    expect((await put({ password: 'outra-senha-boa', current_password: 'errada' })).body.error_code).toBe(
      'current_password_invalid',
    )
    expect((await put({ password: PASSWORD, current_password: PASSWORD })).body.error_code).toBe(
      'same_password',
    )
    expect((await put({ password: 'outra-senha-boa', current_password: PASSWORD })).status).toBe(200)
  })

  test('accepts a mailed nonce in place of the old password', async () => {
    const { supabase, email, session } = await signedUp()
    expect((await supabase.auth.reauthenticate()).error).toBeNull()
    const letter = (await letters(email)).at(-1)
    expect(letter.type).toBe('reauthentication')
    const answer = await server.call('PUT', '/auth/v1/user', {
      token: session.access_token,
      body: { password: 'outra-senha-boa', nonce: letter.otp },
    })
    expect(answer.status).toBe(200)
  })

  test('moves to a new address only when both addresses have confirmed', async () => {
    const { supabase, email } = await signedUp()
    const newEmail = address()
    const { data } = await supabase.auth.updateUser({ email: newEmail })
    expect(data.user).toMatchObject({ email, new_email: newEmail })
    const verify = async (to: string) => {
      const letter = (await letters(to)).at(-1)
      return server.call('POST', '/auth/v1/verify', {
        body: { type: 'email_change', email: to, token: letter.otp },
      })
    }
    expect((await verify(email)).body).toMatchObject({
      code: '200',
      msg: expect.stringContaining('other email'),
    })
    const done = await verify(newEmail)
    expect(done.body.user).toMatchObject({ email: newEmail })
    expect((await letters(email)).at(-1)).toMatchObject({ type: 'email_changed' })
  })
})

describe('with confirmation by mail', () => {
  let confirming: TestServer
  beforeAll(async () => {
    confirming = await startTestServer({ env: { TEST_OUTBOX: '1', AUTH_AUTOCONFIRM: 'off' } })
  })
  afterAll(() => confirming.stop())
  const signUp = (email: string, name: string) =>
    confirming.call('POST', '/auth/v1/signup', { body: { email, password: PASSWORD, data: { name } } })
  const shape = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(shape)
      : value !== null && typeof value === 'object'
        ? Object.entries(value).map(([key, inner]) => [key, shape(inner)])
        : typeof value

  test('a new and a known address get the same answer; the owner gets a letter', async () => {
    const first = await signUp('dona@exemplo.com.br', 'Dona')
    expect(first.body).not.toHaveProperty('access_token')
    const outbox = async () => (await confirming.call('GET', '/__outbox')).body
    const [letter] = await outbox()
    const verified = await confirming.call('POST', '/auth/v1/verify', {
      body: { type: 'signup', token_hash: letter.token_hash },
    })
    expect(verified.body.user.id).toBe(first.body.id)
    await sql`update auth.users set confirmation_sent_at = null`.execute(confirming.handle)
    const second = await signUp('dona@exemplo.com.br', 'Intrusa')
    expect(second.status).toBe(first.status)
    expect(shape(second.body)).toEqual(shape(first.body))
    expect(second.body.id).not.toBe(first.body.id)
    expect((await outbox()).at(-1)).toMatchObject({ to: 'dona@exemplo.com.br', type: 'signup_attempt' })
  })

  test('nobody signs in before confirming', async () => {
    await signUp('nova@exemplo.com.br', 'Nova')
    const answer = await confirming.call('POST', '/auth/v1/token?grant_type=password', {
      body: { email: 'nova@exemplo.com.br', password: PASSWORD },
    })
    expect(answer).toMatchObject({ status: 400, body: { error_code: 'email_not_confirmed' } })
  })
})
