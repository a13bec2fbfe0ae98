import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, newPerson, test } from './fixtures.ts'
import { create, EXPERIMENT, REPORT } from './seed.ts'

const next = (page: Page) => page.getByRole('button', { name: 'Próximo' }).click()

test('every page says what is missing, in the specified words', async ({ signedIn: page }) => {
  await page.goto('/novo-experimento')
  await expect(page.getByRole('button', { name: 'Anterior' })).toBeDisabled()
  await next(page)
  for (const sentence of [
    'Nome da consultoria é obrigatório',
    'Marca é obrigatória',
    'Business Unit é obrigatória',
    'Regional é obrigatória',
  ])
    await expect(page.getByText(sentence)).toBeVisible()
  await expect(page.getByLabel('Consultoria')).toBeFocused()
  await page.getByLabel('Consultoria').fill('R')
  await page.getByLabel('Marca').focus()
  await expect(page.getByText('Nome deve ter pelo menos 2 caracteres')).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Consultoria').fill('Raiz Forte')
  await page.getByLabel('Marca').selectOption('Dimicron')
  await page.getByLabel('Business Unit').selectOption('BU Proteção')
  await page.getByLabel('Regional').selectOption('Sul')
  await next(page)

  await expect(page.getByText('Página 2 de 7')).toBeVisible()
  await next(page)
  await expect(page.getByText('Cidade é obrigatória')).toBeVisible()
  await expect(page.getByText('Estado é obrigatório')).toBeVisible()
  await page.getByLabel('Latitude').fill('-91')
  await page.getByLabel('Longitude').fill('200')
  await next(page)
  await expect(page.getByText('Latitude deve ser entre -90 e 90')).toBeVisible()
  await expect(page.getByText('Longitude deve ser entre -180 e 180')).toBeVisible()
  await page.getByLabel('Cidade').fill('ijui')
  await page.getByRole('option', { name: 'Ijuí RS', exact: true }).click()
  await expect(page.getByLabel('Estado')).toHaveValue('RS')
  await expect(page.getByLabel('Latitude')).toHaveValue(/^-28,/)
  await next(page)

  await expect(page.getByText('Página 3 de 7')).toBeVisible()
  for (const [value, shown] of [
    ['14,9', 'Solo arenoso'],
    ['15', 'Solo médio'],
    ['35', 'Solo argiloso'],
    ['60', 'Solo argiloso'],
    ['60,1', 'Solo muito argiloso'],
  ] as const) {
    await page.getByLabel('Teor de Argila (%)').fill(value)
    await expect(page.getByText(shown, { exact: true })).toBeVisible()
  }
  for (const [value, shown] of [
    ['1,9', 'Teor baixo'],
    ['2', 'Teor médio'],
    ['4', 'Teor alto'],
    ['6', 'Teor alto'],
    ['6,1', 'Teor muito alto'],
  ] as const) {
    await page.getByLabel('Matéria Orgânica (%)').fill(value)
    await expect(page.getByText(shown, { exact: true })).toBeVisible()
  }
  await page.getByLabel('Teor de Argila (%)').fill('-1')
  await page.getByLabel('Matéria Orgânica (%)').fill('101')
  await next(page)
  await expect(page.getByText('Valor deve ser maior que 0')).toBeVisible()
  await expect(page.getByText('Valor deve ser menor que 100')).toBeVisible()
  await page.getByLabel('Teor de Argila (%)').fill('')
  await page.getByLabel('Matéria Orgânica (%)').fill('')
  await next(page)

  await expect(page.getByText('Página 4 de 7')).toBeVisible()
  // No year is chosen for anybody; the season and the last one stand on top.
  await expect(page.getByLabel('Ano')).toHaveValue('')
  const season = new Date().getFullYear()
  await expect(page.getByLabel('Ano').getByRole('option')).toContainText([
    'Selecione',
    String(season),
    String(season - 1),
  ])
  await next(page)
  for (const sentence of ['Cultura é obrigatória', 'Cultivar é obrigatório', 'Ano é obrigatório'])
    await expect(page.getByText(sentence)).toBeVisible()
  await page.getByLabel('Cultura').selectOption('Trigo')
  await page.getByLabel('Cultivar').fill('TBIO Trunfo')
  await page.getByLabel('Ano').selectOption('2024')
  await next(page)

  await expect(page.getByText('Página 5 de 7')).toBeVisible()
  await expect(page.getByLabel('Nome', { exact: false }).first()).toHaveValue('Testemunha')
  await expect(page.getByLabel('Nome', { exact: false }).first()).not.toBeEditable()
  await page.getByRole('button', { name: 'Adicionar Tratamento' }).click()
  await next(page)
  await expect(page.getByText('Nome é obrigatório')).toBeVisible()
  await expect(page.getByText('Modalidade é obrigatória')).toHaveCount(1)
  await expect(page.getByText('Produtividade é obrigatória')).toHaveCount(2)
  await page.getByLabel('Produtividade (kg/ha)').first().fill('-1')
  await page.getByLabel('Custo (R$/ha)').first().fill('-1')
  await next(page)
  await expect(page.getByText('Produtividade deve ser positiva')).toBeVisible()
  await expect(page.getByText('Custo deve ser positivo')).toBeVisible()
  await page.getByRole('button', { name: 'Remover T2' }).click()
  await expect(page.getByLabel('Modalidade')).toHaveValue('Controle')
  await page.getByLabel('Produtividade (kg/ha)').fill('3.144,5')
  await page.getByLabel('Custo (R$/ha)').fill('0')
  await next(page)

  await expect(page.getByText('Página 6 de 7')).toBeVisible()
  await next(page)
  await expect(page.getByText('Tipo de estatística é obrigatório')).toBeVisible()
  await expect(page.getByText('Custo do protocolo é obrigatório')).toBeVisible()
  await page.getByLabel('Tipo de Estatística').selectOption('DBC')
  await page.getByLabel('Custo do Protocolo').fill('-1')
  await page.getByLabel('ROI').fill('-1')
  await next(page)
  await expect(page.getByText('Custo deve ser positivo')).toBeVisible()
  await expect(page.getByText('ROI deve ser positivo')).toBeVisible()
  await page.getByLabel('Custo do Protocolo').fill('44,10')
  await page.getByLabel('ROI').fill('')
  await next(page)

  await expect(page.getByText('Página 7 de 7')).toBeVisible()
  await page.getByRole('button', { name: 'Salvar Experimento' }).click()
  await expect(
    page.getByText('O upload do arquivo PDF é obrigatório para finalizar o experimento'),
  ).toBeVisible()
  await page
    .getByLabel('Arquivo PDF')
    .setInputFiles({ name: 'virus.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from('MZ') })
  await expect(page.getByText('só arquivos PDF são aceitos')).toBeVisible()
  await page.getByLabel('Arquivo PDF').setInputFiles({
    name: 'grande.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.alloc(10 * 1024 * 1024 + 1, 37),
  })
  await expect(page.getByText(/passa de 10 MB/)).toBeVisible()
  await page
    .getByLabel('Arquivo PDF')
    .setInputFiles({ name: 'vazio.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(0) })
  await expect(page.getByText('o arquivo está vazio')).toBeVisible()
  await page.getByLabel('Arquivo PDF').setInputFiles(REPORT)
  await expect(page.getByRole('img', { name: 'Página 1 do relatório' })).toBeVisible()
  await page.getByRole('button', { name: 'Salvar Experimento' }).click()
  await expect(page.getByText('Experimento criado com sucesso!')).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard/)
})

test('rows pasted from a spreadsheet become treatments, and a reload loses nothing', async ({
  signedIn: page,
  person,
  server,
}) => {
  const { id } = await create(server.url, person)
  await page.goto(`/novo-experimento?id=${id}&passo=5`)
  const rows = Array.from(
    { length: 60 },
    (_, index) => `Produto ${index + 1}\tFoliar\t${3500 + index},5\t${10 + index}`,
  )
  await page.getByLabel('Produtividade (kg/ha)').first().waitFor()
  await page.evaluate((text) => {
    const data = new DataTransfer()
    data.setData('text/plain', text)
    document
      .querySelector('[name="tratamentos.0.nome"]')
      ?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, rows.join('\n'))
  await expect(page.getByText('60 linhas coladas da planilha.')).toBeVisible()
  await expect(page.locator('[name="tratamentos.0.nome"]')).toHaveValue('Testemunha')
  await expect(page.locator('[name="tratamentos.59.nome"]')).toHaveValue('Produto 60')
  await expect(page.locator('[name="tratamentos.59.produtividade"]')).toHaveValue('3.559,5')
  await page.waitForTimeout(400)
  page.on('dialog', (dialog) => dialog.accept())
  await page.reload()
  await page.getByRole('button', { name: 'Continuar rascunho' }).click()
  await expect(page.locator('[name="tratamentos.59.nome"]')).toHaveValue('Produto 60')
})

test('no page opens ahead of one that does not validate', async ({ signedIn: page, person, server }) => {
  await page.goto('/novo-experimento?passo=5')
  await expect(page.getByText('Página 1 de 7')).toBeVisible()
  await expect(page).toHaveURL(/passo=1/)
  const { id } = await create(server.url, person)
  await page.goto(`/novo-experimento?id=${id}&passo=5`)
  await expect(page.getByText('Página 5 de 7')).toBeVisible()
  await page.goBack()
  await expect(page.getByText('Página 1 de 7')).toBeVisible()
})

test('a map that is left while it zooms goes without an error', async ({
  signedIn: page,
  person,
  server,
}) => {
  /** Presses one thing, and the other while the map that comes of it, or is there, is zooming. */
  const pressTwice = (first: string, second: string) =>
    page.evaluate(
      ([first, second]) =>
        new Promise<void>((done) => {
          const press = (selector: string) => document.querySelector<HTMLElement>(selector)?.click()
          const watch = new MutationObserver(() => {
            if (!document.querySelector('.leaflet-zoom-anim')) return
            watch.disconnect()
            press(second)
            done()
          })
          watch.observe(document.body, { subtree: true, childList: true, attributes: true })
          press(first)
        }),
      [first, second] as const,
    )
  const { id } = await create(server.url, person, { latitude: -28.38, longitude: -53.91 })
  await page.goto(`/novo-experimento?id=${id}`)
  await expect(page.getByText('Página 1 de 7')).toBeVisible()
  await pressTwice('form button[type=submit]', 'form button[type=submit]')
  await expect(page.getByText('Página 3 de 7')).toBeVisible()
  await page.waitForTimeout(400)
  await page.goto('/dashboard?aba=interactive')
  await page.locator('.leaflet-zoom-animated').first().waitFor({ state: 'attached' })
  await pressTwice('.leaflet-control-zoom-in', 'a[href="/profile"]')
  await expect(page.locator('.leaflet-container')).toHaveCount(0)
  await page.waitForTimeout(400)
})

test('on a phone the buttons of an edit stand whole in their bar', async ({
  signedIn: page,
  person,
  server,
}) => {
  const { id } = await create(server.url, person)
  for (const width of [320, 360, 390, 430]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`/novo-experimento?id=${id}&passo=3`)
    const buttons = ['Anterior', 'Salvar agora', 'Próximo'].map((name) => page.getByRole('button', { name }))
    await expect(page.getByText('Página 3 de 7')).toBeVisible()
    const bar = await page.locator('form').boundingBox()
    for (const button of buttons) {
      const box = await button.boundingBox()
      expect(box?.x, `${width} px`).toBeGreaterThanOrEqual(bar?.x ?? width)
      expect((box?.x ?? width) + (box?.width ?? 0), `${width} px`).toBeLessThanOrEqual(
        (bar?.x ?? 0) + (bar?.width ?? 0),
      )
    }
  }
})

test('what was typed into an edit outlives a reload, and money keeps its cents', async ({
  signedIn: page,
  person,
  server,
}) => {
  const { id } = await create(server.url, person)
  await page.goto(`/novo-experimento?id=${id}&passo=6`)
  const cost = page.getByLabel('Custo do Protocolo')
  await expect(cost).toHaveValue('44,10')
  await cost.fill('R$ 1.055,20')
  await page.getByLabel('ROI').focus()
  await expect(cost).toHaveValue('1.055,20')
  await page.waitForTimeout(400)
  page.on('dialog', (dialog) => dialog.accept())
  await page.reload()
  await page.getByRole('button', { name: 'Continuar rascunho' }).click()
  await expect(page.getByText('Modo de Edição')).toBeVisible()
  await expect(cost).toHaveValue('1.055,20')
  await page.goto('/dashboard')
  await page.goto(`/novo-experimento?id=${id}&passo=6`)
  await page.getByRole('button', { name: 'Descartar rascunho' }).click()
  await expect(cost).toHaveValue('44,10')
})

test('a draft of an edit never overwrites what somebody saved meanwhile', async ({
  signedIn: page,
  person,
  server,
  allowed,
}) => {
  allowed.push('409')
  const { id } = await create(server.url, person, { cidade: 'Cruz Alta' })
  await page.goto(`/novo-experimento?id=${id}`)
  await page.getByLabel('Consultoria').fill('Minha Consultoria')
  await page.waitForTimeout(400)
  page.on('dialog', (dialog) => dialog.accept())
  await page.goto('/dashboard')
  const change = await fetch(`${server.url}/api/experiments/${id}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${person.token}` },
    body: JSON.stringify({ ...EXPERIMENT, cidade: 'Panambi', versao: 1 }),
  })
  expect(change.status).toBe(200)
  await page.goto(`/novo-experimento?id=${id}&passo=7`)
  await page.getByRole('button', { name: 'Continuar rascunho' }).click()
  await page.getByLabel('Arquivo PDF').setInputFiles(REPORT)
  await page.getByRole('button', { name: 'Salvar Experimento' }).click()
  await expect(page.getByRole('dialog', { name: /mudou enquanto você editava/ })).toContainText('Panambi')
})

test('a code that another trial has is refused at its field, then found by the search', async ({
  signedIn: page,
  person,
  server,
  allowed,
}) => {
  allowed.push('422')
  const code = `Ação-${Date.now()}`
  await create(server.url, person, { codigo: code })
  const { id } = await create(server.url, person)
  await page.goto(`/novo-experimento?id=${id}`)
  const field = page.getByLabel('Código do ensaio')
  await field.fill(code.toLowerCase().replace('ç', 'c').replace('ã', 'a'))
  await page.waitForTimeout(400)
  await page.goto(`/novo-experimento?id=${id}&passo=7`)
  await page.getByRole('button', { name: 'Continuar rascunho' }).click()
  await page.getByLabel('Arquivo PDF').setInputFiles(REPORT)
  await page.getByRole('button', { name: 'Salvar Experimento' }).click()
  await expect(page.getByText('Página 1 de 7')).toBeVisible()
  await expect(page.getByText('Já existe um experimento com este código')).toBeVisible()
  await field.fill(`${code} B`)
  await page.waitForTimeout(400)
  await page.goto(`/novo-experimento?id=${id}&passo=7`)
  await page.getByRole('button', { name: 'Continuar rascunho' }).click()
  await page.getByLabel('Arquivo PDF').setInputFiles(REPORT)
  await page.getByRole('button', { name: 'Salvar Experimento' }).click()
  await expect(page).toHaveURL(/\/dashboard/)
  await page.goto(`/dashboard?busca=${encodeURIComponent(`${code} b`)}`)
  await expect(page.getByRole('heading', { name: 'Experimentos Cadastrados (1)' })).toBeVisible()
  await page.getByText(`${code} B`, { exact: true }).click()
  await expect(page.getByRole('dialog').getByText(`${code} B`)).toBeVisible()
})

test('a file that only looks like a PDF is refused in whole sentences', async ({
  signedIn: page,
  person,
  server,
  allowed,
}) => {
  allowed.push('422')
  const { id } = await create(server.url, person)
  await page.goto(`/novo-experimento?id=${id}&passo=7`)
  await page
    .getByLabel('Arquivo PDF')
    .setInputFiles({ name: 'falso.pdf', mimeType: 'application/pdf', buffer: Buffer.from('nada') })
  await page.getByRole('button', { name: 'Salvar Experimento' }).click()
  await expect(
    page.getByText('Erro ao salvar experimento. Tente novamente. Documento inválido. O que você preencheu'),
  ).toBeVisible()
})

test('a stale version is refused with both versions, and resolved field by field', async ({
  signedIn: page,
  person,
  server,
  allowed,
}) => {
  allowed.push('409')
  const { id } = await create(server.url, person)
  await page.goto(`/novo-experimento?id=${id}`)
  await expect(page.getByText('Modo de Edição')).toBeVisible()
  await page.getByLabel('Consultoria').fill('Minha Consultoria')
  const change = await fetch(`${server.url}/api/experiments/${id}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${person.token}` },
    body: JSON.stringify({ ...EXPERIMENT, cultivar: 'BRS Reponte', versao: 1 }),
  })
  expect(change.status).toBe(200)
  for (let step = 1; step <= 6; step++) await next(page)
  await page.getByLabel('Arquivo PDF').setInputFiles(REPORT)
  await page.getByRole('button', { name: 'Salvar Experimento' }).click()
  const dialog = page.getByRole('dialog', { name: 'O experimento mudou enquanto você editava' })
  await expect(dialog).toContainText('Minha Consultoria')
  await expect(dialog).toContainText('BRS Reponte')
  await expectAccessible(page)
  // What only the other person changed stays so, and nobody is said to have typed it.
  const cultivar = dialog.getByRole('group', { name: 'Cultivar' })
  await expect(cultivar.getByLabel('O que está salvo')).toBeChecked()
  await expect(cultivar.getByLabel('O que estava quando você abriu')).toBeVisible()
  const house = dialog.getByRole('group', { name: 'Consultoria' })
  await expect(house.getByLabel('O que você preencheu')).toBeChecked()
  await dialog.getByRole('button', { name: 'Usar estas escolhas' }).click()
  await page.getByRole('button', { name: 'Salvar Experimento' }).click()
  await expect(page.getByText('Experimento atualizado com sucesso!')).toBeVisible()
  const { experimento } = (await (
    await fetch(`${server.url}/api/experiments/${id}`, {
      headers: { authorization: `Bearer ${person.token}` },
    })
  ).json()) as { experimento: Record<string, unknown> }
  expect(experimento).toMatchObject({
    consultoria: 'Minha Consultoria',
    cultivar: 'BRS Reponte',
    pdf_filename: 'ficha.pdf',
  })
})

test('deleting asks once, names what goes, and is for the owner only', async ({
  signedIn: page,
  person,
  server,
}) => {
  const other = await newPerson(server.url, 'Outra Pessoa')
  await create(server.url, other, { consultoria: 'Consultoria Alheia' })
  await create(server.url, person, { consultoria: 'Consultoria Minha' })
  await page.goto('/dashboard')
  await expect(page.getByRole('button', { name: 'Excluir Trigo - Consultoria Alheia - 2024' })).toBeDisabled()
  await page.getByRole('button', { name: 'Excluir Trigo - Consultoria Minha - 2024' }).click()
  const confirm = page.getByRole('alertdialog', { name: 'Confirmar exclusão' })
  await expect(confirm).toContainText(
    'Tem certeza que deseja excluir este experimento? Esta ação não pode ser desfeita.',
  )
  await expect(confirm).toContainText('Trigo - Consultoria Minha - 2024')
  await confirm.getByRole('button', { name: 'Cancelar' }).click()
  await page.getByRole('button', { name: 'Excluir Trigo - Consultoria Minha - 2024' }).click()
  await confirm.getByRole('button', { name: 'Excluir' }).click()
  await expect(page.getByText('Experimento excluído com sucesso!')).toBeVisible()
  await expect(page.getByRole('cell', { name: 'Consultoria Minha', exact: true })).toBeHidden()
})

test('a save that the server never hears of keeps everything and says so', async ({
  signedIn: page,
  allowed,
  context,
}) => {
  allowed.push('net::ERR_INTERNET_DISCONNECTED')
  await page.goto('/novo-experimento')
  await page.getByLabel('Consultoria').fill('Raiz Forte')
  await page.getByLabel('Marca').selectOption('Maximus')
  await page.getByLabel('Business Unit').selectOption('BU3')
  await page.getByLabel('Regional').selectOption('Sul')
  await next(page)
  await page.getByLabel('Cidade').fill('Lugar Nenhum')
  await page.getByLabel('Estado').selectOption('PR')
  await next(page)
  await next(page)
  await page.getByLabel('Cultura').selectOption('Milho')
  await page.getByLabel('Cultivar').fill('DKB 265 PRO3')
  await page.getByLabel('Ano').selectOption('2024')
  await next(page)
  await page.getByLabel('Modalidade').selectOption('Controle')
  await page.getByLabel('Produtividade (kg/ha)').fill('6420')
  await next(page)
  await page.getByLabel('Tipo de Estatística').selectOption('ANOVA')
  await page.getByLabel('Custo do Protocolo').fill('27,9')
  await next(page)
  await page.getByLabel('Arquivo PDF').setInputFiles(REPORT)
  await expect(page.getByRole('img', { name: 'Página 1 do relatório' })).toBeVisible()
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Salvar Experimento' }).click()
  await expect(page.getByText(/Erro ao salvar experimento\. Tente novamente\./)).toBeVisible()
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Salvar Experimento' }).dblclick()
  await expect(page.getByText('Experimento criado com sucesso!')).toBeVisible()
  await page.goto('/dashboard?cultura=Milho&regional=Sul')
  await expect(page.getByRole('heading', { name: 'Experimentos Cadastrados (1)' })).toBeVisible()
})

test('documents are added to a record, several at once, each with its own answer, and removed', async ({
  signedIn: page,
  person,
  server,
}) => {
  const { id } = await create(server.url, person, { consultoria: 'Com Documentos' })
  await page.goto(`/dashboard?experimento=${id}`)
  const dialog = page.getByRole('dialog', { name: 'Detalhes do Experimento' })
  await expect(dialog.getByText('Nenhum PDF anexado.')).toBeVisible()
  await dialog.getByText('Anexar PDFs').click()
  const pdf = readFileSync(REPORT)
  await dialog.getByLabel('Arquivo PDF').setInputFiles([
    { name: '../../etc/laudo.pdf', mimeType: 'application/pdf', buffer: pdf },
    { name: 'falso.pdf', mimeType: 'application/pdf', buffer: Buffer.from('MZ isto não é um PDF') },
  ])
  await expect(dialog.getByText('Nem tudo foi anexado')).toBeVisible()
  await expect(dialog.getByText(/falso\.pdf.*Documento inválido/)).toBeVisible()
  await expect(dialog.getByText('laudo.pdf', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Excluir laudo.pdf' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Excluir' }).click()
  await expect(dialog.getByText('Nenhum PDF anexado.')).toBeVisible()
})
