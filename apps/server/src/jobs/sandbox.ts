import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { canReach } from '../database/platform.ts'
import { lineChannel } from './line-channel.ts'
import type { Attempts, Outcome } from './sandbox-probe.ts'

/**
 * How a process that reads foreign files is kept from everything else. What Node itself refuses holds everywhere;
 * what the system refuses would hold even if a file took over the process.
 * - `jail`: Linux with namespaces: nothing exists for it but the program's own files, read-only; no network, no
 *   other process, no rights.
 * - `user`: started as root where namespaces are forbidden: a user of its own, without rights.
 * - `process`: anywhere else: a process with Node's permissions only.
 */
export type SandboxKind = 'jail' | 'user' | 'process'

/** What a sandboxed process is kept from, as it is named in the log. */
export const FORBIDDEN = {
  read: 'lê arquivos da pasta de dados',
  write: 'grava arquivos',
  run: 'executa programas',
  connect: 'alcança a rede e o banco de dados',
  signal: 'alcança outros processos',
} as const
export type Forbidden = keyof typeof FORBIDDEN
const LEAKS = ['read', 'write', 'run', 'connect', 'signal'] as const satisfies readonly Forbidden[]

export interface Sandbox {
  kind: SandboxKind
  /** What the system, without Node's help, did not refuse when it was tried. */
  leaks: Forbidden[]
  launch(entry: string, options: LaunchOptions): ChildProcess
}

export interface LaunchOptions {
  /** Data memory, a hard limit where the system has one. */
  memoryMb: number
  /** How far it steps back from the processor for others, 0 to 19. */
  nice?: number
  /** False only to try what the system alone refuses. */
  permissions?: boolean
}

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url)).replace(/\/$/, '')
const PROGRAM = [
  'node_modules',
  'packages',
  'package.json',
  'apps/server/src',
  'apps/server/package.json',
].map((path) => join(ROOT, path))
const SCRIPT = fileURLToPath(new URL('./jail.sh', import.meta.url))
const GUARD = new URL('./no-network.ts', import.meta.url).href
const PROBE = fileURLToPath(new URL('./sandbox-probe.ts', import.meta.url))
/** Of no user in any list: systemd's range for users that services make up. */
const NOBODY_ELSE = 61_184
/** Each reader has one of its own, so that what one of them takes is not counted for another. */
const USERS = 4_000
let launched = 0
const PROBE_MS = 20_000
const root = process.getuid?.() === 0

const nodeFlags = ({ memoryMb, permissions = true }: LaunchOptions): string[] => [
  `--max-old-space-size=${Math.round(memoryMb / 2)}`,
  '--disable-warning=ExperimentalWarning',
  ...(permissions
    ? [
        '--permission',
        '--allow-worker',
        ...PROGRAM.map((path) => `--allow-fs-read=${path}`),
        '--import',
        GUARD,
      ]
    : []),
]

const OPTIONS: SpawnOptions = {
  env: { PATH: process.env.PATH ?? '', NODE_ENV: process.env.NODE_ENV ?? 'production' },
  // The one thing that leads out; Node's own channel would believe what comes over it.
  stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
}

/** The pipe to what was launched. */
export function sandboxPipe(child: ChildProcess): Duplex {
  const pipe = child.stdio[3]
  if (!(pipe instanceof Duplex)) throw new Error('launched without a pipe')
  return pipe
}

const LAUNCH: Record<SandboxKind, (entry: string, options: LaunchOptions) => ChildProcess> = {
  jail(entry, options) {
    const spaces = ['--mount', '--net', '--ipc', '--uts', '--pid', '--fork', '--kill-child']
    const user = root ? [] : ['--user', '--map-root-user']
    const uid = NOBODY_ELSE + (launched++ % USERS)
    const ids = root ? `--reuid ${uid} --regid ${uid} --clear-groups` : '--keep-groups'
    const node = realpathSync(process.execPath)
    const memory = String((options.memoryMb + WASM_MB) * 1024)
    const jail = [memory, String(options.nice ?? 0), ids, node, PROGRAM.join('\n')]
    const args = [...user, ...spaces, 'sh', SCRIPT, ...jail, ...nodeFlags(options), entry]
    // If the server is killed, a reader in the middle of an endless file is killed with it.
    return spawn('setpriv', ['--pdeathsig', 'KILL', 'unshare', ...args], { ...OPTIONS, cwd: '/' })
  },
  user: (entry, options) =>
    spawn(process.execPath, [...nodeFlags(options), entry], {
      ...OPTIONS,
      cwd: '/',
      uid: NOBODY_ELSE,
      gid: NOBODY_ELSE,
    }),
  process: (entry, options) => spawn(process.execPath, [...nodeFlags(options), entry], OPTIONS),
}

/** The sentence for the operator where the system keeps less from it than it might; null where nothing leaks. */
export function sandboxWarning({ leaks }: Sandbox): string | null {
  if (leaks.length === 0) return null
  const what = leaks.map((leak) => FORBIDDEN[leak]).join(', ')
  return `Neste sistema, um arquivo que tomasse o processo de leitura só seria contido pelo Node: sem ele, ${what}.`
}

/** Address space that WebAssembly reserves is not data; what is written is. */
export const WASM_MB = 600

const PLAIN: Sandbox = { kind: 'process', leaks: [...LEAKS], launch: LAUNCH.process }

let chosen: Promise<Sandbox> | undefined

/** The strongest kind that works here, tried once: each is started and attempts everything that it should not do. */
export function chooseSandbox(): Promise<Sandbox> {
  // Where not even that can be tried, as without a temporary folder, the least is assumed: readings go on.
  chosen ??= choose().catch(() => PLAIN)
  return chosen
}

async function choose(): Promise<Sandbox> {
  const reachable = () => PROGRAM.every((path) => canReach(path, { uid: NOBODY_ELSE, gid: NOBODY_ELSE }))
  const linux = process.platform === 'linux'
  const kinds: SandboxKind[] = [
    ...(linux ? (['jail'] as const) : []),
    ...(linux && root && reachable() ? (['user'] as const) : []),
  ]
  for (const kind of kinds) {
    const sandbox = await sandboxOf(kind)
    if (sandbox) return sandbox
  }
  return (await sandboxOf('process')) ?? PLAIN
}

/** A kind with what leaks from it here; null when it does not start or cannot load what reads reports. */
export async function sandboxOf(kind: SandboxKind): Promise<Sandbox | null> {
  const leaks = await tryOut(kind)
  return leaks && { kind, leaks, launch: LAUNCH[kind] }
}

async function tryOut(kind: SandboxKind): Promise<Forbidden[] | null> {
  const folder = mkdtempSync(join(tmpdir(), 'ensaio-probe-'))
  const secret = join(folder, 'secret')
  writeFileSync(secret, 'secret', { mode: 0o600 })
  const marks = [ROOT, tmpdir()].map((place) => join(place, `.probe-${process.pid}`))
  const listener = createServer((socket) => socket.destroy())
  try {
    await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done))
    const address = listener.address()
    const attempts: Attempts = {
      load: true,
      read: [secret],
      write: [join(folder, 'written'), ...marks],
      run: ['/bin/sh'],
      connect: [{ port: typeof address === 'object' && address ? address.port : 0 }],
      signal: [process.pid],
    }
    const [kept, free] = await Promise.all([
      probe(LAUNCH[kind], attempts),
      probe(LAUNCH[kind], { ...attempts, load: false }, { permissions: false }),
    ])
    if (!kept?.load || !free) return null
    return LEAKS.filter((name) => free[name].some((each) => each === 'done'))
  } finally {
    listener.close()
    rmSync(folder, { recursive: true, force: true })
    for (const mark of marks) rmSync(mark, { force: true })
  }
}

/** Lets a process try; null when it gave no answer. */
export function probe(
  launch: Sandbox['launch'],
  attempts: Attempts,
  { permissions = true } = {},
): Promise<Outcome | null> {
  return new Promise((resolve) => {
    let child: ChildProcess
    try {
      child = launch(PROBE, { memoryMb: 600, permissions })
    } catch {
      // Forbidden to start it at all.
      resolve(null)
      return
    }
    const end = (outcome: Outcome | null) => {
      clearTimeout(timer)
      child.removeAllListeners()
      child.on('error', () => {})
      child.kill('SIGKILL')
      resolve(outcome)
    }
    const timer = setTimeout(() => end(null), PROBE_MS)
    child.once('error', () => end(null))
    child.once('exit', () => end(null))
    const channel = lineChannel(
      sandboxPipe(child),
      // No file from outside is read there: our own program answers.
      { message: (outcome) => end(outcome as Outcome), broken: () => end(null) },
      { line: 10_000, all: 10_000 },
    )
    channel.send(attempts)
  })
}
