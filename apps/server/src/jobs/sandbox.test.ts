import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { canReach } from '../database/platform.ts'
import { descendants, lives } from '../test-process.ts'
import { lineChannel } from './line-channel.ts'
import { chooseSandbox, probe, type Sandbox, sandboxOf, sandboxPipe, sandboxWarning } from './sandbox.ts'
import type { Attempts } from './sandbox-probe.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'ensaio-sandbox-'))
const listener = createServer((socket) => socket.destroy())
let attempts: Attempts

beforeAll(async () => {
  writeFileSync(join(folder, 'secret'), 'segredo', { mode: 0o600 })
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done))
  const address = listener.address()
  attempts = {
    load: true,
    read: [join(folder, 'secret'), '/etc/passwd', `/proc/${process.pid}/environ`],
    write: [join(folder, 'written'), join(tmpdir(), 'ensaio-written'), join(HERE, 'written')],
    run: ['/bin/sh'],
    connect: [
      { port: typeof address === 'object' && address ? address.port : 0 },
      // The database's own socket.
      { path: join(inject('databaseServer').owner.host, '.s.PGSQL.5432') },
    ],
    signal: [process.pid],
  }
})
afterAll(() => {
  listener.close()
  rmSync(folder, { recursive: true, force: true })
})

const refusals = (sandbox: Sandbox, permissions: boolean) =>
  probe(sandbox.launch, { ...attempts, load: permissions }, { permissions })

test('what is tried here can be done by a process that is not sandboxed', async () => {
  readFileSync(join(folder, 'secret'))
  const [target] = attempts.connect
  await new Promise<void>((done, fail) => connect(target ?? { port: 0 }, done).once('error', fail))
})

test('whatever the system, Node refuses a reading process files, writing, programs, the network and other processes', async () => {
  const sandbox = await chooseSandbox()
  const outcome = await refusals(sandbox, true)
  expect(outcome).toMatchObject({ load: true })
  for (const what of ['read', 'write', 'run', 'connect', 'signal'] as const)
    for (const each of outcome?.[what] ?? ['no answer'])
      expect(each, what).toMatch(/^(ERR_ACCESS_DENIED|E[A-Z]+)$/)
})

test('the plain process, all that is left without namespaces or root, is refused the same by Node alone', async () => {
  const sandbox = await sandboxOf('process')
  expect(sandbox).not.toBeNull()
  if (!sandbox) return
  const outcome = await refusals(sandbox, true)
  const all = Object.values(outcome ?? {}).flatMap((each) => (typeof each === 'boolean' ? [] : each))
  expect([...new Set(all)]).toEqual(['ERR_ACCESS_DENIED'])
  // And what the system lets through is named for the operator, not kept quiet.
  expect(sandbox.leaks).toContain('connect')
  expect(sandboxWarning(sandbox)).toContain('alcança a rede')
})

describe('in the jail, where the system allows one', () => {
  test('the system itself refuses everything, though Node permits it', async () => {
    const sandbox = await sandboxOf('jail')
    if (!sandbox) {
      const instead = await chooseSandbox()
      expect(sandboxWarning(instead)).toContain('Neste sistema')
      return
    }
    expect(sandbox.leaks).toEqual([])
    expect(sandboxWarning(sandbox)).toBeNull()
    const outcome = await refusals(sandbox, false)
    expect(outcome).toEqual({
      load: false,
      read: ['ENOENT', 'ENOENT', 'ENOENT'],
      write: [expect.stringMatching(/^E/), expect.stringMatching(/^E/), expect.stringMatching(/^E/)],
      run: ['ENOENT'],
      connect: [expect.stringMatching(/^E/), 'ENOENT'],
      signal: ['ESRCH'],
    })
  })

  test('what a reader starts ends with it, and it cannot start many', async () => {
    const sandbox = await sandboxOf('jail')
    if (!sandbox) return expect(sandboxWarning(await chooseSandbox())).toContain('Neste sistema')
    const entry = fileURLToPath(new URL('./test-hostile-reader.ts', import.meta.url))
    const child = sandbox.launch(entry, { memoryMb: 600, permissions: false })
    const said: unknown[] = []
    const channel = lineChannel(
      sandboxPipe(child),
      { message: (message) => void said.push(message), broken: () => {} },
      { line: 10_000, all: 10_000 },
    )
    const say = (mode: string) => channel.send({ base64: Buffer.from(mode).toString('base64') })
    say('a program that it started')
    await vi.waitFor(() => expect(said).toEqual([{ type: 'ready' }, { type: 'ready' }]), 10_000)
    if (process.getuid?.() === 0) {
      say('as many programs as there may be')
      await vi.waitFor(() => expect(said).toHaveLength(3), 40_000)
      expect(said[2]).toMatchObject({ started: expect.toSatisfy((started: number) => started < 20) })
    }
    const all = [child.pid ?? 0, ...descendants(child.pid ?? 0)]
    expect(all.length).toBeGreaterThan(3)
    child.kill('SIGKILL')
    await vi.waitFor(() => expect(all.filter(lives)).toEqual([]), 5_000)
  }, 200_000)

  // As an ordinary user of the machine, where that user can reach the program at all.
  const nobody = { uid: 65_534, gid: 65_534 }
  test.runIf(process.getuid?.() === 0 && canReach(HERE, nobody))(
    'a server that was not started as root has it too, or says what it lacks',
    async () => {
      const program = `
        const { chooseSandbox, sandboxWarning } = await import(${JSON.stringify(`${HERE}sandbox.ts`)})
        const sandbox = await chooseSandbox()
        console.log(JSON.stringify({ ...sandbox, warning: sandboxWarning(sandbox) }))`
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
        ...nobody,
        cwd: '/',
      })
      const { kind, leaks, warning } = JSON.parse(stdout)
      expect({ kind, leaks, warned: warning !== null }).toEqual(
        kind === 'jail' ? { kind, leaks: [], warned: false } : { kind, leaks, warned: true },
      )
    },
    60_000,
  )
})
