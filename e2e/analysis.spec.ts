import { expect, expectAccessible, hold } from './fixtures.ts'
import { card, STORED, test } from './seeded.ts'

test('on paper the map shows Brazil from its middle, and colours are kept where a person has their own', async ({
  signedIn: page,
}) => {
  await page.goto('/dashboard?aba=interactive')
  const east = page.getByRole('button', { name: /^Cruz das Almas\/BA|^Petrolina\/PE/ }).first()
  await expect(east).toBeAttached()
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  const frame = await page.locator('.map-frame').boundingBox()
  expect(frame?.width).toBe(660)
  const spot = await east.boundingBox()
  expect(spot?.x ?? 0).toBeLessThan((frame?.x ?? 0) + 640)
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto('/dashboard')
  const bar = card(page, 'Experimentos por regional').locator('.data-colour').first()
  await expect(bar).toHaveCSS('background-color', 'rgb(31, 77, 58)')
  const chosen = page.getByRole('tab', { name: 'Visão Geral' })
  const other = page.getByRole('tab', { name: 'Documentos' })
  const edge = (tab: typeof chosen) => tab.evaluate((at) => getComputedStyle(at).borderBottomColor)
  expect(await edge(chosen)).not.toBe(await edge(other))
  await expect(chosen).toHaveCSS('border-bottom-width', '3px')
  await expect(page.getByLabel('Cultura')).toHaveCSS('appearance', 'auto')
  await page.goto('/dashboard?aba=interactive')
  const dot = page.getByRole('list', { name: 'Legenda' }).locator('.data-colour').first()
  await expect(dot).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
  await expect(dot).toHaveCSS('forced-color-adjust', 'none')
})

test('the map has its cards, legend and popups, and shared spots are told', async ({ signedIn: page }) => {
  await page.goto('/dashboard?aba=interactive')
  const places = new Set(STORED.map(({ cidade, estado }) => `${cidade}/${estado}`)).size
  await expect(card(page, 'Localizações')).toContainText(String(places))
  await expect(card(page, 'Total Experimentos')).toContainText('60')
  await expect(card(page, 'Prod. Média Geral')).toContainText('kg/ha')
  await expect(card(page, 'Estados Cobertos')).toContainText(
    String(new Set(STORED.map(({ estado }) => estado)).size),
  )
  await expect(page.getByRole('list', { name: 'Legenda' })).toContainText('Aminoagro')
  const markers = page.locator('.leaflet-interactive[role="button"]')
  await expect(markers).toHaveCount(60)
  await page
    .getByRole('button', { name: /^Luís Eduardo Magalhães\/BA/ })
    .first()
    .focus()
  await page.keyboard.press('Enter')
  const popup = page.locator('.leaflet-popup')
  await expect(popup).toContainText('Luís Eduardo Magalhães/BA')
  await expect(popup).toContainText('experimentos aqui')
  for (const name of [
    'Consultoria',
    'Marca',
    'Cultura',
    'Ano',
    'Produtividade',
    'ROI',
    'Regional',
    'Tratamentos',
  ])
    await expect(popup.getByText(`${name}:`)).toBeVisible()
  await page.goto('/dashboard?aba=interactive&cultura=Cevada')
  await expect(page.getByText('Nenhum experimento recebido')).toBeVisible()
  await expect(page.getByText('O componente BrazilMap não recebeu dados de experimentos.')).toBeVisible()
})

test('the correlation tool fits the chart to the pair and says what cannot be drawn', async ({
  signedIn: page,
}) => {
  await page.goto('/dashboard?aba=interactive')
  await expect(page.getByText('Coeficiente de Pearson')).toBeVisible()
  await expect(page.getByText(/correlação (forte|moderada|fraca) (positiva|negativa)/)).toBeVisible()
  await page.getByLabel('Tipo de gráfico').selectOption('Pizza')
  await expect(page.getByText('Gráfico de pizza requer variável categórica no eixo X')).toBeVisible()
  await page.getByRole('button', { name: 'Cultura × Performance' }).click()
  await expect(page.getByLabel('Variável X')).toHaveValue('cultura')
  await expect(page.getByRole('heading', { name: 'Cultura × Produtividade média' })).toBeVisible()
  await page.getByRole('button', { name: 'Custo do protocolo × ROI' }).click()
  await expect(page.getByLabel('Variável Y')).toHaveValue('roi')
  await page.goto('/dashboard?aba=interactive&cultura=Cevada')
  await expect(page.getByText('Não há dados suficientes para a correlação selecionada')).toBeVisible()
})

test('the old points keep their own title until the new pair is there', async ({ signedIn: page }) => {
  await page.goto('/dashboard?aba=interactive')
  await expect(page.getByRole('heading', { name: 'Teor de argila × Produtividade média' })).toBeVisible()
  const r = await page.getByText(/^r = /).textContent()
  const answer = await hold(page, '**/api/dashboard/correlation?*')
  await page.getByLabel('Variável Y').selectOption('roi')
  await expect(page.getByLabel('Variável Y')).toHaveValue('roi')
  await page.waitForTimeout(300)
  await expect(page.getByRole('heading', { name: 'Teor de argila × Produtividade média' })).toBeVisible()
  await expect(page.getByText(/^r = /)).toHaveText(r ?? '')
  answer()
  await expect(page.getByRole('heading', { name: 'Teor de argila × ROI' })).toBeVisible()
  await expect(page.getByText(/^r = /)).not.toHaveText(r ?? '')
})

test('the old places stand back until those of the new filter are there', async ({ signedIn: page }) => {
  await page.goto('/dashboard?aba=interactive')
  await expect(card(page, 'Total Experimentos')).toContainText('60')
  const answer = await hold(page, '**/api/dashboard/map?*')
  await page.getByLabel('Cultura').selectOption('Soja')
  const busy = page.locator('[aria-busy="true"]').filter({ has: card(page, 'Total Experimentos') })
  await expect(busy).toHaveCSS('opacity', '0.5')
  answer()
  const soy = STORED.filter(({ cultura }) => cultura === 'Soja').length
  await expect(card(page, 'Total Experimentos')).toContainText(String(soy))
  await expect(busy).toHaveCount(0)
})

test('a search asks when the typing rests, and follows the address when that is changed from elsewhere', async ({
  signedIn: page,
}) => {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/api/experiments' && searchParams.has('busca'))
      asked.push(searchParams.get('busca') ?? '')
  })
  await page.goto('/dashboard')
  const search = page.getByLabel('Buscar experimentos')
  await search.pressSequentially('patrocínio', { delay: 40 })
  const found = STORED.filter(({ cidade }) => cidade === 'Patrocínio').length
  await expect(page.getByRole('heading', { name: `Experimentos Cadastrados (${found})` })).toBeVisible()
  // On a crowded machine the typing itself may rest now and then.
  await expect.poll(() => asked.at(-1)).toBe('patrocínio')
  expect(asked.length).toBeLessThan(5)
  await expect(page).toHaveURL(/busca=patroc/)
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expect(search).toHaveValue('')
  await expect(page.getByRole('heading', { name: 'Experimentos Cadastrados (60)' })).toBeVisible()
})

test('documents are listed, searched, and both empty states say what to do', async ({ signedIn: page }) => {
  await page.goto('/dashboard?aba=documents')
  const stored = STORED.filter(({ pdf_filename }) => pdf_filename)
  await expect(page.getByRole('heading', { name: 'Documentos PDF' })).toBeVisible()
  await expect(page.getByText('Visualize e faça download dos relatórios dos experimentos')).toBeVisible()
  await expect(page.getByText(`${stored.length} documento(s) disponível(eis)`)).toBeVisible()
  await page.waitForTimeout(300)
  await expectAccessible(page)
  const search = page.getByPlaceholder('Buscar por consultoria, cidade, cultura ou marca...')
  await search.fill('SOJA')
  const soy = stored.filter(({ cultura }) => cultura === 'Soja').length
  await expect(page.getByText(`${soy} documento(s) disponível(eis)`)).toBeVisible()
  await search.fill('nada disto')
  await expect(page.getByText('Nenhum resultado encontrado')).toBeVisible()
  await expect(
    page.getByText('Tente ajustar os termos de busca para encontrar os documentos desejados.'),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Limpar busca' }).click()
  await expect(page.getByText(`${stored.length} documento(s) disponível(eis)`)).toBeVisible()
})
