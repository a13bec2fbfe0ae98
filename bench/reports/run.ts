/**
 * What reports cost on a server of their own, as ratios in one run: one report over the bare compile of its template
 * in a fresh process, 100 consolidated trials over one, memory of the process that sets them, and what others wait
 * while four are made: run.ts
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { trialReport } from '@ensaio/domain'
import { printed, UNSIGNED } from '../../apps/server/src/features/reports/templates.ts'
import { storedTrial, trialOfSeed } from '../../apps/server/src/features/reports/test-report-trials.ts'
import { typeset } from '../../apps/server/src/jobs/typeset.ts'
import { median, signUp, startServer } from '../dashboard/measure.ts'

const TREATMENTS = 10
const dataDir = mkdtempSync(join(tmpdir(), 'ensaio-bench-reports-'))
const server = await startServer(dataDir, 3994)

/** Of the processes that set documents, the most that one has held, in MB. */
let most = 0
const watch = setInterval(() => {
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      if (!readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('typeset-child')) continue
      const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]
      most = Math.max(most, Number(kilobytes ?? 0) / 1024)
    } catch {
      // It has ended since.
    }
}, 20)

const timed = async (work: () => Promise<unknown>) => {
  const started = performance.now()
  await work()
  return performance.now() - started
}

try {
  const { access_token: token } = await signUp(server.url)
  const other = { authorization: `Bearer ${(await signUp(server.url)).access_token}` }
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  const seeds = Array.from({ length: 2000 }, (_, at) => at + 1)
  const ten = seeds.find((seed) => trialOfSeed(seed).tratamentos.length === TREATMENTS) ?? 1
  const make = async (seed: number, codigo: string) =>
    (await (await ask('POST', '/api/experiments', { ...trialOfSeed(seed), codigo })).json()).experimento.id
  const id = await make(ten, 'um')
  for (let n = 0; n < 100; n += 1) await make(n + 1, `n ${n}`)

  const bare: number[] = []
  const whole: number[] = []
  let bytes = 0
  const material = { recorded: null, economics: null, history: [], documents: [], author: null }
  const setting = printed(trialReport({ experiment: storedTrial(ten), ...material }), UNSIGNED)
  for (let n = 0; n < 12; n += 1) {
    bare.push(await timed(() => typeset(setting, 'bench')))
    whole.push(
      await timed(async () => {
        bytes = (await (await ask('GET', `/api/experiments/${id}/report?formato=pdf`)).arrayBuffer())
          .byteLength
      }),
    )
    await sleep(700)
  }
  const many = await timed(async () => {
    const { relatorio } = await (await ask('POST', '/api/reports', { filtro: {}, formato: 'pdf' })).json()
    for (;;) {
      const { estado } = (await (await ask('GET', `/api/reports/${relatorio.id}`)).json()).relatorio
      if (estado === 'pronto') break
      if (estado === 'falhou') throw new Error('the consolidated report failed')
      await sleep(25)
    }
  })

  const look = () =>
    timed(async () => (await fetch(`${server.url}/api/dashboard/overview`, { headers: other })).text())
  const alone: number[] = []
  for (let n = 0; n < 30; n += 1) alone.push(await look())
  const meanwhile: number[] = []
  let making = true
  const four = Promise.all(
    Array.from({ length: 4 }, () => ask('GET', `/api/experiments/${id}/report?formato=docx`)),
  ).finally(() => {
    making = false
  })
  while (making) meanwhile.push(await look())
  await four

  const line = (what: string, value: string, bar: string) => console.log(`| ${what} | ${value} | ${bar} |`)
  line('one report, 10 treatments, median', `${median(whole).toFixed(0)} ms`, '1,000 ms')
  line('the bare compile of its template, median', `${median(bare).toFixed(0)} ms`, '')
  line('ratio', (median(whole) / median(bare)).toFixed(2), '3')
  line('its size', `${(bytes / 1000).toFixed(0)} kB`, '300 kB')
  line('101 trials consolidated over one', (many / median(whole)).toFixed(1), '30')
  line('memory of the process that sets them, most', `${most.toFixed(0)} MB`, '512 MB')
  line(
    "others' median while four are made, over before",
    (median(meanwhile) / median(alone)).toFixed(2),
    '1.5',
  )
} finally {
  clearInterval(watch)
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
