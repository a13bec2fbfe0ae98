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
