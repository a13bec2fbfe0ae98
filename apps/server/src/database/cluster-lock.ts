import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isAlive, isPostmasterOf } from './platform.ts'

/** 'ensaio' in ASCII: the lock that the server of a data folder holds as long as it lives. */
const FOLDER_LOCK = 0x656e7361
const WATCHDOG_GRACE_MS = 2_000
const STOP_TIMEOUT_MS = 20_000

export class StillInUse extends Error {
  constructor(dataDir: string) {
    super(`Já há um Ensaio em execução com a pasta de dados ${dataDir}. Pare-o ou defina outra DATA_DIR.`)
  }
}

export interface Connection {
  /** The socket's folder. */
  host: string
  user: string
  password: string
  database: string
}

/** The lock's own connection, or null when another server holds the lock. */
export async function tryFolderLock(connection: Connection): Promise<pg.Client | null> {
  const client = new pg.Client({ ...connection, application_name: 'ensaio lock' })
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query('select pg_try_advisory_lock($1) as held', [FOLDER_LOCK])
  if (rows[0]?.held === true) return client
  await client.end()
  return null
}

/**
 * Makes sure that no other PostgreSQL works in the folder. One that a killed server left behind is given
 * time to end by itself, then stopped; one that a living server uses is left alone.
 * @throws StillInUse
 */
export async function reclaimCluster(input: { folder: string; connection: Connection }): Promise<void> {
  const pid = recordedPid(input.folder)
  if (pid === null) return
  if (!isPostmasterOf(pid, input.folder)) {
    // PostgreSQL itself removes a dead server's file, but not one whose number now belongs to another program.
    if (isAlive(pid)) rmSync(join(input.folder, 'postmaster.pid'), { force: true })
    return
  }
  if (await gone(pid, WATCHDOG_GRACE_MS)) return
  const lock = await tryFolderLock(input.connection).catch(() => 'unreachable' as const)
  if (lock === null) throw new StillInUse(dirname(input.folder))
  if (lock !== 'unreachable') await lock.end()
  if (isPostmasterOf(pid, input.folder)) process.kill(pid, 'SIGINT')
  if (!(await gone(pid, STOP_TIMEOUT_MS))) throw new StillInUse(dirname(input.folder))
}

/** Whether a database works in the folder, whoever started it. */
export function hasPostmaster(folder: string): boolean {
  const pid = recordedPid(folder)
  return pid !== null && isPostmasterOf(pid, folder)
}

function recordedPid(folder: string): number | null {
  const file = join(folder, 'postmaster.pid')
  if (!existsSync(file)) return null
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10)
  return Number.isInteger(pid) && pid > 0 ? pid : null
}

async function gone(pid: number, patienceMs: number): Promise<boolean> {
  for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(20)) {
    if (!isAlive(pid)) return true
  }
  return !isAlive(pid)
}
