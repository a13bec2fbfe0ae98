import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { afterAll, expect, test } from 'vitest'
import { startServer } from '../test-process.ts'
import { experimentInput } from '../test-server.ts'
import { newClient, report, sizeOf } from './test-client.ts'

const SECONDS = sizeOf('FAULT_LOAD_SECONDS', 8)
const dataDir = mkdtempSync(join(tmpdir(), 'ensaio-load-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

/** Resident memory of a process, in MB; null where nobody tells. */
function residentMb(pid: number | undefined): number | null {
  if (process.platform !== 'linux' || pid === undefined) return null
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return found === undefined ? null : Number(found) / 1024
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0

test(
  'at twice the sustainable rate answers take bounded time, nothing acknowledged is lost, and memory stays flat',
  async () => {
    const server = await startServer({ DATA_DIR: dataDir })
    const client = await newClient(server.url)
    for (let index = 0; index < 60; index += 1)
      expect((await client.create(`semente ${index}`)).status).toBe(201)
    const before = (await client.ask('/api/experiments')).body.total as number

    let created = 0
    let sent = 0
    const statuses = new Map<number, number>()
    const count = (status: number) => void statuses.set(status, (statuses.get(status) ?? 0) + 1)
    const headers = client.headers
    const reads = [
      '/api/experiments?limit=20',
      '/api/dashboard/overview',
      '/api/lookups/municipios?busca=rio',
      '/api/dashboard/map',
    ]
    const requests: autocannon.Request[] = [
      ...reads.map((path) => ({ method: 'GET' as const, path, headers, onResponse: count })),
      {
        method: 'POST',
        path: '/api/experiments',
        headers: { ...headers, 'content-type': 'application/json' },
        setupRequest: (request) => {
          sent += 1
          return { ...request, body: JSON.stringify(experimentInput({ cultivar: `carga ${sent}` })) }
        },
        onResponse: (status) => {
          count(status)
          if (status === 201) created += 1
        },
      },
    ]
    const run = (options: Partial<autocannon.Options>) =>
      autocannon({ url: server.url, requests, timeout: 30, ...options })

    await run({ connections: 4, duration: 2 })
    const calm = await run({ connections: 8, duration: Math.min(20, Math.max(3, SECONDS / 4)) })
    const sustainable = calm.requests.average

    const memory: number[] = []
    const watch = setInterval(() => memory.push(residentMb(server.child.pid) ?? 0), 250)
    const rushed = await run({
      connections: 200,
      overallRate: Math.round(2 * sustainable),
      duration: SECONDS,
    })
    clearInterval(watch)

    // Every answer is a good one or says "later"; none was dropped.
    expect(rushed.errors).toBe(0)
    expect(rushed.timeouts).toBe(0)
    expect([...statuses.keys()].filter((status) => ![200, 201, 503].includes(status))).toEqual([])
    expect(rushed.latency.p99).toBeLessThan(10_000)
    // What was under way at the end may have been written without an answer, at most one for each connection.
    const after = (await client.ask('/api/experiments')).body.total as number
    expect(after - before).toBeGreaterThanOrEqual(created)
    expect(after - before).toBeLessThanOrEqual(sent)
    // The rush over, the next one is served as before.
    const calmAgain = await run({ connections: 4, duration: 2 })
    expect(calmAgain.latency.p99).toBeLessThan(5_000)

    const early = median(memory.slice(memory.length >> 2, memory.length >> 1))
    const late = median(memory.slice(-(memory.length >> 2)))
    expect(late).toBeLessThan(800)
    if (SECONDS >= 120) expect(late).toBeLessThan(early * 1.25)
    report('load', {
      seconds: SECONDS,
      'sustainable, requests/s': Math.round(sustainable),
      'calm p50/p99, ms': `${calm.latency.p50}/${calm.latency.p99}`,
      'offered, requests/s': Math.round(2 * sustainable),
      'answered, requests/s': Math.round(rushed.requests.average),
      'rush p50/p99/max, ms': `${rushed.latency.p50}/${rushed.latency.p99}/${rushed.latency.max}`,
      answers: [...statuses].map(([status, n]) => `${status}×${n}`).join(' '),
      'creates acknowledged': created,
      lost: 0,
      'memory early/late/most, MB': `${Math.round(early)}/${Math.round(late)}/${Math.round(Math.max(...memory))}`,
    })
    server.child.kill('SIGTERM')
    expect(await server.ended).toBe(0)
  },
  90_000 + SECONDS * 2_000,
)
