import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startTestServer, type TestServer } from '../../test-server.ts'

let server: TestServer
let admin: Person
let researcher: Person
let one: string
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.person({ role: 'admin' })
  researcher = await server.person()
  one = (await server.call('GET', '/api/organizations', { token: admin.token })).body.ativa
})
afterAll(() => server.stop())

const organization = (method: string, id: string, person: Person, body?: object) =>
  server.call(method, `/api/organizations/${id}`, { token: person.token, ...(body && { body }) })

test('there is one organisation, of which everybody is a member and an administrator the owner', async () => {
  expect((await server.call('GET', '/api/settings')).body.organizacoes).toBe('uma')
  for (const [person, papel] of [
    [admin, 'dono'],
    [researcher, 'pesquisador'],
  ] as const) {
    const { body } = await server.call('GET', '/api/organizations', { token: person.token })
    expect(body).toMatchObject({
      ativa: one,
      organizacoes: [{ id: one, nome: 'Ensaio', papel, membros: 2, fecha_em: null }],
    })
  }
})

test('ownership is gained and lost with the role of administrator', async () => {
  const person = await server.person()
  const papel = async () => (await organization('GET', one, person)).body.organizacao.papel
  for (const [role, expected] of [
    ['admin', 'dono'],
    ['consultor', 'pesquisador'],
  ]) {
    await server.call('PUT', `/api/admin/users/${person.id}/role`, { token: admin.token, body: { role } })
    expect(await papel()).toBe(expected)
  }
})

test('it is renamed by an owner alone, and the audit tells', async () => {
  const nome = 'Consultoria Cerrado'
  expect((await organization('PUT', one, researcher, { nome })).status).toBe(403)
  expect((await organization('PUT', one, admin, { nome: '  ' })).body.fields).toEqual([
    { path: 'nome', message: 'Este campo é obrigatório' },
  ])
  expect((await organization('PUT', one, admin, { nome: 'x'.repeat(121) })).status).toBe(422)
  expect((await organization('PUT', one, admin, { tipo: 'banco' })).status).toBe(422)
  const { status, body } = await organization('PUT', one, admin, { nome: ` ${nome} `, tipo: 'fabricante' })
  expect(status).toBe(200)
  expect(body.organizacao).toMatchObject({ nome, tipo: 'fabricante', papel: 'dono' })
  const { body: audit } = await server.call('GET', '/api/admin/audit', { token: admin.token })
  expect(audit.events[0]).toMatchObject({ action: 'organization.renamed' })
})

test('of another nobody is told, and a session acts for one of its own', async () => {
  const { rows } = await sql<{ id: string }>`
    insert into organizacoes (nome, tipo) values ('Outra', 'fazenda') returning id
  `.execute(server.handle)
  const other = rows[0]?.id ?? ''
  const select = (id: unknown) =>
    server.call('PUT', '/api/profile/organization', { token: researcher.token, body: { id } })
  expect((await organization('GET', other, admin)).body.code).toBe('organization.not_found')
  expect((await organization('PUT', other, admin, { nome: 'Minha' })).body.code).toBe(
    'organization.not_found',
  )
  expect((await organization('GET', 'x', admin)).body.code).toBe('organization.not_found')
  expect((await select(other)).body.code).toBe('organization.not_found')
  expect((await select('x')).body.code).toBe('organization.not_found')

  await sql`insert into membros (organizacao_id, pessoa_id, papel) values (${other}, ${researcher.id}, 'dono')`.execute(
    server.handle,
  )
  expect((await select(other)).body.organizacao).toMatchObject({ nome: 'Outra', papel: 'dono', membros: 1 })
  const { body } = await server.call('GET', '/api/organizations', { token: researcher.token })
  expect(body.ativa).toBe(other)
  expect(body.organizacoes).toHaveLength(2)
  // A request may name another one of them.
  const headers = { 'x-organization': one }
  expect(
    (await server.call('GET', '/api/organizations', { token: researcher.token, headers })).body.ativa,
  ).toBe(one)
  // Whichever they act for, what they own they rename, and nothing else.
  const renamed = await server.call('PUT', `/api/organizations/${other}`, {
    token: researcher.token,
    headers,
    body: { nome: 'Outra Casa' },
  })
  expect(renamed.body.organizacao.nome).toBe('Outra Casa')
  expect((await organization('PUT', one, researcher, { nome: 'Tomada' })).status).toBe(403)
  await sql`update organizacoes set fecha_em = now() where id = ${other}`.execute(server.handle)
  expect((await organization('PUT', other, researcher, { nome: 'x' })).body.code).toBe('organization.closed')
})
