import { readFileSync } from 'node:fs'
import { hiddenText, hostileFiles, ownerLocked, userLocked } from '@ensaio/extraction/hostile'
import { afterAll, describe, expect, test } from 'vitest'
import { createExtractionPool } from './extraction-pool.ts'

const report = readFileSync(
  new URL('../../../../packages/extraction/test/samples/s1_ficha.pdf', import.meta.url),
)
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
