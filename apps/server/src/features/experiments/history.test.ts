import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { experimentInput, type Person, startTestServer, type TestServer } from '../../test-server.ts'

let server: TestServer
let owner: Person
beforeAll(async () => {
  server = await startTestServer()
  owner = await server.person()
})
afterAll(() => server.stop())

const create = async (): Promise<string> =>
  (await server.call('POST', '/api/experiments', { token: owner.token, body: experimentInput() })).body
    .experimento.id
const history = (id: string) => server.call('GET', `/api/experiments/${id}/history`, { token: owner.token })

test('a change within a treatment is remembered with all that the treatments were and are', async () => {
  const id = await create()
  const before = experimentInput().tratamentos
  const after = before.map((treatment, index) =>
    index === 1 ? { ...treatment, produtividade: 2222, produtos_aplicados: [] } : treatment,
  )
  await server.call('PUT', `/api/experiments/${id}`, {
    token: owner.token,
    body: { ...experimentInput({ tratamentos: after }), versao: 1 },
  })
  const { body } = await history(id)
  expect(body.alteracoes[0].campos[0]).toEqual({ campo: 'tratamentos', antes: before, depois: after })
})

test('each change tells the version that stood after it, also of a trial that is deleted and comes back', async () => {
  const id = await create()
  const call = (method: string, path: string, body?: unknown) =>
    server.call(method, `/api/experiments/${id}${path}`, {
      token: owner.token,
      ...(body !== undefined && { body }),
    })
  await call('PUT', '', { ...experimentInput({ cultivar: 'Outra' }), versao: 1 })
  expect((await call('DELETE', '')).status).toBe(204)
  expect((await call('POST', '/restore?desfazer=true')).status).toBe(200)
  const { body } = await history(id)
  const { experimento } = (await call('GET', '')).body
  const told = body.alteracoes.map(({ acao, versao }: Record<string, unknown>) => [acao, versao])
  expect(told[0]).toEqual(['restaurado', experimento.versao])
  expect(told.slice(2)).toEqual([
    ['alterado', 2],
    ['criado', 1],
  ])
  expect(told[1][0]).toBe('excluído')
  expect(told[1][1]).toBeGreaterThanOrEqual(2)
  await sql`update alteracoes set versao = null where experimento_id = ${id} and acao = 'criado'`.execute(
    server.handle,
  )
  expect((await history(id)).body.alteracoes.at(-1).versao).toBeNull()
})

test('many changes are told, the latest first, in an answer of bounded size', async () => {
  const id = await create()
  await sql`
    insert into alteracoes (experimento_id, acao, quem, antes, depois)
    select ${id}, 'alterado', ${owner.id}, jsonb_build_object('tratamentos', repeat('x', 500000)),
      jsonb_build_object('tratamentos', n) from generate_series(1, 50) n
  `.execute(server.handle)
  const { body, bytes } = await history(id)
  expect(body.alteracoes[0].campos[0].depois).toBe(50)
  // Counted within the trial, so that nobody learns from it how much others write: 'criado' was the first.
  expect(body.alteracoes.slice(0, 3).map((entry: { id: number }) => entry.id)).toEqual([51, 50, 49])
  expect(body.alteracoes.length).toBeGreaterThan(5)
  expect(bytes.length).toBeLessThan(5_000_000)
})
