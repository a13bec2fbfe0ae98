import { mkdirSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { demoExperiments } from '../apps/server/src/demo-data.ts'
import { signUp, startServer } from './dashboard/measure.ts'

const [dir = '', tag = '', count = '0'] = process.argv.slice(2)
const server = await startServer(dir, 3995)
const session = await signUp(server.url)
for (const input of demoExperiments(Number(count)))
  await fetch(`${server.url}/api/experiments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${session.access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  })
await new Promise((r) => setTimeout(r, 2500))
mkdirSync('/tmp/shots', { recursive: true })
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
const pages = (process.argv[5] ?? '/dashboard,/dashboard?aba=interactive,/dashboard?aba=documents').split(',')
for (const theme of ['light', 'dark'] as const)
  for (const width of [1440, 390]) {
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      locale: 'pt-BR',
      colorScheme: theme,
    })
    await context.addInitScript((s) => {
      localStorage.setItem('ensaio.auth.token', s)
      localStorage.setItem('ensaio.auth.remember', '1')
    }, JSON.stringify(session))
    for (const [i, path] of pages.entries()) {
      const page = await context.newPage()
      await page.goto(server.url + path)
      await page.waitForTimeout(6000)
      const height = await page.evaluate(() => document.documentElement.scrollHeight)
      await page.setViewportSize({ width, height: Math.min(height, 5000) })
      await page.waitForTimeout(2500)
      await page.screenshot({ path: `/tmp/shots/${tag}-${i}-${width}-${theme}.png` })
      await page.close()
    }
    await context.close()
  }
await browser.close()
await server.stop()
