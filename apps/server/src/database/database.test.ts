import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { migrate } from './migrate.ts'
import { openPool, type Pool } from './pool.ts'
import { createTestDatabase } from './test-database.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let pool: Pool

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseHost'))
  pool = openPool(database, console.error)
})
afterAll(async () => {
  await pool.close()
  await database.drop()
})

test('every migration is applied once', async () => {
  expect(await migrate(pool.handle)).toEqual([])
})

test('all municipalities are known, with coordinates', async () => {
  const { rows } = await sql<{ n: number; placed: number; states: number }>`
    select count(*) as n, count(latitude) as placed, count(distinct estado) as states from cidades
  `.execute(pool.handle)
  expect(rows[0]).toEqual({ n: 5571, placed: 5571, states: 27 })
})

test.each([
  ['rio verde', 'GO', -17.8, -50.92],
  ['sorriso', 'MT', -12.54, -55.71],
  ['sao paulo', 'SP', -23.55, -46.64],
  ["nova brasilandia d'oeste", 'RO', -11.72, -62.31],
])('%s (%s) lies where it does', async (busca, estado, latitude, longitude) => {
  const { rows } = await sql<{ latitude: number; longitude: number }>`
    select latitude, longitude from cidades where busca = ${busca} and estado = ${estado}
  `.execute(pool.handle)
  expect(rows[0]?.latitude).toBeCloseTo(latitude, 1)
  expect(rows[0]?.longitude).toBeCloseTo(longitude, 1)
})

test('the built-in names are offered', async () => {
  const { rows } = await sql<{ kind: string; n: number }>`
    select 'culturas' as kind, count(*) as n from culturas where ativo
    union all select 'fabricantes', count(*) from fabricantes where ativo
    union all select 'produtos', count(*) from produtos where ativo and fabricante_id is not null
    union all select 'regioes', count(*) from regioes where ativo
    union all select 'estados', count(*) from estados
  `.execute(pool.handle)
  expect(Object.fromEntries(rows.map(({ kind, n }) => [kind, n]))).toEqual({
    culturas: 11,
    fabricantes: 4,
    produtos: 17,
    regioes: 5,
    estados: 27,
  })
})

test('the audit log cannot be changed', async () => {
  await sql`insert into auth.audit_log (action) values ('test')`.execute(pool.handle)
  await expect(sql`delete from auth.audit_log`.execute(pool.handle)).rejects.toThrow('append-only')
  await expect(sql`update auth.audit_log set action = 'x'`.execute(pool.handle)).rejects.toThrow(
    'append-only',
  )
})
