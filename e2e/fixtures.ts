import { randomUUID } from 'node:crypto'
import { AxeBuilder } from '@axe-core/playwright'
import { test as base, expect, type Page } from '@playwright/test'
import { type Server, startServer } from './server.ts'

export type Person = { name: string; email: string; password: string; token: string; session: unknown }

type WorkerFixtures = { server: Server }
type Fixtures = {
  /** Responses and console errors that a test expects, as parts of their text. */
  allowed: string[]
  /** A new account, made over the wire. */
  person: Person
  /** A page whose browser holds that account's session. */
  signedIn: Page
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: the form that Playwright asks for
    async ({}, use) => {
      const server = await startServer()
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: async ({ server }, use) => use(server.url),
  // biome-ignore lint/correctness/noEmptyPattern: the form that Playwright asks for
  allowed: async ({}, use) => use([]),
  page: async ({ page, allowed }, use) => {
    const problems: string[] = []
    const report = (text: string) => {
      if (!allowed.some((part) => text.includes(part))) problems.push(text)
    }
    page.on('console', (message) => {
      // A failed load is reported with its address by the response itself.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        report(`console: ${message.text()}`)
    })
    page.on('pageerror', (error) => report(`page: ${error.message}`))
    page.on('response', (response) => {
      if (response.status() >= 400)
        report(`${response.status()} ${response.request().method()} ${response.url()}`)
    })
    page.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText ?? ''
      if (reason !== 'net::ERR_ABORTED') report(`${reason} ${request.url()}`)
    })
    await use(page)
    expect(problems, 'errors that nobody expected').toEqual([])
  },
  person: async ({ server }, use) => use(await newPerson(server.url)),
  signedIn: async ({ page, person, context, server }, use) => {
    await context.addInitScript((session) => {
      // The browser's own page of what could not be reached has no storage.
      if (!location.protocol.startsWith('http')) return
      localStorage.setItem('ensaio.auth.remember', '1')
      if (!localStorage.getItem('ensaio.auth.token') && !sessionStorage.getItem('seeded')) {
        localStorage.setItem('ensaio.auth.token', JSON.stringify(session))
        sessionStorage.setItem('seeded', '1')
      }
    }, person.session)
    expect(server.url).toBeTruthy()
    await use(page)
  },
})

/** Holds what a page asks for until the answered function is called. */
export async function hold(page: Page, pattern: string): Promise<() => void> {
  let go = (): void => undefined
  const held = new Promise<void>((resolve) => {
    go = resolve
  })
  await page.route(pattern, async (route) => {
    await held
    await route.continue()
  })
  return () => go()
}

/** The same on a server of the file's own: for tests that count everything, or kill it. */
export const onOwnServer = (environment: Record<string, string> = {}) =>
  test.extend<object>({
    server: [
      // biome-ignore lint/correctness/noEmptyPattern: the form that Playwright asks for
      async ({}, use) => {
        const server = await startServer(environment)
        await use(server)
        await server.stop()
      },
      { scope: 'worker', timeout: 300_000 },
    ],
  })

export { expect }

export async function newPerson(url: string, name = 'Ana Souza'): Promise<Person> {
  const email = `${randomUUID()}@campo.com.br`
  const password = 'sementes-2026'
  const response = await fetch(`${url}/auth/v1/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password, data: { name } }),
  })
  if (!response.ok) throw new Error(`sign-up answered ${response.status}: ${await response.text()}`)
  const session = (await response.json()) as { access_token: string }
  return { name, email, password, token: session.access_token, session }
}

/** Rules that the guidelines' tags do not bring. */
const BEYOND_WCAG = [
  'label-content-name-mismatch',
  'landmark-unique',
  'heading-order',
  'scrollable-region-focusable',
]

/** axe finds nothing on the page as it stands. */
export async function expectAccessible(page: Page): Promise<void> {
  // What is still fading in has not its own colours yet: with less motion a toast that comes up meanwhile has them at
  // once. In a closed <details> nothing moves, and nothing ends.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.evaluate(async () => {
    const ends = document
      .getAnimations()
      .filter(({ effect }) => effect?.getTiming().iterations !== Number.POSITIVE_INFINITY)
      .filter(({ effect }) => !(effect instanceof KeyframeEffect) || effect.target?.checkVisibility())
      .map((animation) => animation.finished.catch(() => undefined))
    await Promise.race([Promise.all(ends), new Promise((resolve) => setTimeout(resolve, 3000))])
  })
  const violationsNow = async () =>
    (
      await new AxeBuilder({ page })
        .options({ rules: Object.fromEntries(BEYOND_WCAG.map((rule) => [rule, { enabled: true }])) })
        .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
        .analyze()
    ).violations
  let violations = await violationsNow()
  // A button that became enabled meanwhile was between two colours; what is wrong stays wrong.
  if (violations.length > 0) {
    await page.waitForTimeout(1000)
    violations = await violationsNow()
  }
  await page.emulateMedia({ reducedMotion: null })
  expect(
    violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join('; ')}`,
    ),
  ).toEqual([])
}
