import { type CompiledQuery, Kysely, PostgresDialect, type QueryResult } from 'kysely'
import pg from 'pg'
import type { Handle } from './handle.ts'

/** Of a test's statements: none answers a row, or each that answers columns answers one. */
export type Answer = 'no row' | 'one row'

/** They have no plan, and others need what they make: scratch tables and functions, settings, savepoints. */
const RUN =
  /^\s*(analyze|create temporary table|create or replace function pg_temp|release|reset|rollback to|savepoint|set local|set statement_timeout|truncate)\b/
/** It runs in no transaction, and so not here. */
const APART = /^\s*vacuum\b/

const { builtins } = pg.types
const TEXT_ARRAY_OID = 1009
const UUID_ARRAY_OID = 2951
const INTEGER_ARRAY_OID = 1007
const VOID_OID = 2278
const NUMBERS: number[] = [builtins.INT2, builtins.INT4, builtins.INT8, builtins.FLOAT8, builtins.NUMERIC]
const TEXTS: number[] = [builtins.TEXT, builtins.BPCHAR, builtins.VARCHAR]

/**
 * A handle that prepares and plans each statement, with its values, and runs none. A row that it answers is made up
 * from the columns that PostgreSQL describes; to read another column of it fails.
 */
export function preparing(client: pg.Client, answer: Answer): Handle {
  // Only the parts that make statements are taken of it: nothing is asked through a pool.
  const dialect = new PostgresDialect({ pool: null as never })
  return new Kysely({
    dialect: {
      createAdapter: () => dialect.createAdapter(),
      createIntrospector: (database) => dialect.createIntrospector(database),
      createQueryCompiler: () => dialect.createQueryCompiler(),
      createDriver: () => ({
        init: async () => undefined,
        acquireConnection: async () => ({
          executeQuery: async <R>(query: CompiledQuery) =>
            (await prepare(client, query, answer)) as QueryResult<R>,
          streamQuery: () => {
            throw new Error('nothing streams')
          },
        }),
        // The test's own transaction is around all of it.
        beginTransaction: async () => undefined,
        commitTransaction: async () => undefined,
        rollbackTransaction: async () => undefined,
        releaseConnection: async () => undefined,
        destroy: async () => undefined,
      }),
    },
  })
}

async function prepare(
  client: pg.Client,
  { sql, parameters }: CompiledQuery,
  answer: Answer,
): Promise<QueryResult<unknown>> {
  try {
    if (APART.test(sql)) return { rows: [] }
    if (RUN.test(sql)) {
      await client.query(sql)
      return { rows: [] }
    }
    const columns = await describe(client, sql)
    await client.query(`explain ${sql}`, [...parameters])
    const one = answer === 'one row'
    return { numAffectedRows: one ? 1n : 0n, rows: one && columns ? [madeUp(columns)] : [] }
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${sql}`, { cause: error })
  }
}

type Columns = { name: string; dataTypeID: number }[]

/** Parses the statement and asks what it would answer; null for one that answers no rows. */
function describe(client: pg.Client, text: string): Promise<Columns | null> {
  return new Promise((resolve, reject) => {
    let columns: Columns | null = null
    client.query({
      submit(connection: pg.Connection) {
        connection.parse({ name: '', text, types: [] }, true)
        connection.describe({ type: 'S', name: '' }, true)
        connection.sync()
      },
      handleRowDescription: (message: { fields: Columns }) => {
        columns = message.fields
      },
      handleReadyForQuery: () => resolve(columns),
      handleError: reject,
    } as pg.Submittable)
  })
}

function madeUp(columns: Columns): Record<string, unknown> {
  const row = Object.fromEntries(columns.map(({ name, dataTypeID }) => [name, valueOfType(name, dataTypeID)]))
  return new Proxy(row, {
    get(target, key) {
      if (typeof key === 'string' && key !== 'then' && !Object.hasOwn(target, key))
        throw new Error(`the statement answers no column ${key}, only ${Object.keys(target)}`)
      return Reflect.get(target, key)
    },
  })
}

function valueOfType(name: string, oid: number): unknown {
  if (NUMBERS.includes(oid)) return 1
  if (TEXTS.includes(oid)) return 'x'
  switch (oid) {
    case builtins.BOOL:
      return true
    case builtins.UUID:
      return '01900000-0000-7000-8000-000000000000'
    case builtins.TIMESTAMPTZ:
      return new Date(0)
    case builtins.BYTEA:
      return Buffer.of(0)
    case builtins.JSON:
    case builtins.JSONB:
      return {}
    case builtins.DATE:
      return '2026-01-01'
    case TEXT_ARRAY_OID:
    case UUID_ARRAY_OID:
    case INTEGER_ARRAY_OID:
      return []
    case VOID_OID:
      return ''
  }
  throw new Error(`${name}: how does the driver answer type ${oid}?`)
}
