import { randomBytes } from 'node:crypto'
import { createRemoteJWKSet, decodeJwt, jwtVerify, SignJWT, UnsecuredJWT } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD, type Person, startTestServer, type TestServer } from '../../../test-server.ts'
import { asking } from '../../trials/test-trials.ts'
import { application, challengeOf, type Params, VERIFIER } from './test-application.ts'

let server: TestServer
let ana: Person
let study: string
let app: ReturnType<typeof application>
beforeAll(async () => {
  server = await startTestServer({ env: { BRAPI_TOKEN_HOURS: '3', TEST_OUTBOX: '1' } })
  ana = await server.person({ name: 'Ana Prado' })
  app = application(server, ana)
  study = await asking(server, ana).trial()
})
afterAll(() => server.stop())

describe('a code', () => {
  test('becomes a token of this audience, person, organisation and device, and who signed in', async () => {
    const { status, body, headers } = await app.exchange(
      await app.code({ headers: { 'user-agent': 'Mozilla/5.0 (Linux; Android 14) Chrome/120.0 Mobile' } }),
    )
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toMatchObject({ token_type: 'Bearer', scope: 'openid' })
    expect(body.expires_in).toBeGreaterThan(3 * 3600 - 60)
    expect(body.expires_in).toBeLessThanOrEqual(3 * 3600)
    expect(body.refresh_token).toBeUndefined()
    const jwks = createRemoteJWKSet(new URL(`${server.url}/oauth/jwks`))
    const issuer = 'http://localhost:3000'
    const { payload } = await jwtVerify(body.access_token, jwks, { issuer, audience: 'brapi' })
    const { rows } = await sql<{ id: string }>`
      select organizacao_id as id from membros where pessoa_id = ${ana.id}`.execute(server.handle)
    expect(payload).toMatchObject({
      sub: ana.id,
      org: rows[0]?.id,
      device: 'Chrome em Android',
      client_id: 'fieldbook',
    })
    const identity = await jwtVerify(body.id_token, jwks, { issuer, audience: 'fieldbook' })
    expect(identity.payload).toMatchObject({ sub: ana.id, nonce: 'nonce-1' })
  })

  test('without the scope of a sign-in tells nobody who it was', async () => {
    const { body } = await app.exchange(await app.code({}, { scope: undefined }))
    expect(body.id_token).toBeUndefined()
    expect(body.access_token).toBeDefined()
  })

  test('used twice ends what it gave', async () => {
    const given = await app.code()
    const { body } = await app.exchange(given)
    expect((await app.studies(body.access_token)).status).toBe(200)
    const again = await app.exchange(given)
    expect([again.status, again.body.error]).toEqual([400, 'invalid_grant'])
    expect((await app.studies(body.access_token)).status).toBe(401)
  })

  test('sent ten times at once gives one token at most', async () => {
    const given = await app.code()
    const answers = await Promise.all(Array.from({ length: 10 }, () => app.exchange(given)))
    const tokens = answers.filter(({ status }) => status === 200).map(({ body }) => body.access_token)
    expect(tokens.length).toBeLessThanOrEqual(1)
    for (const token of tokens) expect((await app.studies(token)).status).toBe(401)
  })

  test.each([
    ['a wrong verifier', { code_verifier: randomBytes(32).toString('base64url') }],
    ['no verifier', { code_verifier: undefined }],
    ['the challenge for a verifier', { code_verifier: challengeOf(VERIFIER) }],
    ['another client', { client_id: 'gridscore' }],
    ['another address', { redirect_uri: 'https://mau.exemplo' }],
    ['no address', { redirect_uri: undefined }],
  ])('with %s gives nothing, and is spent', async (_what, more: Params) => {
    const given = await app.code()
    const { status, body } = await app.exchange(given, more)
    expect(status).toBe(400)
    expect(body.access_token).toBeUndefined()
    expect((await app.exchange(given)).status).toBe(400)
  })

  test('lives sixty seconds', async () => {
    const given = await app.code()
    const { rows } = await sql<{ left: number }>`
      select extract(epoch from code_until - now())::float8 as left from auth.application_grants
      order by created_at desc limit 1`.execute(server.handle)
    expect(rows[0]?.left).toBeLessThanOrEqual(60)
    expect(rows[0]?.left).toBeGreaterThan(30)
    await sql`update auth.application_grants set code_until = now()`.execute(server.handle)
    expect((await app.exchange(given)).status).toBe(400)
  })

  test.each(['refresh_token', 'password', 'client_credentials', 'implicit', ''])(
    'nothing is given for %j in its place',
    async (grant_type) => {
      const { status, body } = await app.exchange('x', {
        grant_type,
        username: ana.email,
        password: PASSWORD,
      })
      expect(status).toBeGreaterThanOrEqual(400)
      expect(body.error).toBeDefined()
      expect(body.access_token).toBeUndefined()
    },
  )

  test.each(['', 'x', 'a.b.c', '\0', `${'0'.repeat(36)}.${'0'.repeat(36)}.${'0'.repeat(43)}`])(
    'that is none (%j) is refused',
    async (given) => {
      expect((await app.exchange(given)).status).toBe(400)
    },
  )

  test('is not kept, only what it is known by', async () => {
    const given = await app.code()
    const { rows } = await sql<{ row: string }>`select g::text as row from auth.application_grants g`.execute(
      server.handle,
    )
    expect(rows.map(({ row }) => row).join()).not.toContain(given.split('.')[2])
  })
})

describe('a token', () => {
  test('opens /brapi/v2 and nothing else', async () => {
    const token = await app.tokenOf()
    const { status, body } = await app.studies(token)
    expect(status).toBe(200)
    expect(body.result.data.map(({ studyDbId }: { studyDbId: string }) => studyDbId)).toEqual([study])
    for (const [method, path] of [
      ['GET', '/api/experiments'],
      ['GET', '/api/profile'],
      ['GET', '/api/profile/applications'],
      ['POST', '/api/profile/script-keys'],
      ['POST', '/api/applications'],
    ] as const)
      expect(
        (await server.call(method, path, { token, ...(method === 'POST' && { body: {} }) })).status,
        path,
      ).toBe(401)
    for (const path of ['/auth/v1/user', '/auth/v1/reauthenticate', '/rest/v1/experimentos?select=*'])
      expect([401, 403], path).toContain((await server.call('GET', path, { token })).status)
  })

  test('of who signed in opens nothing at all', async () => {
    const { body } = await app.exchange(await app.code())
    expect((await app.studies(body.id_token)).status).toBe(401)
    expect((await server.call('GET', '/api/profile', { token: body.id_token })).status).toBe(401)
  })

  test.each(['none', 'HS256'])('forged with the algorithm %s is refused', async (alg) => {
    const claims = decodeJwt(await app.tokenOf())
    const forged =
      alg === 'none'
        ? new UnsecuredJWT(claims).encode()
        : await new SignJWT(claims)
            .setProtectedHeader({ alg, typ: 'at+jwt' })
            .sign(Buffer.from(JSON.stringify((await server.call('GET', '/oauth/jwks')).body.keys[0])))
    expect((await app.studies(forged)).status).toBe(401)
  })

  test('with another audience, person or organisation under the same signature is refused', async () => {
    const token = await app.tokenOf()
    const [head = '', body = '', signature = ''] = token.split('.')
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
    const other = await server.person()
    for (const change of [
      { aud: 'authenticated' },
      { sub: other.id },
      { org: other.id },
      { exp: 9e9 },
      { jti: other.id },
    ]) {
      const changed = Buffer.from(JSON.stringify({ ...claims, ...change })).toString('base64url')
      const forged = `${head}.${changed}.${signature}`
      expect((await app.studies(forged)).status).toBe(401)
      expect((await server.call('GET', '/api/profile', { token: forged })).status).toBe(401)
    }
  })

  test('a session opens /brapi/v2 too', async () => {
    expect((await app.studies(ana.token)).status).toBe(200)
  })

  test('over is 401 at once, though its signature still holds', async () => {
    const token = await app.tokenOf()
    await sql`update auth.application_grants set not_after = now()`.execute(server.handle)
    const answer = await app.studies(token)
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  })

  test('ends with the application that gives it back, and with no other', async () => {
    const token = await app.tokenOf()
    expect((await app.post('/oauth/revoke', { token, client_id: 'gridscore' })).status).toBe(200)
    expect((await app.studies(token)).status).toBe(200)
    expect((await app.post('/oauth/revoke', { token, client_id: 'fieldbook' })).status).toBe(200)
    expect((await app.studies(token)).status).toBe(401)
    expect((await app.post('/oauth/revoke', { token: 'nada', client_id: 'fieldbook' })).status).toBe(200)
    expect((await app.post('/oauth/revoke', {})).status).toBe(400)
  })

  test('ends with the logout of who signed in by it, which sends nobody anywhere', async () => {
    const { body } = await app.exchange(await app.code())
    const to = encodeURIComponent('https://mau.exemplo')
    const wrong = await server.call('GET', `/oauth/logout?id_token_hint=${body.access_token}`)
    expect(wrong.bytes.toString()).toContain('Nada a encerrar')
    const answer = await server.call(
      'GET',
      `/oauth/logout?id_token_hint=${body.id_token}&post_logout_redirect_uri=${to}`,
    )
    expect([answer.status, answer.headers.get('location')]).toEqual([200, null])
    expect(answer.bytes.toString()).not.toContain('mau.exemplo')
    expect((await app.studies(body.access_token)).status).toBe(401)
  })
})

describe('what ends it', () => {
  const grants = async (by: Person) =>
    (await server.call('GET', '/api/profile/applications', { token: by.token })).body

  test('the person, who sees application, device and last use; nobody else', async () => {
    const caio = await server.person({ name: 'Caio Luz' })
    const token = await app.tokenOf({ by: caio, headers: { 'user-agent': 'Firefox/1 Linux' } })
    await app.studies(token)
    const { concessoes, configuracao } = await grants(caio)
    expect(concessoes).toHaveLength(1)
    expect(concessoes[0]).toMatchObject({ aplicativo: 'Field Book', aparelho: 'Firefox em Linux' })
    expect(concessoes[0].usada_em).not.toBeNull()
    expect(configuracao.endereco).toBe('http://localhost:3000')
    expect(JSON.stringify(await grants(ana))).not.toContain(concessoes[0].id)
    const by = (person: Person) =>
      server.call('DELETE', `/api/profile/applications/${concessoes[0].id}`, { token: person.token })
    expect((await by(ana)).status).toBe(404)
    expect((await app.studies(token)).status).toBe(200)
    expect((await by(caio)).status).toBe(204)
    expect((await app.studies(token)).status).toBe(401)
    expect((await by(caio)).status).toBe(404)
  })

  test('a new password, set in either way, with the keys of scripts on the second', async () => {
    const rui = await server.person()
    const first = await app.tokenOf({ by: rui })
    const changed = await server.call('PUT', '/api/users/change-password', {
      token: rui.token,
      body: { currentPassword: PASSWORD, newPassword: 'outra-cavalo-bateria' },
    })
    expect(changed.status, JSON.stringify(changed.body)).toBe(200)
    expect((await app.studies(first)).status).toBe(401)
    await sql`update auth.users set password_hash = 'x' where id = ${rui.id}`.execute(server.pool.handle)
    const { rows } = await sql`select from auth.application_grants where user_id = ${rui.id}`.execute(
      server.handle,
    )
    expect(rows).toHaveLength(0)
  })

  test('leaving the organisation, for good', async () => {
    const lia = await server.person()
    const token = await app.tokenOf({ by: lia })
    const { rows } = await sql<{ organizacao_id: string }>`
      delete from membros where pessoa_id = ${lia.id} returning organizacao_id`.execute(server.handle)
    expect((await app.studies(token)).status).toBe(401)
    await sql`insert into membros (organizacao_id, pessoa_id, papel) values
      (${rows[0]?.organizacao_id}, ${lia.id}, 'pesquisador')`.execute(server.handle)
    expect((await app.studies(token)).status).toBe(401)
  })

  test('a block, and the end of the account', async () => {
    const eva = await server.person()
    const token = await app.tokenOf({ by: eva })
    await sql`update auth.users set blocked_at = now() where id = ${eva.id}`.execute(server.handle)
    expect((await app.studies(token)).status).not.toBe(200)
    await sql`update auth.users set blocked_at = null where id = ${eva.id}`.execute(server.handle)
    expect((await app.studies(token)).status).toBe(200)
    const erased = await server.call('POST', '/api/profile/erase', {
      token: eva.token,
      body: { currentPassword: PASSWORD },
    })
    expect(erased.status, JSON.stringify(erased.body)).toBe(200)
    expect((await app.studies(token)).status).toBe(401)
  })

  test('twenty are the most of one person: a further one ends the idlest', async () => {
    const teo = await server.person()
    const first = await app.tokenOf({ by: teo })
    const second = await app.tokenOf({ by: teo })
    await app.studies(second)
    for (let more = 0; more < 19; more++) await app.code({ by: teo })
    expect((await app.studies(first)).status).toBe(401)
    const { rows } = await sql`select from auth.application_grants where user_id = ${teo.id}`.execute(
      server.handle,
    )
    expect(rows.length).toBe(20)
  })
})

test('an organisation that is closed to changes is read and not written', async () => {
  const token = await app.tokenOf()
  await sql`update organizacoes set fecha_em = now()`.execute(server.handle)
  expect((await app.studies(token)).status).toBe(200)
  const written = await server.call('POST', '/brapi/v2/observations', { token, body: [{}] })
  expect(written.status).toBeGreaterThanOrEqual(400)
  await sql`update organizacoes set fecha_em = null`.execute(server.handle)
})
