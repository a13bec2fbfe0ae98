import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Connection } from './cluster-lock.ts'
import { startEmbedded } from './embedded.ts'
import { migrate } from './migrate.ts'
import { openPool } from './pool.ts'
import { grantRequests, letRequestsIn } from './roles.ts'

const TEMPLATE = 'ensaio_template'

declare module 'vitest' {
  interface ProvidedContext {
    databaseServer: DatabaseServer
  }
}

/** The run's server: the owner of its databases, and the role that requests run as. */
export interface DatabaseServer {
  owner: Connection
  requests: Connection
}

/** Vitest's global set-up: one server for the whole run, with a migrated template database. */
export async function setup(project: { provide(key: 'databaseServer', value: DatabaseServer): void }) {
  const dataDir = mkdtempSync(join(tmpdir(), 'ensaio-test-'))
  const server = await startEmbedded({ dataDir, durable: false, log: console.error })
  const stop = async () => {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    await asAdmin(server.connection, `create database ${TEMPLATE}`)
    const pool = openPool({ ...server.connection, database: TEMPLATE }, console.error)
    await migrate(pool.handle)
    await grantRequests(pool.handle)
    await letRequestsIn(pool.handle, server.requests.password)
    await pool.close()
  } catch (error) {
    await stop()
    throw error
  }
  project.provide('databaseServer', { owner: server.connection, requests: server.requests })
  return stop
}

export interface TestDatabase {
  /** As DATABASE_URL, of the owner. */
  url: string
  /** Connections of a pool, as the owner and as requests have them. */
  owner: Connection & { max: number }
  requests: Connection & { max: number }
  drop(): Promise<void>
}

/** A fresh migrated database on the run's server, copied from the template in milliseconds. */
export const createTestDatabase = (server: DatabaseServer) =>
  createDatabase(server, `template ${TEMPLATE} strategy file_copy`)

/** A fresh database that no server of ours has seen. */
export const createBlankDatabase = (server: DatabaseServer) => createDatabase(server, 'template template0')

async function createDatabase({ owner, requests }: DatabaseServer, how: string): Promise<TestDatabase> {
  const database = `test_${process.pid}_${Math.random().toString(36).slice(2, 10)}`
  await asAdmin(owner, `create database ${database} ${how}`)
  const { user, password, host } = owner
  return {
    url: `postgres://${user}:${password}@localhost/${database}?host=${encodeURIComponent(host)}`,
    owner: { ...owner, database, max: 8 },
    requests: { ...requests, database, max: 8 },
    drop: () => asAdmin(owner, `drop database ${database} with (force)`),
  }
}

async function asAdmin(connection: Connection, statement: string): Promise<void> {
  const admin = new pg.Client(connection)
  await admin.connect()
  try {
    await admin.query(statement)
  } finally {
    await admin.end()
  }
}
