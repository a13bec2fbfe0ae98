import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  experimentInput,
  form,
  PASSWORD,
  type Person,
  pdf,
  startTestServer,
  type TestServer,
} from '../../../test-server.ts'

let server: TestServer
let admin: Person
beforeAll(async () => {
  server = await startTestServer({ env: { TEST_OUTBOX: '1', ADMIN_EMAIL: 'chefe@exemplo.com.br' } })
  admin = await server.person({ role: 'admin', name: 'Adma' })
})
afterAll(() => server.stop())

const lastLetter = async (to: string) =>
  (await server.call('GET', '/__outbox')).body.filter((letter: { to: string }) => letter.to === to).at(-1)

describe('the product API', () => {
  test('registers, signs in, refreshes and signs out', async () => {
    const registered = await server.call('POST', '/api/auth/register', {
      body: {
        name: 'Caio Lima',
        email: 'Caio@exemplo.com.br',
        password: PASSWORD,
        company: 'Agro',
        requestedRole: 'consultor',
      },
    })
    expect(registered.status).toBe(201)
    expect(registered.body.user).toMatchObject({
      name: 'Caio Lima',
      email: 'caio@exemplo.com.br',
      company: 'Agro',
      role: 'user',
      requestedRole: 'consultor',
    })
    const login = await server.call('POST', '/api/auth/login', {
      body: { email: 'caio@exemplo.com.br', password: PASSWORD },
    })
    expect(login.status).toBe(200)
    const refreshed = await server.call('POST', '/api/auth/refresh', {
      body: { refresh_token: login.body.refresh_token },
    })
    expect(refreshed.body.access_token).toBeTruthy()
    const token = refreshed.body.access_token
    expect((await server.call('POST', '/api/auth/logout', { token })).status).toBe(204)
    expect((await server.call('GET', '/api/profile', { token })).status).toBe(401)
  })

  test('treats a registered address as success, without a session', async () => {
    const { email } = await server.person()
    const { status, body } = await server.call('POST', '/api/auth/register', {
      body: { name: 'Outra', email, password: 'outra-senha-boa' },
    })
    expect(status).toBe(201)
    expect(body).toEqual({ message: 'Conta criada com sucesso!' })
    expect(await lastLetter(email)).toMatchObject({ type: 'signup_attempt' })
  })

  test('a reset for an address that no account can have is refused, not a fault', async () => {
    const { status, body } = await server.call('POST', '/api/auth/reset-password', {
      body: { email: 'a,b@c.br', otp: '123456', password: PASSWORD },
    })
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'auth.link_invalid' })
  })

  test('answers a wrong login with its sentence', async () => {
    const { status, body } = await server.call('POST', '/api/auth/login', {
      body: { email: 'ninguem@exemplo.com.br', password: PASSWORD },
    })
    expect(status).toBe(401)
    expect(body).toMatchObject({ code: 'auth.wrong_login', detail: 'Email ou senha incorretos' })
  })

  test('resets a forgotten password by the link of the letter', async () => {
    const { email, token } = await server.person()
    const asked = await server.call('POST', '/api/auth/forgot-password', { body: { email } })
    expect(asked).toMatchObject({ status: 200, body: { message: 'Email de recuperação enviado!' } })
    const letter = await lastLetter(email)
    const reset = () =>
      server.call('POST', '/api/auth/reset-password', {
        body: { token_hash: letter.token_hash, password: 'uma-senha-novinha' },
      })
    expect(await reset()).toMatchObject({ status: 200, body: { message: 'Senha redefinida com sucesso!' } })
    expect(await reset()).toMatchObject({ status: 403, body: { code: 'auth.link_invalid' } })
    expect((await server.call('GET', '/api/profile', { token })).status).toBe(401)
  })

  test('tells whether a mailed link is still good, without using it', async () => {
    const { email } = await server.person()
    await server.call('POST', '/api/auth/forgot-password', { body: { email } })
    const { token_hash } = await lastLetter(email)
    const check = async (type: string, token = token_hash) =>
      (await server.call('POST', '/api/auth/check-link', { body: { token_hash: token, type } })).body.valid
    expect([await check('recovery'), await check('recovery')]).toEqual([true, true])
    expect([await check('signup'), await check('recovery', 'x'.repeat(48))]).toEqual([false, false])
    await server.call('POST', '/api/auth/reset-password', {
      body: { token_hash, password: 'uma-senha-novinha' },
    })
    expect(await check('recovery')).toBe(false)
    await server.call('POST', '/api/auth/forgot-password', { body: { email } })
    const second = (await lastLetter(email)).token_hash
    expect(await check('recovery', second)).toBe(true)
    await sql`update auth.one_time_tokens set expires_at = now() - interval '1 minute'`.execute(server.handle)
    expect(await check('recovery', second)).toBe(false)
  })

  test('changes a password only with the old one', async () => {
    const { token, email } = await server.person()
    const change = (currentPassword: string, method = 'PUT') =>
      server.call(method, '/api/users/change-password', {
        token,
        body: { currentPassword, newPassword: 'uma-senha-novinha' },
      })
    expect(await change('errada')).toMatchObject({ status: 422, body: { code: 'auth.wrong_password' } })
    expect(await change(PASSWORD, 'POST')).toMatchObject({
      status: 200,
      body: { message: 'Senha alterada com sucesso!' },
    })
    expect(await lastLetter(email)).toMatchObject({ type: 'password_changed' })
  })
})

describe('the profile', () => {
  test('files another role as a request and changes nothing else', async () => {
    const { token } = await server.person()
    const { body } = await server.call('PUT', '/api/profile', {
      token,
      body: { name: 'Novo Nome', company: 'Nova', role: 'admin' },
    })
    expect(body.message).toBe('Sua solicitação de mudança de papel foi enviada a um administrador.')
    expect(body.user).toMatchObject({
      name: 'Novo Nome',
      company: 'Nova',
      role: 'user',
      requestedRole: 'admin',
    })
  })

  test('lists the sessions and ends one of them', async () => {
    const person = await server.person()
    const other = await server.call('POST', '/api/auth/login', { body: person })
    const { body } = await server.call('GET', '/api/profile/sessions', { token: person.token })
    expect(body.sessions).toHaveLength(2)
    const theirs = body.sessions.find((session: { current: boolean }) => !session.current)
    const path = `/api/profile/sessions/${theirs.id}`
    expect((await server.call('DELETE', path, { token: admin.token })).status).toBe(404)
    expect((await server.call('DELETE', path, { token: person.token })).status).toBe(204)
    expect((await server.call('GET', '/api/profile', { token: other.body.access_token })).status).toBe(401)
  })

  test('has a hundred sessions at most: the longest idle makes room', async () => {
    const person = await server.person()
    await sql`
      insert into auth.sessions (id, user_id, not_after, refreshed_at)
      select gen_random_uuid(), ${person.id}, now() + interval '1 day', now() - n * interval '1 second'
      from generate_series(1, 120) n
    `.execute(server.handle)
    const login = await server.call('POST', '/api/auth/login', { body: person })
    const { body } = await server.call('GET', '/api/profile/sessions', { token: login.body.access_token })
    expect(body.sessions).toHaveLength(100)
    expect(body.sessions.filter(({ current }: { current: boolean }) => current)).toHaveLength(1)
    expect((await server.call('GET', '/api/profile', { token: person.token })).status).toBe(200)
  })

  test('exports everything and erases the account, leaving the experiments', async () => {
    const person = await server.person({ name: 'Vai Embora' })
    const made = await server.call('POST', '/api/experiments', {
      token: person.token,
      body: experimentInput(),
    })
    const { body: exported } = await server.call('GET', '/api/profile/export', { token: person.token })
    expect(exported.conta.email).toBe(person.email)
    expect(exported.experimentos).toHaveLength(1)
    expect(JSON.stringify(exported)).not.toContain('argon2')
    const erase = (currentPassword: string) =>
      server.call('POST', '/api/profile/erase', { token: person.token, body: { currentPassword } })
    expect((await erase('errada')).status).toBe(422)
    expect((await erase(PASSWORD)).status).toBe(200)
    expect((await server.call('GET', '/api/profile', { token: person.token })).status).toBe(401)
    const left = await server.call('GET', `/api/experiments/${made.body.experimento.id}`, {
      token: admin.token,
    })
    expect(left.body.experimento).toMatchObject({ created_by: null, created_by_name: null })
  })
})

describe('an erased account', () => {
  const stored = () => {
    const folder = join(server.dataDir, 'documents')
    return existsSync(folder) ? readdirSync(folder, { recursive: true }).filter(isPdf) : []
  }
  const isPdf = (name: unknown) => String(name).endsWith('.pdf')

  test('takes its loose reports with it, which its export lists, and the letters to it', async () => {
    const person = await server.person()
    const before = stored().length
    const upload = await server.call('POST', '/api/uploads/document', {
      token: person.token,
      body: form({ pdf: pdf('só meu') }, 'só meu.pdf'),
    })
    await server.call('POST', '/auth/v1/recover', { body: { email: person.email } })
    await server.call('GET', '/__outbox')
    const letters = () =>
      readdirSync(join(server.dataDir, 'outbox')).filter((name) =>
        readFileSync(join(server.dataDir, 'outbox', name), 'utf8').includes(`To: ${person.email}`),
      )
    expect(letters()).toHaveLength(1)
    await sql`
      insert into auth.mails (id, recipient, message, next_attempt_at)
      values (${randomUUID()}, ${person.email}, 'x', now() + interval '1 hour')
    `.execute(server.handle)
    const { body: exported } = await server.call('GET', '/api/profile/export', { token: person.token })
    expect(exported.documentos_soltos).toMatchObject([{ filename: 'só meu.pdf' }])
    const { status } = await server.call('POST', '/api/profile/erase', {
      token: person.token,
      body: { currentPassword: PASSWORD },
    })
    expect(status).toBe(200)
    expect(stored()).toHaveLength(before)
    expect(letters()).toEqual([])
    const { rows } = await sql`select from auth.mails where recipient = ${person.email}`.execute(
      server.handle,
    )
    expect(rows).toEqual([])
    const gone = await server.call('GET', `/api/uploads/documents/${upload.body.document.id}`, {
      token: admin.token,
    })
    expect(gone.status).toBe(404)
  })
})

describe('administration', () => {
  test('two administrators who demote, block or leave each other at once leave one, and no fault', async () => {
    for (let round = 0; round < 12; round += 1) {
      const [one, other] = [await server.person({ role: 'admin' }), await server.person({ role: 'admin' })]
      await sql`update auth.users set app_role = 'user' where id = ${admin.id}`.execute(server.handle)
      const demote = (by: Person, id: string) =>
        server.call('PUT', `/api/admin/users/${id}/role`, { token: by.token, body: { role: 'user' } })
      const answers = await Promise.all([
        demote(one, other.id),
        demote(other, one.id),
        server.call('PUT', `/api/admin/users/${one.id}/blocked`, {
          token: other.token,
          body: { blocked: true },
        }),
        server.call('PUT', '/api/profile', { token: one.token, body: { name: 'Um', role: 'user' } }),
        server.call('PUT', '/api/profile', { token: other.token, body: { name: 'Outro', role: 'user' } }),
      ])
      for (const { status } of answers) expect(status).toBeLessThan(500)
      const { rows } = await sql<{ n: number }>`
        select count(*) as n from auth.users where app_role = 'admin' and blocked_at is null
      `.execute(server.handle)
      expect(rows[0]?.n).toBe(1)
      await sql`
        update auth.users set app_role = case when id = ${admin.id} then 'admin' else 'user' end
      `.execute(server.handle)
    }
  })

  test('belongs to administrators', async () => {
    const { token } = await server.person()
    for (const path of ['users', 'role-requests', 'lookups/marcas', 'audit', 'deleted-experiments']) {
      expect((await server.call('GET', `/api/admin/${path}`)).status).toBe(401)
      expect(await server.call('GET', `/api/admin/${path}`, { token })).toMatchObject({
        status: 403,
        body: { code: 'permission.denied', detail: 'Acesso negado' },
      })
    }
  })

  test('finds people, grants and refuses what they asked for', async () => {
    const person = await server.person({ name: 'Zé Pesquisa' })
    await server.call('PUT', '/api/profile', {
      token: person.token,
      body: { name: 'Zé Pesquisa', role: 'pesquisador' },
    })
    const found = await server.call('GET', '/api/admin/users?busca=ze+pesq', { token: admin.token })
    expect(found.body).toMatchObject({ total: 1, users: [{ id: person.id, requestedRole: 'pesquisador' }] })
    const { body } = await server.call('GET', '/api/admin/role-requests', { token: admin.token })
    const request = body.requests.find((each: { user: { id: string } }) => each.user.id === person.id)
    const decided = await server.call('PUT', `/api/admin/role-requests/${request.id}`, {
      token: admin.token,
      body: { granted: true },
    })
    expect(decided.body.user).toMatchObject({ role: 'pesquisador', requestedRole: null })
    expect(await lastLetter(person.email)).toMatchObject({ type: 'role_changed' })
  })

  test('blocks a person, whose sessions end at once', async () => {
    const person = await server.person()
    await server.call('PUT', `/api/admin/users/${person.id}/blocked`, {
      token: admin.token,
      body: { blocked: true },
    })
    expect((await server.call('GET', '/api/profile', { token: person.token })).status).toBe(401)
    const login = await server.call('POST', '/api/auth/login', { body: person })
    expect(login).toMatchObject({ status: 403, body: { code: 'auth.blocked' } })
  })

  test('keeps the last administrator', async () => {
    const refused = await server.call('PUT', `/api/admin/users/${admin.id}/role`, {
      token: admin.token,
      body: { role: 'user' },
    })
    expect(refused).toMatchObject({ status: 409, body: { code: 'auth.last_admin' } })
    const stepDown = await server.call('PUT', '/api/profile', {
      token: admin.token,
      body: { name: 'Adma', role: 'user' },
    })
    expect(stepDown.status).toBe(409)
    const erase = await server.call('POST', '/api/profile/erase', {
      token: admin.token,
      body: { currentPassword: PASSWORD },
    })
    expect(erase.status).toBe(409)
  })

  test('decides which names are offered', async () => {
    const add = (nome: string) =>
      server.call('POST', '/api/admin/lookups/marcas', { token: admin.token, body: { nome } })
    const made = await add('Marca Aceita')
    expect(made.status).toBe(201)
    expect(await add('MARCA ACEITA')).toMatchObject({ status: 409, body: { code: 'lookup.in_use' } })
    const offered = async () => (await server.call('GET', '/api/lookups/marcas')).body.marcas
    expect(await offered()).toContain('Marca Aceita')
    await server.call('PUT', `/api/admin/lookups/marcas/${made.body.item.id}`, {
      token: admin.token,
      body: { ativo: false },
    })
    expect(await offered()).not.toContain('Marca Aceita')
  })

  test('shows the audit trail without tokens or addresses', async () => {
    const { body } = await server.call('GET', '/api/admin/audit?limit=100', { token: admin.token })
    expect(body.events.map((event: { action: string }) => event.action)).toContain('user.blocked')
    expect(JSON.stringify(body.events)).not.toMatch(/@|eyJ/)
  })
})

test('the person of ADMIN_EMAIL becomes an administrator', async () => {
  const { body } = await server.call('POST', '/auth/v1/signup', {
    body: { email: 'chefe@exemplo.com.br', password: PASSWORD },
  })
  expect(body.user.app_metadata.role).toBe('admin')
  await sql`update auth.users set app_role = 'user' where email = 'chefe@exemplo.com.br'`.execute(
    server.handle,
  )
})
