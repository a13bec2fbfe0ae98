import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../apps/server/src/test-port.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

export type Server = {
  url: string
  /** SIGKILL: nothing gets a chance to be put in order. */
  kill: () => Promise<void>
  /** Starts again on the same folder and port. */
  start: () => Promise<void>
  stop: () => Promise<void>
}

/** The built product as `npm start` runs it, on a data folder and a port of its own. */
export async function startServer(environment: Record<string, string> = {}): Promise<Server> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ensaio-e2e-'))
  const port = await freePort()
  let child: ChildProcess | null = null
  const ended = (process: ChildProcess) =>
    new Promise<void>((resolve) =>
      process.exitCode !== null || process.signalCode !== null
        ? resolve()
        : process.once('exit', () => resolve()),
    )

  const start = async () => {
    const started = spawn(process.execPath, ['apps/server/src/main.ts'], {
      cwd: ROOT,
      env: {
        ...process.env,
        PORT: String(port),
        DATA_DIR: dataDir,
        LIMITS: 'off',
        TEST_OUTBOX: '1',
        TILE_URL: 'off',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    let output = ''
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`The server did not start:\n${output}`)), 180_000)
      const read = (chunk: Buffer) => {
        output += chunk
        if (!output.includes('Ensaio pronto em')) return
        clearTimeout(timer)
        resolve()
      }
      started.stdout.on('data', read)
      started.stderr.on('data', read)
      started.once('exit', () => {
        clearTimeout(timer)
        reject(new Error(`The server ended:\n${output}`))
      })
    })
  }
  const end = async (signal: NodeJS.Signals) => {
    if (!child) return
    const ending = child
    child = null
    ending.kill(signal)
    await ended(ending)
  }

  await start()
  return {
    url: `http://localhost:${port}`,
    kill: () => end('SIGKILL'),
    start,
    stop: async () => {
      await end('SIGTERM')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
