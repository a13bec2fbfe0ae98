import { type ExperimentInput, LACKS, type Lack, lacksOf, NO_CULTIVAR } from '@ensaio/domain'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoExperiments } from '../../demo-data.ts'
import { experimentInput, type Person, startTestServer, type TestServer } from '../../test-server.ts'

let server: TestServer
let admin: Person
let owner: Person
let maker: Person
let stranger: Person

const call = async (person: Person, method: string, path: string, body?: unknown) =>
  server.call(method, path, { token: person.token, ...(body === undefined ? {} : { body }) })
const incomplete = async (person: Person, query: Record<string, string> = {}) => {
  const answer = await call(person, 'GET', `/api/experiments/incomplete?${new URLSearchParams(query)}`)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}
const create = async (person: Person, change: Partial<ExperimentInput>) => {
  const { body, status } = await call(person, 'POST', '/api/experiments', experimentInput(change))
  expect(status, JSON.stringify(body)).toBe(201)
  return body.experimento
}

beforeAll(async () => {
  server = await startTestServer()
  admin = await server.person({ role: 'admin' })
  await call(admin, 'PUT', '/api/admin/installation', { organizacoes: 'varias' })
  owner = await server.person({ name: 'Dona Rita' })
  maker = await server.person({ name: 'Fábrica' })
  stranger = await server.person({ name: 'Outra' })
})
afterAll(() => server.stop())

test('counts and lists what each trial lacks, as the pure rule does, page after page', async () => {
  const person = await server.person({ name: 'Conta' })
  const wrong: Partial<ExperimentInput>[] = [
    {
      cultivar: 'Não Informado',
      codigo: 'SEM-CULTIVAR',
      latitude: null,
    },
    {
      codigo: 'SO-TESTEMUNHA',
      tratamentos: [
        {
          nome: 'Testemunha',
          modalidade: 'Foliar',
          produtividade: 3000,
          custo: null,
          produtos_aplicados: [],
          analises_adicionais: [],
        },
      ],
    },
  ]
  const written = []
  for (const input of demoExperiments(40)) written.push(await create(person, input))
  for (const change of wrong) written.push(await create(person, change))
  for (const cultura of [undefined, 'Soja', 'Milho']) {
    const expected = written
      .filter((one) => !cultura || one.cultura === cultura)
      .map((one) => [one.id, lacksOf(one)] as const)
      .filter(([, lacks]) => lacks.length > 0)
    const filter: Record<string, string> = cultura ? { cultura } : {}
    const answer = await incomplete(person, { ...filter, limit: '100' })
    expect(answer.total).toBe(expected.length)
    for (const lack of LACKS)
      expect(answer.contagens[lack], lack).toBe(expected.filter(([, lacks]) => lacks.includes(lack)).length)
    const found = answer.experimentos.map(({ id, faltas }: { id: string; faltas: Lack[] }) => [id, faltas])
    expect(found).toEqual(expected.reverse())
  }
  // A kind by itself keeps the counts of all.
  const all = await incomplete(person)
  const some = await incomplete(person, { falta: 'cultivar' })
  expect(some.contagens).toEqual(all.contagens)
  expect(some.experimentos.map(({ codigo }: { codigo: string }) => codigo)).toEqual(['SEM-CULTIVAR'])

  const ids: string[] = []
  let cursor: string | null = null
  do {
    const page: { experimentos: { id: string }[]; next_cursor: string | null } = await incomplete(person, {
      ...(cursor && { cursor }),
      limit: '7',
    })
    ids.push(...page.experimentos.map(({ id }) => id))
    cursor = page.next_cursor
  } while (cursor)
  expect(ids).toHaveLength(all.total)
  expect(new Set(ids).size).toBe(all.total)
})

test('the database and the domain tell a cultivar that nobody knew by the same words', async () => {
  const words = [...NO_CULTIVAR, ' N/D ', 'BRS 7981', 'NI 55']
  const { rows } = await sql<{ none: boolean }>`
    select sem_cultivar(w.word) as none from unnest(${words}::text[]) with ordinality w (word, at) order by w.at
  `.execute(await server.inNameOf(owner))
  expect(rows.map(({ none }) => none)).toEqual(words.map((_, at) => at < words.length - 2))
})

test('a trial leaves the list with what was missing', async () => {
  const person = await server.person({ name: 'Preenche' })
  const made = await create(person, { teor_argila: null })
  expect((await incomplete(person, { falta: 'teor_argila' })).experimentos).toMatchObject([
    { id: made.id, versao: 1, teor_argila: null, permissoes: { editar: true } },
  ])
  const saved = await call(person, 'PUT', `/api/experiments/${made.id}`, { ...made, teor_argila: 42 })
  expect(saved.status, JSON.stringify(saved.body)).toBe(200)
  const after = await incomplete(person, { falta: 'teor_argila' })
  expect(after.experimentos).toEqual([])
  expect(after.contagens.teor_argila).toBe(0)
})

test('who is not let in sees none, and costs that are hidden are never said to be missing', async () => {
  const input = experimentInput()
  const tratamentos = input.tratamentos.map((treatment) => ({ ...treatment, custo: null }))
  const made = await create(owner, { tratamentos, teor_argila: null, codigo: 'COM-FALTAS' })
  expect((await incomplete(owner)).contagens.custos).toBe(1)
  for (const person of [maker, stranger]) {
    const { total, experimentos } = await incomplete(person)
    expect([total, experimentos]).toEqual([0, []])
  }

  const { body } = await call(maker, 'GET', '/api/organizations')
  const sent = await call(owner, 'POST', '/api/shares', {
    alvo: { experimento: made.id },
    para: { codigo: body.organizacoes[0].codigo },
    ...{ custos: false, documentos: false, comentarios: false, ate: null },
  })
  expect(sent.status, JSON.stringify(sent.body)).toBeLessThan(300)
  await call(maker, 'POST', `/api/shares/${sent.body.compartilhamento.id}/accept`)
  const seen = await incomplete(maker)
  expect(seen.experimentos).toMatchObject([{ id: made.id, permissoes: { editar: false, ver_custos: false } }])
  expect(seen.experimentos[0].faltas).toContain('teor_argila')
  expect(seen.experimentos[0].faltas).not.toContain('custos')
  expect(seen.contagens.custos).toBe(0)
  expect((await incomplete(maker, { falta: 'custos' })).experimentos).toEqual([])
  expect((await incomplete(stranger)).total).toBe(0)
})

test('what cannot be asked is refused in words', async () => {
  const wrong = await call(owner, 'GET', '/api/experiments/incomplete?falta=tudo')
  expect(wrong.body.fields).toEqual([{ path: 'falta', message: 'Escolha o que falta' }])
  const page = await call(owner, 'GET', '/api/experiments/incomplete?cursor=7')
  expect([page.status, page.body.fields[0].message]).toEqual([422, 'Página inválida'])
  expect((await server.call('GET', '/api/experiments/incomplete', {})).status).toBe(401)
})
