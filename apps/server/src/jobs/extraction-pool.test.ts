import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { hiddenText, hostileFiles, ownerLocked, userLocked } from '@ensaio/extraction/hostile'
import { afterAll, describe, expect, test } from 'vitest'
import { createExtractionPool } from './extraction-pool.ts'
import { chooseSandbox, sandboxPipe } from './sandbox.ts'

const sample = (name: string) =>
  readFileSync(new URL(`../../../../packages/extraction/test/samples/${name}`, import.meta.url))
const report = sample('s1_ficha.pdf')
const HOSTILE = fileURLToPath(new URL('./test-hostile-reader.ts', import.meta.url))
const pool = createExtractionPool({ size: 1, memoryMb: 700, deadlineMs: 20_000 })
afterAll(() => pool.close())

test('a report is read in a process of its own, with progress', { timeout: 30_000 }, async () => {
  const stages = new Set<string>()
  const result = await pool.extract(report, { onProgress: ({ stage }) => stages.add(stage) })
  expect(result.data.cidade).toBe('Campo Verde')
  expect([...stages]).toEqual(expect.arrayContaining(['read', 'layout', 'tables', 'fields']))
})

test('a file locked by its owner only is read', { timeout: 30_000 }, async () => {
  expect((await pool.extract(ownerLocked())).data.cidade).toBe('Sorriso')
})

test('a file that needs a password is refused by name', { timeout: 30_000 }, async () => {
  await expect(pool.extract(userLocked())).rejects.toMatchObject({ code: 'extraction.encrypted' })
})

test('text that nobody can see is not read', { timeout: 30_000 }, async () => {
  const { data } = await pool.extract(hiddenText())
  expect(data).toMatchObject({ cultivar: null, roi: null, regional: null, bu: null, cultura: 'Soja' })
})

test('a document that takes too long is stopped and the next one is read', { timeout: 30_000 }, async () => {
  await expect(pool.extract(report, { deadlineMs: 1 })).rejects.toMatchObject({ code: 'extraction.timeout' })
  expect((await pool.extract(report)).data.estado).toBe('MT')
})

test('a cancelled document is given up at once', { timeout: 30_000 }, async () => {
  const abort = new AbortController()
  const reading = pool.extract(report, { signal: abort.signal })
  abort.abort()
  await expect(reading).rejects.toMatchObject({ code: 'extraction.cancelled' })
  expect((await pool.extract(report)).data.estado).toBe('MT')
})

test('a full queue refuses instead of growing', { timeout: 30_000 }, async () => {
  const small = createExtractionPool({ size: 1, queueLimit: 1 })
  const first = small.extract(report)
  await expect(small.extract(report)).rejects.toMatchObject({ code: 'extraction.busy' })
  await first
  await small.close()
})

describe('fair reading', () => {
  const scan = sample('s3_digitalizado.pdf')

  test('a scan of one person delays nobody whose report is text', { timeout: 60_000 }, async () => {
    const roomy = createExtractionPool()
    const order: string[] = []
    const read = async (who: string, bytes: Uint8Array) => {
      await roomy.extract(bytes, { who })
      order.push(who)
    }
    await Promise.all([read('ana', scan), read('bia', report), read('caio', report)])
    expect(order.at(-1)).toBe('ana')
    await roomy.close()
  })

  test('people take turns, one report of each is at work, and everybody sees their place', {
    timeout: 60_000,
  }, async () => {
    const order: string[] = []
    const places: Record<string, number[]> = {}
    const read = async (who: string, name: string) => {
      const told: number[] = []
      places[name] = told
      await pool.extract(report, {
        who,
        onProgress: (progress) => {
          if (progress.stage === 'queued') told.push(progress.ahead)
        },
      })
      order.push(name)
    }
    await Promise.all([
      ...['ana 1', 'ana 2', 'ana 3', 'ana 4'].map((name) => read('ana', name)),
      read('bia', 'bia 1'),
      read('bia', 'bia 2'),
    ])
    expect(order.indexOf('bia 1')).toBeLessThan(order.indexOf('ana 3'))
    expect(order.indexOf('bia 2')).toBeLessThan(order.indexOf('ana 4'))
    // Who waited was told so, until nobody came before.
    for (const name of ['ana 3', 'ana 4', 'bia 2']) {
      expect(places[name]?.length, name).toBeGreaterThan(1)
      expect(places[name]?.at(-1), name).toBe(0)
    }
  })

  test('no process ever reads for a second person', { timeout: 60_000 }, async () => {
    const real = await chooseSandbox()
    const readers = new Map<ChildProcess, number>()
    const watched = createExtractionPool({
      sandbox: Promise.resolve({
        ...real,
        launch(entry, options) {
          const child = real.launch(entry, options)
          readers.set(child, 0)
          sandboxPipe(child).on('data', (chunk) => {
            if (String(chunk).includes('"type":"result"')) readers.set(child, (readers.get(child) ?? 0) + 1)
          })
          return child
        },
      }),
    })
    for (const who of ['ana', 'ana', 'bia', 'ana', 'caio']) await watched.extract(report, { who })
    await watched.close()
    const used = [...readers.values()].filter((results) => results > 0)
    expect(used.sort()).toEqual([1, 1, 3])
  })
})

describe('a process that a document has taken over', () => {
  const says = [
    'no JSON',
    'null',
    "an order of Node's own channel",
    'fields that are a number',
    'a result that is none',
    'a kind that there is not',
    'a line without an end',
    'messages without an end',
    'nothing more, and closes the pipe',
  ]
  test.each(says)(
    'says %s: it is ended, the document fails, and the next one is read',
    {
      timeout: 30_000,
    },
    async (mode) => {
      const real = await chooseSandbox()
      let launched = 0
      const pool = createExtractionPool({
        deadlineMs: 5_000,
        sandbox: Promise.resolve({
          ...real,
          // The first one is taken over; those after it are ours again.
          launch: (entry, options) => real.launch(launched++ === 0 ? HOSTILE : entry, options),
        }),
      })
      await expect(pool.extract(Buffer.from(mode), { who: 'ana' })).rejects.toMatchObject({
        code: expect.stringMatching(/^extraction\./),
      })
      expect((await pool.extract(report, { who: 'bia' })).data.cidade).toBe('Campo Verde')
      await pool.close()
    },
  )
})

describe('hostile files', () => {
  for (const [name, bytes] of Object.entries(hostileFiles()))
    test(`${name}: an error with a name or a result, and the next report is read`, {
      timeout: 60_000,
    }, async () => {
      const outcome = await pool.extract(bytes).then(
        () => 'result',
        (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown'),
      )
      expect(outcome).toMatch(/^(?:result|extraction\.\w+)$/)
      expect((await pool.extract(report)).data.cidade).toBe('Campo Verde')
    })
})
