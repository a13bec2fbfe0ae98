import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort, ready, runProgram } from './test-process.ts'
import { experimentInput, form, PASSWORD, pdf } from './test-server.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'ensaio-run-'))
let port: number
let url: string

beforeAll(async () => {
  port = await freePort()
  url = `http://127.0.0.1:${port}`
})
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const run = (env: Record<string, string> = {}) =>
  runProgram('./main.ts', { env: { HOST: '127.0.0.1', PORT: String(port), DATA_DIR: dataDir, ...env } })

const post = (path: string, body: string | FormData, token?: string) =>
  fetch(`${url}${path}`, {
    method: 'POST',
    body,
    headers: {
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
  })

// biome-ignore lint/suspicious/noExplicitAny: a test reads answers of every shape
const read = (answer: Response): Promise<any> => answer.json() as Promise<any>

describe('the server as a process', () => {
  test('stops in order on a signal and says who has its data folder', async () => {
    const first = await ready(run())
    const second = run({ PORT: '0' })
    expect(await second.ended).toBe(1)
    expect(second.output()).toContain('Já há um Ensaio em execução')
    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(0)
  }, 60_000)

  test('keeps every acknowledged experiment and document through kill -9 of itself and of its database', async () => {
    let server = await ready(run())
    const signUp = await post(
      '/auth/v1/signup',
      JSON.stringify({ email: 'k@exemplo.com.br', password: PASSWORD }),
    )
    const token: string = (await read(signUp)).access_token
    const kept: { id: string; text: string }[] = []

    for (let round = 0; round < 4; round += 1) {
      const creates = Array.from({ length: 8 }, async (_, index) => {
        const text = `rodada ${round}, ensaio ${index}`
        const answer = await post(
          '/api/experiments',
          form({ dados: JSON.stringify(experimentInput()), pdf: pdf(text) }),
          token,
        )
        if (answer.status === 201) kept.push({ id: (await read(answer)).experimento.id, text })
      })
      await Promise.race(creates)
      if (round % 2 === 0) {
        server.child.kill('SIGKILL')
        await Promise.allSettled(creates)
        await server.ended
        server = await ready(run())
      } else {
        const postmaster = Number.parseInt(
          readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'),
          10,
        )
        process.kill(postmaster, 'SIGKILL')
        await Promise.allSettled(creates)
        for (let wait = 0; wait < 200 && (await fetch(`${url}/readyz`)).status !== 200; wait += 1)
          await new Promise((done) => setTimeout(done, 50))
      }
    }

    expect(kept.length).toBeGreaterThanOrEqual(4)
    const headers = { authorization: `Bearer ${token}` }
    for (const { id, text } of kept) {
      expect((await fetch(`${url}/api/experiments/${id}`, { headers })).status).toBe(200)
      const list = await fetch(`${url}/api/uploads/documents?experimentId=${id}`, { headers })
      const [document] = (await read(list)).documents
      const bytes = await fetch(`${url}/api/uploads/documents/${document.id}`, { headers })
      expect(await bytes.text()).toContain(text)
    }
    server.child.kill('SIGINT')
    expect(await server.ended).toBe(0)
  }, 120_000)

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
