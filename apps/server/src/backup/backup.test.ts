import { createHash } from 'node:crypto'
import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Handle } from '../database/handle.ts'
import { openPool, type Pool } from '../database/pool.ts'
import { createBlankDatabase } from '../database/test-database.ts'
import { anyDirty } from '../features/dashboard/marks.repository.ts'
import { pngOf } from '../features/photos/test-pictures.ts'
import { asking } from '../features/trials/test-trials.ts'
import { loadRootSecret } from '../secret/server-secret.ts'
import { diskStore } from '../storage/disk-store.ts'
import type { DocumentStore } from '../storage/document-store.ts'
import { s3Store } from '../storage/s3-store.ts'
import { startFakeS3 } from '../storage/test-s3.ts'
import { runProgram, startServer } from '../test-process.ts'
import { experimentInput, form, type Person, pdf, startTestServer, type TestServer } from '../test-server.ts'
import { readFrames } from './frames.ts'
import { makeBackup } from './make-backup.ts'
import { checkBackup, restoreBackup, type TargetSecret } from './restore-backup.ts'

const folder = mkdtempSync(join(tmpdir(), 'ensaio-backup-'))
const PASSPHRASE = 'terra roxa e chuva'
let source: TestServer
let person: Person

beforeAll(async () => {
  source = await startTestServer()
  person = await source.person()
  for (let index = 0; index < 12; index += 1)
    await createExperiment(`documento ${index}`, 'x'.repeat(index * 50_000))
  await source.call('DELETE', `/api/experiments/${await createExperiment('apagado')}`, {
    token: person.token,
  })
  // Its plots, and an analysis that is recorded of them.
  const of = asking(source, person)
  const trial = await of.planted()
  await of.done(of.record(trial))
  await photograph(trial)
})
afterAll(async () => {
  await source.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** A photo of one of its plots, and one that is still awaited. */
async function photograph(trial: string): Promise<void> {
  const { token } = person
  const pack = await source.call('GET', `/api/experiments/${trial}/field-package`, { token })
  const described = ['a.png', 'b.png'].map((imageFileName) => ({
    ...{ observationUnitDbId: pack.body.parcelas[0].id, imageFileName },
  }))
  const { body } = await source.call('POST', '/brapi/v2/images', { token, body: described })
  const answer = await fetch(`${source.url}/brapi/v2/images/${body.result.data[0].imageDbId}/imagecontent`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'image/png' },
    body: new Uint8Array(pngOf(40, 30)),
  })
  expect(answer.status).toBe(200)
}

/** With a document that says the text and goes on behind its end. */
async function createExperiment(text: string, tail = ''): Promise<string> {
  const { status, body } = await source.call('POST', '/api/experiments', {
    token: person.token,
    body: form({ dados: JSON.stringify(experimentInput()), pdf: new Blob([pdf(text), tail]) }),
  })
  expect(status).toBe(201)
  return body.experimento.id
}

/** Until the background has figures up to date and has looked at every trial, so that nothing changes by itself. */
async function backgroundIsDone(): Promise<void> {
  const { rows } = await sql<{ waits: boolean }>`
    select exists (select from experimentos where regras = 0 and deleted_at is null) as waits
  `.execute(source.handle)
  if (!rows[0]?.waits && !(await anyDirty(source.handle))) return
  await new Promise((done) => setTimeout(done, 100))
  return backgroundIsDone()
}

/** Every row of every table, as text. */
async function contents(handle: Handle): Promise<Record<string, string[]>> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_schema || '.' || table_name as name from information_schema.tables
    where table_schema in ('public', 'auth') and table_type = 'BASE TABLE'
  `.execute(handle)
  const all: Record<string, string[]> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`
      select t::text as row from ${sql.raw(name)} t order by 1
    `.execute(handle)
    all[name] = rows.map(({ row }) => row)
  }
  return all
}

/** The SHA-256 of every stored file. */
async function files(store: DocumentStore): Promise<Record<string, string>> {
  const all: Record<string, string> = {}
  for await (const { name } of store.entries()) {
    const hash = createHash('sha256')
    for await (const chunk of await store.read(name)) hash.update(chunk as Buffer)
    all[name] = hash.digest('hex')
  }
  return all
}

const backup = async (out: string, passphrase: string | null) =>
  makeBackup({
    pool: source.owner,
    store: source.store,
    root: await loadRootSecret(source.config, source.handle),
    out,
    passphrase,
  })

interface Target {
  pool: Pool
  store: DocumentStore
  secret: TargetSecret
}

async function withTarget(work: (target: Target) => Promise<void>): Promise<void> {
  const database = await createBlankDatabase(inject('databaseServer'))
  const pool = openPool(database.owner, console.error)
  const place = mkdtempSync(join(folder, 'alvo-'))
  const secret = { fixed: null, inDatabase: true, replaceFile: () => () => {} }
  try {
    await work({ pool, store: diskStore(place), secret })
  } finally {
    await pool.close()
    await database.drop()
  }
}

const restore = async (path: string, passphrase: string | null, target: Target) =>
  restoreBackup({ backup: await checkBackup(await readFrames(path), passphrase), ...target })

test.each([
  ['in the clear', null],
  ['encrypted', PASSPHRASE],
])(
  'every row and every document comes back, %s',
  async (_how, passphrase) => {
    const out = join(folder, `inteira-${passphrase === null}.ensaio`)
    await backgroundIsDone()
    const made = await backup(out, passphrase)
    expect(made.lost).toEqual([])
    await withTarget(async (target) => {
      expect(await restore(out, passphrase, target)).toMatchObject({
        tables: made.tables,
        rows: made.rows,
        documents: 14,
      })
      const [before, after] = [await contents(source.handle), await contents(target.pool.handle)]
      // The secret travels apart from the rows.
      expect(after['auth.secrets']).toHaveLength(1)
      delete after['auth.secrets']
      delete before['auth.secrets']
      expect(after).toEqual(before)
      expect(await files(target.store)).toEqual(await files(source.store))
      // What the database numbers goes on where it stopped; foreign keys and triggers are there again.
      await sql`insert into auth.audit_log (action) values ('test')`.execute(target.pool.handle)
      await expect(sql`delete from auth.audit_log`.execute(target.pool.handle)).rejects.toThrow('append-only')
      await expect(
        sql`update experimentos set cultura_id = 999999`.execute(target.pool.handle),
      ).rejects.toThrow('foreign key')
    })
  },
  60_000,
)

test('what is written during the copy is in it whole or not at all', async () => {
  const out = join(folder, 'durante.ensaio')
  let stop = false
  const writing = (async () => {
    for (let index = 0; !stop; index += 1) {
      const id = await createExperiment(`durante ${index}`)
      if (index % 3 === 0) {
        const { body } = await source.call('GET', `/api/uploads/documents?experimentId=${id}`, {
          token: person.token,
        })
        await source.call('DELETE', `/api/uploads/documents/${body.documents[0].id}`, { token: person.token })
      }
    }
  })()
  await new Promise((done) => setTimeout(done, 150))
  await backup(out, null)
  stop = true
  await writing
  await withTarget(async (target) => {
    await restore(out, null, target)
    const { rows } = await sql<{ armazenado: string }>`
      select armazenado from documentos union all select armazenado from fotos where armazenado is not null
    `.execute(target.pool.handle)
    expect(rows.filter(({ armazenado }) => armazenado.endsWith('.jpg'))).toHaveLength(1)
    expect(Object.keys(await files(target.store)).sort()).toEqual(rows.map((row) => row.armazenado).sort())
    const { rows: broken } = await sql`
      select from experimentos e where not exists (select from tratamentos t where t.experimento_id = e.id)
    `.execute(target.pool.handle)
    expect(broken).toEqual([])
  })
}, 200_000)

test("another program's tables in the same database are left alone", async () => {
  const out = join(folder, 'alheia.ensaio')
  await sql`create table alheia (id integer primary key)`.execute(source.handle)
  await backup(out, null)
  await sql`drop table alheia`.execute(source.handle)
  await withTarget(async (target) => {
    await sql`create table vizinha (id integer primary key)`.execute(target.pool.handle)
    await sql`insert into vizinha values (7)`.execute(target.pool.handle)
    expect(await restore(out, null, target)).toMatchObject({ foreign: ['public.alheia'] })
    const { rows } = await sql`select id from vizinha`.execute(target.pool.handle)
    expect(rows).toEqual([{ id: 7 }])
  })
}, 200_000)

describe('a file that cannot be trusted is refused, and nothing is touched', () => {
  const clear = join(folder, 'clara.ensaio')
  const sealed = join(folder, 'cifrada.ensaio')
  beforeAll(async () => {
    await backup(clear, null)
    await backup(sealed, PASSPHRASE)
  })

  const changed = (original: string, change: (path: string, size: number) => void) => {
    const path = join(folder, `mudada-${Math.random()}`)
    copyFileSync(original, path)
    change(path, readFileSync(path).length)
    return path
  }
  const flip = (path: string, at: number) => {
    const bytes = readFileSync(path)
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
    writeFileSync(path, bytes)
  }

  test.each([
    ['in the clear', clear, null],
    ['encrypted', sealed, PASSPHRASE],
  ])('cut, altered, longer or stripped of a frame, %s', async (_how, original, passphrase) => {
    const damage: ((path: string, size: number) => void)[] = [
      (path, size) => truncateSync(path, size - 1),
      (path, size) => truncateSync(path, size >> 1),
      (path) => truncateSync(path, 100),
      (path, size) => flip(path, size >> 1),
      (path, size) => flip(path, size - 1),
      (path) => appendFileSync(path, 'x'),
      (path, size) => {
        const bytes = readFileSync(path)
        const start = 15 + 4 + bytes.readUInt32BE(15)
        const frame = 4 + bytes.readUInt32BE(start) + (passphrase === null ? 32 : 16)
        writeFileSync(path, Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + frame, size)]))
      },
    ]
    for (const change of damage) {
      const file = await readFrames(changed(original, change)).catch((error: unknown) => error)
      if (file instanceof Error) expect(file.message).toContain('incompleto ou foi alterado')
      else
        await expect(checkBackup(file as Awaited<ReturnType<typeof readFrames>>, passphrase)).rejects.toThrow(
          'incompleto ou foi alterado',
        )
    }
  })

  test('another file, a wrong passphrase, none at all', async () => {
    const other = join(folder, 'outra')
    writeFileSync(other, 'PK something else')
    await expect(readFrames(other)).rejects.toThrow('não é uma cópia de segurança')
    await expect(checkBackup(await readFrames(sealed), 'outra senha')).rejects.toThrow('A senha não abre')
    await expect(checkBackup(await readFrames(sealed), null)).rejects.toThrow('cifrada')
    expect(readFileSync(sealed).includes('Rio Verde')).toBe(false)
  })

  test('a database or a store with something in it', async () => {
    await withTarget(async (target) => {
      await target.store.put('um-ab.pdf', Buffer.from('x'))
      await expect(restore(clear, null, target)).rejects.toThrow('já tem documentos')
      await target.store.remove('um-ab.pdf')
      await restore(clear, null, target)
      const before = await contents(target.pool.handle)
      await expect(restore(clear, null, target)).rejects.toThrow('já tem dados')
      expect(await contents(target.pool.handle)).toEqual(before)
    })
  }, 200_000)

  test('a store that fails half-way leaves an empty target, on which the next try succeeds', async () => {
    await withTarget(async (target) => {
      let left = 5
      const failing: DocumentStore = {
        ...target.store,
        async put(name, bytes) {
          if (left === 0) throw new Error('ENOSPC')
          left -= 1
          await target.store.put(name, bytes)
        },
      }
      await expect(restore(clear, null, { ...target, store: failing })).rejects.toThrow('ENOSPC')
      expect(await files(target.store)).toEqual({})
      const { rows } = await sql`select from auth.users`.execute(target.pool.handle)
      expect(rows).toEqual([])
      await restore(clear, null, target)
    })
  }, 200_000)

  test('another AUTH_SECRET', async () => {
    await withTarget(async (target) => {
      const secret = { ...target.secret, fixed: Buffer.from('y'.repeat(40)) }
      await expect(restore(clear, null, { ...target, secret })).rejects.toThrow('sem AUTH_SECRET')
    })
  })
})

test('by the commands: from a running embedded server to an empty folder, and to an external database and S3', async () => {
  const email = 'mudanca@exemplo.com.br'
  // People's address, which stays the same wherever the server moves.
  const site = { SITE_URL: 'https://ensaio.exemplo.com.br' }
  const origin = { ...site, DATA_DIR: join(folder, 'origem') }
  const server = await startServer(origin)
  const call = (url: string, path: string, init: RequestInit = {}) => fetch(`${url}${path}`, init)
  const signUp = await call(server.url, '/auth/v1/signup', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'correta-cavalo-bateria' }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: a test reads answers of every shape
  const session = (await signUp.json()) as any
  const headers = { authorization: `Bearer ${session.access_token}` }
  const created = await call(server.url, '/api/experiments', {
    method: 'POST',
    headers,
    body: form({ dados: JSON.stringify(experimentInput()), pdf: pdf('mudança') }),
  })
  expect(created.status).toBe(201)

  const out = join(folder, 'comando.ensaio')
  const senha = { SENHA_DA_COPIA: PASSPHRASE }
  const args = ['--passphrase-env', 'SENHA_DA_COPIA']
  const made = runProgram('./backup.ts', { env: { ...origin, ...senha }, args: ['--out', out, ...args] })
  expect(await made.ended, made.output()).toBe(0)
  expect(made.output()).toContain('1 documentos')
  const twice = runProgram('./backup.ts', { env: { ...origin, ...senha }, args: ['--out', out, ...args] })
  expect(await twice.ended).toBe(1)
  expect(twice.output()).toContain('já existe')
  const busy = runProgram('./restore.ts', { env: { ...origin, ...senha }, args: [out, ...args] })
  expect(await busy.ended).toBe(1)
  expect(busy.output()).toContain('Já há um Ensaio em execução')
  server.child.kill('SIGTERM')
  await server.ended

  const database = await createBlankDatabase(inject('databaseServer'))
  const s3 = await startFakeS3()
  const external = {
    ...site,
    DATA_DIR: join(folder, 'externo'),
    DATABASE_URL: database.url,
    STORAGE_URL: s3.address,
  }
  try {
    for (const target of [{ ...site, DATA_DIR: join(folder, 'destino') }, external]) {
      const wrong = runProgram('./restore.ts', {
        env: { ...target, SENHA_DA_COPIA: 'não é esta' },
        args: [out, ...args],
      })
      expect(await wrong.ended).toBe(1)
      expect(wrong.output()).toContain('A senha não abre')
      const done = runProgram('./restore.ts', { env: { ...target, ...senha }, args: [out, ...args] })
      expect(await done.ended, done.output()).toBe(0)
      const restored = await startServer(target)
      // The session from before lives on: the secret and the signing keys came along.
      const list = await call(restored.url, '/api/uploads/documents', { headers })
      expect(list.status).toBe(200)
      const experiments = await (await call(restored.url, '/api/experiments', { headers })).json()
      const [experiment] = (experiments as { experimentos: { id: string }[] }).experimentos
      const documents = await call(restored.url, `/api/uploads/documents?experimentId=${experiment?.id}`, {
        headers,
      })
      const [document] = ((await documents.json()) as { documents: { id: string }[] }).documents
      const bytes = await call(restored.url, `/api/uploads/documents/${document?.id}`, { headers })
      expect(await bytes.text()).toContain('mudança')
      const renewed = await call(restored.url, '/auth/v1/token?grant_type=refresh_token', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ refresh_token: session.refresh_token }),
      })
      expect(renewed.status).toBe(200)
      restored.child.kill('SIGTERM')
      expect(await restored.ended).toBe(0)
    }
    expect([...s3.objects.keys()]).toHaveLength(1)
    expect(await files(s3Store(s3.address))).toEqual(
      await files(diskStore(join(folder, 'origem', 'documents'))),
    )
  } finally {
    await s3.stop()
    await database.drop()
  }
}, 300_000)
