import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { expect, newPerson, onOwnServer } from './fixtures.ts'
import { create } from './seed.ts'

const test = onOwnServer()

/** A browser in which the person has forbidden sites to keep anything. */
async function forgetfulBrowser(run: (context: BrowserContext) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ensaio-browser-'))
  mkdirSync(join(folder, 'Default'))
  const preferences = { profile: { default_content_setting_values: { cookies: 2 } } }
  writeFileSync(join(folder, 'Default', 'Preferences'), JSON.stringify(preferences))
  const executablePath = process.env['CHROMIUM']
  const context = await chromium.launchPersistentContext(folder, {
    ...(executablePath ? { executablePath } : {}),
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run'],
    locale: 'pt-BR',
  })
  try {
    await run(context)
  } finally {
    await context.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const fillFirstPage = async (page: Page) => {
  // The page before has fields of the same names.
  await expect(page.getByText('Página 1 de 7')).toBeVisible()
  await page.getByLabel('Consultoria').fill('Raiz Forte')
  await page.getByLabel('Marca').selectOption('Dimicron')
  await page.getByLabel('Business Unit').selectOption('BU2')
  await page.getByLabel('Regional').selectOption('Sul')
}

test('where the browser keeps nothing, everything works until the page is closed, and one sentence says so', async ({
  server,
}) => {
  const person = await newPerson(server.url)
  await create(server.url, person)
  await forgetfulBrowser(async (context) => {
    const page = await context.newPage()
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(error.message))
    await page.goto(server.url)
    expect(
      await page.evaluate(() => {
        try {
          return window.localStorage.length
        } catch (error) {
          return (error as Error).name
        }
      }),
    ).toBe('SecurityError')
    await page.getByRole('button', { name: 'Usar tema escuro' }).click()
    await expect(page.getByRole('button', { name: 'Usar tema claro' })).toBeVisible()
    await page.getByRole('link', { name: 'Entrar' }).click()
    await expect(
      page.getByText(/a sessão termina quando esta página for fechada ou recarregada/),
    ).toBeVisible()
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Senha', { exact: true }).fill(person.password)
    await page.getByRole('button', { name: 'Entrar', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Experimentos Cadastrados (1)' })).toBeVisible()
    await page.getByRole('button', { name: 'Novo Experimento' }).click()
    await fillFirstPage(page)
    await expect(page.getByText('O rascunho não sobrevive ao fechamento')).toBeVisible()
    await page.getByRole('button', { name: 'Próximo' }).click()
    await expect(page.getByText('Página 2 de 7')).toBeVisible()
    await page.getByRole('link', { name: 'Perfil' }).click()
    await page.getByRole('button', { name: 'Sair sem salvar' }).click()
    await expect(page.getByRole('heading', { name: 'Editar Perfil' })).toBeVisible()
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
    await page.getByRole('button', { name: 'Novo Experimento' }).click()
    await page.getByRole('button', { name: 'Continuar rascunho' }).click()
    await expect(page.getByText('Página 2 de 7')).toBeVisible()
    expect(problems).toEqual([])
  })
})

test('a browser whose storage is full keeps the form on the page and says that it will not outlive it', async ({
  signedIn: page,
}) => {
  await page.goto('/novo-experimento')
  await expect(page.getByText('Página 1 de 7')).toBeVisible()
  await page.evaluate(() => {
    for (let size = 1 << 22; size >= 1; size >>= 1) {
      try {
        for (let part = 0; ; part++) localStorage.setItem(`cheio-${size}-${part}`, 'x'.repeat(size))
      } catch {
        // Full for this size: on with the next.
      }
    }
  })
  await fillFirstPage(page)
  await expect(page.getByText('O rascunho não sobrevive ao fechamento')).toBeVisible()
  await page.getByRole('button', { name: 'Próximo' }).click()
  await expect(page.getByText('Página 2 de 7')).toBeVisible()
  await page.evaluate(() => localStorage.removeItem('cheio-4194304-0'))
  await page.getByLabel('Cidade').fill('Lugar Nenhum')
  await expect(page.getByText('O rascunho não sobrevive ao fechamento')).toBeHidden()
})

test('drafts that nobody has come back to are forgotten', async ({ signedIn: page, person }) => {
  await page.goto('/novo-experimento')
  await fillFirstPage(page)
  await page.waitForTimeout(400)
  const { sub } = JSON.parse(atob(person.token.split('.')[1] ?? '')) as { sub: string }
  const left = () =>
    page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('ensaio.draft.')).length)
  await page.evaluate((user) => {
    const draft = JSON.parse(localStorage.getItem(`ensaio.draft.${user}.novo`) ?? '{}')
    for (let number = 0; number < 30; number++)
      localStorage.setItem(`ensaio.draft.${user}.${number}`, JSON.stringify(draft))
    const old = new Date(Date.now() - 61 * 86_400_000).toISOString()
    localStorage.setItem(`ensaio.draft.${user}.velho`, JSON.stringify({ ...draft, savedAt: old }))
  }, sub)
  expect(await left()).toBe(32)
  page.on('dialog', (dialog) => dialog.accept())
  await page.reload()
  await expect(page.getByText('Você tem um rascunho não salvo')).toBeVisible()
  expect(await left()).toBe(20)
  expect(await page.evaluate((user) => localStorage.getItem(`ensaio.draft.${user}.velho`), sub)).toBeNull()
})

test('eight open dashboards share one stream of events, and all of them hear of a change', async ({
  signedIn: first,
  context,
  person,
  server,
}) => {
  let streams = 0
  context.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/events') streams++
  })
  await create(server.url, person, { consultoria: 'Já Estava' })
  const pages = [first]
  while (pages.length < 8) pages.push(await context.newPage())
  for (const page of pages) {
    await page.goto(`${server.url}/dashboard?busca=Abas`)
    await expect(page.getByRole('heading', { name: 'Experimentos Cadastrados (0)' })).toBeVisible()
  }
  expect(streams).toBe(1)
  await create(server.url, person, { consultoria: 'Oito Abas' })
  for (const page of pages)
    await expect(page.getByRole('heading', { name: 'Experimentos Cadastrados (1)' })).toBeVisible()
  // The one that held the stream goes; another takes it up.
  await pages.shift()?.close()
  await expect.poll(() => streams).toBe(2)
  await create(server.url, person, { consultoria: 'Sete Abas' })
  for (const page of pages)
    await expect(page.getByRole('heading', { name: 'Experimentos Cadastrados (2)' })).toBeVisible()
})

test('a dashboard left for another page is there at once when the person comes back', async ({
  server,
  playwright,
}) => {
  const person = await newPerson(server.url)
  await create(server.url, person, { consultoria: 'Vai e Volta' })
  const executablePath = process.env['CHROMIUM']
  const browser = await playwright.chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: ['--no-sandbox', '--disable-gpu'],
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
  try {
    const page = await browser.newPage()
    await page.addInitScript((session) => {
      localStorage.setItem('ensaio.auth.remember', '1')
      localStorage.setItem('ensaio.auth.token', JSON.stringify(session))
    }, person.session)
    await page.goto(`${server.url}/dashboard?busca=Volta`)
    await expect(page.getByRole('heading', { name: 'Experimentos Cadastrados (1)' })).toBeVisible()
    await page.evaluate(() => document.body.setAttribute('data-kept', ''))
    await page.goto(`${server.url}/healthz`)
    await page.evaluate(() => history.back())
    await expect(page.locator('body[data-kept]')).toBeVisible()
    // It follows what happens from then on.
    await create(server.url, person, { consultoria: 'Depois da Volta' })
    await expect(page.getByRole('heading', { name: 'Experimentos Cadastrados (2)' })).toBeVisible()
  } finally {
    await browser.close()
  }
})
