/**
 * The first dashboard of the day on a phone: an empty cache, a processor four times slower, a slow network; from the
 * address to the first paint, the first figure and the last chart: phone.ts DATA_FOLDER [RUNS].
 */
import { type BrowserContext, chromium } from '@playwright/test'
import { median, signUp, startServer } from './measure.ts'

const [dataDir = 'data', runsText = '5'] = process.argv.slice(2)
const RUNS = Number(runsText)
/** As browsers' tools name them: delay of a request in ms, bytes a second down and up. */
const NETWORKS = {
  'Slow 4G': { latency: 150, downloadThroughput: (1.6 * 1024 * 1024) / 8, uploadThroughput: 750_000 / 8 },
  'Slow 4G, each request delayed as the tools of Chromium do': {
    latency: 562.5,
    downloadThroughput: (1.44 * 1024 * 1024) / 8,
    uploadThroughput: 675_000 / 8,
  },
}
const PROCESSOR = 4
/** No picture changes for so long: it is done. */
const QUIET_MS = 3_000

const browser = await chromium.launch({
  ...(process.env['CHROMIUM'] && { executablePath: process.env['CHROMIUM'] }),
  args: ['--no-sandbox'],
})
const server = await startServer(dataDir, 3994)
try {
  const session = JSON.stringify(await signUp(server.url))
  console.log(
    '| network | first contentful paint, s | first figure, s | last chart, s | requests | kB |\n|---|---|---|---|---|---|',
  )
  for (const [name, network] of Object.entries(NETWORKS)) {
    const runs: Awaited<ReturnType<typeof once>>[] = []
    for (let run = 0; run < RUNS; run += 1) runs.push(await once(session, network))
    const cell = (pick: (run: Awaited<ReturnType<typeof once>>) => number) => {
      const all = runs.map(pick)
      return `${(median(all) / 1000).toFixed(2)} (${(Math.min(...all) / 1000).toFixed(2)})`
    }
    const [first] = runs
    console.log(
      `| ${name} | ${cell((run) => run.paint)} | ${cell((run) => run.figure)} | ${cell((run) => run.charts)} | ${first?.requests} | ${((first?.bytes ?? 0) / 1000).toFixed(0)} |`,
    )
  }
} finally {
  await browser.close()
  await server.stop()
}

async function once(session: string, network: (typeof NETWORKS)[keyof typeof NETWORKS]) {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    locale: 'pt-BR',
  })
  await signIn(context, session)
  await context.addInitScript(watch)
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', { offline: false, ...network })
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: PROCESSOR })
  let requests = 0
  let bytes = 0
  cdp.on('Network.requestWillBeSent', () => {
    requests += 1
  })
  cdp.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await page.goto(`${server.url}/dashboard`, { waitUntil: 'commit' })
  await page.waitForFunction(
    (quiet) => seen.painted > 0 && performance.now() - seen.painted > quiet,
    QUIET_MS,
    { timeout: 120_000 },
  )
  const { painted, figure } = await page.evaluate(() => seen)
  const paint = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  )
  await context.close()
  return { paint, figure, charts: painted, requests, bytes }
}

/** Runs in the page: notes when a chart was last painted, and when the first figure stood in a card. */
function watch(): void {
  const seen = { painted: 0, figure: 0 }
  Object.assign(window, { seen })
  const changed = () => {
    requestAnimationFrame(() => {
      seen.painted = performance.now()
    })
  }
  new MutationObserver((changes) => {
    const within = ({ target }: MutationRecord) =>
      (target instanceof Element ? target : target.parentElement)?.closest('[aria-label^="Gráfico"]')
    if (changes.some(within)) changed()
    if (seen.figure === 0 && document.querySelector('.figures')) seen.figure = performance.now()
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  const context = CanvasRenderingContext2D.prototype
  for (const name of ['fill', 'stroke', 'fillText'] as const) {
    const draw = context[name] as (...args: unknown[]) => unknown
    Object.assign(context, {
      [name](this: CanvasRenderingContext2D, ...args: unknown[]) {
        changed()
        return draw.apply(this, args)
      },
    })
  }
}

/** What `watch` left in the page. */
declare const seen: { painted: number; figure: number }

async function signIn(context: BrowserContext, session: string): Promise<void> {
  await context.addInitScript((session) => {
    localStorage.setItem('ensaio.auth.token', session)
    localStorage.setItem('ensaio.auth.remember', '1')
  }, session)
}
