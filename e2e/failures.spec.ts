import type { Page } from '@playwright/test'
import { expect, hold, newPerson, onOwnServer } from './fixtures.ts'
import { create, REPORT } from './seed.ts'

const test = onOwnServer()

/** Goes on with Tab until the control of that name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let step = 0; step < 60; step++) {
    const focused = await page.evaluate(() => {
      const element = document.activeElement
      return element?.getAttribute('name') ?? element?.textContent?.trim() ?? ''
    })
    if (focused === name) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${name} was not reached by the keyboard`)
}

test('the wizard is done with the keyboard alone, a kill in the middle of saving loses nothing', async ({
  signedIn: page,
  server,
  allowed,
  person,
}) => {
  allowed.push('net::ERR_', '502', '503')
  const type = async (name: string, text: string) => {
    await tabTo(page, name)
    await page.keyboard.type(text)
  }
  const next = async (step: number) => {
    await tabTo(page, 'Próximo')
    await page.keyboard.press('Enter')
    await expect(page.getByText(`Página ${step} de 7`)).toBeVisible()
  }
  await page.goto('/novo-experimento')
  await page.getByText('Página 1 de 7').waitFor()
  await type('consultoria', 'Só Teclado Agronomia')
  await type('marca', 'Max')
  await type('bu', 'BU A')
  await type('regional', 'Sul')
  await next(2)
  await type('cidade', 'toledo')
  await expect(page.getByRole('option', { name: 'Toledo PR' })).toBeVisible()
  const options = await page.getByRole('option').allTextContents()
  for (let down = 0; down <= options.findIndex((option) => option.startsWith('Toledo PR')); down++)
    await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Estado')).toHaveValue('PR')
  await next(3)
  await next(4)
  await type('cultura', 'Milho')
  await type('cultivar', 'DKB 265 PRO3')
  await type('ano', '2024')
  await next(5)
  await type('tratamentos.0.modalidade', 'Contr')
  await type('tratamentos.0.produtividade', '6.420')
  await next(6)
  await type('tipo_estatistica', 'ANOVA')
  await type('custo_protocolo', '27,90')
  await next(7)
  // Waited for before it is asked for: the browser is told first that the choice is made here.
  const chooser = page.waitForEvent('filechooser')
  await tabTo(page, 'Escolher arquivo')
  await page.keyboard.press('Enter')
  await (await chooser).setFiles(REPORT)
  await tabTo(page, 'Salvar Experimento')
  // The answer never comes back: the server dies as soon as it has the request.
  const sent = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/api/experiments'),
  )
  await page.keyboard.press('Enter')
  await sent
  await server.kill()
  await expect(
    page.getByText(/Erro ao salvar experimento\. Tente novamente\.|Experimento criado com sucesso!/),
  ).toBeVisible()
  await server.start()
  if (await page.getByRole('button', { name: 'Salvar Experimento' }).isVisible()) {
    await page.getByRole('button', { name: 'Salvar Experimento' }).click()
    await expect(page.getByText('Experimento criado com sucesso!')).toBeVisible()
  }
  const list = await fetch(`${server.url}/api/experiments`, {
    headers: { authorization: `Bearer ${person.token}` },
  })
  const { experimentos } = (await list.json()) as {
    experimentos: { consultoria: string; pdf_filename: string }[]
  }
  expect(experimentos.filter(({ consultoria }) => consultoria === 'Só Teclado Agronomia')).toHaveLength(1)
  expect(experimentos[0]?.pdf_filename).toBe('ficha.pdf')
})

test('a file that only calls itself a PDF is refused in words', async ({ signedIn: page, allowed }) => {
  allowed.push('422')
  await page.goto('/extractor')
  await page.getByLabel('Arquivo PDF').setInputFiles({
    name: 'programa.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('MZ\u0090 not a pdf'),
  })
  await expect(page.getByText(/Erro ao extrair dados do PDF\. .*Documento inválido/)).toBeVisible()
})

test('a reading that takes too long says so', async ({ signedIn: page }) => {
  await page.route('**/api/extractions', (route) =>
    route.fulfill({
      status: 200,
      contentType: 'text/event-stream',
      body: 'event: problem\ndata: {"type":"about:blank","title":"x","status":504,"code":"extraction.timeout","detail":"Timeout: A extração demorou muito para processar. Tente um arquivo menor."}\n\n',
    }),
  )
  await page.goto('/extractor')
  await page.getByLabel('Arquivo PDF').setInputFiles(REPORT)
  await expect(
    page.getByText('Timeout: A extração demorou muito para processar. Tente um arquivo menor.').first(),
  ).toBeVisible()
})

test('a long reading shows its seconds and, after thirty, how long it may take; cancelling keeps nothing', async ({
  signedIn: page,
}) => {
  await page.clock.install()
  await page.route('**/api/extractions', () => new Promise(() => undefined))
  await page.goto('/extractor')
  await page.getByLabel('Arquivo PDF').setInputFiles(REPORT)
  await expect(page.getByText(/segundos/)).toBeVisible()
  await expect(page.getByText(/até 3 minutos/)).toBeHidden()
  await page.clock.runFor(31_000)
  await expect(page.getByText(/até 3 minutos/)).toBeVisible()
  await page.getByRole('button', { name: 'Cancelar' }).click()
  await expect(page.getByText('Arraste o PDF para cá')).toBeVisible()
})

test('account pages say when the server fails', async ({ page, allowed }) => {
  allowed.push('500')
  await page.route('**/auth/v1/**', (route) =>
    route.fulfill({ status: 500, json: { code: 'unexpected_failure', message: 'x' } }),
  )
  await page.goto('/login')
  await page.getByLabel('Email').fill('ana@campo.com.br')
  await page.getByLabel('Senha', { exact: true }).fill('sementes')
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await expect(page.getByText('Erro ao fazer login. Tente novamente.')).toBeVisible()
  await page.goto('/forgot-password')
  await page.getByLabel('Email').fill('ana@campo.com.br')
  await page.getByRole('button', { name: 'Enviar link de recuperação' }).click()
  await expect(page.getByText('Erro ao enviar email de recuperação. Tente novamente.')).toBeVisible()
  await page.goto('/register')
  await page.getByLabel('Nome completo').fill('Ana')
  await page.getByLabel('Email').fill('ana@campo.com.br')
  await page.getByLabel('Senha', { exact: true }).fill('sementes')
  await page.getByLabel('Confirmar senha').fill('sementes')
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Cadastrar' }).click()
  await expect(page.getByText('Erro ao criar conta. Tente novamente.')).toBeVisible()
})

test('a profile that cannot be saved says so, an unreachable server turns the demo on', async ({
  signedIn: page,
  allowed,
}) => {
  allowed.push('500', 'net::ERR_')
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Editar', exact: true }).click()
  await page.route('**/api/profile', (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 500, body: '' }) : route.fallback(),
  )
  await page.getByRole('button', { name: 'Salvar', exact: true }).click()
  await expect(page.getByText('Erro ao atualizar perfil. Tente novamente.')).toBeVisible()
  await page.route('**/api/**', (route) => route.abort())
  await page.goto('/dashboard')
  await expect(page.getByText(/O servidor \(API\) está indisponível/)).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('heading', { name: 'Experimentos Cadastrados (60)' })).toBeVisible()
})

test('an address that is registered already is treated as success and opens nothing', async ({
  page,
  server,
  allowed,
}) => {
  allowed.push('/auth/v1/signup')
  const known = await newPerson(server.url)
  await page.goto('/register')
  await page.getByLabel('Nome completo').fill('Outra Pessoa')
  await page.getByLabel('Email').fill(known.email)
  await page.getByLabel('Senha', { exact: true }).fill('outra-senha-1')
  await page.getByLabel('Confirmar senha').fill('outra-senha-1')
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Cadastrar' }).click()
  await expect(page.getByText('Conta criada com sucesso!')).toBeVisible()
  await expect(page).toHaveURL(/\/login/)
})

test('a part that the lost connection keeps away says so, and comes when it is asked for again', async ({
  signedIn: page,
  allowed,
}) => {
  allowed.push('net::ERR_')
  let away = true
  const lost = (name: string) =>
    page.route(`**/assets/${name}-*.js`, (route) => (away ? route.abort('failed') : route.continue()))
  await lost('ExtractorDialog')
  await lost('Profile')
  await page.goto('/dashboard')
  const sentence = page.getByText(/Não foi possível carregar esta parte do sistema/)

  await page.getByRole('button', { name: 'Extração Automática' }).click()
  await expect(sentence).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Dashboard Agrícola' })).toBeVisible()
  away = false
  await page.getByRole('button', { name: 'Tentar novamente' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()

  away = true
  await page.context().setOffline(true)
  await page.getByRole('button', { name: /Ana/ }).click()
  await page.getByRole('menuitem', { name: /Perfil/ }).click()
  await expect(sentence).toBeVisible()
  away = false
  // Back on line, it is asked for without a click.
  await page.context().setOffline(false)
  await expect(page.getByRole('button', { name: 'Editar', exact: true })).toBeVisible()
})

test('a sentence is said even where what shows sentences could not be fetched', async ({
  signedIn: page,
  allowed,
}) => {
  allowed.push('net::ERR_')
  await page.route('**/assets/Toaster-*.js', (route) => route.abort('failed'))
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Editar', exact: true }).click()
  await page.getByRole('button', { name: 'Salvar', exact: true }).click()
  await expect(page.getByRole('status').getByText('Perfil atualizado com sucesso!')).toBeVisible()
})

test('signing out without a connection ends the session on this machine all the same', async ({
  signedIn: page,
  allowed,
}) => {
  allowed.push('net::ERR_', 'Failed to fetch')
  await page.goto('/profile')
  await page.getByRole('main').getByRole('button', { name: 'Sair' }).click({ trial: true })
  await page.context().setOffline(true)
  await page.getByRole('main').getByRole('button', { name: 'Sair' }).click()
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByRole('link', { name: 'Entrar' })).toBeVisible()
  await page.context().setOffline(false)
  await page.goto('/profile')
  await expect(page).toHaveURL(/\/login/)
})

test('who signs in next on the same page never sees what the first one read', async ({
  signedIn: page,
  person,
  server,
}) => {
  const next = await newPerson(server.url, 'Bia Ramos')
  await page.goto('/profile')
  const main = page.getByRole('main')
  await expect(main.getByText(person.email).first()).toBeVisible()
  await main.getByRole('button', { name: 'Sair' }).click()
  await page.getByRole('link', { name: 'Entrar' }).click()
  await page.getByLabel('Email').fill(next.email)
  await page.getByLabel('Senha', { exact: true }).fill(next.password)
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await page.getByRole('link', { name: 'Dashboard', exact: true }).waitFor()
  await page.route('**/api/profile', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500))
    await route.continue()
  })
  await page.getByRole('link', { name: 'Perfil' }).click()
  await expect(page.getByRole('heading', { name: 'Editar Perfil' })).toBeVisible()
  await expect(main.getByText(person.email)).toHaveCount(0)
  await expect(main.getByText(next.email).first()).toBeVisible()
})

test('what comes up while a person leaves asks for nothing more', async ({ signedIn: page }) => {
  const release = await hold(page, '**/assets/Notifications-*.js')
  const leave = await hold(page, '**/auth/v1/logout*')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto('/profile')
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { name: 'Editar Perfil' })).toBeVisible()
  await main.getByRole('button', { name: 'Sair' }).click()
  await expect.poll(() => asked.some((url) => url.includes('/auth/v1/logout'))).toBe(true)
  const shown = page.waitForResponse('**/assets/Notifications-*.js')
  release()
  await shown
  await expect(page.getByRole('banner').getByRole('button', { name: /Avisos/ })).toBeVisible()
  leave()
  await expect(page.getByRole('link', { name: 'Entrar' })).toBeVisible()
  expect(asked.filter((url) => url.includes('/api/notifications'))).toEqual([])
})

test('a search without a connection says so, and is made again when there is one', async ({
  signedIn: page,
  person,
  server,
  allowed,
}) => {
  allowed.push('net::ERR_')
  await create(server.url, person)
  await page.goto('/dashboard?aba=documents')
  await expect(page.getByText(/documento\(s\) disponível/)).toBeVisible()
  await page.context().setOffline(true)
  await page.getByPlaceholder('Buscar por consultoria, cidade, cultura ou marca...').fill('nenhures')
  await expect(page.getByText('Erro de conexão. Verifique sua internet.')).toBeVisible()
  await expect(page).toHaveURL(/busca_documento=nenhures/)
  await page.context().setOffline(false)
  await expect(page.getByText('Nenhum resultado encontrado')).toBeVisible()
})

test('a tab that is older than the server fetches the new build once, by itself', async ({
  signedIn: page,
  allowed,
}) => {
  allowed.push('404')
  await page.goto('/dashboard')
  let loads = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads++
  })
  // The files of the old build are gone until the page is loaded anew.
  await page.route('**/assets/Profile-*.js', (route) =>
    loads === 0 ? route.fulfill({ status: 404, body: '' }) : route.continue(),
  )
  await page.getByRole('button', { name: /Ana/ }).click()
  await page.getByRole('menuitem', { name: /Perfil/ }).click()
  await expect(page.getByRole('button', { name: 'Editar', exact: true })).toBeVisible()
  expect(loads).toBe(1)
})

test('what is no report of one trial gives no treatments, and says why', async ({ signedIn: page }) => {
  await page.goto('/extractor')
  await page.locator('input[type=file]').first().setInputFiles('packages/extraction/test/voices/a/a15.pdf')
  await expect(page.getByText('Este documento não parece ser o relatório de um único ensaio.')).toBeVisible()
  await expect(page.getByText('0 tratamentos')).toBeVisible()
})
