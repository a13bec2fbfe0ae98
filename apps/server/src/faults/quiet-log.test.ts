import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startServer } from '../test-process.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'ensaio-quiet-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

test('a flood that is refused does not fill the log', async () => {
  const server = await startServer({ DATA_DIR: dataDir })
  const before = server.output().split('\n').length
  const flood = await Promise.all(
    Array.from({ length: 300 }, async () => {
      const answer = await fetch(`${server.url}/rest/v1/estados?nome=ilike.*a*`)
      await answer.arrayBuffer()
      return answer.status
    }),
  )
  expect(flood.filter((status) => status === 503).length).toBeGreaterThan(50)
  expect(server.output().split('\n').length - before).toBeLessThan(5)
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
})
