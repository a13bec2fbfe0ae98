import type { Config } from '../config.ts'
import { findRunning, startEmbedded } from './embedded.ts'
import type { Handle } from './handle.ts'
import { migrate } from './migrate.ts'
import { openPool, type Pool } from './pool.ts'

export interface OpenDatabase {
  pool: Pool
  close(): Promise<void>
}

/** The database named by DATABASE_URL, else our own over the data folder; migrated unless said otherwise. */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: (message: string) => void,
  prepare: (handle: Handle) => Promise<unknown> = (handle) => migrate(handle),
): Promise<OpenDatabase> {
  const embedded = config.databaseUrl ? null : await startEmbedded({ dataDir: config.dataDir, log })
  const pool = openPool(embedded?.connection ?? { connectionString: config.databaseUrl ?? '' }, log)
  const close = async () => {
    await pool.close()
    await embedded?.stop()
  }
  try {
    await prepare(pool.handle)
  } catch (error) {
    await close()
    throw error
  }
  return { pool, close }
}

/** For a command: the database of the server that runs on the data folder, else the one that it would use. */
export async function joinDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: (message: string) => void,
): Promise<OpenDatabase> {
  const running = config.databaseUrl ? null : await findRunning(config.dataDir)
  if (!running) return openDatabase(config, log)
  const pool = openPool(running, log)
  return { pool, close: () => pool.close() }
}
