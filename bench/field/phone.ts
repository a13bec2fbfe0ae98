/**
 * The phone in the field at its largest trial (field.md 10): 1,200 plots by 10 variables, 12,000 values that wait in
 * the store, a processor six times slower. Prints the time from a key to the next plot's name, with and without the
 * store's flush, while the queue waits and while it is sent; how long opening without a network and sending take; and
 * the page's memory after 1,000 entries and 50 photos: phone.ts EMPTY_DATA_FOLDER [ENTRIES [PHOTOS]].
 */
import { crc32, deflateSync } from 'node:zlib'
import { type CDPSession, chromium, type Page } from '@playwright/test'
import { privateMb, signUp, startServer } from '../dashboard/measure.ts'
import { changesOf, largestTrial, type Sheet, VALUES } from './largest-trial.ts'

const [dataDir = 'data', entriesText = '1000', photosText = '50'] = process.argv.slice(2)
const [ENTRIES, PHOTOS] = [Number(entriesText), Number(photosText)]
/** Of the tools' 'Slow 4G': 1.6 Mbit/s, 150 ms. */
const NETWORK = { latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000 }
const PROCESSOR = 6
const MEASURED = 120

const server = await startServer(dataDir, 3995)
const browser = await chromium.launch({
  ...(process.env['CHROMIUM'] && { executablePath: process.env['CHROMIUM'] }),
  args: ['--no-sandbox', '--js-flags=--max-old-space-size=256'],
})
try {
  const session = await signUp(server.url)
  const { access_token: token, user } = session
  const { id, ficha } = await largestTrial(server.url, token)
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 360, height: 640 } })
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  await page.addInitScript(watchEntries)
  const devtools = await context.newCDPSession(page)
  const network = (given: object) =>
    devtools.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 },
      ...given,
    })
  await page.goto(`/campo/${id}`)
  await page.getByLabel('Email').fill((user as unknown as { email: string }).email)
  await page.getByLabel('Senha').fill('correta-cavalo-bateria')
  await page.getByRole('button', { name: 'Entrar' }).click()
  await page.getByRole('button', { name: 'Levar para o campo' }).click()
  await page.getByText('Disponível sem internet').waitFor()
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))

  await context.setOffline(true)
  await page.goto('/campo/aparelho')
  await page
    .getByLabel('Importar cópia')
    .setInputFiles({ name: 'copia.csv', mimeType: 'text/csv', buffer: Buffer.from(copyOf(id, ficha)) })
  await page.getByText('desta cópia entraram na fila').waitFor()
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: PROCESSOR })

  const opened: number[] = []
  for (let n = 0; n < 3; n += 1) {
    const started = performance.now()
    await page.goto(`/campo/${id}/coleta`)
    await page.getByRole('button', { name: 'Salvar e seguir' }).waitFor()
    opened.push(performance.now() - started)
  }
  console.log(`opened without a network, ${VALUES} values waiting: ${said(opened)} (bar 2,500 ms)`)
  await measure(page, 'without a network')

  await page.goto('/campo/aparelho')
  await context.setOffline(false)
  await network(NETWORK)
  await page.goto(`/campo/${id}/coleta`)
  await measure(page, 'while it is sent')
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await page.getByText('Tudo enviado').waitFor({ timeout: 600_000 })
  await sendAgain()

  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await context.setOffline(true)
  await page.goto(`/campo/${id}/coleta`)
  const before = await memory(devtools)
  for (let n = 0; n < ENTRIES; n += 1) await enter(page, '9')
  const between = await memory(devtools)
  const png = pictureOf(3000, 2000)
  for (let n = 0; n < PHOTOS; n += 1) {
    if (n % 15 === 14) await page.getByRole('button', { name: 'Próxima parcela' }).click()
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'foto.png', mimeType: 'image/png', buffer: png })
    await page.getByText('Guardado: foto').waitFor()
  }
  const after = await memory(devtools)
  console.log(
    `memory of the page: ${before} at first, ${between} after ${ENTRIES} entries, ${after} after ${PHOTOS} photos (bar 150 MB)`,
  )

  /** The same again, at a whole processor: nothing but sending. */
  async function sendAgain() {
    await context.setOffline(true)
    await page.goto('/campo/aparelho')
    await page
      .getByLabel('Importar cópia')
      .setInputFiles({ name: 'copia.csv', mimeType: 'text/csv', buffer: Buffer.from(copyOf(id, ficha, 7)) })
    await page.getByText('desta cópia entraram na fila').waitFor()
    await context.setOffline(false)
    await network(NETWORK)
    const started = performance.now()
    await page.getByRole('button', { name: 'Sincronizar agora' }).click()
    await page.getByText('Tudo enviado').waitFor({ timeout: 600_000 })
    console.log(
      `${VALUES} values sent at 1.6 Mbit/s: ${((performance.now() - started) / 1000).toFixed(1)} s (bar 60)`,
    )
  }
} finally {
  await browser.close()
  await server.stop()
}

async function enter(on: Page, digit: string) {
  await on.getByRole('button', { name: digit, exact: true }).click()
  await on.getByRole('button', { name: 'Salvar e seguir' }).click()
}

interface Timed {
  total: number
  flush: number
}

/** Notes, in the page, when a plot was saved, how long its transaction took and when the next one was painted. */
function watchEntries() {
  const given = { times: [] as Timed[], long: 0 }
  Object.assign(globalThis, { ensaioTimes: given })
  let started = 0
  let flush = 0
  addEventListener(
    'click',
    (event) => {
      const button = (event.target as Element).closest('button')
      if (button?.textContent?.trim() === 'Salvar e seguir') {
        started = event.timeStamp
        flush = 0
      }
    },
    true,
  )
  const make = IDBDatabase.prototype.transaction
  IDBDatabase.prototype.transaction = function (...asked: Parameters<typeof make>) {
    const transaction = make.apply(this, asked)
    if (asked[2]?.durability === 'strict') {
      const begun = performance.now()
      transaction.addEventListener('complete', () => {
        flush = performance.now() - begun
      })
    }
    return transaction
  }
  new PerformanceObserver((list) => {
    given.long += list.getEntries().length
  }).observe({ type: 'longtask', buffered: false })
  let shown = ''
  new MutationObserver(() => {
    const name = `${document.querySelector('h1')?.textContent} ${document.querySelector('main label')?.textContent}`
    if (name === shown) return
    shown = name
    if (started === 0) return
    const from = started
    started = 0
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => given.times.push({ total: performance.now() - from, flush })
      port2.postMessage(null)
    })
  }).observe(document, { subtree: true, childList: true, characterData: true })
}

async function measure(on: Page, name: string) {
  await on.getByRole('button', { name: 'Salvar e seguir' }).waitFor()
  await on.waitForTimeout(3_000)
  await on.evaluate(() => {
    const { ensaioTimes } = globalThis as unknown as { ensaioTimes: { times: Timed[]; long: number } }
    ensaioTimes.times.length = 0
    ensaioTimes.long = 0
  })
  for (let n = 0; n < MEASURED; n += 1) {
    await enter(on, '8')
    // Nobody types the next one before having looked.
    await on.waitForTimeout(400)
  }
  const { times, long } = await on.evaluate(
    () => (globalThis as unknown as { ensaioTimes: { times: Timed[]; long: number } }).ensaioTimes,
  )
  const all = times.map(({ total }) => total)
  const bare = times.map(({ total, flush }) => total - flush)
  console.log(
    `entry to paint, ${name} (${times.length}): ${said(all)} (bar 150), without the flush ${said(bare)} (bar 50), ${long} tasks over 50 ms`,
  )
}

function said(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
  return `median ${at(0.5).toFixed(0)}, p95 ${at(0.95).toFixed(0)} ms`
}

/** What the page's scripts hold after a collection, and the largest of the browser's page processes, with its worker. */
async function memory(devtools: CDPSession): Promise<string> {
  await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devtools.send('Runtime.getHeapUsage')
  const whole = await browser.newBrowserCDPSession()
  const { processInfo } = await whole.send('SystemInfo.getProcessInfo')
  const pages = processInfo.filter(({ type }) => type === 'renderer').map(({ id: pid }) => privateMb(pid))
  return `${(usedSize / 1_000_000).toFixed(1)} MB of scripts in ${Math.max(...pages).toFixed(0)} MB`
}

/** A copy of a queue, as another phone of the same person would save it. */
function copyOf(experimento: string, ficha: Sheet, round = 1): string {
  const entries = changesOf(experimento, ficha, round).map((registro) => ({
    ...{ id: registro.id, seq: registro.seq, pessoa: '', organizacao: '', experimento, espera: 1 },
    ...{ estado: 'espera', razao: null, registro, envio: 0, desfaz: null },
  }))
  return `numero\r\n#ENSAIO-CAMPO ${JSON.stringify(entries)}\r\n`
}

/** A PNG of that many pixels, each line of another shade: as large in memory as a camera's picture. */
function pictureOf(width: number, height: number): Buffer {
  const rows = Buffer.alloc(height * (width + 1))
  for (let y = 0; y < height; y += 1) rows.fill((y * 37) % 256, y * (width + 1) + 1, (y + 1) * (width + 1))
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
    const head = Buffer.alloc(4)
    head.writeUInt32BE(data.length)
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([head, body, sum])
  }
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  size[8] = 8
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk('IHDR', size),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
