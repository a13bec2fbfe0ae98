import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { generate } from 'selfsigned'
import { findBinaries } from './binaries.ts'
import { startEmbedded } from './embedded.ts'
import { clusterArgument, databaseIdentity } from './platform.ts'

export interface ExternalPostgres {
  /** As DATABASE_URL: over TCP and TLS with a password, the certificate checked. */
  url: string
  port: number
  /** The file of the certificate's authority. */
  authority: string
  start(): Promise<void>
  stop(signal: 'SIGINT' | 'SIGKILL'): Promise<void>
  /** Every process of it stands still, or goes on: connections stay, answers do not come. */
  freeze(): void
  thaw(): void
  remove(): Promise<void>
}

const PASSWORD = 'senha do banco'

/** A PostgreSQL as one finds it on a machine of its own: TCP, TLS, a password, nothing else let in. */
export async function createExternalPostgres(port: number): Promise<ExternalPostgres> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ensaio-external-'))
  const folder = join(dataDir, 'postgres')
  const made = await startEmbedded({ dataDir, durable: true, log: console.error })
  const admin = new pg.Client(made.connection)
  await admin.connect()
  await admin.query(`alter role ensaio password '${PASSWORD}'`)
  await admin.end()
  await made.stop()

  const identity = databaseIdentity(folder)
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keySize: 2048,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
    ],
  })
  const put = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 })
    if (identity) chownSync(join(folder, name), identity.uid, identity.gid)
  }
  put('server.crt', cert)
  put('server.key', key)
  put('pg_hba.conf', 'hostssl all all all scram-sha-256\n')
  const authority = join(dataDir, 'authority.crt')
  writeFileSync(authority, cert)
  appendFileSync(
    join(folder, 'postgresql.conf'),
    `listen_addresses = 'localhost'\nport = ${port}\nssl = on\nunix_socket_directories = ''\n`,
  )

  const url = `postgres://ensaio:${encodeURIComponent(PASSWORD)}@localhost:${port}/postgres?sslmode=verify-full&sslrootcert=${encodeURIComponent(authority)}`
  let running: ChildProcess | null = null
  const stop = async (signal: 'SIGINT' | 'SIGKILL') => {
    const child = running
    running = null
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((done) => child.once('exit', done))
    child.kill(signal)
    await gone
  }
  return {
    url,
    port,
    authority,
    async start() {
      const { postgres } = findBinaries(identity)
      running = spawn(postgres, ['-D', clusterArgument(folder, identity)], {
        cwd: folder,
        stdio: 'ignore',
        ...identity,
        env: { PATH: process.env.PATH, LC_ALL: 'C' },
      })
      await untilAnswers(url)
    },
    stop,
    freeze: () => signalAll(running, 'SIGSTOP'),
    thaw: () => signalAll(running, 'SIGCONT'),
    async remove() {
      await stop('SIGINT')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** PostgreSQL's processes for connections are groups of their own; /proc tells whose children they are. */
function signalAll(postmaster: ChildProcess | null, signal: NodeJS.Signals): void {
  const { pid } = postmaster ?? {}
  if (pid === undefined) return
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  for (const each of [pid, ...children.map(Number)]) process.kill(each, signal)
}

async function untilAnswers(url: string): Promise<void> {
  for (let wait = 0; ; wait += 1) {
    const client = new pg.Client(url)
    client.on('error', () => undefined)
    try {
      await client.connect()
      return
    } catch (error) {
      if (wait > 1_000) throw error
      await sleep(50)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}
