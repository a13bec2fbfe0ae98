import type { PoolConfig } from 'pg'
import type { Config } from '../config.ts'
import { findRunning, startEmbedded } from './embedded.ts'
import type { Handle } from './handle.ts'
import { migrate } from './migrate.ts'
import { forRequests, impatient, openPool, type Pool } from './pool.ts'
import { grantRequests, letRequestsIn, REQUESTS, tooMuchPower } from './roles.ts'
import { AS_OWNER, forceWall, proveWall } from './wall.ts'

export interface OpenDatabase {
  /** As the owner of the tables. */
  pool: Pool
  /** For pools of other kinds: as the owner, and as the role that owns nothing. */
  connection: PoolConfig
  requests: PoolConfig
  close(): Promise<void>
}

export interface ServerDatabase {
  /** What requests use: a role that owns nothing, and statements that nobody waits for without end. */
  pool: Pool
  /** What keeps figures and keys: the owner of the tables. */
  owner: Pool
  close(): Promise<void>
}

/** Figures are folded one at a time and keys are seldom read. */
const OWNER_CONNECTIONS = 4

/** The database named by DATABASE_URL, else our own over the data folder; migrated unless said otherwise. */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: (message: string) => void,
  prepare: (handle: Handle) => Promise<unknown> = (handle) => migrate(handle),
): Promise<OpenDatabase> {
  const embedded = config.databaseUrl ? null : await startEmbedded({ dataDir: config.dataDir, log })
  const connection = embedded?.connection ?? { connectionString: config.databaseUrl ?? '' }
  const pool = openPool(connection, log)
  const close = async () => {
    await pool.close()
    await embedded?.stop()
  }
  try {
    await prepare(pool.handle)
  } catch (error) {
    await close()
    if (!config.databaseUrl || !isUnreachable(error)) throw error
    throw new Error(`O banco indicado em DATABASE_URL não pode ser usado: ${reasonOf(error)}`, {
      cause: error,
    })
  }
  return { pool, connection, requests: embedded?.requests ?? asRequests(config.databaseUrl ?? ''), close }
}

/** The same for a server. */
export async function openServerDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: (message: string) => void,
): Promise<ServerDatabase> {
  const database = await openDatabase(config, log)
  try {
    const granted = await grantRequests(database.pool.handle)
    const { connection, requests } = database
    if (granted && typeof requests.password === 'string')
      await letRequestsIn(database.pool.handle, requests.password)
    if (!granted) {
      log('O banco não permite criar papéis: as consultas usam o dono das tabelas, preso às mesmas regras.')
      await forceWall(database.pool.handle)
    }
    const owner = openPool({ ...asOwner(connection), ...impatient, max: OWNER_CONNECTIONS }, log)
    const pool = openPool({ ...(granted ? requests : connection), ...forRequests }, log)
    const reasons = await tooMuchPower(pool.handle)
    if (reasons.length > 0)
      log(`As consultas usam um papel do banco que pode mais do que precisa: ${reasons.join(', ')}.`)
    await proveWall(pool.handle)
    return {
      pool,
      owner,
      async close() {
        await pool.close()
        await owner.close()
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** The named database, each connection acting as the role from its first statement on. */
const asRequests = (databaseUrl: string): PoolConfig => ({
  connectionString: withOptions(databaseUrl, `-c role=${REQUESTS}`),
})

/** Each connection says that it is not a request's. */
const asOwner = (connection: PoolConfig): PoolConfig =>
  connection.connectionString
    ? { connectionString: withOptions(connection.connectionString, AS_OWNER) }
    : { ...connection, options: AS_OWNER }

function withOptions(databaseUrl: string, options: string): string {
  const url = new URL(databaseUrl)
  const given = url.searchParams.get('options')
  url.searchParams.set('options', [...(given ? [given] : []), options].join(' '))
  return url.href
}

/** For a command: the database of the server that runs on the data folder, else the one that it would use. */
export async function joinDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: (message: string) => void,
): Promise<Pick<OpenDatabase, 'pool' | 'close'>> {
  const running = config.databaseUrl ? null : await findRunning(config.dataDir)
  if (!running) return openDatabase(config, log)
  const pool = openPool(running, log)
  return { pool, close: () => pool.close() }
}

/** It did not answer, or did not let us in; anything else is a fault of ours. */
function isUnreachable(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return !/^[0-9A-Z]{5}$/.test(code) || /^(08|28|3D|53|57P)/.test(code)
}

/** A name with several addresses fails with one reason for each. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
