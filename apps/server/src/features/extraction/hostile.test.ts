import { setTimeout } from 'node:timers/promises'
import { hostileFiles } from '@ensaio/extraction/hostile'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createExtractionPool } from '../../jobs/extraction-pool.ts'
import { type Person, startTestServer, type TestServer } from '../../test-server.ts'

/** The files that keep a process busiest. */
const HEAVY = ['flate bomb in layers', 'nested forms', 'huge image', '1,500 pages', 'many paths']
/** Below this a slower answer is the machine's noise. */
const FLOOR_MS = 20
const REQUESTS = 300
const EVERY_MS = 10

const pool = createExtractionPool({ size: 1, memoryMb: 700, deadlineMs: 20_000 })
let server: TestServer
let people: Person[]

beforeAll(async () => {
  server = await startTestServer({ extractor: pool })
  people = await Promise.all(HEAVY.map(() => server.person()))
  pool.warm()
})
afterAll(async () => {
  await pool.close()
  await server.stop()
})

/**
 * Requests at a steady pace, `REQUESTS` at least and until `enough`; each is timed from the moment when it was
 * due, so that a server that stands still counts against every request that it kept waiting.
 */
async function stream(enough: () => boolean = () => true): Promise<number[]> {
  const started = performance.now()
  const answers: Promise<number>[] = []
  while (answers.length < REQUESTS || !enough()) {
    const due = started + answers.length * EVERY_MS
    if (due > performance.now()) await setTimeout(due - performance.now())
    answers.push(
      server.call('GET', '/api/lookups/estados').then(({ status }) => {
        expect(status).toBe(200)
        return performance.now() - due
      }),
    )
  }
  return await Promise.all(answers)
}

const median = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN

test('hostile files being read do not slow other requests', { timeout: 120_000 }, async () => {
  const files = hostileFiles()
  await stream()
  const idle = median(await stream())

  let read = 0
  const readings = HEAVY.map(async (name, index) => {
    const bytes = files[name]
    const person = people[index]
    if (!bytes || !person) throw new Error(`no file ${name}`)
    const body = new FormData()
    body.append('pdf', new Blob([new Uint8Array(bytes)], { type: 'application/pdf' }), 'laudo.pdf')
    return await server.call('POST', '/api/experiments', { token: person.token, body }).finally(() => {
      read += 1
    })
  })
  const during = median(await stream(() => read === HEAVY.length))
  expect(during).toBeLessThan(Math.max(2 * idle, FLOOR_MS))
  for (const { status, body } of await Promise.all(readings)) {
    expect([200, 422, 504]).toContain(status)
    if (status !== 200) expect(body.code).toMatch(/^(?:extraction|document)\.\w+$/)
  }
})
