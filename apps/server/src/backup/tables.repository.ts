import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { Handle } from '../database/handle.ts'
import { migrate } from '../database/migrate.ts'
import type { Pool } from '../database/pool.ts'

export interface Table {
  /** With its schema. */
  nome: string
  /** Those that are stored; PostgreSQL computes the generated ones again. */
  colunas: string[]
}

export interface Sequence {
  nome: string
  /** As text: it may be larger than a number holds. */
  valor: string
  usada: boolean
}

interface StoredDocument {
  armazenado: string
  sha256: string
}

/** Servers that share a database find their root secret here; a backup carries it apart from the rows. */
const SECRETS = 'auth.secrets'
const ROOT = 'root'
const DOCUMENT_PAGE = 500
const APPLICATION = 'ensaio'

const identifier = (name: string) => name.split('.').map(pg.escapeIdentifier).join('.')
const columnList = (columns: readonly string[]) => columns.map(pg.escapeIdentifier).join(', ')

/** Runs the work on one connection that no time-out cuts and that reads and writes values in one spelling. */
async function onOneConnection<T>(pool: Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.raw.connect()
  let failure: Error | undefined
  try {
    await client.query(`
      set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = '30s';
      set datestyle = 'ISO'; set intervalstyle = 'postgres'; set timezone = 'UTC'; set bytea_output = 'hex';
      set extra_float_digits = 3; set client_encoding = 'UTF8'
    `)
    return await work(client)
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    // Not given back: its settings are its own.
    client.release(failure ?? true)
  }
}

export interface Snapshot {
  tables: Table[]
  migrations: string[]
  sequences: Sequence[]
  /** The table's rows in COPY's text format; `rows` is known once they have been read. */
  copy(table: Table): { stream: AsyncIterable<Uint8Array>; rows(): number }
  documents(): AsyncGenerator<StoredDocument>
}

/** Everything that the work reads is as it was at one moment, whatever others write meanwhile. */
export function inSnapshot<T>(pool: Pool, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  return onOneConnection(pool, async (client) => {
    await client.query('begin isolation level repeatable read read only')
    const result = await work({
      tables: await ownTables(client),
      migrations: await appliedMigrations(client),
      sequences: await ownSequences(client),
      copy(table) {
        const from = `select ${columnList(table.colunas)} from ${identifier(table.nome)}`
        const only = table.nome === SECRETS ? ` where name <> '${ROOT}'` : ''
        const stream = client.query(copyTo(`copy (${from}${only}) to stdout`))
        return { stream, rows: () => stream.rowCount }
      },
      async *documents() {
        let after = ''
        for (;;) {
          const { rows } = await client.query<StoredDocument>(
            `select armazenado, sha256 from (
              select armazenado, sha256 from documentos union all
              select armazenado, sha256 from fotos where armazenado is not null) de
            where armazenado > $1 order by armazenado limit $2`,
            [after, DOCUMENT_PAGE],
          )
          yield* rows
          const last = rows.at(-1)
          if (!last || rows.length < DOCUMENT_PAGE) return
          after = last.armazenado
        }
      },
    })
    await client.query('commit')
    return result
  })
}

/** Whether a row names the file now, outside any snapshot. */
export async function isNamed(pool: Pool, armazenado: string): Promise<boolean> {
  const { rowCount } = await pool.raw.query(
    'select from documentos where armazenado = $1 union all select from fotos where armazenado = $1',
    [armazenado],
  )
  return rowCount === 1
}

/** Tables of ours: an extension's own are made by the extension. */
async function ownTables(client: pg.PoolClient): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select n.nspname || '.' || c.relname as nome, array_agg(a.attname::text order by a.attnum) as colunas
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind = 'r' and ${OURS}
    group by 1 order by 1
  `)
  return rows
}

const OURS = `
  n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
  and pg_has_role(c.relowner, 'member')
  and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')`

async function ownSequences(client: pg.PoolClient): Promise<Sequence[]> {
  const { rows } = await client.query<{ nome: string }>(`
    select n.nspname || '.' || c.relname as nome
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'S' and ${OURS} order by 1
  `)
  const found: Sequence[] = []
  for (const { nome } of rows) {
    const { rows: at } = await client.query<Omit<Sequence, 'nome'>>(
      `select last_value::text as valor, is_called as usada from ${identifier(nome)}`,
    )
    found.push(...at.map((value) => ({ nome, ...value })))
  }
  return found
}

async function appliedMigrations(client: pg.PoolClient): Promise<string[]> {
  const { rows: there } = await client.query(`select to_regclass('public.migrations') as found`)
  if (there[0]?.found === null) return []
  const { rows } = await client.query<{ name: string }>('select name from migrations order by name')
  return rows.map(({ name }) => name)
}

export interface TargetState {
  migrations: string[]
  /** Somebody's accounts, experiments or documents are there. */
  used: boolean
  /** Connections of other servers or commands of ours. */
  others: number
}

export function targetState(pool: Pool): Promise<TargetState> {
  return onOneConnection(pool, async (client) => {
    const migrations = await appliedMigrations(client)
    const { rows } = await client.query<{ others: number }>(
      `select count(*)::int as others from pg_stat_activity
       where datname = current_database() and application_name = $1 and pid <> all($2::int[])`,
      [APPLICATION, await ownBackends(pool, client)],
    )
    const kept = ['auth.users', 'experimentos', 'documentos']
    let used = false
    for (const table of migrations.length > 0 ? kept : []) {
      const { rows: found } = await client.query(`select to_regclass('${table}') is not null as there`)
      if (!found[0]?.there) continue
      const { rows: some } = await client.query(`select exists (select from ${identifier(table)}) as used`)
      used ||= some[0]?.used === true
    }
    return { migrations, used, others: rows[0]?.others ?? 0 }
  })
}

/** The process numbers of this pool's connections, as far as they are open. */
async function ownBackends(pool: Pool, client: pg.PoolClient): Promise<number[]> {
  const numbers = [backendOf(client)]
  const idle: pg.PoolClient[] = []
  while (pool.raw.idleCount > 0) {
    const one = await pool.raw.connect()
    idle.push(one)
    numbers.push(backendOf(one))
  }
  for (const one of idle) one.release()
  return numbers
}

const backendOf = (client: pg.PoolClient) =>
  'processID' in client && typeof client.processID === 'number' ? client.processID : 0

/** Applies those of the migrations that a backup was made after; more, and its rows would not fit. */
export const migrateTo = (handle: Handle, names: readonly string[]) => migrate(handle, new Set(names))

export interface Loading {
  /** Whether there is such a table: after the same migrations one that is not here was never ours. */
  knows(table: Table): boolean
  /** Exchanges the table's rows. @returns their number */
  fill(table: Table, rows: AsyncIterable<Uint8Array>): Promise<number>
  keepRoot(secret: Uint8Array): Promise<void>
  dropDocuments(armazenados: readonly string[]): Promise<void>
  continueSequences(sequences: readonly Sequence[]): Promise<void>
}

/**
 * Fills tables in one transaction: all or nothing. What the migrations put there goes first. Foreign keys
 * are taken away and made again afterwards, which checks every row; triggers rest, so that nothing is written
 * but what was read.
 */
export function load<T>(
  pool: Pool,
  /** The tables of the backup; no other is touched. */
  wanted: readonly string[],
  work: (loading: Loading) => Promise<T>,
): Promise<T> {
  return onOneConnection(pool, async (client) => {
    await client.query('begin')
    try {
      const own = (await ownTables(client)).filter(({ nome }) => wanted.includes(nome))
      const tables = new Map(own.map((table) => [table.nome, table]))
      const keys = await foreignKeys(client, [...tables.keys()])
      const each = async (statement: (table: string) => string) => {
        for (const name of tables.keys()) await client.query(statement(identifier(name)))
      }
      await each((table) => `lock table ${table} in access exclusive mode`)
      await each((table) => `alter table ${table} disable trigger user`)
      for (const { tabela, nome } of keys)
        await client.query(`alter table ${tabela} drop constraint ${pg.escapeIdentifier(nome)}`)
      const result = await work({
        knows: ({ nome }) => tables.has(nome),
        async fill({ nome, colunas }, rows) {
          const unknown = colunas.find((column) => !tables.get(nome)?.colunas.includes(column))
          if (unknown !== undefined) throw new Error(`A tabela ${nome} não tem a coluna ${unknown}.`)
          await client.query(`truncate ${identifier(nome)}`)
          const target = client.query(
            copyFrom(`copy ${identifier(nome)} (${columnList(colunas)}) from stdin`),
          )
          await pipeline(Readable.from(rows), target)
          return target.rowCount
        },
        async keepRoot(secret) {
          await client.query(`insert into ${SECRETS} (name, value) values ('${ROOT}', $1)`, [secret])
        },
        async dropDocuments(armazenados) {
          await client.query(
            `update experimentos set documento_id = null
             where documento_id in (select id from documentos where armazenado = any($1))`,
            [armazenados],
          )
          await client.query('delete from documentos where armazenado = any($1)', [armazenados])
          await client.query('delete from fotos where armazenado = any($1)', [armazenados])
        },
        async continueSequences(sequences) {
          for (const { nome, valor, usada } of sequences)
            await client.query(
              'select setval(to_regclass($1), $2::bigint, $3) where to_regclass($1) is not null',
              [identifier(nome), valor, usada],
            )
        },
      })
      for (const { tabela, nome, definicao } of keys)
        await client.query(`alter table ${tabela} add constraint ${pg.escapeIdentifier(nome)} ${definicao}`)
      await each((table) => `alter table ${table} enable trigger user`)
      await client.query('commit')
      await client.query('analyze')
      return result
    } catch (error) {
      await client.query('rollback').catch(() => undefined)
      throw error
    }
  })
}

async function foreignKeys(client: pg.PoolClient, tables: string[]) {
  const { rows } = await client.query<{ tabela: string; nome: string; definicao: string }>(
    `
    select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as tabela,
      k.conname as nome, pg_get_constraintdef(k.oid) as definicao
    from pg_constraint k
    join pg_class c on c.oid = k.conrelid
    join pg_namespace n on n.oid = c.relnamespace
    where k.contype = 'f' and n.nspname || '.' || c.relname = any($1)
    order by 1, 2
  `,
    [tables],
  )
  return rows
}
