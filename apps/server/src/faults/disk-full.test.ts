import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { startServer } from '../test-process.ts'
import { experimentInput, form, pdf } from '../test-server.ts'
import { ask, type Kept, newClient, report } from './test-client.ts'

// A file system of its own that can really be filled; mounting one is root's.
const mount = mkdtempSync(join(tmpdir(), 'ensaio-full-'))
const SIZE_MB = 400
const mounted =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m,mode=755`, 'tmpfs', mount]).status === 0

afterAll(() => {
  if (mounted) spawnSync('umount', ['-l', mount])
  rmSync(mount, { recursive: true, force: true })
})

const free = () => statfsSync(mount).bavail * statfsSync(mount).bsize

/** Takes all but so many bytes. */
function fill(leave: number): void {
  const file = openSync(join(mount, 'lastro'), 'a')
  const block = Buffer.alloc(2 ** 20, 1)
  try {
    while (free() > leave) writeSync(file, block, 0, Math.min(block.length, free() - leave))
  } catch {
    // Quite full.
  } finally {
    closeSync(file)
  }
}

test.skipIf(!mounted)(
  'a full disk refuses writes in words, goes on reading, and loses nothing',
  async () => {
    const dataDir = join(mount, 'dados')
    mkdirSync(dataDir)
    const server = await startServer({ DATA_DIR: dataDir })
    const client = await newClient(server.url)
    const kept: Kept[] = []
    const create = async (text: string) => {
      const answer = await client.create(text)
      if (answer.status === 201) kept.push({ id: answer.body.experimento.id, text })
      return answer
    }
    for (let index = 0; index < 10; index += 1) expect((await create(`antes ${index}`)).status).toBe(201)

    // Nearly full: refused before anything is touched.
    fill(40 * 2 ** 20)
    await sleep(1_100)
    const refused = await create('com pouco espaço')
    expect(refused.body).toMatchObject({ status: 503, code: 'server.storage_full' })
    expect(refused.body.detail).toContain('sem espaço')
    for (const each of kept) await client.expectKept(each)

    // Filled between one look and the next, in the middle of the work.
    rmSync(join(mount, 'lastro'))
    await sleep(1_100)
    let full = 0
    const creates = Array.from({ length: 60 }, async (_, index) => {
      await sleep(index * 10)
      const { status, body } = await create(`enquanto enche ${index}`)
      if (status !== 201) {
        expect(status, JSON.stringify(body)).toBe(503)
        full += 1
      }
    })
    await sleep(250)
    fill(0)
    await Promise.all(creates)
    await sleep(500)
    expect((await ask(server.url, '/healthz')).status).toBe(200)
    expect((await create('sem espaço nenhum')).status).toBe(503)
    expect((await client.ask('/api/experiments')).status).toBe(200)
    for (const each of kept) await client.expectKept(each)

    // Room again: everything goes on without a start.
    rmSync(join(mount, 'lastro'))
    for (let wait = 0; wait < 200 && (await ask(server.url, '/readyz')).status !== 200; wait += 1)
      await sleep(50)
    await sleep(1_100)
    expect((await create('com espaço de novo')).status).toBe(201)
    for (const each of kept) await client.expectKept(each)
    const { body } = await client.ask('/api/experiments')
    expect(body.total).toBe(kept.length)
    server.child.kill('SIGTERM')
    expect(await server.ended).toBe(0)
    report('disk full', { acknowledged: kept.length, lost: 0, refused: full + 2 })
  },
  120_000,
)

test.skipIf(!mounted)(
  'one person holds no more of the disk than is left for everybody',
  async () => {
    const dataDir = join(mount, 'partes')
    mkdirSync(dataDir)
    const server = await startServer({ DATA_DIR: dataDir })
    const [first, second] = [await newClient(server.url), await newClient(server.url)]
    let files = 0
    const upload = async (client: typeof first) => {
      files += 1
      const body = form({ pdf: new Blob([pdf(String(files)), '% ', 'x'.repeat(9 * 2 ** 20)]) })
      const answer = await client.ask('/api/uploads/document', { method: 'POST', body })
      // What is left is looked at once a second.
      await sleep(300)
      return answer
    }
    let last = await upload(first)
    while (last.status === 201 && files < 60) last = await upload(first)
    expect(last.body).toMatchObject({ status: 422, code: 'document.share_full' })
    expect((await upload(second)).status).toBe(201)
    // What takes no file along goes on.
    const input = JSON.stringify(experimentInput())
    const created = await first.ask('/api/experiments', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: input,
    })
    expect(created.status).toBe(201)
    server.child.kill('SIGTERM')
    await server.ended
    rmSync(dataDir, { recursive: true, force: true })
  },
  120_000,
)
