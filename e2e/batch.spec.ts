import { readdirSync, readFileSync } from 'node:fs'
import { expect, expectAccessible, test } from './fixtures.ts'
import { LONG_SCAN, MISREAD, NEXT_OF_LAYOUT, REPORT, SCAN } from './seed.ts'

test('many reports are read in a queue and reviewed one after the other', async ({
  signedIn: page,
  allowed,
}) => {
  allowed.push('422')
  const pdf = readFileSync(REPORT)
  await page.goto('/extractor')
  await page.getByRole('button', { name: 'Vários relatórios' }).click()
  await expect(page.getByText('Até 50 arquivos PDF de 10 MB cada')).toBeVisible()
  await page.getByLabel('Arquivo PDF').setInputFiles([
    { name: 'primeiro.pdf', mimeType: 'application/pdf', buffer: pdf },
    { name: 'segundo.pdf', mimeType: 'application/pdf', buffer: pdf },
    { name: 'falso.pdf', mimeType: 'application/pdf', buffer: Buffer.from('MZ nada disto') },
    { name: 'terceiro.pdf', mimeType: 'application/pdf', buffer: pdf },
  ])
  await expect(page.getByRole('heading', { name: '4 relatórios' })).toBeVisible()
  await expect(page.getByText(/lido, \d+% de confiança/)).toHaveCount(3, { timeout: 180_000 })
  await expect(page.getByText('Documento inválido')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Revisar', exact: true }).click()
  await expect(page.getByText('Relatório 1 de 4')).toBeVisible()
  await page.getByLabel('Cultivar').fill('')
  await page.getByRole('button', { name: 'Confirmar e próximo' }).click()
  await expect(page.getByText('Falta completar: Cultivar é obrigatório.')).toBeVisible()
  await page.getByLabel('Cultivar').fill('BMX Bônus IPRO')
  await page.getByRole('button', { name: 'Confirmar e próximo' }).click()
  await expect(page.getByText('Relatório 2 de 4')).toBeVisible()
  await expect(page.getByText('O mesmo arquivo já foi anexado como “primeiro.pdf”.')).toBeVisible()
  await expect(page.getByText(/Há um experimento da mesma consultoria/)).toBeVisible()
  await page.getByLabel('Cultivar').fill('NEO 750 IPRO')
  await page.getByRole('button', { name: 'Voltar à lista' }).click()
  await expect(page.getByText(/lido, \d+% de confiança · 1 campo corrigido/)).toBeVisible()
  await page.getByRole('button', { name: 'Revisar', exact: true }).click()
  await expect(page.getByLabel('Cultivar')).toHaveValue('NEO 750 IPRO')
  await expect(page.getByText('Corrigido por você')).toBeVisible()
  await page.getByRole('button', { name: 'Pular' }).click()
  await expect(page.getByText('Relatório 4 de 4')).toBeVisible()
  await page.getByRole('button', { name: 'Voltar à lista' }).click()
  const saved = page.getByRole('region', { name: 'Salvos' })
  await expect(saved.getByRole('link', { name: 'Abrir o experimento' })).toBeVisible()
  const skipped = page.getByRole('region', { name: 'Pulados' })
  await expect(skipped.getByText('pulado', { exact: true })).toBeVisible()
  await skipped.getByRole('button', { name: 'Retomar' }).click()
  await expect(skipped).toBeHidden()
})

test('the list outlives leaving and reloading, with what was corrected', async ({ signedIn: page }) => {
  await page.goto('/extractor?modo=lote')
  await expect(page.getByText('Até 50 arquivos PDF de 10 MB cada')).toBeVisible()
  await page.getByLabel('Arquivo PDF').setInputFiles(REPORT)
  await expect(page.getByText(/lido, \d+% de confiança/)).toBeVisible({ timeout: 180_000 })
  await page.getByRole('button', { name: 'Revisar este' }).click()
  await page.getByLabel('Cultivar').fill('NEO 750 IPRO')
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Dashboard Agrícola' })).toBeVisible()
  await page.goto('/extractor?modo=lote')
  await expect(page.getByText(/lido, \d+% de confiança · 1 campo corrigido/)).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Revisar este' }).click()
  await expect(page.getByLabel('Cultivar')).toHaveValue('NEO 750 IPRO')
  // Closed in the moment after the last letter.
  await page.getByLabel('Cultivar').fill('NEO 710 IPRO')
  await page.reload()
  await page.getByRole('button', { name: 'Revisar este' }).click()
  await expect(page.getByLabel('Cultivar')).toHaveValue('NEO 710 IPRO')
  // Two tabs would write over one another.
  const second = await page.context().newPage()
  await second.goto('/extractor?modo=lote')
  await expect(second.getByText('A lista está aberta em outra aba')).toBeVisible()
  await second.close()
  await page.getByRole('button', { name: 'Voltar à lista' }).click()
  const question = page.getByRole('alertdialog')
  await page.getByRole('button', { name: 'Limpar lista' }).click()
  await expect(question).toContainText('1 relatório lido ainda não foi salvo')
  await question.getByRole('button', { name: 'Limpar lista' }).click()
  await expect(page.getByText(/lido, \d+% de confiança/)).toBeHidden()
  const kept = () =>
    page.evaluate(
      () =>
        new Promise<number>((answer, refuse) => {
          const opening = indexedDB.open('ensaio-lote')
          opening.onerror = () => refuse(opening.error)
          opening.onsuccess = () => {
            const count = opening.result.transaction('relatorios').objectStore('relatorios').count()
            count.onsuccess = () => answer(count.result)
          }
        }),
    )
  await expect.poll(kept).toBe(0)
  await page.reload()
  await expect(page.getByText('Até 50 arquivos PDF de 10 MB cada')).toBeVisible()
  await expect(page.getByRole('heading', { name: /^\d+ relatório/ })).toHaveCount(0)
})

test('a corrected reading is not closed without a question', async ({ signedIn: page }) => {
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Extração Automática' }).click()
  await page.getByLabel('Arquivo PDF').setInputFiles(REPORT)
  await page.getByRole('dialog').getByLabel('Cultivar').fill('NEO 750 IPRO', { timeout: 180_000 })
  await page.keyboard.press('Escape')
  const question = page.getByRole('alertdialog', { name: 'Descartar as correções?' })
  await question.getByRole('button', { name: 'Cancelar' }).click()
  await expect(question).toBeHidden()
  await expect(page.getByRole('dialog').getByLabel('Cultivar')).toHaveValue('NEO 750 IPRO')
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Descartar' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('a save whose answer was lost can be corrected and saved', async ({ signedIn: page, allowed }) => {
  // A value that is not in the document teaches its layout nothing.
  allowed.push('net::ERR_', '422 POST')
  await page.goto('/extractor?modo=lote')
  await page.getByLabel('Arquivo PDF').setInputFiles(REPORT)
  await page.getByRole('button', { name: 'Revisar este' }).click({ timeout: 180_000 })
  // The server stores it; its answer never arrives.
  await page.route(
    '**/api/experiments',
    async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    },
    { times: 1 },
  )
  await page.getByRole('button', { name: 'Confirmar e próximo' }).click()
  await expect(page.getByText(/Erro ao salvar experimento\. Tente novamente\./)).toBeVisible()
  await page.getByLabel('Cultivar').fill('NEO 750 IPRO')
  await page.getByRole('button', { name: 'Confirmar e próximo' }).click()
  await expect(page.getByText('salvo', { exact: true })).toBeVisible()
})

test('text selected on the page fills the field in focus, and a place on the page shows its field', async ({
  signedIn: page,
}) => {
  await page.goto('/extractor')
  await page.getByLabel('Arquivo PDF').setInputFiles(REPORT)
  await expect(page.getByRole('button', { name: 'Confirmar Dados' })).toBeVisible({ timeout: 180_000 })
  await page.getByLabel('Consultoria').focus()
  const title = page.locator('.pdf-text span', { hasText: 'Memória de ensaio' }).first()
  const use = page.getByRole('button', { name: 'Usar em Consultoria' })
  // The page glides to the field's place; who misses the line meanwhile draws over it again.
  await expect(async () => {
    await title.scrollIntoViewIfNeeded()
    const box = await title.boundingBox()
    if (!box) throw new Error('the title has no place on the page')
    await page.mouse.move(box.x + 1, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width - 1, box.y + box.height / 2, { steps: 8 })
    await page.mouse.up()
    await expect(use).toBeVisible({ timeout: 1000 })
    await expect(page.getByText(/^“.*Memória de ensaio.*”$/)).toBeVisible({ timeout: 1000 })
  }).toPass()
  await use.click()
  await expect(page.getByLabel('Consultoria')).toHaveValue(/Memória de ensaio/)
  await expect(page.getByText('Corrigido por você')).toBeVisible()
  await page.getByRole('button', { name: /^Cultivar: / }).click({ force: true })
  await expect(page.locator('[data-path="cultivar"]')).toBeInViewport()
  // As the handles of a touch screen do: no pointer's event says that the selection grew.
  await title.evaluate((line) => getSelection()?.selectAllChildren(line))
  await expect(page.getByRole('button', { name: 'Usar em Cultivar' })).toBeVisible()
  await expectAccessible(page)
})

test('twenty reports at once, a scan among them, from the drop to the dashboard', async ({
  signedIn: page,
}) => {
  const pdf = readFileSync(REPORT)
  const sheets = Array.from({ length: 19 }, (_, index) => ({
    name: `laudo-${index + 1}.pdf`,
    mimeType: 'application/pdf',
    buffer: pdf,
  }))
  await page.goto('/extractor?modo=lote')
  await page
    .getByLabel('Arquivo PDF')
    .setInputFiles([
      { name: 'digitalizado.pdf', mimeType: 'application/pdf', buffer: readFileSync(SCAN) },
      ...sheets,
    ])
  await expect(page.getByText(/lido, \d+% de confiança/)).toHaveCount(20, { timeout: 180_000 })
  await page.getByRole('button', { name: 'Revisar', exact: true }).click()
  await expect(page.getByText('Relatório 1 de 20')).toBeVisible()
  await expect(page.getByLabel('Cultivar')).toHaveValue('TBIO Trunfo')
  await expect(page.getByLabel('Estado')).toHaveValue('RS')
  await page.getByRole('button', { name: 'Confirmar e próximo' }).click()
  await expect(page.getByText('Relatório 2 de 20')).toBeVisible()
  await page.getByRole('button', { name: 'Voltar à lista' }).click()
  page.on('dialog', (dialog) => dialog.accept())
  await page.goto('/dashboard?cultura=Trigo&regional=Sul')
  await expect(page.getByRole('cell', { name: 'Agro Sul Parcelas', exact: true }).first()).toBeVisible()
})

test('fields appear while a long scan is still being read', async ({ signedIn: page }) => {
  await page.goto('/extractor')
  await page.getByLabel('Arquivo PDF').setInputFiles(LONG_SCAN)
  const found = page.getByRole('region', { name: 'Campos encontrados' })
  await expect(found.getByText('TBIO Trunfo')).toBeVisible({ timeout: 180_000 })
  await expect(page.getByText(/^\d+ campos encontrados/)).toBeVisible()
  await expect(page.getByText(/Reconhecendo o texto digitalizado · página \d de 3/)).toBeVisible()
  await expectAccessible(page)
  await expect(page.getByRole('button', { name: 'Confirmar Dados' })).toBeVisible({ timeout: 180_000 })
  await expect(page.getByLabel('Cultivar')).toHaveValue('TBIO Trunfo')
})

test('a reading is cancelled in the middle and nothing is kept', async ({ signedIn: page }) => {
  await page.goto('/extractor?modo=lote')
  const scan = readFileSync(SCAN)
  // A byte behind the end makes it another file, which was not read before.
  await page
    .getByLabel('Arquivo PDF')
    .setInputFiles([
      { name: 'outro.pdf', mimeType: 'application/pdf', buffer: Buffer.concat([scan, Buffer.from('\n')]) },
    ])
  await expect(page.getByText(/lendo|reconhecendo|enviando/).first()).toBeVisible()
  await page.getByRole('button', { name: 'Cancelar tudo' }).click()
  await expect(page.getByText('outro.pdf')).toBeHidden()
})

test('a report misread is mended by four gestures, saved, and the next of its layout is right', async ({
  signedIn: page,
}) => {
  await page.goto('/extractor')
  await page.getByLabel('Arquivo PDF').setInputFiles(MISREAD)
  await page.getByRole('button', { name: 'Salvar Experimento' }).waitFor({ timeout: 180_000 })
  await page.getByRole('button', { name: /^Tabelas/ }).click()
  const table = page.getByRole('region', { name: 'Tabela 2', exact: true })
  const again = page.getByText(/tratamentos? lidos? \(\d+ antes\)/)
  // The second line of the heading is one.
  await table.getByLabel('Tabela 2: a linha 2 é').selectOption('Cabeçalho')
  await expect(again).toBeVisible()
  // Two lines of one treatment belong together.
  for (const line of [5, 7]) {
    await table.getByLabel(`Tabela 2: a linha ${line} é`).selectOption('Continua o de cima')
    await expect(again).toBeVisible()
  }
  // What goes on below it is the same table.
  await table.getByRole('button', { name: 'Juntar com a tabela 3' }).click()
  await expect(again).toBeVisible()
  // The columns are what the reader could not know.
  await table.getByLabel(/Tabela 2: a coluna Faixa.* é/).selectOption('Nº do tratamento')
  await expect(again).toBeVisible()
  await table.getByLabel(/Tabela 2: a coluna Balança.* é/).selectOption('Produtividade')
  await expect(page.getByText(/^5 tratamentos lidos/)).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Campos', exact: true }).click()
  const yields = page.locator('input[name$=".produtividade"]')
  await expect(yields).toHaveCount(5)
  for (const [i, value] of ['3.412', '3.655', '3.580', '3.702', '3.731'].entries())
    await expect(yields.nth(i)).toHaveValue(value)
  await expect(page.getByRole('list', { name: 'Produtos de T2' }).getByLabel('Dose')).toHaveCount(2)
  await page.getByLabel(/Modalidade dos 4 tratamentos/).selectOption('Foliar')
  await page.getByLabel('Ano', { exact: true }).selectOption('2023')
  await expect(page.getByText('12 de 12 obrigatórios')).toBeVisible()
  await expect(page.getByLabel('Regional')).toHaveValue('Centro-Oeste')
  await expect(page.getByText('Proposto a partir da cidade').first()).toBeVisible()
  await expect(page.getByLabel(/Lembrar este layout/)).toBeChecked()
  const kept = page.waitForResponse((response) => response.url().endsWith('/api/layouts'))
  await page.getByRole('button', { name: 'Salvar Experimento' }).click()
  await expect(page.getByRole('heading', { name: 'Dashboard Agrícola' })).toBeVisible()
  expect((await kept).status()).toBe(201)

  await page.goto('/extractor')
  await page.getByLabel('Arquivo PDF').setInputFiles(NEXT_OF_LAYOUT)
  await expect(page.getByText('Lido com um layout corrigido antes.')).toBeVisible({ timeout: 180_000 })
  await expect(yields).toHaveCount(5)
  for (const [i, value] of ['3.105', '3.290', '3.344', '3.388', '3.251'].entries())
    await expect(yields.nth(i)).toHaveValue(value)
  await expect(page.getByLabel('Ano', { exact: true })).toHaveValue('2024')
  await expect(page.getByLabel('Cultivar')).toHaveValue('BMX Desafio RR')
})

test('twenty reports on a phone: the clean ones saved at once, three refused, one fix for several', async ({
  signedIn: page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const folder = new URL('../packages/extraction/test/', import.meta.url)
  const reports = readdirSync(new URL('reports/', folder))
    .filter((name) => name.endsWith('.pdf'))
    .slice(20, 33)
    .map((name) => new URL(`reports/${name}`, folder))
  const voice = (name: string) => new URL(`voices/${name}`, folder)
  const wanting = ['a/a01.pdf', 'b/b04.pdf', 'b/b10.pdf', 'a/a02.pdf'].map(voice)
  const noTrials = ['a/a14.pdf', 'a/a15.pdf', 'c/c15.pdf'].map(voice)
  await page.goto('/extractor?modo=lote')
  await page.getByLabel('Arquivo PDF').setInputFiles(
    [...reports, ...wanting, ...noTrials].map((url) => ({
      name: url.pathname.split('/').at(-1) ?? '',
      mimeType: 'application/pdf',
      buffer: readFileSync(url),
    })),
  )
  await expect(page.getByText(/lido, \d+% de confiança/)).toHaveCount(20, { timeout: 180_000 })
  const group = (name: string) => page.getByRole('region', { name, exact: true })
  await expect(group('Conferir').getByText('não parece ser um único ensaio')).toHaveCount(3)
  await expectAccessible(page)
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)

  const open = group('Falta completar').getByRole('listitem').filter({ hasText: 'Business Unit' })
  const fix = page.getByLabel(/^Business Unit em \d+ relatórios$/)
  await fix.selectOption('BU Nutrição')
  await page.getByRole('listitem').filter({ has: fix }).getByRole('button', { name: 'Preencher' }).click()
  await expect(fix).toBeHidden()
  await expect(open.getByRole('button', { name: 'Business Unit' })).toHaveCount(0)

  const clean = group('Prontos').getByRole('button', { name: 'Revisar este' })
  const count = await clean.count()
  expect(count).toBeGreaterThan(1)
  await page.getByRole('button', { name: `Salvar os ${count} prontos` }).click()
  await expect(page.getByText(/experimentos salvos$/)).toBeVisible({ timeout: 180_000 })
  const saved = group('Salvos').getByRole('link', { name: 'Abrir o experimento' })
  const done = await saved.count()
  expect(done).toBeGreaterThan(0)
  await page.reload()
  await expect(saved).toHaveCount(done)
  await expect(group('Conferir').getByText('não parece ser um único ensaio')).toHaveCount(3)
})
