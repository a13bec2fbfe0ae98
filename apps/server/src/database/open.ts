import type { PoolConfig } from 'pg'
import type { Config } from '../config.ts'
import { findRunning, startEmbedded } from './embedded.ts'
import type { Handle } from './handle.ts'
import { migrate } from './migrate.ts'
import { impatient, openPool, type Pool } from './pool.ts'

export interface OpenDatabase {
  pool: Pool
  /** For a pool of another kind. */
  connection: PoolConfig
  close(): Promise<void>
}

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
  return { pool, connection, close }
}

/** The same for a server, whose statements nobody waits for without end. */
export async function openServerDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: (message: string) => void,
): Promise<OpenDatabase> {
  const database = await openDatabase(config, log)
  const pool = openPool({ ...database.connection, ...impatient }, log)
  return {
    ...database,
    pool,
    async close() {
      await pool.close()
      await database.close()
    },
  }
}

/** For a command: the database of the server that runs on the data folder, else the one that it would use. */
export async function joinDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: (message: string) => void,
): Promise<OpenDatabase> {
  const running = config.databaseUrl ? null : await findRunning(config.dataDir)
  if (!running) return openDatabase(config, log)
  const pool = openPool(running, log)
  return { pool, connection: running, close: () => pool.close() }
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
