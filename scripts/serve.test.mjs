import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { root } from './lib.mjs'

const dataDir = mkdtempSync(join(tmpdir(), 'ensaio-serve-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const lives = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('SIGTERM to the outermost process alone ends the server and its database', async () => {
  // As npm does it: a shell that waits for our script and passes no signal on.
  const outer = spawn('sh', ['-c', 'node scripts/run.mjs apps/server/src/main.ts; exit $?'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, npm_lifecycle_event: 'start', DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1' },
  })
  for await (const chunk of outer.stdout) if (String(chunk).includes('Ensaio pronto em')) break
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid')
  const database = Number.parseInt(readFileSync(pidFile, 'utf8'), 10)
  expect(lives(database)).toBe(true)
  outer.kill('SIGTERM')
  for (const end = Date.now() + 30_000; lives(database) && Date.now() < end; ) await sleep(50)
  expect(lives(database)).toBe(false)
  // In order, not by being cut off: it took its own file away.
  expect(existsSync(pidFile)).toBe(false)
}, 90_000)
