import { createHash, randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { Provider } from 'oidc-provider'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD, startTestServer, type TestServer } from '../../../test-server.ts'

let issuer: Server
let server: TestServer
const verified = new Map<string, boolean>()

/** A browser as far as the provider needs one: it keeps cookies and follows redirects of one site. */
class Visitor {
  readonly #cookies = new Map<string, string>()

  async #ask(url: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } })
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]?.split('=') ?? []
      if (value) this.#cookies.set(name, value)
      else this.#cookies.delete(name)
    }
    return answer
  }

  /** Signs in at the provider and consents; answers with the address that leads back to us. */
  async signIn(address: string, login: string): Promise<URL> {
    const home = new URL(address).origin
    let answer = await this.#ask(address)
    for (let step = 0; step < 12; step += 1) {
      const location = answer.headers.get('location')
      if (location) {
        const next = new URL(location, address)
        if (next.origin !== home) return next
        answer = await this.#ask(next.href)
        continue
      }
      const page = await answer.text()
      const action = /action="([^"]+)"/.exec(page)?.[1] ?? ''
      const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1] ?? ''
      answer = await this.#ask(new URL(action, address).href, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ prompt, login, password: 'x' }).toString(),
      })
    }
    throw new Error('the provider never sent us back')
  }
}

beforeAll(async () => {
  issuer = createServer()
  await new Promise<void>((done) => issuer.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`
  const provider = new Provider(url, {
    clients: [
      {
        client_id: 'ensaio',
        client_secret: 'segredo',
        redirect_uris: ['http://localhost:3000/auth/v1/callback'],
      },
    ],
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        email: `${id.slice(0, 40)}@exemplo.com.br`,
        email_verified: verified.get(id) ?? true,
        name: `Pessoa ${id}`,
      }),
    }),
  })
  issuer.on('request', provider.callback())
  server = await startTestServer({
    env: {
      AUTH_OIDC_TESTE_ISSUER: url,
      AUTH_OIDC_TESTE_CLIENT_ID: 'ensaio',
      AUTH_OIDC_TESTE_CLIENT_SECRET: 'segredo',
      AUTH_LINKING: 'on',
    },
  })
})
afterAll(async () => {
  await server.stop()
  await new Promise((done) => issuer.close(done))
})

/** The whole round; answers with the address on our site where the browser ends. */
async function round(login: string, query: Record<string, string> = {}): Promise<URL> {
  const start = await server.call(
    'GET',
    `/auth/v1/authorize?${new URLSearchParams({ provider: 'teste', ...query })}`,
  )
  expect(start.status).toBe(302)
  const back = await new Visitor().signIn(start.headers.get('location') ?? '', login)
  const end = await server.call('GET', `${back.pathname}${back.search}`)
  expect(end.status).toBe(302)
  return new URL(end.headers.get('location') ?? '')
}
const fragment = (url: URL) => new URLSearchParams(url.hash.slice(1))

describe('a provider by configuration', () => {
  test('is announced', async () => {
    const { body } = await server.call('GET', '/auth/v1/settings')
    expect(body.external).toMatchObject({ email: true, teste: true, google: false })
  })

  test('makes an account for somebody new, with a session in the fragment', async () => {
    const end = await round('novata', { redirect_to: 'http://localhost:3000/dashboard' })
    expect(end.origin + end.pathname).toBe('http://localhost:3000/dashboard')
    const { body } = await server.call('GET', '/auth/v1/user', {
      token: fragment(end).get('access_token') ?? '',
    })
    expect(body).toMatchObject({
      email: 'novata@exemplo.com.br',
      app_metadata: { provider: 'teste', role: 'user' },
      user_metadata: { name: 'Pessoa novata' },
    })
  })

  test('whose name for a person is longer than any is refused, and the browser told', async () => {
    const end = await round(randomBytes(6_000).toString('base64url'))
    expect(fragment(end).get('error_code')).toBe('bad_oauth_callback')
  })

  test('finds the same account again', async () => {
    await round('assidua')
    await round('assidua')
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from auth.users where email = 'assidua@exemplo.com.br'
    `.execute(server.handle)
    expect(rows[0]?.n).toBe(1)
  })

  test('gives a code for the verifier in the code flow', async () => {
    const verifier = randomBytes(32).toString('hex')
    const code_challenge = createHash('sha256').update(verifier).digest('base64url')
    const end = await round('codigo', { code_challenge, code_challenge_method: 's256' })
    const auth_code = end.searchParams.get('code')
    expect(end.hash).toBe('')
    const answer = await server.call('POST', '/auth/v1/token?grant_type=pkce', {
      body: { auth_code, code_verifier: verifier },
    })
    expect(answer.body.user.email).toBe('codigo@exemplo.com.br')
  })

  test('takes a registered but unconfirmed address over and voids its password', async () => {
    await server.call('POST', '/auth/v1/signup', {
      body: { email: 'vitima@exemplo.com.br', password: PASSWORD },
    })
    await sql`
      update auth.users set email_confirmed_at = null where email = 'vitima@exemplo.com.br'
    `.execute(server.handle)
    expect(fragment(await round('vitima')).get('access_token')).toBeTruthy()
    const answer = await server.call('POST', '/auth/v1/token?grant_type=password', {
      body: { email: 'vitima@exemplo.com.br', password: PASSWORD },
    })
    expect(answer.body.error_code).toBe('invalid_credentials')
  })

  test('does not reach an account by an address that it does not vouch for', async () => {
    verified.set('falsa', false)
    await server.call('POST', '/auth/v1/signup', {
      body: { email: 'falsa@exemplo.com.br', password: PASSWORD },
    })
    const end = await round('falsa')
    expect(fragment(end).get('error_code')).toBe('email_exists')
    expect(end.searchParams.get('error_code')).toBe('email_exists')
  })
})

test('a state works once, and a made-up one never', async () => {
  const start = await server.call('GET', '/auth/v1/authorize?provider=teste')
  const back = await new Visitor().signIn(start.headers.get('location') ?? '', 'repete')
  await server.call('GET', `${back.pathname}${back.search}`)
  const again = await server.call('GET', `${back.pathname}${back.search}`)
  expect(again).toMatchObject({ status: 400, body: { error_code: 'flow_state_already_used' } })
  const invented = await server.call(
    'GET',
    '/auth/v1/callback?code=x&state=0190b3a0-0000-4000-8000-000000000000',
  )
  expect(invented).toMatchObject({ status: 400, body: { error_code: 'bad_oauth_state' } })
})

test('a client cannot set what the flow rests on', async () => {
  const { headers } = await server.call(
    'GET',
    '/auth/v1/authorize?provider=teste&client_id=mau&redirect_uri=https://mau.example&state=x&prompt=login',
  )
  const url = new URL(headers.get('location') ?? '')
  expect(url.searchParams.get('client_id')).toBe('ensaio')
  expect(url.searchParams.get('redirect_uri')).toBe('http://localhost:3000/auth/v1/callback')
  expect(url.searchParams.get('state')).not.toBe('x')
  expect(url.searchParams.get('prompt')).toBe('login')
})

test('an unknown provider is refused', async () => {
  const answer = await server.call('GET', '/auth/v1/authorize?provider=nenhum')
  expect(answer).toMatchObject({ status: 400, body: { error_code: 'validation_failed' } })
  expect(answer.body.msg).toMatch(/^Unsupported provider/)
})

test('an identity is linked to a signed-in account and unlinked again', async () => {
  const person = await server.person()
  const asked = await server.call(
    'GET',
    '/auth/v1/user/identities/authorize?provider=teste&skip_http_redirect=true',
    { token: person.token },
  )
  const back = await new Visitor().signIn(asked.body.url, 'ligada')
  await server.call('GET', `${back.pathname}${back.search}`)
  const { body } = await server.call('GET', '/auth/v1/user', { token: person.token })
  expect(body.identities.map((identity: { provider: string }) => identity.provider)).toEqual([
    'email',
    'teste',
  ])
  const unlink = (id: string) =>
    server.call('DELETE', `/auth/v1/user/identities/${id}`, {
      token: person.token,
      headers: { 'content-type': 'application/json' },
    })
  expect((await unlink(body.identities[1].identity_id)).status).toBe(200)
  expect(await unlink(body.identities[1].identity_id)).toMatchObject({
    status: 422,
    body: { error_code: 'identity_not_found' },
  })
  expect(await unlink(body.identities[0].identity_id)).toMatchObject({
    status: 422,
    body: { error_code: 'single_identity_not_deletable' },
  })
})
