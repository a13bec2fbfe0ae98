import { type ChildProcess, spawn } from 'node:child_process'
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Binaries, findBinaries } from './binaries.ts'
import { type Connection, hasPostmaster, reclaimCluster, StillInUse, tryFolderLock } from './cluster-lock.ts'
import { ensurePasswords, knownPasswords, type Passwords } from './passwords.ts'
import { clusterArgument, databaseIdentity, hasSyncfs, type Identity, isAlive } from './platform.ts'
import { OWNER, REQUESTS } from './roles.ts'
import { socketFolder } from './socket.ts'

export interface EmbeddedDatabase {
  /** As its owner: migrations, figures, backup, commands. */
  connection: Connection
  /** As the role that requests run as, once it is let in. */
  requests: Connection
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  /** The cluster's folder is made inside this one. */
  dataDir: string
  /** False only in tests: a cluster that may be lost needs no fsync. */
  durable?: boolean
  log(message: string): void
}

interface Cluster {
  folder: string
  identity: Identity | null
  binaries: Binaries
  socket: string
  durable: boolean
  logFile: string
  passwords: Passwords
}

const READY_TIMEOUT_MS = 60_000
const HALF = 'postgres.new.'
/** Who may connect, over the one socket: whoever knows a password, or, until one is set, who can reach it. */
const ACCESS = { password: 'local all all scram-sha-256\n', reach: 'local all all trust\n' }

/**
 * Starts our own PostgreSQL over one data folder and keeps it running: it is restarted if it dies, it goes
 * down with this process however that ends, and a second server on the same folder is refused.
 * @throws with a sentence for the person at the terminal
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const folder = join(options.dataDir, 'postgres')
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 })
  const identity = databaseIdentity(folder)
  // A cluster of before there were passwords, or whose key is gone, is opened once to set them anew.
  const known = knownPasswords(options.dataDir) !== null
  const cluster: Cluster = {
    folder,
    identity,
    binaries: findBinaries(identity),
    socket: socketFolder(folder, identity),
    durable: options.durable ?? true,
    logFile: join(options.dataDir, 'postgres.log'),
    passwords: ensurePasswords(options.dataDir),
  }
  sweepHalves(options.dataDir)
  if (!existsSync(folder)) await initialise(cluster)
  await reclaimCluster({ folder, connection: connectionOf(cluster) })

  let stopping = false
  const closed = known && accessOf(folder) === ACCESS.password
  if (!closed) setAccess(folder, ACCESS.reach)
  let current = await launch(cluster).catch(async (error: unknown) => {
    if (!isWrongPassword(error)) throw error
    // The key is another folder's: as if it were gone.
    setAccess(folder, ACCESS.reach)
    const again = await launch(cluster)
    await askForPasswords(cluster)
    return again
  })
  if (!closed) await askForPasswords(cluster)
  let lock = await tryFolderLock(connectionOf(cluster))
  if (!lock) {
    await shutDown(current.postmaster)
    throw new StillInUse(options.dataDir)
  }

  const supervise = () => {
    current.postmaster.once('exit', async () => {
      current.watchdog.kill('SIGKILL')
      if (stopping) return
      options.log('O banco de dados parou sozinho; iniciando de novo.')
      while (!stopping) {
        try {
          setAccess(folder, ACCESS.password)
          current = await launch(cluster)
          lock = await tryFolderLock(connectionOf(cluster))
          supervise()
          return
        } catch (error) {
          options.log(`O banco de dados não voltou: ${error instanceof Error ? error.message : error}`)
          await sleep(1000)
        }
      }
    })
  }
  supervise()

  return {
    connection: connectionOf(cluster),
    requests: connectionOf(cluster, REQUESTS),
    async stop() {
      stopping = true
      await lock?.end().catch(() => undefined)
      await shutDown(current.postmaster)
      current.watchdog.kill('SIGKILL')
    },
  }
}

/** The connection to a database that another process keeps on that data folder, or null. */
export async function findRunning(dataDir: string): Promise<Connection | null> {
  const folder = join(dataDir, 'postgres')
  const passwords = knownPasswords(dataDir)
  if (!existsSync(folder) || !passwords) return null
  const connection = connectionOf({ socket: socketFolder(folder, databaseIdentity(folder)), passwords })
  const client = new pg.Client(connection)
  client.on('error', () => undefined)
  try {
    await client.connect()
    return connection
  } catch {
    return null
  } finally {
    await client.end().catch(() => undefined)
  }
}

function connectionOf(
  { socket, passwords }: Pick<Cluster, 'socket' | 'passwords'>,
  user: typeof OWNER | typeof REQUESTS = OWNER,
): Connection {
  return { host: socket, user, password: passwords.of(user), database: 'postgres' }
}

const isWrongPassword = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '28P01'

const accessFile = (folder: string) => join(folder, 'pg_hba.conf')
const accessOf = (folder: string) =>
  existsSync(accessFile(folder)) ? readFileSync(accessFile(folder), 'utf8') : ''
const setAccess = (folder: string, access: string) =>
  writeFileSync(accessFile(folder), access, { flush: true })

/** Sets the owner's password and lets nobody in without one from then on. */
async function askForPasswords(cluster: Cluster): Promise<void> {
  const client = new pg.Client(connectionOf(cluster))
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(
      `alter role ${pg.escapeIdentifier(OWNER)} password ${pg.escapeLiteral(cluster.passwords.of(OWNER))}`,
    )
    setAccess(cluster.folder, ACCESS.password)
    await client.query('select pg_reload_conf()')
  } finally {
    await client.end()
  }
}

/** What starts that were killed left of new clusters; those of living ones are theirs. */
function sweepHalves(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    const pid = name.startsWith(HALF) ? Number.parseInt(name.slice(HALF.length), 10) : 0
    if (pid > 0 && !isAlive(pid)) rmSync(join(dataDir, name), { recursive: true, force: true })
  }
}

/** initdb into a folder of this start, renamed when done: half a cluster is never taken for a whole one. */
async function initialise({ folder, identity, binaries, durable }: Cluster): Promise<void> {
  const half = mkdtempSync(join(dirname(folder), `${HALF}${process.pid}-`))
  if (identity) chownSync(half, identity.uid, identity.gid)
  const sync = durable ? (hasSyncfs ? ['--sync-method=syncfs'] : []) : ['--no-sync']
  const child = spawn(
    binaries.initdb,
    [
      `--pgdata=${clusterArgument(half, identity)}`,
      `--username=${OWNER}`,
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--data-checksums',
      '--no-instructions',
      ...sync,
    ],
    { cwd: half, stdio: ['ignore', 'ignore', 'pipe'], ...identity, env: environment() },
  )
  let complaint = ''
  child.stderr?.on('data', (chunk) => {
    complaint += chunk
  })
  const code = await new Promise((done, fail) => child.once('exit', done).once('error', fail))
  if (code !== 0) throw new Error(`O banco embutido não pôde ser criado: ${complaint.trim()}`)
  try {
    renameSync(half, folder)
  } catch (error) {
    // Another start was faster.
    rmSync(half, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
}

/** Nothing of our environment, secrets included, is the database's business. */
function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' }
}

async function launch(cluster: Cluster): Promise<{ postmaster: ChildProcess; watchdog: ChildProcess }> {
  const { folder, identity, binaries, logFile } = cluster
  rotate(logFile)
  const output = openSync(logFile, 'a', 0o600)
  const postmaster = spawn(
    binaries.postgres,
    ['-D', clusterArgument(folder, identity), ...settings(cluster).flatMap((setting) => ['-c', setting])],
    // Detached: Ctrl-C must not reach the database before the server is done with it.
    { cwd: folder, detached: true, stdio: ['ignore', output, output], ...identity, env: environment() },
  )
  closeSync(output)
  postmaster.on('error', () => undefined)
  // The watchdog reads a pipe that only we hold open: when we die, by kill -9 too, it ends the database.
  const watchdog = spawn('sh', ['-c', 'cat >/dev/null; kill -INT "$1"', 'sh', String(postmaster.pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    ...identity,
  })
  watchdog.on('error', () => undefined)
  try {
    await untilReady(cluster, postmaster)
  } catch (error) {
    watchdog.kill('SIGKILL')
    await shutDown(postmaster)
    throw error
  }
  return { postmaster, watchdog }
}

async function untilReady(cluster: Cluster, postmaster: ChildProcess): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS
  let reason: unknown
  while (Date.now() < deadline) {
    if (postmaster.exitCode !== null || postmaster.signalCode !== null || postmaster.pid === undefined) {
      // Another start was faster: its database holds the folder.
      if (hasPostmaster(cluster.folder)) throw new StillInUse(dirname(cluster.folder))
      throw new Error(`O banco embutido não iniciou; veja ${cluster.logFile}.`)
    }
    const client = new pg.Client(connectionOf(cluster))
    client.on('error', () => undefined)
    try {
      await client.connect()
      return
    } catch (error) {
      if (isWrongPassword(error)) throw error
      reason = error
      await sleep(15)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
  throw new Error('O banco embutido demorou demais para iniciar.', { cause: reason })
}

function settings({ socket, folder, durable }: Cluster): string[] {
  const megabytes = Math.min(process.constrainedMemory() || totalmem(), totalmem()) / 2 ** 20
  return [
    'listen_addresses=',
    `unix_socket_directories=${socket === folder ? '.' : socket}`,
    'unix_socket_permissions=0700',
    'max_connections=80',
    `shared_buffers=${Math.round(Math.min(1024, Math.max(32, megabytes / 8)))}MB`,
    `effective_cache_size=${Math.round(Math.max(64, megabytes / 2))}MB`,
    `work_mem=${Math.round(Math.min(32, Math.max(4, megabytes / 256)))}MB`,
    'random_page_cost=1.1',
    'jit=off',
    'timezone=UTC',
    'log_min_messages=warning',
    // Statements and keys hold personal data; the log keeps only what went wrong.
    'log_min_error_statement=panic',
    'log_error_verbosity=terse',
    ...(durable
      ? hasSyncfs
        ? ['recovery_init_sync_method=syncfs']
        : []
      : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
  ]
}

function rotate(logFile: string): void {
  if (existsSync(logFile) && statSync(logFile).size > 10 * 2 ** 20) renameSync(logFile, `${logFile}.1`)
}

async function shutDown(postmaster: ChildProcess): Promise<void> {
  const gone = new Promise<void>((done) => {
    if (postmaster.exitCode !== null || postmaster.signalCode !== null || postmaster.pid === undefined) done()
    else postmaster.once('exit', () => done())
  })
  for (const [signal, patienceMs] of [
    ['SIGINT', 15_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    postmaster.kill(signal)
    if (await Promise.race([gone.then(() => true), sleep(patienceMs, false, { ref: false })])) return
  }
}
