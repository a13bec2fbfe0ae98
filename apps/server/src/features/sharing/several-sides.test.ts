import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { experimentInput, type Person, startTestServer, type TestServer } from '../../test-server.ts'

/** What three organisations that have to do with each other see of one another, and do not. */
let server: TestServer
interface Side {
  person: Person
  id: string
  codigo: string
}
let first: Side
let second: Side
let third: Side

const call = async (who: Side, method: string, path: string, body?: object) => {
  const answer = await server.call(method, path, { token: who.person.token, ...(body && { body }) })
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body).slice(0, 200)}`).toBeLessThan(300)
  return answer.body
}
const create = async (who: Side, change = {}) =>
  (await call(who, 'POST', '/api/experiments', experimentInput(change))).experimento
const share = async (from: Side, to: Side, alvo: object, terms = {}) => {
  const { compartilhamento } = await call(from, 'POST', '/api/shares', {
    ...{ alvo, para: { codigo: to.codigo }, custos: false, documentos: false, comentarios: true, ate: null },
    ...terms,
  })
  await call(to, 'POST', `/api/shares/${compartilhamento.id}/accept`)
  return compartilhamento
}

beforeAll(async () => {
  server = await startTestServer()
  const admin = await server.person({ role: 'admin' })
  await server.call('PUT', '/api/admin/installation', {
    token: admin.token,
    body: { organizacoes: 'varias' },
  })
  const sides: Side[] = []
  for (const name of ['Um', 'Dois', 'Três']) {
    const person = await server.person({ name })
    const { body } = await server.call('GET', '/api/organizations', { token: person.token })
    const [{ id, codigo }] = body.organizacoes
    sides.push({ person, id, codigo })
  }
  ;[first, second, third] = sides as [Side, Side, Side]
})
afterAll(() => server.stop())

test('each spells a name its own way, whoever wrote it first and whatever is shared', async () => {
  const own = await create(first, { consultoria: 'kmep pesquisa' })
  const other = await create(second, { consultoria: 'KMEP Pesquisa' })
  expect(other.consultoria).toBe('KMEP Pesquisa')
  await share(second, first, { experimento: (await create(second, { consultoria: 'Sem relação' })).id })
  expect((await call(first, 'GET', `/api/experiments/${own.id}`)).experimento.consultoria).toBe(
    'kmep pesquisa',
  )
  const { colecao } = await call(second, 'POST', '/api/collections', {
    nome: 'Da KMEP',
    filtro: { consultoria: 'KMEP Pesquisa' },
  })
  expect(colecao.n).toBe(1)
  const rest = await server.call('GET', '/rest/v1/experimentos?select=nome', { token: second.person.token })
  expect(JSON.stringify(rest.body)).toContain('KMEP Pesquisa')
  expect(JSON.stringify(rest.body)).not.toContain('kmep pesquisa')
})

test.each([true, false])(
  'a received trial comes back from the full export as the same, costs shown: %s',
  async (custos) => {
    const codigo = `REC-${custos}`
    const trial = await create(second, { codigo })
    await share(second, first, { experimento: trial.id }, { custos })
    const file = await fetch(
      `${server.url}/api/experiments/export?formato=xlsx&conteudo=completo&codigo=${codigo}`,
      { headers: { authorization: `Bearer ${first.person.token}` } },
    )
    const body = new FormData()
    body.append('arquivo', new Blob([await file.arrayBuffer()]), 'completo.xlsx')
    const sent = await server.call('POST', '/api/imports', { token: first.person.token, body } as never)
    const path = `/api/imports/${sent.body.importacao.id}`
    await call(first, 'PUT', `${path}/mapping`, {})
    const { experimentos } = await call(first, 'GET', `${path}/rows`)
    const own = experimentos.find(({ chave }: { chave: string }) => chave === trial.id)
    expect(own).toMatchObject({ estado: 'igual', problemas: [] })
    const { importacao } = await call(first, 'GET', path)
    expect(importacao.resumo).toMatchObject({ com_erro: 0, atualizar: 0, novos: 0 })
  },
)

test('a comment is read by its own side and by the owner, not by others who see the trial', async () => {
  const { id } = await create(first, { consultoria: 'Comentada' })
  await share(first, second, { experimento: id })
  await share(first, third, { experimento: id })
  await call(second, 'POST', `/api/experiments/${id}/comments`, { texto: 'De quem é Dois' })
  await call(first, 'POST', `/api/experiments/${id}/comments`, { texto: 'Da dona' })
  const texts = async (who: Side) =>
    (await call(who, 'GET', `/api/experiments/${id}/comments`)).comentarios.map(
      ({ texto }: { texto: string }) => texto,
    )
  expect(await texts(first)).toEqual(['De quem é Dois', 'Da dona'])
  expect(await texts(second)).toEqual(['De quem é Dois', 'Da dona'])
  expect(await texts(third)).toEqual(['Da dona'])
})

test('a conclusion, which may tell of costs, is read by who sees these', async () => {
  const { id, versao } = await create(first)
  await call(first, 'PUT', `/api/experiments/${id}/conclusion`, { texto: 'Custou R$ 97,31 e pagou.', versao })
  await share(first, second, { experimento: id })
  await share(first, third, { experimento: id }, { custos: true })
  const seen = async (who: Side) => (await call(who, 'GET', `/api/experiments/${id}`)).experimento.conclusao
  expect([await seen(second), await seen(third)]).toEqual([null, 'Custou R$ 97,31 e pagou.'])
  const { link } = await call(first, 'POST', `/api/experiments/${id}/links`, {
    ate: new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10),
  })
  const shown = await fetch(`${server.url}/api/public/experiments/${link.token}`)
  expect(shown.status).toBe(200)
  expect(await shown.text()).not.toContain('97,31')
})

test('an embargo leaves no name with who received the trial', async () => {
  const { id } = await create(first, { consultoria: 'Embargada depois' })
  const { id: sent } = await share(first, second, { experimento: id })
  const seen = async () =>
    (await call(second, 'GET', '/api/shares?direcao=recebidos')).compartilhamentos.find(
      (each: { id: string }) => each.id === sent,
    ).alvo
  expect((await seen()).nome).toContain('Embargada depois')
  const later = new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10)
  await call(first, 'PUT', `/api/experiments/${id}/embargo`, { ate: later })
  expect(await seen()).toMatchObject({ nome: 'Um experimento', n: 0 })
})

test('who declines what came by an address does not tell whose it is', async () => {
  const { compartilhamento } = await call(first, 'POST', '/api/shares', {
    alvo: { tudo: true },
    para: { email: third.person.email },
    ...{ custos: false, documentos: false, comentarios: false, ate: null },
  })
  await call(third, 'POST', `/api/shares/${compartilhamento.id}/decline`)
  const { compartilhamentos } = await call(first, 'GET', '/api/shares?direcao=enviados')
  expect(
    compartilhamentos.find(({ id }: { id: string }) => id === compartilhamento.id).organizacao.nome,
  ).toBe(third.person.email)
})

test('what is deleted is gone from everybody’s figures with the answer', async () => {
  const { id } = await create(first, { consultoria: 'Passageira' })
  await share(first, second, { experimento: id })
  const total = async () =>
    (await call(second, 'GET', '/api/dashboard/overview?consultoria=Passageira')).total
  expect(await total()).toBe(1)
  await call(first, 'DELETE', `/api/experiments/${id}`)
  expect(await total()).toBe(0)
})

test('who joins is told by name, and in nobody else’s', async () => {
  const { organizacao } = await call(first, 'POST', '/api/organizations', {
    nome: 'Nova',
    tipo: 'consultoria',
  })
  const as = { 'x-organization': organizacao.id }
  const invited = await server.call('POST', `/api/organizations/${organizacao.id}/invitations`, {
    token: first.person.token,
    headers: as,
    body: { email: second.person.email, papel: 'leitor' },
  })
  const token = invited.body.convite.url.split('/').at(-1)
  await call(second, 'POST', `/api/invitations/${token}/accept`)
  const { body } = await server.call('GET', `/api/organizations/${organizacao.id}/audit`, {
    token: first.person.token,
    headers: as,
  })
  const joined = body.eventos.find(({ acao }: { acao: string }) => acao === 'member.joined')
  expect(joined).toMatchObject({ quem: 'Dois', detalhes: { papel: 'leitor', sobre: 'Dois' } })
})

test('the organisation that stands for the installation is destroyed like any other, and so are the rest', async () => {
  const { rows } = await sql<{ id: string }>`select organizacao_id as id from instalacao`.execute(
    server.handle,
  )
  const doomed = [rows[0]?.id ?? '', third.id]
  await sql`update organizacoes set fecha_em = now() - interval '31 days' where id = any(${doomed}::uuid[])`.execute(
    server.handle,
  )
  await sql`select destruir_organizacoes(30)`.execute(server.handle)
  const { rows: left } = await sql`select from organizacoes where id = any(${doomed}::uuid[])`.execute(
    server.handle,
  )
  expect(left).toEqual([])
  expect(
    (await sql`select from instalacao where organizacao_id is not null`.execute(server.handle)).rows,
  ).toHaveLength(1)
})
