import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { expect, type Person } from './fixtures.ts'

/** What the network between phone and server does to calls. */
export type Weather =
  | 'good'
  /** Nobody answers. */
  | 'cut'
  /** The server works, and its answer never comes. */
  | 'lost'
  /** A page of somebody else's, with status 200. */
  | 'portal'
  /** A proxy's own page of an error. */
  | 'gateway'

/** A way to the server that can be made as bad as the field's, also for what the worker asks. */
export async function startWay(target: string): Promise<{ url: string; weather: Weather; stop(): void }> {
  const way = { url: '', weather: 'good' as Weather, stop: () => void proxy.close() }
  const proxy = createServer((asked, answer) => {
    const { weather } = way
    if (weather === 'cut') return void asked.socket.destroy()
    if (weather === 'portal' || weather === 'gateway') {
      answer.writeHead(weather === 'portal' ? 200 : 502, { 'content-type': 'text/html' })
      return void answer.end('<!doctype html><title>Wi-Fi grátis</title>Aceite os termos')
    }
    const onward = request(
      `${target}${asked.url}`,
      { method: asked.method, headers: asked.headers },
      (came) => {
        if (weather === 'lost') {
          came.resume()
          return void asked.socket.destroy()
        }
        answer.writeHead(came.statusCode ?? 502, came.headers)
        came.pipe(answer)
      },
    )
    onward.on('error', () => asked.socket.destroy())
    asked.pipe(onward)
  })
  await new Promise<void>((resolve) => proxy.listen(0, 'localhost', resolve))
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  way.url = `http://localhost:${address.port}`
  return way
}

/** A browser of its own with a folder that outlives it, which ends as a battery does. */
export class Phone {
  readonly #folder = mkdtempSync(join(tmpdir(), 'ensaio-phone-'))
  #process: ChildProcess | null = null
  #browser: Browser | null = null

  async start(): Promise<Page> {
    const child = spawn(
      process.env['CHROMIUM'] ?? chromium.executablePath(),
      [
        ...['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', '--remote-debugging-port=0'],
        ...['--disable-background-networking', '--lang=pt-BR', '--window-size=360,640'],
        `--user-data-dir=${this.#folder}`,
        'about:blank',
      ],
      // A process group of its own: all of it is killed.
      { detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    this.#process = child
    const address = await new Promise<string>((resolve, reject) => {
      let output = ''
      const timer = setTimeout(() => reject(new Error(`The browser did not start: ${output}`)), 20_000)
      child.stderr?.on('data', (chunk: Buffer) => {
        output += chunk
        const [, found] = /DevTools listening on (ws:\S+)/.exec(output) ?? []
        if (!found) return
        clearTimeout(timer)
        resolve(found)
      })
    })
    this.#browser = await chromium.connectOverCDP(address)
    const [context] = this.#browser.contexts()
    if (!context) throw new Error('The browser has no profile')
    const page = context.pages()[0] ?? (await context.newPage())
    await page.setViewportSize({ width: 360, height: 640 })
    return page
  }

  /** SIGKILL of all its processes: nothing is put in order. */
  async kill(): Promise<void> {
    const child = this.#process
    if (!child?.pid) return
    this.#process = null
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    process.kill(-child.pid, 'SIGKILL')
    await ended
    await this.#browser?.close().catch(() => undefined)
  }

  async stop(): Promise<void> {
    await this.kill()
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Where nobody is signed in on the pages of the same browser. */
export async function signInOnPhone(page: Page, person: Person): Promise<void> {
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Senha').fill(person.password)
  await page.getByRole('button', { name: 'Entrar' }).click()
}

/** Signs in and takes the trial along; from then on it needs no network. */
export async function takeAlong(page: Page, person: Person, id: string): Promise<void> {
  await page.goto(`/campo/${id}`)
  const email = page.getByLabel('Email')
  const take = page.getByRole('button', { name: 'Levar para o campo' })
  await expect(email.or(take)).toBeVisible()
  if (await email.isVisible()) await signInOnPhone(page, person)
  await expect(page.getByText(/^\d+.parcelas? · .* · transferência.de.\d/)).toBeVisible()
  await page.getByRole('button', { name: 'Levar para o campo' }).click()
  await expect(page.getByText('Disponível sem internet')).toBeVisible()
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
}

/** A number on the phone's own keys, and on to the next plot. */
export async function enter(page: Page, number: string): Promise<void> {
  for (const key of number) await page.getByRole('button', { name: key, exact: true }).click()
  await page.getByRole('button', { name: 'Salvar e seguir' }).click()
}

/** What the queue says, whatever else stands there. */
export const queue = (page: Page, sentence: string | RegExp) =>
  page.getByRole('status').filter({ hasText: sentence })
