import type { Experiment, ExperimentFilter } from '@ensaio/domain'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoExperiments } from '../../demo-data.ts'
import { experimentInput, type Person, startTestServer, type TestServer } from '../../test-server.ts'
import { rebuildCells } from './cells.ts'
import { takeDirty } from './fold.repository.ts'
import { close, dice, expectFigures, randomFilter } from './test-figures.ts'

let server: TestServer
let admin: Person
const live = new Map<string, Experiment>()

beforeAll(async () => {
  server = await startTestServer()
  admin = await server.person({ role: 'admin' })
})
afterAll(() => server.stop())

const call = (method: string, path: string, body?: object) =>
  server.call(method, path, { token: admin.token, ...(body && { body }) })

/** The server's figures, the pure function's and, for two of them, plain SQL over the base tables. */
async function agrees(filter: ExperimentFilter): Promise<void> {
  const body = await expectFigures((path) => call('GET', path), [...live.values()], filter)
  if (Object.keys(filter).length > 0) return
  const { rows } = await sql<{ n: number; media: number | null }>`
    select count(*) as n, avg(produtividade_media) as media from experimentos where deleted_at is null
  `.execute(server.handle)
  expect(body.total).toBe(rows[0]?.n)
  expect(close(body.produtividade_media, rows[0]?.media ?? null)).toBe(true)
}

test('after every write its writer reads the new figures, whatever was created, changed, deleted or restored', async () => {
  const roll = dice(7)
  const inputs = demoExperiments(90)
  const deleted: string[] = []
  for (const [step, input] of inputs.entries()) {
    const ids = [...live.keys()]
    const id = ids[roll(Math.max(1, ids.length))]
    const choice = roll(10)
    if (id === undefined || choice < 5) {
      const { body } = await call('POST', '/api/experiments', input)
      live.set(body.experimento.id, body.experimento)
    } else if (choice < 8) {
      const versao = live.get(id)?.versao
      const { body } = await call('PUT', `/api/experiments/${id}`, { ...input, versao })
      live.set(id, body.experimento)
    } else if (choice === 8 || deleted.length === 0) {
      await call('DELETE', `/api/experiments/${id}`)
      live.delete(id)
      deleted.push(id)
    } else {
      const back = deleted.splice(roll(deleted.length), 1)[0] ?? ''
      const { body } = await call('POST', `/api/experiments/${back}/restore?desfazer=true`)
      live.set(back, body.experimento)
    }
    if (step % 3 === 2) await agrees(randomFilter(roll, [...live.values()]))
  }
  await agrees({})
  for (let time = 0; time < 40; time++) await agrees(randomFilter(roll, [...live.values()]))
  for (const { cultura } of [...live.values()].slice(0, 10)) await agrees({ cultura, produto: 'a' })
}, 200_000)

test('a change of treatments or products alone reaches the cells', async () => {
  await sql`update tratamentos set produtividade = produtividade + 1 where ordem = 2`.execute(server.handle)
  await sql`delete from produtos_aplicados where ordem = 1 and tratamento = 3`.execute(server.handle)
  await call('GET', '/api/dashboard/overview')
  expect((await rebuildCells(server.handle)).wrong).toBe(0)
})

test('a rebuild finds what was tampered with and mends it', async () => {
  await sql`update celulas set n = n + 1 where ctid = (select min(ctid) from celulas)`.execute(server.handle)
  expect((await rebuildCells(server.handle)).wrong).toBe(1)
  expect((await rebuildCells(server.handle)).wrong).toBe(0)
})

test('a turn begins with empty lists, whatever the last one of its connection left; worn ones are made new', async () => {
  await server.handle.connection().execute(async (connection) => {
    const begin = () =>
      connection.transaction().execute(async (transaction) => {
        await takeDirty(transaction, { most: 0 })
        const { rows } = await sql<{ n: number; bytes: number }>`
          select (select count(*) from vez) as n, pg_relation_size('vez') as bytes
        `.execute(transaction)
        return rows[0]
      })
    const leave = (count: number) =>
      sql`insert into vez select gen_random_uuid() from generate_series(1, ${count}::int)`.execute(connection)
    expect(await begin()).toEqual({ n: 0, bytes: 0 })
    await leave(100)
    expect(await begin()).toEqual({ n: 0, bytes: 8192 })
    await leave(10_000)
    expect(await begin()).toEqual({ n: 0, bytes: 0 })
  })
})

test('an experiment that is deleted outright is counted no more', async () => {
  const [id] = live.keys()
  await sql`delete from experimentos where id = ${id}`.execute(server.handle)
  live.delete(id ?? '')
  expect((await rebuildCells(server.handle)).wrong).toBe(0)
  const { body } = await call('GET', '/api/dashboard/overview')
  expect(body.total).toBe(live.size)
})

test('figures that have come to nothing do not show', async () => {
  for (const id of live.keys()) await call('DELETE', `/api/experiments/${id}`)
  const { body } = await call('GET', '/api/dashboard/overview')
  expect(body).toMatchObject({ total: 0, produtividade_media: null, consultorias_ativas: 0, por_cultura: [] })
  expect((await rebuildCells(server.handle)).wrong).toBe(0)
})

describe('what cannot be counted', () => {
  let other: TestServer
  let person: Person
  const read = () => other.call('GET', '/api/dashboard/overview', { token: person.token })
  const create = (input: object) =>
    other.call('POST', '/api/experiments', { token: person.token, body: input })

  beforeAll(async () => {
    other = await startTestServer({ env: { LOG_LEVEL: 'silent' } })
    person = await other.person()
  })
  afterAll(() => other.stop())

  test('an experiment of 690 products is counted like any other', async () => {
    const { body } = await create(experimentInput())
    await sql`
      with named as (
        insert into produtos (nome, busca) select 'Produto ' || n, 'produto ' || n from generate_series(1, 690) n returning id
      )
      insert into produtos_aplicados (experimento_id, tratamento, ordem, produto_id)
      select ${body.experimento.id}, 2, row_number() over () + 1, id from named
    `.execute(other.handle)
    await until(async () => (await read()).body.total === 1)
    expect((await rebuildCells(other.handle)).wrong).toBe(0)
  })

  test('more than 200 different products are refused with a sentence', async () => {
    const products = Array.from({ length: 50 }, (_, n) => n)
    const tratamentos = Array.from({ length: 5 }, (_, row) => ({
      ...experimentInput().tratamentos[1],
      produtos_aplicados: products.map((n) => ({
        nome: `Produto ${row}-${n}`,
        dose: 1,
        unidade: 'L/ha',
        custo: 1,
      })),
    }))
    const { status, body } = await create({ ...experimentInput(), tratamentos })
    expect(status).toBe(422)
    expect(body.fields).toEqual([
      { path: 'tratamentos', message: 'Use no máximo 200 produtos diferentes no experimento' },
    ])
  })

  test('an experiment that cannot be folded is set aside, the others go on, and the rebuild works', async () => {
    await sql`alter table contados add constraint trap check (roi is distinct from 666)`.execute(other.handle)
    const before = (await read()).body.total
    const { body: bad } = await create(experimentInput({ roi: 666 }))
    await create(experimentInput({ roi: 10 }))
    await until(async () => (await read()).body.total === before + 1)
    const asideNow = async () =>
      (await sql<{ id: string }>`select experimento_id as id from sujos_falhos`.execute(other.handle)).rows
    await until(async () => (await asideNow()).length === 1)
    expect(await asideNow()).toEqual([{ id: bad.experimento.id }])

    const told: unknown[] = []
    expect((await rebuildCells(other.handle, (error) => told.push(error))).wrong).toBe(0)
    expect(told.map(String).join()).toContain(bad.experimento.id)
    expect((await read()).body.total).toBe(before + 1)

    await sql`alter table contados drop constraint trap`.execute(other.handle)
    expect((await rebuildCells(other.handle)).wrong).toBeGreaterThan(0)
    expect((await read()).body.total).toBe(before + 2)
  })

  test('while figures are counted anew, who has just saved reads them as they stand', async () => {
    await other.handle.transaction().execute(async (counting) => {
      await sql`select pg_advisory_xact_lock(${0x63656c6c})`.execute(counting)
      const before = (await read()).body.total
      await create(experimentInput())
      const answers = await Promise.all([read(), read(), read(), read()])
      expect(answers.map(({ status, body }) => [status, body.total])).toEqual(Array(4).fill([200, before]))
    })
    await until(async () => (await read()).body.total > 0)
  })
})

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 10_000; Date.now() < end; ) {
    if (await condition()) return
    await new Promise((done) => setTimeout(done, 50))
  }
  throw new Error('it did not come to that within ten seconds')
}
