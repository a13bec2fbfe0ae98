import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type EmbeddedDatabase, startEmbedded } from './embedded.ts'
import { migrate } from './migrate.ts'
import { openPool, type Pool } from './pool.ts'
import { grantRequests, tooMuchPower } from './roles.ts'
import { schemaTypes } from './schema-types.ts'
import { createTestDatabase } from './test-database.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let pool: Pool
let requests: Pool

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'))
  pool = openPool(database.owner, console.error)
  requests = openPool(database.requests, console.error)
})
afterAll(async () => {
  await pool.close()
  await requests.close()
  await database.drop()
})

test('every migration is applied once', async () => {
  expect(await migrate(pool.handle)).toEqual([])
})

test('the types of the tables are those that the migrations make', async () => {
  const committed = readFileSync(new URL('schema.generated.ts', import.meta.url), 'utf8')
  expect(await schemaTypes(pool.handle), 'npm run types:database writes them').toBe(committed)
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

describe('what requests run as', () => {
  test('owns nothing, is no superuser and cannot become one', async () => {
    expect(await tooMuchPower(requests.handle)).toEqual([])
    expect(await tooMuchPower(pool.handle)).toContain('é dono das tabelas')
    for (const statement of [
      'set role ensaio',
      'alter role ensaio_app superuser',
      'create role another',
      `copy (select 1) to program 'true'`,
      `select pg_read_file('pg_hba.conf')`,
      'create table public.mine (n integer)',
    ])
      await expect(sql.raw(statement).execute(requests.handle), statement).rejects.toMatchObject({
        code: '42501',
      })
  })

  test('adds to the audit and can neither change it nor lift what guards it', async () => {
    await sql`insert into auth.audit_log (action) values ('test')`.execute(requests.handle)
    for (const statement of [
      'delete from auth.audit_log',
      `update auth.audit_log set action = 'x'`,
      'truncate auth.audit_log',
      'alter table auth.audit_log disable trigger all',
      'drop trigger audit_log_append_only on auth.audit_log',
      'drop table auth.audit_log',
      `set session_replication_role = 'replica'`,
    ])
      await expect(sql.raw(statement).execute(requests.handle), statement).rejects.toMatchObject({
        code: '42501',
      })
  })

  test('leaves nothing behind that outlives its transaction', async () => {
    // As at every start; a copied database has its own rights.
    await grantRequests(pool.handle)
    for (const statement of [
      `select pg_advisory_lock(1)`,
      `select pg_try_advisory_lock(1)`,
      `select lo_create(0)`,
      'create temporary table mine (n integer)',
      `update public.alteracoes set acao = 'x'`,
      'delete from public.alteracoes',
    ])
      await expect(sql.raw(statement).execute(requests.handle), statement).rejects.toMatchObject({
        code: '42501',
      })
    // Its own settings it may change, until the next start.
    await sql`alter role ensaio_app set default_transaction_read_only = on`.execute(requests.handle)
    await grantRequests(pool.handle)
    const { rows } = await sql`
      select setconfig from pg_db_role_setting s join pg_roles r on r.oid = s.setrole where rolname = 'ensaio_app'
    `.execute(pool.handle)
    expect(rows).toEqual([])
  })

  test.each(['auth.secrets', 'auth.signing_keys', 'public.migrations'])('does not read %s', async (table) => {
    await expect(sql`select from ${sql.table(table)}`.execute(requests.handle)).rejects.toMatchObject({
      code: '42501',
    })
  })

  test('reads kept figures and cannot change them', async () => {
    await sql`select from celulas`.execute(requests.handle)
    await expect(sql`update celulas set n = 0`.execute(requests.handle)).rejects.toMatchObject({
      code: '42501',
    })
  })
})

test('nobody connects without a password, whatever user of the machine reaches the socket', async () => {
  const { host } = database.owner
  for (const user of ['ensaio', 'ensaio_app', 'postgres'])
    for (const password of [undefined, '', 'ensaio'])
      await expect(connect({ host, user, password, database: 'postgres' })).rejects.toThrow()
})

describe("a cluster of one's own", () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ensaio-cluster-'))
  const start = () => startEmbedded({ dataDir, durable: false, log: console.error })
  let running: EmbeddedDatabase | null = null
  afterAll(async () => {
    await running?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('of two first starts at once one gets the folder, the other a sentence', async () => {
    const starts = await Promise.allSettled([start(), start()])
    const won = starts.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    const lost = starts.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))
    expect(won).toHaveLength(1)
    expect(lost).toEqual([expect.stringContaining('Já há um Ensaio em execução')])
    running = won[0] ?? null
    await connect(running?.connection ?? {})
  })

  test('of before there were passwords, or whose key is gone, has them after the next start', async () => {
    for (const spoil of [
      () => writeFileSync(join(dataDir, 'postgres', 'pg_hba.conf'), 'local all all trust\n'),
      () => rmSync(join(dataDir, 'database.key')),
      () => writeFileSync(join(dataDir, 'database.key'), ''),
      () => writeFileSync(join(dataDir, 'database.key'), Buffer.alloc(32, 7)),
    ]) {
      await running?.stop()
      spoil()
      running = await start()
      await connect(running.connection)
      await expect(connect({ ...running.connection, password: 'outra' })).rejects.toMatchObject({
        code: '28P01',
      })
      expect(readFileSync(join(dataDir, 'postgres', 'pg_hba.conf'), 'utf8')).not.toContain('trust')
    }
  })
})

async function connect(options: pg.ClientConfig | { password: string | undefined }): Promise<void> {
  const client = new pg.Client(options)
  try {
    await client.connect()
  } finally {
    await client.end().catch(() => undefined)
  }
}
