import { type Experiment, type Group, overviewOf } from '@ensaio/domain'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoExperiments } from '../../demo-data.ts'
import { type Person, startTestServer, type TestServer } from '../../test-server.ts'
import { cellContents } from './cells.repository.ts'
import { rebuildCells } from './cells.ts'

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

/** A repeatable number below `size`. */
function dice(seed: number): (size: number) => number {
  let state = seed
  return (size) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return Math.floor((state / 0x80000000) * size)
  }
}

const key = (groups: readonly Group[]) => Object.fromEntries(groups.map((group) => [group.chave, group.n]))
const close = (a: number | null, b: number | null) =>
  a === b || (a !== null && b !== null && Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b)))

async function agrees(): Promise<void> {
  const { body } = await call('GET', '/api/dashboard/overview')
  const expected = overviewOf([...live.values()], {})
  expect(body.total).toBe(expected.total)
  expect(body.consultorias_ativas).toBe(expected.consultorias_ativas)
  for (const chart of [
    'por_cultura',
    'por_marca',
    'por_regional',
    'por_bu',
    'por_ano',
    'por_modalidade',
  ] as const) {
    expect(key(body[chart])).toEqual(key(expected[chart]))
    for (const group of expected[chart]) {
      const actual = body[chart].find((each: Group) => each.chave === group.chave)
      expect(close(actual.produtividade_media, group.produtividade_media), `${chart} ${group.chave}`).toBe(
        true,
      )
      expect(close(actual.roi_medio, group.roi_medio), `${chart} ${group.chave}`).toBe(true)
    }
  }
  expect(body.produtos.map(({ produto }: { produto: string }) => produto)).toEqual(
    expected.produtos.map(({ produto }) => produto),
  )
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
      const { body } = await call('POST', `/api/experiments/${back}/restore`)
      live.set(back, body.experimento)
    }
    if (step % 6 === 5) await agrees()
  }
  await agrees()
}, 60_000)

test('a change of treatments or products alone reaches the cells', async () => {
  await sql`update tratamentos set produtividade = produtividade + 1 where ordem = 2`.execute(server.handle)
  await sql`delete from produtos_aplicados where ordem = 1 and tratamento = 3`.execute(server.handle)
  await call('GET', '/api/dashboard/overview')
  expect((await rebuildCells(server.handle)).wrong).toBe(0)
})

test('a rebuild finds what was tampered with and mends it', async () => {
  const before = await cellContents(server.handle)
  await sql`update celulas set n = n + 1 where ctid = (select min(ctid) from celulas)`.execute(server.handle)
  expect((await rebuildCells(server.handle)).wrong).toBe(1)
  expect(await cellContents(server.handle)).toEqual(before)
})

test('an emptied cell is gone', async () => {
  for (const id of live.keys()) await call('DELETE', `/api/experiments/${id}`)
  const { body } = await call('GET', '/api/dashboard/overview')
  expect(body).toMatchObject({ total: 0, produtividade_media: null, consultorias_ativas: 0, por_cultura: [] })
  expect(await cellContents(server.handle)).toEqual(new Set())
})
