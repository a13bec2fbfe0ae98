import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrationNames } from './database/migrate.ts'
import { createExternalPostgres, type ExternalPostgres } from './database/test-external.ts'
import { type FakeS3, startFakeS3 } from './storage/test-s3.ts'
import { freePort } from './test-port.ts'
import { runProgram, startServer } from './test-process.ts'
import { experimentInput, form, PASSWORD, pdf } from './test-server.ts'

// Two servers on one external PostgreSQL and one S3 endpoint, as behind a balancer.

const folder = mkdtempSync(join(tmpdir(), 'ensaio-several-'))
let database: ExternalPostgres
let s3: FakeS3
let servers: Awaited<ReturnType<typeof startServer>>[]

const start = (name: string) =>
  startServer({
    DATA_DIR: join(folder, name),
    DATABASE_URL: database.url,
    STORAGE_URL: s3.address,
    SITE_URL: 'https://ensaio.exemplo.com.br',
  })

beforeAll(async () => {
  s3 = await startFakeS3()
  database = await createExternalPostgres(await freePort())
  await database.start()
  // Both find an empty database: one migrates, the other waits for it.
  servers = await Promise.all([start('um'), start('dois')])
}, 120_000)
afterAll(async () => {
  for (const server of servers) server.child.kill('SIGKILL')
  await Promise.all(servers.map((server) => server.ended))
  await database.remove()
  await s3.stop()
  rmSync(folder, { recursive: true, force: true })
})

// biome-ignore lint/suspicious/noExplicitAny: a test reads answers of every shape
type Answer = { status: number; body: any }

async function ask(at: number, path: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(`${servers[at]?.url}${path}`, { ...init, signal: AbortSignal.timeout(30_000) })
  const text = await answer.text()
  const json = answer.headers.get('content-type')?.includes('json')
  return { status: answer.status, body: json ? JSON.parse(text) : text }
}

const json = (value: unknown) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})

async function query(text: string) {
  const client = new pg.Client(database.url)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

async function signUp(at: number, email: string) {
  const { status, body } = await ask(at, '/auth/v1/signup', json({ email, password: PASSWORD }))
  expect(status).toBe(200)
  return { headers: { authorization: `Bearer ${body.access_token}` }, refreshToken: body.refresh_token }
}

test('requests act as a role that owns nothing, though the address names the owner', async () => {
  for (const server of servers) expect(server?.output()).not.toContain('pode mais do que precisa')
  const [{ member }] = await query(`select pg_has_role('ensaio', 'ensaio_app', 'member') as member`)
  expect(member).toBe(true)
})

test('migrations were applied once although both servers found an empty database', async () => {
  const rows = await query('select name from migrations order by name')
  expect(rows.map((row) => row.name)).toEqual(migrationNames())
  const [{ keys }] = await query('select count(*)::int as keys from auth.signing_keys')
  expect(keys).toBe(1)
})

test('the connections to the database are encrypted', async () => {
  const rows = await query(`
    select distinct ssl from pg_stat_ssl s join pg_stat_activity a using (pid) where application_name = 'ensaio'
  `)
  expect(rows).toEqual([{ ssl: true }])
})

test('one session lives on both', async () => {
  const person = await signUp(0, 'ana@exemplo.com.br')
  const renewed = await ask(
    1,
    '/auth/v1/token?grant_type=refresh_token',
    json({ refresh_token: person.refreshToken }),
  )
  expect(renewed.status).toBe(200)
  const headers = { authorization: `Bearer ${renewed.body.access_token}` }
  const created = await ask(0, '/api/experiments', {
    method: 'POST',
    headers,
    body: form({ dados: JSON.stringify(experimentInput()), pdf: pdf('lido no outro') }),
  })
  const { id, documento_id: documentId } = created.body.experimento
  expect((await ask(1, `/api/experiments/${id}`, { headers })).body).toEqual(created.body)
  const list = await ask(1, `/api/uploads/documents?experimentId=${id}`, { headers })
  expect(documentId ?? list.body.documents[0].id).toBe(list.body.documents[0].id)
  const file = await ask(1, `/api/uploads/documents/${list.body.documents[0].id}`, { headers })
  expect(file.body).toContain('lido no outro')
  expect((await ask(1, '/auth/v1/logout', { method: 'POST', headers })).status).toBe(204)
  expect((await ask(0, '/api/profile', { headers })).status).toBe(401)
})

test('a change on one server is told to who listens on the other', async () => {
  const { headers } = await signUp(0, 'bia@exemplo.com.br')
  const abort = new AbortController()
  const stream = await fetch(`${servers[1]?.url}/api/events`, { headers, signal: abort.signal })
  const heard = (async () => {
    let text = ''
    for await (const chunk of stream.body ?? []) {
      text += Buffer.from(chunk).toString()
      if (text.includes('event: changed')) return true
    }
    return false
  })()
  await sleep(200)
  await ask(0, '/api/experiments', {
    ...json(experimentInput()),
    headers: { ...headers, 'content-type': 'application/json' },
  })
  expect(await Promise.race([heard, sleep(8_000, 'silence')])).toBe(true)
  abort.abort()
})

test("one is killed in the middle of a person's work, and nothing is lost or made twice", async () => {
  const { headers } = await signUp(1, 'caio@exemplo.com.br')
  const wanted = Array.from({ length: 40 }, (_, index) => `relatório ${index} de quarenta`)
  let first = true
  // As a browser behind a balancer does: whichever server answers, and again with the same key if none did.
  const create = async (text: string, index: number) => {
    for (let at = index % 2; ; at = 1 - at) {
      const answer = await ask(at, '/api/experiments', {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': `chave-${index}` },
        body: form({ dados: JSON.stringify(experimentInput({ cultivar: text })), pdf: pdf(text) }),
      }).catch(() => null)
      if (answer?.status === 201) {
        if (first) servers[0]?.child.kill('SIGKILL')
        first = false
        return answer.body.experimento.id as string
      }
      await sleep(50)
    }
  }
  const ids = await Promise.all(wanted.map(create))
  expect(await servers[0]?.ended).toBe('SIGKILL')
  expect(new Set(ids).size).toBe(wanted.length)
  for (const [index, id] of ids.entries()) {
    const { body } = await ask(1, `/api/experiments/${id}`, { headers })
    expect(body.experimento.cultivar).toBe(wanted[index])
    const list = await ask(1, `/api/uploads/documents?experimentId=${id}`, { headers })
    expect(list.body.documents).toHaveLength(1)
    const file = await ask(1, `/api/uploads/documents/${list.body.documents[0].id}`, { headers })
    expect(file.body).toContain(wanted[index])
  }
  const [{ n }] = await query(`select count(*)::int as n from experimentos where cultivar like 'relatório %'`)
  expect(n).toBe(wanted.length)
  servers[0] = await start('três')
  expect((await ask(0, `/api/experiments/${ids[0]}`, { headers })).status).toBe(200)
}, 120_000)

test.each([
  ['sslmode=verify-full', 'certificate'],
  ['sslmode=disable', 'no encryption'],
])('a database reached by %s is refused with a sentence', async (option, reason) => {
  const url = database.url.replace(/sslmode=.*$/, option)
  const refused = runProgram('./main.ts', {
    env: { HOST: '127.0.0.1', PORT: '0', DATA_DIR: join(folder, 'fora'), DATABASE_URL: url },
  })
  expect(await refused.ended).toBe(1)
  expect(refused.output()).toContain('O banco indicado em DATABASE_URL não pode ser usado')
  expect(refused.output()).toContain(reason)
  expect(refused.output()).not.toContain('    at ')
})
