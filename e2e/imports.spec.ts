import { readFileSync } from 'node:fs'
import { expect, expectAccessible, test } from './fixtures.ts'
import { create, REPORT } from './seed.ts'

const TITLES = [
  ...['Código', 'Consultoria', 'Marca', 'BU', 'Regional', 'Cidade', 'UF', 'Cultura', 'Cultivar', 'Safra'],
  ...[
    'Delineamento',
    'Custo do protocolo',
    'Tratamento',
    'Modalidade',
    'Produto',
    'Dose',
    'Produtividade (sc/ha)',
  ],
]
const trial = (code: string, { state = 'GO', crop = 'Soja', yields = '58,3' } = {}) =>
  [
    ['Testemunha', '', '', '', '55,0'],
    ['Raiz', 'Foliar', 'Nutrivia Raiz', '300 mL/ha', yields],
  ].map((treatment) =>
    [
      ...[
        code,
        'Campo Certo',
        'Aminoagro',
        'BU1',
        'Centro-Oeste',
        'Rio Verde',
        state,
        crop,
        'NS 7709',
        '2023/24',
      ],
      ...['DBC', '1500', ...treatment],
    ].join(';'),
  )
const sheet = (...rows: string[][]) => [TITLES.join(';'), ...rows.flat()].join('\n')

test('a spreadsheet becomes trials in five steps, with its errors corrected in their cells, and is taken back', async ({
  signedIn: page,
  person,
}) => {
  const code = (n: number) => `${person.email.slice(0, 8)}-${n}`
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Importar planilha' }).click()
  await expect(page.getByRole('heading', { name: 'Importar planilha', level: 1 })).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Planilha', { exact: true }).setInputFiles({
    name: 'safra.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      sheet(
        trial(code(1)),
        trial(code(2), { state: 'GX' }),
        trial(code(3), { state: 'GX' }),
        trial(code(4), { crop: 'Sojaa' }),
      ),
    ),
  })

  await expect(page.getByText('sc/ha será convertido para kg/ha (× 60)')).toBeVisible()
  await expect(page).toHaveURL(/id=.*passo=colunas/)
  await expectAccessible(page)
  await page.reload()
  await page.getByRole('button', { name: 'Conferir os ensaios' }).click()

  await expect(page.getByRole('tab', { name: 'Com erro 2' })).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Novos 2' })).toBeVisible()
  const wrong = page.getByRole('gridcell', { name: /Linha 4, UF: GX/ })
  await expect(wrong).toBeVisible()
  await expectAccessible(page)
  // By the keyboard alone: the cell, Enter, the value, Enter.
  await wrong.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('GO')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('gridcell', { name: /Linha 4, UF: GO$/ })).toBeVisible()
  // The other row of the same trial follows.
  await expect(page.getByRole('gridcell', { name: /Linha 5, UF: GO$/ })).toBeVisible()
  await page.getByRole('gridcell', { name: /Linha 6, UF: GX/ }).focus()
  await page.getByRole('button', { name: 'Usar “GO”' }).click()
  await expect(page.getByRole('tab', { name: 'Com erro 0' })).toBeVisible()
  await page.getByRole('tab', { name: 'Avisos 1' }).click()
  await page.getByRole('gridcell', { name: /Linha 8, Cultura: Sojaa/ }).focus()
  await page.getByRole('button', { name: 'Usar “Soja”' }).click()
  await expect(page.getByRole('gridcell', { name: /Linha 9, Cultura: Soja$/ })).toBeVisible()
  await page.getByRole('tab', { name: 'Novos 4' }).click()
  // Of a block that is longer than the table, what has no place is told; what has one is written.
  await page.getByRole('gridcell', { name: /Linha 9, Cultura: Soja$/ }).focus()
  await page.evaluate(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'Soja\tNS 8080\nSoja\tNS 8080\nSoja\tNS 8080')
    const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.activeElement?.dispatchEvent(paste)
  })
  await expect(
    page.getByText('Fora da tabela mostrada, não coladas: 2 linhas.', { exact: true }),
  ).toBeVisible()
  await expect(page.getByRole('gridcell', { name: /Linha 9, Cultivar: NS 8080/ })).toBeVisible()

  await page.getByRole('button', { name: 'Gravar', exact: true }).last().click()
  await page.getByRole('button', { name: 'Importar 4 experimentos' }).click()
  await expect(page.getByText('4 experimentos criados')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Desfazer importação' }).click()
  await expect(page.getByText('Importação desfeita')).toBeVisible()
  await page.getByRole('button', { name: 'Refazer' }).click()
  await expect(page.getByText('4 experimentos criados')).toBeVisible()
  await page.getByRole('link', { name: new RegExp(code(2)) }).click()
  await expect(page).toHaveURL(/\/experimentos\//)
  await expect(page.getByText('3.498').first()).toBeVisible()
})

test('where a row is a trial, a column that is left over becomes an analysis of its treatment', async ({
  signedIn: page,
  person,
}) => {
  const head = [...TITLES.slice(0, 12), 'T1 Produtividade', 'T2 Nome', 'T2 Modalidade', 'T2 Produtividade']
  const row = [
    ...[`${person.email.slice(0, 8)}-L`, 'Campo Certo', 'Aminoagro', 'BU1', 'Centro-Oeste', 'Rio Verde'],
    ...['GO', 'Soja', 'NS 7709', '2023/24', 'DBC', '1500', '3300', 'Raiz', 'Foliar', '3500'],
  ]
  await page.goto('/importar')
  await page.getByLabel('Planilha', { exact: true }).setInputFiles({
    name: 'larga.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      [
        [...head, 'T2 Clorofila (%)', 'T2 Vigor', 'Estande'].join(';'),
        [...row, '44,5', '7', '12'].join(';'),
      ].join('\n'),
    ),
  })
  const choice = (title: string) =>
    page.getByRole('combobox', { name: new RegExp(`O que é a coluna \\w+, ${title}`) })
  await expect(choice('T2 Clorofila')).toHaveValue('tratamentos.2.analise.Clorofila')
  await page
    .getByRole('row', { name: /T2 Vigor/ })
    .getByRole('button', { name: 'Usar como análise' })
    .click()
  await expect(choice('T2 Vigor')).toHaveValue('tratamentos.2.analise.Vigor')
  // Without a treatment in its title it may be of any.
  await choice('Estande').selectOption('tratamentos.1.analise.Estande')
  await expectAccessible(page)
  await expect(page.getByText(/Clorofila 44,5 %; Vigor 7/)).toBeVisible()
  await page.getByRole('button', { name: 'Conferir os ensaios' }).click()
  await expect(page.getByRole('tab', { name: 'Novos 1' })).toBeVisible()
})

test('the same file again opens the earlier import, and what cannot be read says why', async ({
  signedIn: page,
  person,
  allowed,
}) => {
  allowed.push('422 POST')
  const file = {
    name: 'mesma.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(sheet(trial(`${person.email.slice(0, 8)}-9`))),
  }
  await page.goto('/importar')
  const input = page.getByLabel('Planilha', { exact: true })
  await input.setInputFiles(file)
  await expect(page.getByRole('button', { name: 'Conferir os ensaios' })).toBeVisible()
  await page.goto('/importar')
  await input.setInputFiles(file)
  await expect(page.getByText(/^Esta planilha já foi enviada em /)).toBeVisible()
  await page.getByRole('button', { name: 'Importar mesmo assim' }).click()
  await expect(page.getByRole('button', { name: 'Conferir os ensaios' })).toBeVisible()
  await page.goto('/importar')
  await input.setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n') })
  await expect(page.getByText('Isto é um relatório em PDF. Use a Extração Automática.')).toBeVisible()
})

test('reports are put on their trials by the code in their names, each with its own answer', async ({
  signedIn: page,
  person,
  server,
}) => {
  const code = `Rel-${person.email.slice(0, 8)}`
  const { id } = await create(server.url, person, { codigo: `${code}/1` })
  await page.goto(`/experimentos/${id}`)
  await expect(page.getByText('Sem relatório', { exact: true })).toBeVisible()
  await page.goto('/dashboard?aba=documents')
  await page.getByRole('button', { name: 'Anexar relatórios por código' }).click()
  const dialog = page.getByRole('dialog', { name: 'Anexar relatórios por código' })
  const file = (name: string) => ({ name, mimeType: 'application/pdf', buffer: readFileSync(REPORT) })
  await dialog
    .getByLabel('Arquivo PDF')
    .setInputFiles([file(`${code}-1 relatório final.pdf`), file('de ninguém.pdf')])
  const files = dialog.getByRole('list', { name: 'Arquivos e seus experimentos' }).getByRole('listitem')
  await expect(files).toHaveCount(2)
  await expect(files.nth(0)).toContainText(`${code}/1`)
  await expect(files.nth(1)).toContainText('nenhum experimento com este código')
  await expectAccessible(page)
  await page.setViewportSize({ width: 360, height: 800 })
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Anexar 1 relatório' }).click()
  await expect(files.nth(0)).toContainText('anexado')
  await dialog.getByRole('button', { name: 'Concluir' }).click()
  await expect(dialog).toBeHidden()
  await page.goto(`/experimentos/${id}?aba=documentos`)
  await expect(page.getByRole('button', { name: `Ver ${code}-1 relatório final.pdf` })).toBeVisible()
  await expect(page.getByText('Sem relatório', { exact: true })).toBeHidden()
})

test('a trial without a report is edited and saved without one', async ({
  signedIn: page,
  person,
  server,
}) => {
  const { id } = await create(server.url, person)
  const cost = page.getByLabel('Custo do Protocolo')
  const saved = page.getByText('Experimento atualizado com sucesso!')
  await page.goto(`/novo-experimento?id=${id}&passo=6`)
  await cost.fill('150')
  await page.getByRole('button', { name: 'Salvar agora' }).click()
  await expect(saved).toBeVisible()
  await page.goto(`/novo-experimento?id=${id}&passo=6`)
  await expect(cost).toHaveValue('150')
  await cost.fill('175')
  await page.getByRole('button', { name: 'Próximo' }).click()
  await expect(page.getByText('Sem relatório também dá para salvar')).toBeVisible()
  await page.getByRole('button', { name: 'Salvar Experimento' }).click()
  await expect(saved).toBeVisible()
  await page.goto(`/experimentos/${id}`)
  await expect(page.getByText('Sem relatório', { exact: true })).toBeVisible()
})

test('2,000 trials with 37 bad cells: corrected at once, written, taken back, and imported again', async ({
  signedIn: page,
  person,
}) => {
  const code = (n: number) => `M-${person.email.slice(0, 8)}-${n}`
  const rows = Array.from({ length: 2000 }, (_, at) =>
    trial(code(at), { ...(at % 54 === 0 && at < 37 * 54 && { state: 'GX' }), yields: `${50 + (at % 9)},5` }),
  )
  const file = { name: 'dez-anos.csv', mimeType: 'text/csv', buffer: Buffer.from(sheet(...rows)) }
  const long = { timeout: 180_000 }
  const correct = async () => {
    await page.getByRole('button', { name: 'Conferir os ensaios' }).click(long)
    await expect(page.getByRole('tab', { name: 'Com erro 37' })).toBeVisible(long)
    await expect(page.getByRole('tab', { name: 'Novos 1.963' })).toBeVisible()
    await page
      .getByRole('gridcell', { name: /UF: GX/ })
      .first()
      .focus()
    await page.getByRole('button', { name: 'Corrigir todas as 37 células iguais' }).click()
    await expect(page.getByRole('tab', { name: 'Com erro 0' })).toBeVisible(long)
    await page.getByRole('button', { name: 'Gravar', exact: true }).last().click()
    await page.getByRole('button', { name: 'Importar 2.000 experimentos' }).click()
    await expect(page.getByText('2.000 experimentos criados')).toBeVisible(long)
  }
  await page.goto('/importar')
  await page.getByLabel('Planilha', { exact: true }).setInputFiles(file)
  await correct()
  await page.getByRole('button', { name: 'Desfazer importação' }).click()
  await expect(page.getByText('Importação desfeita')).toBeVisible(long)

  await page.goto('/importar')
  await page.getByLabel('Planilha', { exact: true }).setInputFiles(file)
  await expect(page.getByText(/^Esta planilha já foi enviada em /)).toBeVisible(long)
  await page.getByRole('button', { name: 'Importar mesmo assim' }).click()
  await correct()
  await page.getByRole('button', { name: 'Desfazer importação' }).click()
  await expect(page.getByText('Importação desfeita')).toBeVisible(long)
})
