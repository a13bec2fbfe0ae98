import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startServer } from '../test-process.ts'
import { experimentInput, PASSWORD } from '../test-server.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'ensaio-log-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

test('the log has a line for each request, by its id, and nothing about the person', async () => {
  const server = await startServer({ DATA_DIR: dataDir, LOG_LEVEL: 'debug' })
  const ids: (string | null)[] = []
  const ask = async (path: string, body?: unknown, token?: string) => {
    const answer = await fetch(`${server.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'navegador-da-ana',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    ids.push(answer.headers.get('x-request-id'))
    return (await answer.json()) as Record<string, string>
  }
  const email = 'ana.prado@exemplo.com.br'
  const { access_token: token = '', refresh_token: refreshToken = '' } = await ask('/auth/v1/signup', {
    email,
    password: PASSWORD,
    data: { name: 'Ana Prado' },
  })
  await ask('/auth/v1/token?grant_type=password', { email, password: 'senha-errada-mesmo' })
  await ask('/api/experiments', experimentInput({ consultoria: 'Consultoria Sigilosa' }), token)
  await ask('/api/experiments', { consultoria: 7 }, token)
  await ask('/api/experiments?busca=palavra-sigilosa', undefined, token)
  await ask('/api/experiments?busca=%00', undefined, token)
  await ask('/api/profile', undefined, 'eyJhbGciOi.nada.disso')
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)

  const lines = server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
  for (const id of ids) expect(lines.filter((line) => line.reqId === id && line.route)).toHaveLength(1)
  const secrets = [
    email,
    'Ana Prado',
    PASSWORD,
    'senha-errada-mesmo',
    token,
    refreshToken,
    'sigilosa',
    'Sigilosa',
    'navegador-da-ana',
    '127.0.0.1"',
    'eyJhbGciOi',
  ]
  for (const secret of secrets) expect(server.output()).not.toContain(secret)
})
