import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestServer, type TestServer } from '../../../test-server.ts'
import { application, FIELD_BOOK, type Params, request } from './test-application.ts'

const CHOOSE_THE_CODE =
  'No Field Book, escolha "OAuth2 Authorization Code" em OIDC Flow, ou leia o QR de configuração em Perfil → Aplicativos de campo.'

let server: TestServer
let ana: Person
let app: ReturnType<typeof application>
beforeAll(async () => {
  server = await startTestServer({
    web: { 'index.html': '<title>Ensaio</title>' },
    env: { BRAPI_CLIENTS: 'painel=https://painel.exemplo.com/volta' },
  })
  ana = await server.person({ name: 'Ana Prado' })
  app = application(server, ana)
})
afterAll(() => server.stop())

describe('what applications find out', () => {
  test.each([
    '/.well-known/openid-configuration',
    '/brapi/v2/.well-known/openid-configuration',
    '//brapi/v2/.well-known/openid-configuration',
    '//.well-known/openid-configuration',
  ])('%s tells the addresses, in the name of the site', async (path) => {
    const { status, body, headers } = await server.call('GET', path, {
      headers: { origin: 'http://localhost:1410', host: 'outro.exemplo' },
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      issuer: 'http://localhost:3000',
      authorization_endpoint: 'http://localhost:3000/oauth/authorize',
      token_endpoint: 'http://localhost:3000/oauth/token',
      jwks_uri: 'http://localhost:3000/oauth/jwks',
      revocation_endpoint: 'http://localhost:3000/oauth/revoke',
      end_session_endpoint: 'http://localhost:3000/oauth/logout',
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
    })
    expect(headers.get('access-control-allow-origin')).toBe('http://localhost:1410')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
  })

  test('a slash too many before what it asks for is no other address', async () => {
    expect((await server.call('GET', '//brapi/v2/serverinfo')).status).toBe(200)
    expect((await server.call('GET', '//api/experiments', { token: ana.token })).status).not.toBe(200)
  })

  test('the token address asked before it is used answers 405 and spends nothing', async () => {
    const given = await app.code()
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await server.call(method, `/oauth/token?code=${given}`)
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
    }
    expect((await app.exchange(given)).status).toBe(200)
  })
})

describe('who is sent where', () => {
  test('an honest request gets the page of the application, in no frame', async () => {
    const { status, headers, bytes } = await app.authorize()
    expect(status).toBe(200)
    expect(bytes.toString()).toContain('<title>Ensaio</title>')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('set-cookie')).toBeNull()
  })

  test.each([
    ['an unknown client', { client_id: 'estranho' }],
    ['no client', { client_id: undefined }],
    ['another address', { redirect_uri: 'https://mau.exemplo/' }],
    ['a longer address', { redirect_uri: 'fieldbook://app/auth/mais' }],
    ['an address with a query', { redirect_uri: 'fieldbook://app/auth?x=1' }],
    ['an address in other letters', { redirect_uri: 'FIELDBOOK://app/auth' }],
    ['a script for an address', { redirect_uri: 'javascript:alert(1)' }],
    ['no address', { redirect_uri: undefined }],
    ["another client's address", { client_id: 'painel' }],
    [
      'a loopback address of another host',
      { client_id: 'gridscore', redirect_uri: 'http://localhost.mau.exemplo:1410' },
    ],
    [
      'a loopback address with a name before it',
      { client_id: 'gridscore', redirect_uri: 'http://localhost:1410@mau.exemplo' },
    ],
    ['a loopback address with a path', { client_id: 'gridscore', redirect_uri: 'http://localhost:1410/x' }],
    ['a loopback address without a port', { client_id: 'gridscore', redirect_uri: 'http://localhost' }],
    [
      'a configured address with more behind it',
      { client_id: 'painel', redirect_uri: 'https://painel.exemplo.com/volta/x' },
    ],
  ])('%s gets our own page and goes nowhere', async (_what, more: Params) => {
    const { status, headers, bytes } = await app.authorize(more)
    expect(status).toBe(400)
    expect(headers.get('location')).toBeNull()
    expect(bytes.toString()).toContain('Este aplicativo não está autorizado.')
    expect(bytes.toString()).not.toMatch(/mau\.exemplo|<script/)
    const answer = await app.allow({}, { client_id: '', redirect_uri: '', ...more })
    expect([400, 422]).toContain(answer.status)
    expect(JSON.stringify(answer.body)).not.toContain('destino')
  })

  test.each([
    { client_id: 'gridscore', redirect_uri: 'http://localhost:1410' },
    { client_id: 'qbms', redirect_uri: 'http://127.0.0.1:8787' },
    { client_id: 'painel', redirect_uri: 'https://painel.exemplo.com/volta' },
  ])('$client_id may have $redirect_uri', async (more) => {
    expect((await app.authorize(more)).status).toBe(200)
    const { body } = await app.allow({}, more)
    expect(body.destino.startsWith(more.redirect_uri)).toBe(true)
  })

  test("Field Book's implicit flow is refused with what to choose instead", async () => {
    const asked = { redirect_uri: 'https://phenoapps.org/field-book', response_type: 'id_token token' }
    const { status, headers, bytes } = await app.authorize({ ...asked, code_challenge: undefined })
    expect(status).toBe(400)
    expect(headers.get('location')).toBeNull()
    expect(bytes.toString().replaceAll('&quot;', '"')).toContain(CHOOSE_THE_CODE)
  })

  test.each([
    ['plain PKCE', { code_challenge_method: 'plain' }],
    ['PKCE that does not say how', { code_challenge_method: undefined }],
    ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }],
    ['a challenge that is none', { code_challenge: 'curto' }],
    [
      'a token at once',
      { client_id: 'painel', redirect_uri: 'https://painel.exemplo.com/volta', response_type: 'token' },
    ],
    ['both at once', { response_type: 'code id_token' }],
  ])('%s is refused before anybody is asked', async (_what, more: Params) => {
    const { status, headers } = await app.authorize(more)
    expect([status, headers.get('location')]).toEqual([400, null])
    expect((await app.allow({}, more)).status).toBe(400)
  })

  test('a name that is given twice is refused', async () => {
    const asked = `${new URLSearchParams(request())}&redirect_uri=https%3A%2F%2Fmau.exemplo`
    expect((await server.call('GET', `/oauth/authorize?${asked}`)).status).toBe(400)
    const form = `${new URLSearchParams({ grant_type: 'authorization_code', code: 'a', client_id: 'fieldbook' })}&code=b`
    expect((await app.post('/oauth/token', form)).status).toBe(400)
  })
})

describe('the consent', () => {
  test('is given by a session alone: without one nobody is asked, whatever the browser sends along', async () => {
    const body = { pedido: request(), permitir: true }
    expect((await server.call('POST', '/api/applications', { body })).status).toBe(401)
    const cookie = { cookie: `sb-access-token=${ana.token}; session=${ana.token}` }
    expect((await server.call('POST', '/api/applications', { body, headers: cookie })).status).toBe(401)
    const { headers } = await server.call('OPTIONS', '/api/applications', {
      headers: { origin: 'https://mau.exemplo', 'access-control-request-method': 'POST' },
    })
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  test('refused, goes back with that and nothing else', async () => {
    const { body } = await app.allow({ permitir: false })
    const { searchParams } = new URL(body.destino)
    expect(body.destino.startsWith(`${FIELD_BOOK}?`)).toBe(true)
    expect(searchParams.get('error')).toBe('access_denied')
    expect(searchParams.get('state')).toBe('estado-1')
    expect(searchParams.get('code')).toBeNull()
  })

  test('an application that wants a sign-in gets it now: an old one does not do', async () => {
    const old = await server.person()
    await sql`update auth.amr set at = now() - interval '11 minutes' where session_id in
      (select id from auth.sessions where user_id = ${old.id})`.execute(server.handle)
    const answer = await app.allow({ by: old })
    expect([answer.status, answer.body.code]).toEqual([403, 'application.sign_in'])
    expect((await app.allow({ by: old }, { prompt: undefined })).status).toBe(200)
  })

  test('a second factor that was not shown lets nobody consent', async () => {
    const guarded = await server.person()
    await sql`insert into auth.factors (id, user_id, factor_type, status) values
      (gen_random_uuid(), ${guarded.id}, 'totp', 'verified')`.execute(server.handle)
    const answer = await app.allow({ by: guarded })
    expect([answer.status, answer.body.code]).toEqual([403, 'auth.mfa_required'])
  })

  test("a blocked person's session consents to nothing", async () => {
    const blocked = await server.person()
    await sql`update auth.users set blocked_at = now() where id = ${blocked.id}`.execute(server.handle)
    expect((await app.allow({ by: blocked })).status).toBe(403)
  })
})
