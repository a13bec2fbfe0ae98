import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { freePort } from './test-port.ts'
import { ready, runProgram } from './test-process.ts'

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
    /Demonstração: (\d+) experimentos, (\d+) documentos\.[\s\S]*demonstração: (\S+), senha (\S+)/.exec(
      server.output(),
    ) ?? []
  const signIn = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const { access_token } = (await signIn.json()) as { access_token: string }
  // biome-ignore lint/suspicious/noExplicitAny: answers of several shapes
  const own = async (path: string, organization?: string): Promise<any> => {
    const headers = {
      authorization: `Bearer ${access_token}`,
      ...(organization && { 'x-organization': organization }),
    }
    return (await fetch(`${url}${path}`, { headers })).json()
  }
  const total = async (query: string) => (await own(`/api/experiments?limit=1${query}`)).total
  expect(await total('')).toBe(Number(experiments))
  expect(await total('&com_documento=1')).toBe(Number(documents))
  expect([Number(experiments), Number(documents)]).toEqual([406, 100])

  // Three organisations: what is shared with the maker shows no costs, and a link shows one trial to anybody.
  const [, link = ''] = /Link público de um experimento: (\S+)/.exec(server.output()) ?? []
  const shown = await fetch(`${url}/api/public/experiments/${link.split('/').at(-1)}`)
  expect(shown.status).toBe(200)
  const { organizacoes } = await own('/api/organizations')
  expect(organizacoes.map(({ nome }: { nome: string }) => nome)).toEqual([
    'Consultoria Demonstração',
    'Fábrica Aminoagro',
  ])
  const received = await own('/api/dashboard/overview', organizacoes[1].id)
  expect(received.total).toBeGreaterThan(50)
  expect(received.com_custos).toBe(0)
  server.child.kill('SIGTERM')
  await server.ended
}, 120_000)
