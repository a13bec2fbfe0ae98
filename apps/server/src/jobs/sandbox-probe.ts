// Entry of a process that tries what a sandboxed one should not be able to do, and tells how far it came.
import { toParent } from './own-channel.ts'

export interface Attempts {
  /** Load what reads reports. */
  load: boolean
  read: string[]
  write: string[]
  run: string[]
  /** A port of this machine, or the path of a socket. */
  connect: ({ port: number } | { path: string })[]
  /** Process numbers. */
  signal: number[]
}

/** For each attempt 'done', or the code of what stopped it. */
export type Outcome = { load: boolean } & Record<Exclude<keyof Attempts, 'load'>, string[]>

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error)

async function tried(act: () => unknown): Promise<string> {
  try {
    await act()
    return 'done'
  } catch (error) {
    return codeOf(error)
  }
}

async function each<T>(targets: readonly T[], act: (target: T) => unknown): Promise<string[]> {
  const outcomes: string[] = []
  for (const target of targets) outcomes.push(await tried(() => act(target)))
  return outcomes
}

const channel = toParent(async (message) => {
  const attempts = message as Attempts
  const fs = await import('node:fs')
  const { spawnSync } = await import('node:child_process')
  const { connect } = await import('node:net')
  const outcome: Outcome = {
    load: attempts.load && (await tried(() => import('@ensaio/extraction'))) === 'done',
    read: await each(attempts.read, (path) => fs.readFileSync(path)),
    write: await each(attempts.write, (path) => fs.writeFileSync(path, 'written')),
    run: await each(attempts.run, (program) => {
      const { error } = spawnSync(program, ['--version'], { timeout: 5_000 })
      if (error) throw error
    }),
    connect: await each(
      attempts.connect,
      (target) =>
        new Promise<void>((done, fail) => {
          const socket = connect(target)
          socket.setTimeout(2_000, () => fail(new Error('no answer')))
          socket.once('connect', () => done())
          socket.once('error', fail)
        }),
    ),
    signal: await each(attempts.signal, (pid) => process.kill(pid, 0)),
  }
  channel.send(outcome)
})
