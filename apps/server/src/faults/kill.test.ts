import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../database/open.ts'
import { wallOver } from '../database/wall.ts'
import { createDocuments } from '../features/documents/documents.service.ts'
import { diskStore } from '../storage/disk-store.ts'
import { startServer } from '../test-process.ts'
import { type Kept, newClient, report, sizeOf } from './test-client.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'ensaio-kill-'))
const ROUNDS = sizeOf('FAULT_ROUNDS', 4)
const AT_ONCE = 8
const HOURS = 3_600_000

afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

test(
  'kill -9 of the server and of its database: what was acknowledged is there, and nothing else is left over',
  async () => {
    let server = await startServer({ DATA_DIR: dataDir })
    const env = { DATA_DIR: dataDir, PORT: String(server.port) }
    const client = await newClient(server.url)
    const kept: Kept[] = []
    let unanswered = 0
    let slowestBackMs = 0
    let roundsAnswered = 0

    for (let round = 0; round < ROUNDS; round += 1) {
      const creates = Array.from({ length: AT_ONCE }, async (_, index) => {
        const text = `rodada ${round}, ensaio ${index}`
        const answer = await client.create(text).catch(() => null)
        if (answer?.status === 201) kept.push({ id: answer.body.experimento.id, text })
        else unanswered += 1
      })
      // At another moment of the work each time: before the first answer, or some way behind it.
      if (round % 3 > 0) {
        await Promise.race(creates)
        roundsAnswered += 1
      }
      await sleep((round * 7) % 40)
      const killed = performance.now()
      if (round % 2 === 0) {
        server.child.kill('SIGKILL')
        await Promise.all(creates)
        await server.ended
        server = await startServer(env)
      } else {
        process.kill(postmaster(), 'SIGKILL')
        await Promise.all(creates)
        for (let wait = 0; wait < 400 && (await fetch(`${server.url}/readyz`)).status !== 200; wait += 1)
          await sleep(25)
      }
      slowestBackMs = Math.max(slowestBackMs, performance.now() - killed)
    }
    expect(kept.length).toBeGreaterThanOrEqual(roundsAnswered)
    for (const each of kept) await client.expectKept(each)
    server.child.kill('SIGTERM')
    expect(await server.ended).toBe(0)

    const database = await openDatabase({ databaseUrl: null, dataDir }, console.error)
    try {
      const { handle } = database.pool
      const store = diskStore(join(dataDir, 'documents'))
      const documents = createDocuments({ wall: wallOver(database.pool.raw), owner: handle, store })
      const now = Date.now() + 2 * HOURS
      await documents.sweep({ now, uptimeMs: 0 })
      const swept = await documents.sweep({ now, uptimeMs: HOURS })
      const files: string[] = []
      for await (const { name } of store.entries()) files.push(name)
      const { rows } = await sql<{ armazenado: string }>`select armazenado from documentos`.execute(handle)
      expect(files.sort()).toEqual(rows.map(({ armazenado }) => armazenado).sort())
      const { rows: torn } = await sql`
      select e.id from experimentos e
      where e.documento_id is null
        or e.n_tratamentos <> (select count(*) from tratamentos t where t.experimento_id = e.id)
        or not exists (select from alteracoes a where a.experimento_id = e.id)
    `.execute(handle)
      expect(torn).toEqual([])
      report('kill -9', {
        rounds: ROUNDS,
        acknowledged: kept.length,
        lost: 0,
        unanswered,
        rows: rows.length,
        'orphan files swept': swept,
        'slowest return, ms': Math.round(slowestBackMs),
      })
    } finally {
      await database.close()
    }
  },
  120_000 + ROUNDS * 15_000,
)

function postmaster(): number {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10)
}
