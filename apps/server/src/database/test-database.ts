import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from './embedded.ts'
import { migrate } from './migrate.ts'
import { openPool } from './pool.ts'

const TEMPLATE = 'ensaio_template'

declare module 'vitest' {
  interface ProvidedContext {
    databaseHost: string
  }
}

/** Vitest's global set-up: one server for the whole run, with a migrated template database. */
export async function setup(project: { provide(key: 'databaseHost', value: string): void }) {
  const dataDir = mkdtempSync(join(tmpdir(), 'ensaio-test-'))
  const server = await startEmbedded({ dataDir, durable: false, log: console.error })
  const stop = async () => {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    await asAdmin(server.connection.host, `create database ${TEMPLATE}`)
    const pool = openPool({ ...server.connection, database: TEMPLATE }, console.error)
    await migrate(pool.handle)
    await pool.close()
  } catch (error) {
    await stop()
    throw error
  }
  project.provide('databaseHost', server.connection.host)
  return stop
}

export interface TestDatabase {
  /** As DATABASE_URL. */
  url: string
  host: string
  user: string
  database: string
  /** Connections of a pool. */
  max: number
  drop(): Promise<void>
}

/** A fresh migrated database on the run's server, copied from the template in milliseconds. */
export const createTestDatabase = (host: string) =>
  createDatabase(host, `template ${TEMPLATE} strategy file_copy`)

/** A fresh database that no server of ours has seen. */
export const createBlankDatabase = (host: string) => createDatabase(host, 'template template0')

async function createDatabase(host: string, how: string): Promise<TestDatabase> {
  const database = `test_${process.pid}_${Math.random().toString(36).slice(2, 10)}`
  await asAdmin(host, `create database ${database} ${how}`)
  return {
    url: `postgres://ensaio@localhost/${database}?host=${encodeURIComponent(host)}`,
    host,
    user: 'ensaio',
    database,
    max: 8,
    drop: () => asAdmin(host, `drop database ${database} with (force)`),
  }
}

async function asAdmin(host: string, statement: string): Promise<void> {
  const admin = new pg.Client({ host, user: 'ensaio', database: 'postgres' })
  await admin.connect()
  try {
    await admin.query(statement)
  } finally {
    await admin.end()
  }
}
