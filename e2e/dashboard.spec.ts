import { readFileSync } from 'node:fs'
import { formatCurrency, formatNumber, overviewOf } from '@ensaio/domain'
import { DEMO_INPUTS } from '@ensaio/domain/demo'
import { expect, expectAccessible, hold, newPerson } from './fixtures.ts'
import { card, STORED, test } from './seeded.ts'

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

test('before anything has come the frame stands in the chosen theme, and the first figures are asked for', async ({
  signedIn: page,
}) => {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/')) asked.push(pathname + search)
  })
  const come = await hold(page, '**/assets/**')
  await page.addInitScript(() => localStorage.setItem('theme', 'dark'))
  await page.goto('/dashboard', { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { name: 'Dashboard Agrícola' })).toBeVisible()
  await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(20, 19, 17)')
  const first = ['/api/experiments?limit=1', '/api/settings', '/api/dashboard/overview']
  await expect.poll(() => asked).toEqual(first)
  come()
  await expect(card(page, 'Total de Experimentos')).toContainText(String(STORED.length))
  await expect(page.getByRole('heading', { name: 'Dashboard Agrícola' })).toHaveCount(1)
  for (const url of first) expect(asked.filter((one) => one === url)).toHaveLength(1)
})

test('a visitor sees no frame of a page that is not for visitors', async ({ page }) => {
  const come = await hold(page, '**/assets/**')
  await page.goto('/dashboard', { waitUntil: 'commit' })
  await expect(page.locator('#moldura')).toBeAttached()
  await expect(page.getByRole('heading', { name: 'Dashboard Agrícola' })).toBeHidden()
  come()
  await expect(page).toHaveURL(/\/login$/)
})

test('the list of a typed filter is no stop for the Tab key', async ({ signedIn: page }) => {
  await page.goto('/dashboard')
  await page.getByLabel('Produto').focus()
  const list = page.getByRole('listbox', { name: 'Sugestões' })
  await expect(list).toBeVisible()
  expect(await list.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)).toBe(true)
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Consultoria')).toBeFocused()
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
  await page.goto('/dashboard?cultura=Soja')
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
    const [paper] = await Promise.all([
      page.waitForEvent('download'),
      card(page, title).getByRole('button', { name: 'Imagem para impressão' }).click(),
    ])
    const printed = readFileSync(await paper.path())
    expect(printed.readUInt32BE(16)).toBeGreaterThan(2 * png.readUInt32BE(16))
    const [drawn] = await Promise.all([
      page.waitForEvent('download'),
      card(page, title).getByRole('button', { name: 'Baixar SVG' }).click(),
    ])
    expect(drawn.suggestedFilename()).toBe(`${title}.svg`)
    const svg = readFileSync(await drawn.path(), 'utf8')
    // Drawn by the browser, it has a size, its title and as many words as the picture.
    const shown = await page.evaluate((text) => {
      const root = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement
      return {
        name: root.nodeName,
        title: root.querySelector('title')?.textContent,
        paths: root.querySelectorAll('path').length,
        // Its letters are outlines: no font is asked of who opens it.
        texts: root.querySelectorAll('text').length,
        words: [...root.querySelectorAll('path > title')].map((text) => text.textContent).join(' '),
      }
    }, svg)
    expect(shown).toMatchObject({ name: 'svg', title, texts: 0 })
    // Away from its page it says of what, of when and whose it is.
    expect(shown.words).toMatch(/Cultura: Soja .* · \d\d\/\d\d\/\d{4}/)
    expect(shown.paths).toBeGreaterThan(3)
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

test('on a desk the table of products is whole, and the heading of the trials keeps its line', async ({
  signedIn: page,
}) => {
  for (const width of [1440, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/dashboard')
    const heading = page.getByRole('heading', { name: `Experimentos Cadastrados (${STORED.length})` })
    await expect(heading).toBeVisible()
    expect((await heading.boundingBox())?.height, `${width} px`).toBeLessThan(30)
    const frame = card(page, 'Performance de produtos').locator('.table-frame')
    await expect(frame.getByRole('button', { name: /^Ver síntese/ }).first()).toBeVisible()
    const hidden = await frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    expect(hidden, `${width} px`).toBe(0)
  }
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
