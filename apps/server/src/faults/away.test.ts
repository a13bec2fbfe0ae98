import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createExternalPostgres, type ExternalPostgres } from '../database/test-external.ts'
import { type FakeS3, startFakeS3 } from '../storage/test-s3.ts'
import { freePort } from '../test-port.ts'
import { type Run, startServer } from '../test-process.ts'
import { ask, type Client, newClient, type Reply, report, sizeOf } from './test-client.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'ensaio-away-'))
let database: ExternalPostgres
let s3: FakeS3
let server: Run & { url: string }
let client: Client

beforeAll(async () => {
  s3 = await startFakeS3()
  database = await createExternalPostgres(await freePort())
  await database.start()
  server = await startServer({ DATA_DIR: dataDir, DATABASE_URL: database.url, STORAGE_URL: s3.address })
  client = await newClient(server.url)
}, 120_000)
afterAll(async () => {
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  await database.remove()
  await s3.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const expectAway = ({ status, headers, body }: Reply, code: string) => {
  expect({ status, code: body.code }).toEqual({ status: 503, code })
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(headers.get('content-type')).toContain('problem+json')
  expect(JSON.stringify(body)).not.toMatch(/ECONN|SQL|localhost|\.ts|postgres/i)
}

test('while the database is away reads and writes say so, and all is well when it is back', async () => {
  const before = await client.create('antes')
  expect(before.status).toBe(201)
  await database.stop('SIGKILL')
  expect((await ask(server.url, '/healthz')).status).toBe(200)
  expect((await ask(server.url, '/readyz')).status).toBe(503)
  const start = performance.now()
  expectAway(await client.ask('/api/experiments'), 'server.database_away')
  expectAway(await client.ask('/api/dashboard/overview'), 'server.database_away')
  expectAway(await client.create('durante'), 'server.database_away')
  const { status, headers } = await client.ask('/auth/v1/user')
  expect(status).toBe(503)
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await client.ask('/rest/v1/experimentos')).status).toBe(503)
  // Refused at once, not after a long wait.
  expect(performance.now() - start).toBeLessThan(5_000)

  await database.start()
  expect((await ask(server.url, '/readyz')).status).toBe(200)
  await client.expectKept({ id: before.body.experimento.id, text: 'antes' })
  const after = await client.create('depois')
  await client.expectKept({ id: after.body.experimento.id, text: 'depois' })
  const list = await client.ask('/api/experiments')
  expect(list.body.total).toBe(2)
}, 200_000)

// Takes as long as the patience with a statement: 40 s.
test.skipIf(process.platform !== 'linux' || sizeOf('FAULT_FROZEN', 0) === 0)(
  'a database that stands still keeps nobody waiting for ever',
  async () => {
    await client.ask('/api/experiments')
    database.freeze()
    const start = performance.now()
    expect((await ask(server.url, '/readyz')).status).toBe(503)
    expect(performance.now() - start).toBeLessThan(5_000)
    expectAway(await client.ask('/api/experiments'), 'server.database_away')
    const waitedMs = performance.now() - start
    expect(waitedMs).toBeLessThan(60_000)
    database.thaw()
    expect((await client.ask('/api/experiments')).status).toBe(200)
    report('frozen database', { 'answered 503 after, s': Math.round(waitedMs / 1000) })
  },
  120_000,
)

test('while the document store is away documents say so, the rest goes on, and no half record is left', async () => {
  const before = await client.create('guardado')
  await s3.stop()
  const { documents } = (
    await client.ask(`/api/uploads/documents?experimentId=${before.body.experimento.id}`)
  ).body
  expectAway(await client.ask(`/api/uploads/documents/${documents[0].id}`), 'server.storage_away')
  expectAway(await client.create('sem lugar'), 'server.storage_away')
  const list = await client.ask('/api/experiments?busca=Agro')
  expect(list.status).toBe(200)
  expect(list.body.experimentos.some((each: { cultivar: string }) => each.cultivar === 'sem lugar')).toBe(
    false,
  )
  await s3.start()
  await client.expectKept({ id: before.body.experimento.id, text: 'guardado' })
  expect((await client.create('de novo')).status).toBe(201)
}, 200_000)
