import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import type { Handle } from './handle.ts'

/** 'migr' in ASCII: one server migrates, the others wait. */
const MIGRATION_LOCK = 0x6d696772
const FOLDER = new URL('../../migrations/', import.meta.url)

/** All that this version knows, in their order. */
export const migrationNames = (): string[] => migrationFiles().map(nameOf)

const migrationFiles = () =>
  readdirSync(FOLDER)
    .filter((file) => /^\d{4}_\w+\.(sql|ts)$/.test(file))
    .sort()

/**
 * Applies the numbered files of apps/server/migrations that the database has not seen, each in a transaction
 * of its own; of them only those that are asked for. Forward only: a newer server's migrations are left alone
 * by an older one.
 * @returns the names of those applied now
 */
export async function migrate(
  handle: Handle,
  only: ReadonlySet<string> = new Set(migrationNames()),
): Promise<string[]> {
  return migrationLock(handle, async (connection) => {
    await sql`create table if not exists migrations (
      name text primary key,
      applied_at timestamptz not null default now()
    )`.execute(connection)
    const { rows } = await sql<{ name: string }>`select name from migrations`.execute(connection)
    const applied = new Set(rows.map((row) => row.name))
    const pending = migrationFiles().filter((file) => only.has(nameOf(file)) && !applied.has(nameOf(file)))
    for (const file of pending) await apply(connection, file)
    return pending.map(nameOf)
  })
}

/** What one server does to the database's shape at a time; the others wait. */
export function migrationLock<T>(handle: Handle, work: (connection: Handle) => Promise<T>): Promise<T> {
  return handle.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`.execute(connection)
    try {
      return await work(connection)
    } finally {
      await sql`select pg_advisory_unlock(${MIGRATION_LOCK})`.execute(connection)
    }
  })
}

const nameOf = (file: string) => file.replace(/\.\w+$/, '')

async function apply(connection: Handle, file: string): Promise<void> {
  const url = new URL(file, FOLDER)
  try {
    await connection.transaction().execute(async (transaction) => {
      await sql`set local statement_timeout = 0`.execute(transaction)
      if (file.endsWith('.sql')) await sql.raw(readFileSync(url, 'utf8')).execute(transaction)
      else await ((await import(url.href)) as { up(handle: Handle): Promise<void> }).up(transaction)
      await sql`insert into migrations (name) values (${nameOf(file)})`.execute(transaction)
    })
  } catch (error) {
    throw new Error(`A migração ${file} falhou.`, { cause: error })
  }
}
