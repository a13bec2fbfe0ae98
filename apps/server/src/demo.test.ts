import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { freePort, ready, runProgram } from './test-process.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'ensaio-demo-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

test('the demo has what it says it made, also when it was killed while it was filled', async () => {
  const port = await freePort()
  const start = () =>
    runProgram('./demo.ts', { env: { HOST: '127.0.0.1', PORT: String(port), DATA_DIR: dataDir } })
  const url = `http://127.0.0.1:${port}`

  const cut = start()
  for (const folder = join(dataDir, 'documents'); !existsSync(folder); ) await sleep(20)
  cut.child.kill('SIGKILL')
  await cut.ended
  expect(cut.output()).not.toContain('Demonstração:')

  const server = await ready(start())
  const [, experiments, documents, email, password] =
    /Demonstração: (\d+) experimentos, (\d+) documentos\.\n.*: (\S+), senha (\S+)/.exec(server.output()) ?? []
  const signIn = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const { access_token } = (await signIn.json()) as { access_token: string }
  const total = async (query: string) => {
    const answer = await fetch(`${url}/api/experiments?limit=1${query}`, {
      headers: { authorization: `Bearer ${access_token}` },
    })
    return ((await answer.json()) as { total: number }).total
  }
  expect(await total('')).toBe(Number(experiments))
  expect(await total('&com_documento=1')).toBe(Number(documents))
  expect([Number(experiments), Number(documents)]).toEqual([400, 100])
  server.child.kill('SIGTERM')
  await server.ended
}, 120_000)
