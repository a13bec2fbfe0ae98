import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { freePort } from './test-port.ts'
import { descendants, lives, ready, runProgram } from './test-process.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'ensaio-run-'))
let port: number

beforeAll(async () => {
  port = await freePort()
})
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const run = (env: Record<string, string> = {}) =>
  runProgram('./main.ts', { env: { HOST: '127.0.0.1', PORT: String(port), DATA_DIR: dataDir, ...env } })

describe('the server as a process', () => {
  test('stops in order on a signal and says who has its data folder', async () => {
    const first = await ready(run())
    const second = run({ PORT: '0' })
    expect(await second.ended).toBe(1)
    expect(second.output()).toContain('Já há um Ensaio em execução')
    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(0)
  }, 200_000)

  test('goes on when whoever read its output is gone', async () => {
    const server = await ready(run())
    server.child.stdout?.destroy()
    server.child.stderr?.destroy()
    const site = `http://127.0.0.1:${port}`
    // Without a mail server the link of a letter is told on the terminal.
    for (let n = 0; n < 3; n += 1)
      await fetch(`${site}/api/auth/forgot-password`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: `ninguem${n}@exemplo.com.br` }),
      })
    await fetch(`${site}/api/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Ana Souza', email: 'ana@exemplo.com.br', password: 'uma senha longa' }),
    })
    await new Promise((done) => setTimeout(done, 1500))
    expect((await fetch(`${site}/healthz`)).status).toBe(200)
    expect(server.child.exitCode).toBeNull()
    server.child.kill('SIGTERM')
    expect(await server.ended).toBe(0)
  }, 200_000)

  test.runIf(process.platform === 'linux')(
    'killed outright, it leaves no process behind, not even one that reads a report',
    async () => {
      const server = await ready(run())
      const before = descendants(server.child.pid ?? 0)
      // The database, and a process that waits for a report.
      expect(before.length).toBeGreaterThan(2)
      server.child.kill('SIGKILL')
      await server.ended
      await vi.waitFor(() => expect(before.filter(lives)).toEqual([]), { timeout: 15_000 })
    },
    60_000,
  )

  test.each([
    ['empty', Buffer.alloc(0)],
    ["another server's", Buffer.alloc(32, 7)],
  ])(
    'refuses a secret that is %s with a sentence',
    async (_what, bytes) => {
      const file = join(dataDir, 'secret')
      const own = readFileSync(file)
      writeFileSync(file, bytes)
      const refused = run()
      expect(await refused.ended).toBe(1)
      expect(refused.output()).toContain('O segredo do servidor')
      expect(refused.output()).not.toContain('    at ')
      writeFileSync(file, own)
    },
    60_000,
  )

  test.each([
    [{ PORT: 'abc' }, 'PORT deve ser um número'],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL deve ser um endereço'],
    [{ HOST: '0.0.0.0', LIMITS: 'off' }, 'LIMITS=off só é aceito'],
    [{ HOST: '0.0.0.0', TEST_OUTBOX: '1' }, 'TEST_OUTBOX=1 só é aceito'],
  ])('refuses %j with a sentence', async (env, sentence) => {
    const refused = run(env)
    expect(await refused.ended).toBe(1)
    expect(refused.output()).toContain(sentence)
    expect(refused.output()).not.toContain('    at ')
  })
})
