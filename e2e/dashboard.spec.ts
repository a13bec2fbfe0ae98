import { readFileSync } from 'node:fs'
import { formatCurrency, formatNumber, overviewOf } from '@ensaio/domain'
import { DEMO_INPUTS, demoExperiments } from '@ensaio/domain/demo'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, newPerson, onOwnServer, type Person } from './fixtures.ts'
import { seed } from './seed.ts'
import { startServer } from './server.ts'

const STORED = demoExperiments()

/** One server filled once for all the tests of this file. */
const test = onOwnServer().extend<object, { owner: Person }>({
  owner: [
    async ({ server }, use) => {
      const owner = await newPerson(server.url, 'Dona dos Ensaios')
      await seed(server.url, owner)
      await use(owner)
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  person: async ({ owner }, use) => use(owner),
})

const card = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) })

test('the cards show what the pure aggregates say', async ({ signedIn: page }) => {
  const expected = overviewOf(STORED, {})
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Dashboard Agrícola' })).toBeVisible()
  await expect(page.getByText('Análise completa dos experimentos cadastrados')).toBeVisible()
  await expect(card(page, 'Total de Experimentos')).toContainText(formatNumber(expected.total, 0))
  await expect(card(page, 'Produtividade Média')).toContainText(formatNumber(expected.produtividade_media, 0))
  await expect(card(page, 'ROI Médio')).toContainText(
    formatCurrency(expected.roi_medio).replace('\u00a0', ' '),
  )
  await expect(card(page, 'Consultorias Ativas')).toContainText(String(expected.consultorias_ativas))
  await expect(page.getByText('11 culturas juntas: ver por cultura')).toBeVisible()
})

test('a filter acts on cards, charts and table, lives in the address, and is taken off', async ({
  signedIn: page,
}) => {
  const expected = overviewOf(STORED, { cultura: 'Soja', regional: 'Sul' })
  await page.goto('/dashboard')
  await page.getByLabel('Cultura').selectOption('Soja')
  await page.getByLabel('Regional').selectOption('Sul')
  await expect(page).toHaveURL(/cultura=Soja/)
  await expect(card(page, 'Total de Experimentos')).toContainText(String(expected.total))
  await expect(
    page.getByRole('heading', { name: `Experimentos Cadastrados (${expected.total})` }),
  ).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Cultura')).toHaveValue('Soja')
  await page.getByRole('button', { name: 'Remover filtro Regional: Sul' }).click()
  await expect(page).not.toHaveURL(/regional/)
  await page.getByRole('button', { name: 'Limpar Filtros' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('button', { name: 'Limpar Filtros' })).toBeHidden()
})

test('a product filters by part of its name, whatever the case', async ({ signedIn: page }) => {
  const expected = overviewOf(STORED, { produto: 'nutrivia' })
  await page.goto('/dashboard')
  await page.getByLabel('Produto').fill('NUTRIVIA')
  await expect(card(page, 'Total de Experimentos')).toContainText(String(expected.total))
})

test('a chart is read as a table, filters by a click and is taken away as CSV', async ({
  signedIn: page,
}) => {
  const expected = overviewOf(STORED, {})
  await page.goto('/dashboard')
  const chart = card(page, 'Produtividade média por cultura')
  await chart.getByRole('button', { name: 'Ver como tabela' }).click()
  const soy = expected.por_cultura.find(({ chave }) => chave === 'Soja')
  await expect(chart.getByRole('row', { name: /^Soja/ })).toContainText(
    formatNumber(soy?.produtividade_media, 0),
  )
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    chart.getByRole('button', { name: 'Baixar CSV' }).click(),
  ])
  const csv = readFileSync(await download.path(), 'utf8')
  expect(csv).toMatch(/^\ufeffCultura;Experimentos;/)
  expect(csv).toContain(`Soja;${soy?.n};${formatNumber(soy?.produtividade_media, 0)}`)
  await chart.getByRole('button', { name: 'Soja', exact: true }).click()
  await expect(page).toHaveURL(/cultura=Soja/)
})

test('a bar says its value to the pointer and to the keyboard, filters by it, and a second press undoes', async ({
  signedIn: page,
}) => {
  const expected = overviewOf(STORED, {})
  const soy = expected.por_cultura.find(({ chave }) => chave === 'Soja')
  const exact = `${formatNumber(soy?.produtividade_media, 0)} kg/ha`
  await page.goto('/dashboard')
  const chart = card(page, 'Produtividade média por cultura')
  const bar = chart.getByRole('button', { name: /^Soja, / })
  await expect(bar).toHaveAccessibleName(new RegExp(`^Soja, ${exact.replaceAll('.', '\\.')}, ${soy?.n} exp`))
  await bar.hover()
  await expect(chart.getByText(exact, { exact: true })).toBeVisible()
  await page.mouse.move(0, 0)
  await expect(chart.getByText(exact, { exact: true })).toBeHidden()
  await bar.focus()
  await expect(chart.getByText(exact, { exact: true })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/cultura=Soja/)
  await expect(bar).toHaveAttribute('aria-pressed', 'true')
  await expect(chart.getByRole('listitem')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(page).not.toHaveURL(/cultura=/)
  await expect(chart.getByRole('listitem')).toHaveCount(expected.por_cultura.length)
})

test('a point of the scatter chart opens the experiment that it stands for', async ({ signedIn: page }) => {
  await page.goto('/dashboard')
  const chart = card(page, 'Argila do solo e produtividade')
  const canvas = chart.locator('canvas')
  await canvas.scrollIntoViewIfNeeded()
  // Only points are coloured over some width; letters are so at their edges.
  const spot = async () =>
    canvas.evaluate((element) => {
      const { width, height } = element as HTMLCanvasElement
      const pixels = (element as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, width, height).data
      const coloured = (x: number, y: number) => {
        const [r = 0, g = 0, b = 0, a = 0] = pixels?.subarray(4 * (y * width + x)) ?? []
        return a > 150 && Math.max(r, g, b) - Math.min(r, g, b) > 80
      }
      for (let x = 4; x < width; x++)
        for (let y = 4; y < height; y++)
          if ([0, 1, 2, 3, 4].every((step) => coloured(x + step, y))) return { x: x + 2, y }
      return null
    })
  await expect.poll(spot).not.toBeNull()
  const position = (await spot()) ?? { x: 0, y: 0 }
  await canvas.hover({ position })
  await expect(chart.getByText(/Teor de argila: /)).toBeVisible()
  const named = (await chart.locator('b').textContent()) ?? ''
  expect(STORED.map(({ nome }) => nome)).toContain(named)
  await canvas.click({ position })
  await expect(page.getByRole('dialog')).toContainText(named)
})

test('a chart is taken away as a picture, as it stands under the filter', async ({ signedIn: page }) => {
  await page.goto('/dashboard')
  for (const title of ['Experimentos por regional', 'Experimentos por marca']) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      card(page, title).getByRole('button', { name: 'Baixar PNG' }).click(),
    ])
    expect(download.suggestedFilename()).toBe(`${title}.png`)
    const png = readFileSync(await download.path())
    // IHDR of the PNG specification: width and height, in pixels, as big-endian words.
    expect(png.subarray(1, 4).toString()).toBe('PNG')
    expect(png.readUInt32BE(16)).toBeGreaterThan(600)
    expect(png.readUInt32BE(20)).toBeGreaterThan(200)
    // An empty sheet of that size is a tenth of this.
    expect(png.length).toBeGreaterThan(8_000)
  }
})

test('every chart of the specification is there, with its unit and n', async ({ signedIn: page }) => {
  await page.goto('/dashboard')
  for (const title of [
    'Produtividade média por cultura',
    'Experimentos por marca',
    'Experimentos por regional',
    'Experimentos por Business Unit',
    'Produtividade ao longo dos anos',
    'Argila do solo e produtividade',
    'Desempenho por modalidade de aplicação',
    'Top 10 produtos por ROI médio',
    'Performance de produtos',
  ])
    await expect(page.getByRole('heading', { name: title, exact: true })).toBeVisible()
  await expect(card(page, 'Produtividade média por cultura')).toContainText('kg/ha · 60 experimentos')
  const products = card(page, 'Performance de produtos')
  for (const column of ['Produto', 'Experimentos', 'ROI médio', 'Custo médio', 'Marca'])
    await expect(products.getByRole('columnheader', { name: column })).toBeVisible()
  await expect(products.getByRole('row')).toHaveCount(11)
  await page.waitForTimeout(600)
  await expectAccessible(page)
})

test('the table sorts, searches and turns its pages', async ({ signedIn: page }) => {
  await page.goto('/dashboard')
  const table = page.getByRole('table').last()
  for (const column of [
    'Consultoria',
    'Regional',
    'Cultura',
    'Marca',
    'Produtividade',
    'ROI',
    'Ano',
    'PDF',
    'Ações',
  ])
    await expect(table.getByRole('columnheader', { name: column })).toBeVisible()
  await expect(page.getByText('1–25 de 60')).toBeVisible()
  await page.getByRole('button', { name: 'Próxima página' }).click()
  await expect(page.getByText('26–50 de 60')).toBeVisible()
  await table.getByRole('button', { name: 'Produtividade' }).click()
  await expect(page.getByText('1–25 de 60')).toBeVisible()
  const lowest = Math.min(
    ...STORED.map(({ produtividade_media }) => produtividade_media ?? Number.POSITIVE_INFINITY),
  )
  await expect(table.getByRole('row').nth(1)).toContainText(`${formatNumber(lowest, 0)} kg/ha`)
  await page.getByLabel('Buscar experimentos').fill('patrocínio')
  const found = STORED.filter(({ cidade }) => cidade === 'Patrocínio').length
  await expect(page.getByRole('heading', { name: `Experimentos Cadastrados (${found})` })).toBeVisible()
  await page.getByLabel('Buscar experimentos').fill('nada disto existe')
  await expect(page.getByText('Nenhum experimento encontrado.')).toBeVisible()
  // The address holds what one would send to a colleague.
  await page.getByLabel('Buscar experimentos').fill('patrocínio')
  await expect(page).toHaveURL(/busca=patroc/)
  await page.reload()
  await expect(page.getByLabel('Buscar experimentos')).toHaveValue('patrocínio')
  await expect(page.getByRole('columnheader', { name: 'Produtividade' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  )
  await expect(page.getByRole('heading', { name: `Experimentos Cadastrados (${found})` })).toBeVisible()
})

test('on a phone the three tabs stand whole beside each other', async ({ signedIn: page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/dashboard')
  for (const name of ['Visão Geral', 'Análise Interativa', 'Documentos'])
    await expect(page.getByRole('tab', { name })).toBeInViewport({ ratio: 0.95 })
})

test('the details open from the table and by address, and close three ways', async ({ signedIn: page }) => {
  await page.goto('/dashboard')
  await page
    .getByRole('button', { name: /^Detalhes de/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Detalhes do Experimento' })
  for (const section of ['Informações Básicas', 'Localização e Cultura', 'Resultados', 'Tratamentos'])
    await expect(dialog.getByRole('heading', { name: section })).toBeVisible()
  await expect(dialog).toContainText('Produtos Aplicados')
  await expectAccessible(page)
  const address = page.url()
  await dialog.getByRole('button', { name: 'Fechar', exact: true }).click()
  await expect(dialog).toBeHidden()
  await page.goto(address)
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.goto(address)
  await expect(dialog).toBeVisible()
  await page.mouse.click(5, 5)
  await expect(dialog).toBeHidden()
})

test('what is printed is light, whole, and says its filter', async ({ signedIn: page }) => {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  // The width of an A4 page between its margins.
  await page.setViewportSize({ width: 718, height: 1040 })
  await page.goto('/dashboard?cultura=Soja')
  const table = page.locator('.table-frame').last()
  await expect(table.getByRole('row').nth(1)).toBeVisible()
  await expect(page.getByText('Cultura: Soja')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Limpar Filtros' })).toBeHidden()
  expect(await table.evaluate((region) => region.scrollWidth - region.clientWidth)).toBeLessThanOrEqual(0)
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
  expect(await ground()).toBe('dark')
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  expect(await ground()).toBe('light')
  await expect(page.getByText(/Impresso em .* por Dona dos Ensaios · http.*cultura=Soja/)).toBeVisible()
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  expect(await ground()).toBe('dark')

  await page.emulateMedia({ media: 'screen' })
  await page
    .getByRole('button', { name: /^Detalhes de/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Detalhes do Experimento' })
  await expect(dialog).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  const place = await dialog.evaluate((element) => {
    const { left, top, right } = element.getBoundingClientRect()
    return { left, top: top + scrollY, right }
  })
  expect(place).toMatchObject({ left: 0, top: 0 })
  expect(place.right).toBeLessThanOrEqual(718)
  await expect(page.getByTestId('dialog-backdrop')).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Dashboard Agrícola' })).toBeHidden()
})

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
  let answer = (): void => undefined
  await page.route('**/api/dashboard/correlation?*', async (route) => {
    await new Promise<void>((resolve) => {
      answer = resolve
    })
    await route.continue()
  })
  await page.getByLabel('Variável Y').selectOption('roi')
  await expect(page.getByLabel('Variável Y')).toHaveValue('roi')
  await page.waitForTimeout(300)
  await expect(page.getByRole('heading', { name: 'Teor de argila × Produtividade média' })).toBeVisible()
  await expect(page.getByText(/^r = /)).toHaveText(r ?? '')
  answer()
  await expect(page.getByRole('heading', { name: 'Teor de argila × ROI' })).toBeVisible()
  await expect(page.getByText(/^r = /)).not.toHaveText(r ?? '')
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
  expect(asked).toEqual(['patrocínio'])
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

for (const width of [390, 768])
  test(`no page scrolls sideways at ${width} px`, async ({ signedIn: page, person, server }) => {
    await page.setViewportSize({ width, height: 844 })
    const list = await fetch(`${server.url}/api/experiments?limit=1`, {
      headers: { authorization: `Bearer ${person.token}` },
    })
    const { experimentos } = (await list.json()) as { experimentos: [{ id: string }] }
    const wizard = `/novo-experimento?id=${experimentos[0].id}`
    for (const path of [
      '/',
      '/dashboard',
      '/dashboard?aba=interactive',
      '/dashboard?aba=documents',
      `${wizard}&passo=2`,
      `${wizard}&passo=5`,
      '/extractor',
      '/profile',
    ]) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.waitForTimeout(700)
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(beyond, path).toBeLessThanOrEqual(0)
    }
  })

test('a change by somebody else shows in an open dashboard', async ({ signedIn: page, server }) => {
  const other = await newPerson(server.url, 'Outra Pessoa')
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Experimentos Cadastrados (60)' })).toBeVisible()
  const { pdf_filename: _, ...input } = DEMO_INPUTS[0] as (typeof DEMO_INPUTS)[number]
  const answer = await fetch(`${server.url}/api/experiments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${other.token}` },
    body: JSON.stringify(input),
  })
  const { experimento } = (await answer.json()) as { experimento: { id: string } }
  await expect(page.getByRole('heading', { name: 'Experimentos Cadastrados (61)' })).toBeVisible()
  await fetch(`${server.url}/api/experiments/${experimento.id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${other.token}` },
  })
  await expect(page.getByRole('heading', { name: 'Experimentos Cadastrados (60)' })).toBeVisible()
})

test('what the filter shows is taken away as a spreadsheet', async ({ signedIn: page }) => {
  await page.goto('/dashboard?cultura=Soja')
  const soy = overviewOf(STORED, { cultura: 'Soja' }).total
  await expect(page.getByRole('heading', { name: `Experimentos Cadastrados (${soy})` })).toBeVisible()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV', exact: true }).click(),
  ])
  expect(download.suggestedFilename()).toBe('experimentos.csv')
  expect(
    readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n'),
  ).toHaveLength(1 + soy)
})

test('failures are said where they happen, in the specified words', async ({ signedIn: page, allowed }) => {
  allowed.push('500', 'net::ERR_FAILED')
  await page.goto('/dashboard')
  await expect(page.getByText('1–25 de 60')).toBeVisible()
  const fail = (pattern: string) => page.route(pattern, (route) => route.fulfill({ status: 500, body: '' }))
  await fail('**/api/uploads/documents?*')
  await page.getByRole('button', { name: 'Baixar', exact: true }).first().click()
  await expect(page.getByText('Erro ao baixar PDF')).toBeVisible()
  await page.goto('/dashboard?aba=documents')
  await page.getByRole('button', { name: 'Ver', exact: true }).first().click()
  await expect(page.getByText('Erro ao abrir o PDF para visualização')).toBeVisible()
  await page.unrouteAll()
  await page.route('**/api/uploads/documents?*', (route) => route.fulfill({ json: { documents: [] } }))
  await page.getByRole('button', { name: 'PDF', exact: true }).first().click()
  await expect(page.getByText('Nenhum documento encontrado para este experimento.')).toBeVisible()
  await page.unrouteAll()
  await fail('**/api/dashboard/overview*')
  await fail('**/api/experiments/*')
  await page.goto('/dashboard')
  await expect(page.getByText('Erro ao buscar estatísticas')).toBeVisible()
  await expect(page.getByText('Erro ao carregar dados de performance')).toBeVisible()
  await expect(page.getByText(/^Erro: /)).toBeVisible()
  await page
    .getByRole('button', { name: /^Detalhes de/ })
    .first()
    .click()
  await expect(page.getByText('Erro ao buscar experimento', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await page
    .getByRole('button', { name: /^Excluir/ })
    .first()
    .click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Excluir' }).click()
  await expect(page.getByText('Erro ao excluir experimento')).toBeVisible()
  // The reason stays where the person looks, and the question with it.
  await expect(page.getByRole('alertdialog').getByRole('alert')).toHaveText('Erro na API: 500')
})

test('without experiments the demo is shown, its banner stays away once dismissed', async ({
  page,
  context,
}) => {
  const empty = await startServer()
  try {
    const person = await newPerson(empty.url)
    await context.addInitScript((session) => {
      localStorage.setItem('ensaio.auth.remember', '1')
      localStorage.setItem('ensaio.auth.token', JSON.stringify(session))
    }, person.session)
    await page.goto(`${empty.url}/dashboard`)
    await expect(page.getByText('Modo Demonstração')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Experimentos Cadastrados (60)' })).toBeVisible()
    await page.getByLabel('Cultura').selectOption('Soja')
    const soy = overviewOf(STORED, { cultura: 'Soja' }).total
    await expect(page.getByRole('heading', { name: `Experimentos Cadastrados (${soy})` })).toBeVisible()
    await expect(page.getByRole('button', { name: /^Excluir/ }).first()).toBeDisabled()
    // Every picture and file says what its figures are, apart from the notice.
    const mark = page.getByRole('banner').getByText('Dados de demonstração')
    await expect(mark).toBeVisible()
    const chart = card(page, 'Experimentos por regional')
    await expect(chart).toContainText('dados de demonstração')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      chart.getByRole('button', { name: 'Baixar CSV' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('Experimentos por regional (dados de demonstração).csv')
    expect(readFileSync(await file.path(), 'utf8')).toMatch(/Dados de demonstração\r\n$/)
    await page.getByRole('button', { name: 'Dispensar aviso' }).click()
    await expect(mark).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('demo_mode_alert_dismissed'))).toBe('true')
    await page.reload()
    await expect(page.getByRole('heading', { name: /Experimentos Cadastrados/ })).toBeVisible()
    await expect(page.getByText('Modo Demonstração')).toBeHidden()
    // On paper it says what the figures are all the same.
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    await expect(page.getByText('Modo Demonstração')).toBeVisible()
    await page.evaluate(() => dispatchEvent(new Event('afterprint')))
    await expect(page.getByText('Modo Demonstração')).toBeHidden()
  } finally {
    await empty.stop()
  }
})

test('whoever has experiments is shown the failure and the retry, and no invented ones unless asked for', async ({
  signedIn: page,
  allowed,
}) => {
  allowed.push('net::ERR_')
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: /Experimentos Cadastrados \(60\)/ })).toBeVisible()
  await page.route('**/api/**', (route) => route.abort())
  await page.reload()
  await expect(page.getByText(/O servidor está indisponível\. Os seus experimentos/)).toBeVisible({
    timeout: 30_000,
  })
  await expect(page.getByText('Modo Demonstração')).toBeHidden()
  await page.getByRole('button', { name: 'Ver dados de demonstração enquanto isso' }).click()
  await expect(page.getByText('Modo Demonstração')).toBeVisible()
  await page.reload()
  await expect(page.getByText(/O servidor está indisponível\. Os seus experimentos/)).toBeVisible({
    timeout: 30_000,
  })
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Tentar novamente' }).click()
  await expect(page.getByRole('heading', { name: /Experimentos Cadastrados \(60\)/ })).toBeVisible()
})
