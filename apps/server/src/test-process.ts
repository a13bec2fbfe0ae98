import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'
import { freePort } from './test-port.ts'

/** A program of the server as a process of its own. */
export interface Run {
  child: ChildProcess
  output(): string
  /** Exit code, or the signal's name. */
  ended: Promise<number | string | null>
}

const running = new Set<ChildProcess>()
afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts a file of apps/server/src; `launcher` is a program that starts it in turn. */
export function runProgram(
  file: string,
  options: { env: Record<string, string>; args?: string[]; launcher?: string[] },
): Run {
  let output = ''
  const { env, args = [], launcher = [] } = options
  const path = fileURLToPath(new URL(file, import.meta.url))
  const [command = process.execPath, ...before] = [...launcher, process.execPath]
  const child = spawn(command, [...before, path, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const ended = new Promise<number | string | null>((done) =>
    child.once('exit', (code, signal) => {
      running.delete(child)
      done(code ?? signal)
    }),
  )
  return { child, output: () => output, ended }
}

/** Resolves when the server answers. */
export async function ready(server: Run): Promise<Run> {
  for (let wait = 0; wait < 600; wait += 1) {
    if (server.output().includes('Ensaio pronto em')) return server
    if (server.child.exitCode !== null) break
    await sleep(50)
  }
  throw new Error(`not ready: ${server.output()}`)
}

/** A ready server on a port of its own. */
export async function startServer(
  env: Record<string, string>,
  options: { launcher?: string[] } = {},
): Promise<Run & { url: string; port: number }> {
  const port = Number(env.PORT ?? (await freePort()))
  const server = runProgram('./main.ts', {
    ...options,
    env: { HOST: '127.0.0.1', LIMITS: 'off', PORT: String(port), ...env },
  })
  return Object.assign(await ready(server), { url: `http://127.0.0.1:${port}`, port })
}

export const lives = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Everything that a process started, and what that started. */
export function descendants(root: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const ppid = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1]
        return [{ pid: Number(name), ppid: Number(ppid) }]
      } catch {
        // Gone while the list was read.
        return []
      }
    })
  const below = (pid: number): number[] =>
    parents.filter(({ ppid }) => ppid === pid).flatMap((child) => [child.pid, ...below(child.pid)])
  return below(root)
}
