/**
 * What a visitor sees: from the click on a filter to the last chart painted, the longest task meanwhile, layout
 * shift, and the JavaScript of each page: browser.ts DATA_FOLDER [RUNS]. Needs Chromium (CHROMIUM names it).
 */
import { gzipSync } from 'node:zlib'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { median, signUp, startServer } from './measure.ts'

const [dataDir = 'data', runsText = '9'] = process.argv.slice(2)
/** No picture changes for so long: it is done. */
const QUIET_MS = 600
/** A page with an open event stream is never idle: after this long it has loaded what it shows first. */
const LOADED_MS = 4_000

const browser = await chromium.launch({
  ...(process.env['CHROMIUM'] && { executablePath: process.env['CHROMIUM'] }),
  args: ['--no-sandbox'],
})
const server = await startServer(dataDir, 3993)
try {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'pt-BR' })
  await context.addInitScript(watch)
  console.log('| page | JavaScript, kB gzipped | files | layout shift |\n|---|---|---|---|')
  for (const path of ['/', '/login', '/register']) await weigh(context, path)
  await signIn(context, JSON.stringify(await signUp(server.url)))
  for (const path of ['/dashboard', '/novo-experimento', '/extractor']) await weigh(context, path)
  await clicks(context)
} finally {
  await browser.close()
  await server.stop()
}

/** Runs in the page: notes when a chart was last painted, canvas or list, long tasks and layout shifts. */
function watch(): void {
  const seen = { painted: 0, tasks: [] as { at: number; ms: number }[], shift: 0 }
  Object.assign(window, { seen })
  let waiting = false
  const changed = () => {
    if (waiting) return
    waiting = true
    // The frame that holds the change begins here and has been handed on when the next task runs.
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => {
        waiting = false
        seen.painted = performance.now()
      }
      port2.postMessage(null)
    })
  }
  new MutationObserver((changes) => {
    const within = ({ target }: MutationRecord) =>
      (target instanceof Element ? target : target.parentElement)?.closest('[aria-label="Gráfico"]')
    if (changes.some(within)) changed()
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  const context = CanvasRenderingContext2D.prototype
  for (const name of ['fill', 'stroke', 'fillText', 'clearRect'] as const) {
    const draw = context[name] as (...args: unknown[]) => unknown
    Object.assign(context, {
      [name](this: CanvasRenderingContext2D, ...args: unknown[]) {
        changed()
        return draw.apply(this, args)
      },
    })
  }
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) seen.tasks.push({ at: startTime, ms: duration })
  }).observe({ type: 'longtask', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number
      hadRecentInput: boolean
    })[])
      if (!entry.hadRecentInput) seen.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
}

/** What `watch` left in the page. */
declare const seen: Seen
interface Seen {
  painted: number
  tasks: { at: number; ms: number }[]
  shift: number
}

async function signIn(context: BrowserContext, session: string): Promise<void> {
  await context.addInitScript((session) => {
    localStorage.setItem('ensaio.auth.token', session)
    localStorage.setItem('ensaio.auth.remember', '1')
  }, session)
}

async function weigh(context: BrowserContext, path: string): Promise<void> {
  const page = await context.newPage()
  const sizes: Promise<number>[] = []
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.endsWith('.js'))
      sizes.push(response.body().then((body) => gzipSync(body).length))
  })
  await page.goto(`${server.url}${path}`, { waitUntil: 'load' })
  await page.waitForTimeout(LOADED_MS)
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  const { shift } = await page.evaluate(() => seen)
  console.log(`| ${path} | ${(total / 1000).toFixed(1)} | ${sizes.length} | ${shift.toFixed(3)} |`)
  await page.close()
}

async function clicks(context: BrowserContext): Promise<void> {
  const page = await context.newPage()
  await page.goto(`${server.url}/dashboard`, { waitUntil: 'load' })
  await page.waitForTimeout(LOADED_MS)
  await settled(page)
  const painted: number[] = []
  const longest: number[] = []
  const choices = ['Cultura', 'Marca', 'Regional', 'Ano']
  for (let run = 0; run < Number(runsText); run++) {
    const label = choices[run % choices.length] ?? 'Cultura'
    const select = page.getByLabel(label, { exact: true })
    const values = await select
      .locator('option')
      .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value).filter(Boolean))
    const value = values[Math.floor(run / choices.length) % values.length] ?? ''
    const started = await select.evaluate((element, value) => {
      const field = element as HTMLSelectElement
      Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value')?.set?.call(field, value)
      const now = performance.now()
      field.dispatchEvent(new Event('change', { bubbles: true }))
      return now
    }, value)
    const { painted: last, tasks } = await settled(page)
    painted.push(last - started)
    longest.push(Math.max(0, ...tasks.filter(({ at }) => at >= started - 5).map(({ ms }) => ms)))
    await page.getByRole('button', { name: 'Limpar Filtros' }).click()
    await settled(page)
  }
  console.log('\n| from a filter to the last chart painted, ms | longest task, ms |\n|---|---|')
  console.log(
    `| median ${median(painted).toFixed(0)}, most ${Math.max(...painted).toFixed(0)} | median ${median(longest).toFixed(0)}, most ${Math.max(...longest).toFixed(0)} |`,
  )
  await page.close()
}

async function settled(page: Page): Promise<Seen> {
  await page.waitForTimeout(QUIET_MS)
  await page.waitForFunction((quiet) => performance.now() - seen.painted > quiet, QUIET_MS)
  return page.evaluate(() => seen)
}
