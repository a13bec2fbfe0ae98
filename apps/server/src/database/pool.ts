import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Handle } from './handle.ts'
import { PreparingClient } from './hot.ts'

/** Statements of a request end by themselves; nothing may scan without bound. */
const STATEMENT_TIMEOUT_MS = 30_000
/** The database ends them itself, unless it stands still: then nobody waits for it longer than this. */
const PATIENCE_MS = STATEMENT_TIMEOUT_MS + 10_000
const PING_PATIENCE_MS = 3_000
const IDLE_TRANSACTION_TIMEOUT_MS = 60_000
const CONNECT_TIMEOUT_MS = 10_000

const INT8 = 20
const NUMERIC = 1700
const DATE = 1082

/** Counts and sums are numbers here, not text; a date is its text, not midnight in some time zone. */
function parser(oid: number, format?: 'text' | 'binary') {
  if (oid === INT8 || oid === NUMERIC) return Number
  if (oid === DATE) return (text: string) => text
  return pg.types.getTypeParser(oid, format)
}

export interface Pool {
  handle: Handle
  /** The driver's own pool, for COPY, LISTEN and health. */
  raw: pg.Pool
  /** Whether the database answers. */
  ping(): Promise<boolean>
  close(): Promise<void>
}

/** For requests: no statement of theirs may keep a person waiting. Commands and migrations take their time. */
export const impatient = { query_timeout: PATIENCE_MS, keepAlive: true }
/** The same, for those in somebody's name: who asks is said, and what is asked, without waiting in between. */
export const forRequests = { ...impatient, pipeline: true }

export function openPool(connection: pg.PoolConfig, log: (message: string) => void): Pool {
  const raw = new pg.Pool({
    max: 20,
    Client: PreparingClient,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    application_name: 'ensaio',
    types: { getTypeParser: parser as typeof pg.types.getTypeParser },
    ...connection,
  })
  raw.on('error', (error) => log(`Uma conexão com o banco caiu: ${error.message}`))
  // A connection that dies between two statements of a transaction tells nobody else; the next one fails.
  raw.on('connect', (client) => client.on('error', () => undefined))
  const handle: Handle = new Kysely({ dialect: new PostgresDialect({ pool: raw }) })
  return {
    handle,
    raw,
    ping: () =>
      Promise.race([
        raw.query('select 1').then(
          () => true,
          () => false,
        ),
        sleep(PING_PATIENCE_MS, false, { ref: false }),
      ]),
    close: () => handle.destroy(),
  }
}
