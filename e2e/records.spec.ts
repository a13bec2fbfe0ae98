import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, onOwnServer, type Person } from './fixtures.ts'
import { create, EXPERIMENT, REPORT } from './seed.ts'

const test = onOwnServer()

const put = (url: string, person: Person, id: string, body: object) =>
  fetch(`${url}/api/experiments/${id}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${person.token}` },
    body: JSON.stringify(body),
  })

const details = (page: Page) => page.getByRole('dialog', { name: 'Detalhes do Experimento' })

test('the history tells what changed within the treatments, in words and units', async ({
  signedIn: page,
  person,
  server,
}) => {
  const { id } = await create(server.url, person)
  const [control, treated] = EXPERIMENT.tratamentos
  const change = await put(server.url, person, id, {
    ...EXPERIMENT,
    tratamentos: [control, { ...treated, produtividade: 2222, produtos_aplicados: [{ nome: 'Dimi Zinco' }] }],
    roi: 120.5,
    versao: 1,
  })
  expect(change.status).toBe(200)
  await page.goto(`/dashboard?experimento=${id}`)
  await details(page).getByText('Histórico').click()
  await expect(details(page).getByText('T2 · Produtividade: 3.438 → 2.222 kg/ha')).toBeVisible()
  await expect(details(page).getByText('T2 · Produto: – → Dimi Zinco')).toBeVisible()
  await expect(details(page).getByText(/^ROI: – → R\$\s120,50\/ha$/)).toBeVisible()
  await expect(details(page)).not.toContainText(/produtividade_media|custo_total| itens/)
})

test('one value is changed from the details: its page is opened, and saved from there', async ({
  signedIn: page,
  person,
  server,
}) => {
  const { id } = await create(server.url, person, { consultoria: 'Uma Mudança' })
  const form = new FormData()
  form.append('experimentId', id)
  form.append('pdf', new Blob([readFileSync(REPORT)], { type: 'application/pdf' }), 'laudo.pdf')
  const attached = await fetch(`${server.url}/api/uploads/document`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.token}` },
    body: form,
  })
  expect(attached.status).toBe(201)
  await page.goto(`/dashboard?experimento=${id}`)
  await details(page).getByRole('button', { name: 'Editar', exact: true }).click()
  await page.getByRole('button', { name: 'Tratamentos' }).click()
  await page.getByLabel('Produtividade (kg/ha)').last().fill('3.500')
  await page.getByRole('button', { name: 'Salvar agora' }).click()
  await expect(page.getByText('Experimento atualizado com sucesso!')).toBeVisible()
})

test('who deletes may take it back from the toast, and the keyboard goes on where it was', async ({
  signedIn: page,
  person,
  server,
}) => {
  await create(server.url, person, { consultoria: 'Apagada por Engano' })
  await page.goto('/dashboard?busca=Engano')
  const remove = page.getByRole('button', { name: /^Excluir Trigo - Apagada por Engano/ })
  const list = page.getByRole('heading', { name: /Experimentos Cadastrados \(1\)/ })
  await expect(list).toBeVisible()
  await remove.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancelar' }).click()
  await expect(remove).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Excluir' }).click()
  await expect(page.getByRole('heading', { name: 'Experimentos Cadastrados (0)' })).toBeVisible()
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false)
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await expect(page.getByText('Experimento restaurado')).toBeVisible()
  await expect(list).toBeVisible()
})

test('the focus returns to what opened the details', async ({ signedIn: page, person, server }) => {
  await create(server.url, person, { consultoria: 'Foco Que Volta' })
  await page.goto('/dashboard?busca=Foco')
  const open = page.getByRole('button', { name: /^Detalhes de Trigo - Foco/ })
  await open.focus()
  await page.keyboard.press('Enter')
  await expect(details(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(details(page)).toBeHidden()
  await expect(open).toBeFocused()
})

test('on a phone every trial is a card with its actions in sight, and sorting is a choice', async ({
  signedIn: page,
  person,
  server,
}) => {
  await create(server.url, person, { consultoria: 'No Celular', cultura: 'Cana-de-açúcar' })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/dashboard?busca=Celular')
  const card = page.getByRole('listitem').filter({ hasText: 'No Celular' }).last()
  await expect(card).toContainText('Cana-de-açúcar · Sul · 2024')
  await card.scrollIntoViewIfNeeded()
  for (const name of [/^Detalhes de/, /^Editar/, /^Excluir/])
    await expect(card.getByRole('button', { name })).toBeInViewport({ ratio: 1 })
  await page.getByLabel('Ordenar a lista').selectOption('Ano, decrescente')
  await expect(page).toHaveURL(/ordem=ano.*sentido=desc/)
  await expectAccessible(page)
})

test('a toast on a phone does not lie over the buttons that lead on', async ({
  signedIn: page,
  person,
  server,
}) => {
  const { id } = await create(server.url, person)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/novo-experimento?id=${id}&passo=6`)
  await page.getByLabel('ROI').fill('10')
  await page.evaluate(() => window.dispatchEvent(new Event('pointerdown')))
  await page.getByRole('link', { name: /Ensaio/ }).click()
  await page.getByRole('button', { name: 'Sair sem salvar' }).click()
  await page
    .getByRole('button', { name: /^Excluir/ })
    .first()
    .click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Excluir' }).click()
  const toast = page.locator('[data-sonner-toast]').first()
  await expect(toast).toBeVisible()
  expect((await toast.boundingBox())?.y).toBeLessThan(300)
})

test('Back undoes a filter, and a name typed whole counts however fast it is left', async ({
  signedIn: page,
  person,
  server,
}) => {
  await create(server.url, person, { consultoria: 'Rápida Consultoria' })
  await create(server.url, person, { consultoria: 'Outra Casa', cultura: 'Milho' })
  // The values to choose from come late.
  await page.route('**/api/dashboard/filters*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1200))
    await route.continue()
  })
  await page.goto('/dashboard')
  const field = page.getByRole('combobox', { name: 'Consultoria' })
  await field.fill('rapida consultoria')
  await page.keyboard.press('Tab')
  await expect(page).toHaveURL(/consultoria=R/)
  await expect(page.getByRole('heading', { name: 'Experimentos Cadastrados (1)' })).toBeVisible()
  await page.getByLabel('Cultura').selectOption('Trigo')
  await expect(page).toHaveURL(/cultura=Trigo/)
  await page.goBack()
  await expect(page).not.toHaveURL(/cultura=/)
  await expect(field).toHaveValue('Rápida Consultoria')
  await page.goBack()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(field).toHaveValue('')
})

test('a name typed whole counts though the other filters leave nothing of it', async ({
  signedIn: page,
  person,
  server,
}) => {
  await create(server.url, person, { consultoria: 'Distante' })
  await create(server.url, person, { consultoria: 'Distante do Sul', cultura: 'Milho' })
  const field = page.getByRole('combobox', { name: 'Consultoria' })
  for (const key of ['Tab', 'Enter']) {
    await page.goto('/dashboard?cultura=Milho')
    await field.fill('distante')
    await expect(page.getByRole('option', { name: /Distante do Sul/ })).toBeVisible()
    await page.keyboard.press(key)
    await expect(page).toHaveURL(/consultoria=Distante$/)
    await expect(page.getByText('Nenhum experimento com estes filtros')).toBeVisible()
    await expect(field).toHaveValue('Distante')
  }
  await page.goto('/dashboard?cultura=Milho')
  await field.fill('distante d')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/consultoria=Distante\+do\+Sul/)
  await field.fill('Ninguém')
  await page.keyboard.press('Tab')
  await expect(field).toHaveValue('Distante do Sul')
})

test('a filter that leaves nothing offers the way back', async ({ signedIn: page, person, server }) => {
  await create(server.url, person)
  await page.goto('/dashboard?cultura=Trigo&regional=Norte')
  await expect(page.getByText('Nenhum experimento com estes filtros')).toBeVisible()
  await page.getByRole('button', { name: 'Ver todos os experimentos' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('heading', { name: 'Produtividade média por cultura' })).toBeVisible()
})

test('two files in a place for one are refused with the way to many', async ({ signedIn: page }) => {
  await page.goto('/extractor')
  const bytes = [...readFileSync(REPORT)]
  const data = await page.evaluateHandle((content) => {
    const transfer = new DataTransfer()
    for (const name of ['um.pdf', 'dois.pdf'])
      transfer.items.add(new File([new Uint8Array(content)], name, { type: 'application/pdf' }))
    return transfer
  }, bytes)
  await page.getByText('Arraste o PDF para cá').dispatchEvent('drop', { dataTransfer: data })
  await expect(page.getByText('Envie um arquivo por vez.')).toBeVisible()
  await expect(page.getByText('Arraste o PDF para cá')).toBeVisible()
  await page.getByRole('link', { name: 'Vários relatórios' }).click()
  await expect(page).toHaveURL(/modo=lote/)
})

test('a page of the report is made larger to be read', async ({ signedIn: page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/extractor')
  await page.getByLabel('Arquivo PDF').setInputFiles(REPORT)
  await page.getByRole('button', { name: 'Relatório', exact: true }).click({ timeout: 180_000 })
  const sheet = page.getByRole('img', { name: 'Página 1 do relatório' })
  await expect(sheet).toBeVisible()
  const before = (await sheet.boundingBox())?.width ?? 0
  for (let step = 0; step < 3; step++) await page.getByRole('button', { name: 'Aumentar a página' }).click()
  await expect.poll(async () => (await sheet.boundingBox())?.width ?? 0).toBeGreaterThan(2.5 * before)
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(beyond).toBeLessThanOrEqual(0)
})

test('records at one spot of the map are counted, led through and reached by the keyboard', async ({
  signedIn: page,
  person,
  server,
}) => {
  const spot = { cidade: 'Cascavel', estado: 'PR', latitude: -24.9555, longitude: -53.4552 }
  for (const consultoria of ['Ponto Um', 'Ponto Dois', 'Ponto Três'])
    await create(server.url, person, { ...spot, consultoria, cultura: 'Feijão' })
  await page.goto('/dashboard?aba=interactive&cultura=Feijão')
  await expect(page.locator('.spot-number')).toHaveText('3')
  await expect(page.locator('.leaflet-interactive[tabindex="0"]')).toHaveCount(1)
  const marker = page.locator('.leaflet-interactive[tabindex="0"]')
  await marker.focus()
  await page.keyboard.press('Enter')
  const popup = page.locator('.leaflet-popup')
  await expect(popup).toContainText('3 experimentos aqui')
  await expect(popup).toContainText('1 de 3 neste ponto')
  const first = await popup.locator('dd').first().textContent()
  await popup.getByRole('button', { name: 'Avançar' }).click()
  await expect(popup).toContainText('2 de 3 neste ponto')
  await expect(popup.locator('dd').first()).not.toHaveText(first ?? '')
  await expect(popup.getByRole('listitem')).toHaveCount(3)
  // Where the page was scrolled to the marker, the bar above may lie over half of a button: of its top nothing does.
  await page.evaluate(() => window.scrollTo(0, 0))
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(popup).toBeHidden()
  await expect(marker).toBeFocused()
  await expect(page.getByRole('button', { name: 'Aproximar' })).toBeVisible()
})

test('a variable is not set against itself, and a coefficient near zero is called what it is', async ({
  signedIn: page,
  person,
  server,
}) => {
  for (const [roi, custo_protocolo] of [
    [10, 5],
    [20, 1],
    [30, 4],
    [40, 2],
  ])
    await create(server.url, person, { consultoria: 'Sem Relação', roi, custo_protocolo })
  await page.goto('/dashboard?aba=interactive&consultoria=Sem+Relação&x=custo_protocolo&y=roi')
  await expect(page.getByText(/correlação (moderada|fraca) negativa, não se distingue de zero/)).toBeVisible()
  const y = page.getByLabel('Variável Y')
  await expect(y.getByRole('option', { name: 'Custo do protocolo' })).toHaveCount(0)
  await page.getByLabel('Tipo de gráfico').selectOption('Linhas')
  await expect(page.getByText(/Médias de roi em faixas de custo do protocolo/)).toBeVisible()
})

test('a role granted meanwhile is there without another login, and a refusal leads back', async ({
  signedIn: page,
}) => {
  await page.goto('/admin')
  await expect(page.getByRole('heading', { name: 'Administração' })).toBeVisible()
  await expect(page.getByText('Acesso negado')).toBeVisible()
  await page.getByRole('link', { name: 'Voltar ao dashboard' }).click()
  await expect(page).toHaveURL(/\/dashboard/)
})
