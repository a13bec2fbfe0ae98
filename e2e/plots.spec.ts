import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible, newPerson, test } from './fixtures.ts'
import { api, expectNothingBeyondTheEdge, pageOf, trial } from './several.ts'

/** 6 treatments in 4 blocks, Gomez & Gomez (1984, p. 26): rice at six seed rates; F 2.17 ns, CV 6.7 %. */
const GOMEZ = [
  [5113, 5398, 5307, 4678],
  [5346, 5952, 4719, 4264],
  [5272, 5713, 5483, 4749],
  [5164, 4831, 4986, 4410],
  [4804, 4848, 4432, 4748],
  [5254, 4542, 4919, 4098],
]
/** The same with gains that nobody misses. */
const CLEAR = GOMEZ.map((row, at) => row.map((value) => value + at * 900))

const treatments = Array.from({ length: 6 }, (_, at) => ({
  nome: at === 0 ? 'Testemunha' : `Produto ${at}`,
  modalidade: 'Foliar',
  produtividade: 5000,
  custo: at * 40,
}))
const sheet = (values: number[][]) => ({
  versao: 0,
  delineamento: 'DBC',
  testemunha: 1,
  fatores: [],
  tratamentos: values.map((_, at) => ({ numero: at + 1, niveis: null })),
  variaveis: [
    {
      ...{ chave: 'produtividade', nome: 'Produtividade', unidade: 'kg/ha', tipo: 'continua' },
      ...{ papel: 'resposta', maior_melhor: true, produtividade: true },
    },
  ],
  avaliacoes: [],
  parcelas: values.flatMap((row, t) =>
    row.map((_, block) => ({ numero: (block + 1) * 100 + t + 1, tratamento: t + 1, bloco: block + 1 })),
  ),
  valores: [{ variavel: 'produtividade', avaliacao: null, valores: values.flat() }],
})
const records: Record<string, string> = {
  consultoria: 'Ensaios Reais',
  cultura: 'Arroz',
  tipo_estatistica: 'DBC',
}
const grid = (page: Page): Locator => page.getByRole('grid', { name: 'Valores por parcela' })

test('a trial of 6 x 4 is typed into the grid by keyboard alone, saved and analysed', async ({
  signedIn: page,
  person,
  server,
}) => {
  const { experimento } = await api(
    server.url,
    person,
    'POST',
    '/api/experiments',
    trial({ ...records, tratamentos: treatments }),
  )
  await page.goto(`/experimentos/${experimento.id}?aba=parcelas`)
  await expect(
    page.getByText(
      'Este experimento só tem médias. Com os valores por parcela você obtém ANOVA, letras e a probabilidade de pagar.',
    ),
  ).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Digitar' }).click()
  await page.getByRole('button', { name: 'Continuar' }).click()
  await grid(page).focus()
  // As the sheet was made: block after block, T1 first.
  for (let block = 0; block < 4; block++)
    for (let t = 0; t < 6; t++) {
      await page.keyboard.type(String(CLEAR[t]?.[block]))
      await page.keyboard.press('Enter')
    }
  await expect(page.getByText('24 parcelas · 24 valores')).toBeVisible()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('cinco mil')
  await page.keyboard.press('Enter')
  await expect(page.getByText('1 valor não entendido')).toBeVisible()
  await expect(page.getByRole('gridcell', { name: 'cinco mil' })).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByRole('button', { name: 'Salvar parcelas' })).toBeDisabled()
  await page.keyboard.press('Control+z')
  await expect(page.getByText('1 valor não entendido')).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Salvar parcelas' }).click()
  const dialog = page.getByRole('dialog', { name: 'As médias digitadas diferem das médias das parcelas' })
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Usar as médias das parcelas' }).click()
  await expect(page.getByText('Parcelas salvas')).toBeVisible()
  await expect(page.getByText('informada no relatório: 5.000 kg/ha').first()).toBeVisible()

  let asked = 0
  page.on('request', (request) => {
    if (/\/analysis\?|\/analysis$/.test(request.url())) asked += 1
  })
  await page.getByRole('tab', { name: 'Análise' }).click()
  await expect(
    page.getByText(/^Houve diferença entre os tratamentos para produtividade \(F = /).first(),
  ).toBeVisible()
  await expect(page.getByText(/Produto 5\) superou a Testemunha em [\d.]+ kg\/ha/).first()).toBeVisible()
  const means = page.getByRole('table', { name: 'Médias de Tratamentos' })
  await expect(means.getByRole('row').nth(1)).toContainText('Produto 5')
  await expectAccessible(page)
  const before = asked
  await page.getByLabel('Teste de médias').selectOption('Scott-Knott')
  await expect(page.getByText('letras: Scott-Knott')).toBeVisible()
  expect(asked).toBe(before)
  await expectNothingBeyondTheEdge(page)
})

test('published plots give the published analysis: F 2,17 not significant, CV 6,7 %, no letters', async ({
  signedIn: page,
  person,
  server,
}) => {
  const { experimento } = await api(
    server.url,
    person,
    'POST',
    '/api/experiments',
    trial({ ...records, tratamentos: treatments }),
  )
  await api(server.url, person, 'PUT', `/api/experiments/${experimento.id}/plots`, sheet(GOMEZ))
  await page.goto(`/experimentos/${experimento.id}?aba=analise`)
  await expect(
    page
      .getByText(
        'Não houve diferença significativa entre os tratamentos para produtividade (F = 2,17; gl = 5 e 15; p = 0,113). As médias não são comparadas por letras.',
      )
      .first(),
  ).toBeVisible()
  await expect(page.getByText('O coeficiente de variação foi 6,7 % (baixo).').first()).toBeVisible()
  const means = page.getByRole('table', { name: 'Médias de Tratamentos' })
  await expect(means.getByRole('columnheader', { name: 'Letra' })).toHaveCount(0)
  await page.getByLabel('Mostrar letras mesmo assim').check()
  await expect(means.getByRole('columnheader', { name: 'Letra' })).toBeVisible()
  await page.goto('/dashboard')
  await page
    .getByRole('button', { name: /^Detalhes de/ })
    .first()
    .click()
  await expect(page.getByRole('dialog').getByText(/F = 2,17 \(p = 0,113\) · CV 6,7 %/)).toBeVisible()
  await page.getByRole('link', { name: 'Abrir página do experimento' }).click()
  await expect(page).toHaveURL(new RegExp(`/experimentos/${experimento.id}`))
})

test('a plot is lost, another left out with a reason; the record says what came after it', async ({
  signedIn: page,
  person,
  server,
}) => {
  const { experimento } = await api(
    server.url,
    person,
    'POST',
    '/api/experiments',
    trial({ ...records, tratamentos: treatments }),
  )
  const address = `/api/experiments/${experimento.id}`
  await api(server.url, person, 'PUT', `${address}/plots`, sheet(CLEAR))
  await page.goto(`/experimentos/${experimento.id}?aba=parcelas`)
  await grid(page).focus()
  await page.keyboard.press('Delete')
  await page.keyboard.press('ArrowDown')
  await page.getByLabel(/^Deixar fora da análise/).fill('acamamento')
  await page.getByRole('button', { name: 'Deixar fora', exact: true }).click()
  await page.getByRole('button', { name: 'Salvar parcelas' }).click()
  await expect(page.getByText('Parcelas salvas')).toBeVisible()
  await page.getByRole('tab', { name: 'Análise' }).click()
  await expect(
    page.getByText('1 de 24 parcelas foram perdidas; as médias são ajustadas por mínimos quadrados.').first(),
  ).toBeVisible()
  await expect(
    page.getByText(/1 valor deixado fora da análise: parcela \d+ – acamamento\./).first(),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Registrar análise' }).click()
  const dialog = page.getByRole('dialog', { name: 'Registrar análise' })
  await expectAccessible(page)
  await dialog.getByLabel('Conclusão').fill('O produto 5 paga.')
  await dialog.getByRole('button', { name: 'Registrar' }).click()
  await expect(page.getByText('Análise registrada', { exact: true })).toBeVisible()
  await expect(page.getByText('Os dados mudaram depois desta análise')).toHaveCount(0)

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'PDF', exact: true }).click()
  const file = readFileSync(await (await download).path())
  expect(file.subarray(0, 5).toString()).toBe('%PDF-')

  const { ficha } = await api(server.url, person, 'GET', `${address}/plots`)
  await api(server.url, person, 'POST', `${address}/plots/cells`, {
    versao: ficha.versao,
    celulas: [{ parcela: 103, variavel: 'produtividade', avaliacao: null, valor: 9000, antes: 7072 }],
  })
  await page.reload()
  await expect(page.getByText('Os dados mudaram depois desta análise')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Analisar de novo' })).toBeVisible()
  await page.getByRole('tab', { name: 'Histórico' }).click()
  await expect(page.getByText(/1 valor alterado/)).toHaveCount(2)
})

test('a block is pasted after a look, one with its own columns is matched, a file says every bad row', async ({
  signedIn: page,
  person,
  server,
  allowed,
}) => {
  const { experimento } = await api(
    server.url,
    person,
    'POST',
    '/api/experiments',
    trial({ ...records, tratamentos: treatments }),
  )
  await page.goto(`/experimentos/${experimento.id}?aba=parcelas`)
  await page.getByRole('button', { name: 'Digitar' }).click()
  await page.getByRole('button', { name: 'Continuar' }).click()
  const paste = (text: string) =>
    grid(page).evaluate((target, given) => {
      const data = new DataTransfer()
      data.setData('text/plain', given)
      target.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      )
    }, text)
  await grid(page).focus()
  await paste('5.113,5\n5346\nperdida\nmuito bom\n4804')
  const dialog = page.getByRole('dialog', { name: 'Colar valores' })
  await expect(dialog.getByText('4 valores serão gravados, 1 não foi entendido')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Colar', exact: true }).click()
  await expect(page.getByText('24 parcelas · 3 valores')).toBeVisible()
  await expect(page.getByRole('gridcell', { name: '5.113,5' })).toBeVisible()

  const block = ['Bloco\tTratamento\tProdutividade (kg/ha)']
  for (let t = 5; t >= 0; t--)
    for (let b = 3; b >= 0; b--) block.push(`${b + 1}\tT${t + 1}\t${GOMEZ[t]?.[b]}`)
  await paste(block.join('\n'))
  await dialog.getByRole('button', { name: 'Casar por tratamento e bloco' }).click()
  await expect(page.getByText('24 parcelas · 24 valores')).toBeVisible()
  await expect(page.getByRole('row', { name: /bloco 1 · T2/ }).getByRole('gridcell')).toHaveText('5.346')

  await page.getByRole('button', { name: 'Voltar' }).click()
  await page.getByRole('button', { name: 'Importar planilha' }).click()
  const rows = ['bloco;tratamento;produtividade (kg/ha)']
  for (const [t, row] of GOMEZ.entries())
    for (const [b, value] of row.entries()) rows.push(`${b + 1};T${t + 1};${value}`)
  const bad = [...rows]
  bad[3] = '3;T1;alto'
  bad[5] = '1;T9;5000'
  const give = (name: string, lines: string[]) =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) })
  await give('ruim.csv', bad)
  await expect(page.getByText('2 linhas com problema; nada foi gravado')).toBeVisible()
  await expect(page.getByText('Linha 4, produtividade (kg/ha): Não é um número: “alto”')).toBeVisible()
  await expect(page.getByText('Linha 6, tratamento: Tratamento desconhecido: “T9”')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Gravar parcelas' })).toBeDisabled()
  await expectAccessible(page)
  allowed.push('/plots')
  await give('bom.csv', rows)
  await page.getByRole('button', { name: 'Gravar parcelas' }).click()
  await page.getByRole('button', { name: 'Usar as médias das parcelas' }).click()
  await expect(page.getByText('Parcelas importadas')).toBeVisible()
  await page.getByRole('tab', { name: 'Análise' }).click()
  await expect(page.getByText(/F = 2,17/).first()).toBeVisible()
})

test('two people edit one sheet: what touches other cells is joined, a cell of both is asked about', async ({
  browser,
  server,
}) => {
  const first = await newPerson(server.url)
  const { experimento } = await api(
    server.url,
    first,
    'POST',
    '/api/experiments',
    trial({ ...records, tratamentos: treatments }),
  )
  await api(server.url, first, 'PUT', `/api/experiments/${experimento.id}/plots`, sheet(GOMEZ))
  const page = await pageOf(browser, server, first)
  await page.goto(`/experimentos/${experimento.id}?aba=parcelas`)
  await grid(page).focus()
  await page.keyboard.type('5999')
  await page.keyboard.press('Enter')
  await api(server.url, first, 'PUT', `/api/experiments/${experimento.id}/plots`, {
    ...sheet(
      GOMEZ.map((row, at) => (at === 0 ? [6111, ...row.slice(1)] : at === 1 ? [5222, ...row.slice(1)] : row)),
    ),
    versao: 1,
  })
  await page.getByRole('button', { name: 'Salvar parcelas' }).click()
  const asked = page.getByRole('dialog', {
    name: 'As parcelas foram alteradas por outra pessoa depois que você as abriu',
  })
  await expect(asked.getByRole('row', { name: /^101/ })).toContainText('6.111')
  await expectAccessible(page)
  await asked.getByRole('button', { name: 'Gravar os meus' }).click()
  await expect(asked).toBeHidden()
  await expect(page.getByRole('gridcell', { name: '5.999' })).toBeVisible()
  await expect(page.getByRole('gridcell', { name: '5.222' })).toBeVisible()
  const { ficha } = await api(server.url, first, 'GET', `/api/experiments/${experimento.id}/plots`)
  expect(ficha.valores[0].valores.slice(0, 5)).toEqual([5999, 5398, 5307, 4678, 5222])
})

test('on a phone the plots are filled one at a time', async ({ signedIn: page, person, server }) => {
  const { experimento } = await api(
    server.url,
    person,
    'POST',
    '/api/experiments',
    trial({ ...records, tratamentos: treatments }),
  )
  await api(server.url, person, 'PUT', `/api/experiments/${experimento.id}/plots`, sheet(GOMEZ))
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/experimentos/${experimento.id}?aba=parcelas`)
  await page.getByLabel('Produtividade (kg/ha)', { exact: true }).fill('5.200,5')
  await page.getByRole('button', { name: 'Próxima parcela' }).click()
  await expect(page.getByText('2 de 24 parcelas')).toBeVisible()
  await page.getByRole('button', { name: 'Anterior' }).click()
  await expect(page.getByLabel('Produtividade (kg/ha)', { exact: true })).toHaveValue('5.200,5')
  await expectAccessible(page)
  await expectNothingBeyondTheEdge(page)
  for (const part of ['analise', 'resumo', 'historico']) {
    await page.goto(`/experimentos/${experimento.id}?aba=${part}`)
    await expect(page.getByRole('tabpanel')).toBeVisible()
    await expectNothingBeyondTheEdge(page)
  }
})

test('the layout at the desk is taken away as a picture, as shapes and as numbers', async ({
  signedIn: page,
  person,
  server,
}) => {
  const { experimento } = await api(
    server.url,
    person,
    'POST',
    '/api/experiments',
    trial({ ...records, tratamentos: treatments }),
  )
  await api(server.url, person, 'PUT', `/api/experiments/${experimento.id}/plots`, {
    ...sheet(GOMEZ),
    norte: 45,
  })
  await page.goto(`/experimentos/${experimento.id}?aba=parcelas`)
  await page.getByRole('button', { name: 'Croqui', exact: true }).click()
  await expect(page.getByText(/Produtividade.*cor pelo desvio da média.* · 24 parcelas/)).toBeVisible()
  const saved = async (label: string) => {
    const coming = page.waitForEvent('download')
    await page.getByRole('button', { name: label }).click()
    const file = await coming
    return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) }
  }
  const png = await saved('Baixar PNG')
  expect(png.name).toBe('Croqui.png')
  expect(png.bytes.subarray(1, 4).toString()).toBe('PNG')
  const svg = (await saved('Baixar SVG')).bytes.toString()
  expect(svg.includes('<text')).toBe(false)
  // Each word is an outline that says it.
  const words = [...svg.matchAll(/<title>([^<]*)/g)].map(([, word]) => word).join(' ')
  for (const said of ['Croqui', '24 parcelas', 'N T1', '5.952', experimento.consultoria])
    expect(words).toContain(said)
  expect(words).toMatch(/\d{2}\/\d{2}\/\d{4}/)
  const csv = (await saved('Baixar CSV')).bytes.toString()
  expect(csv).toMatch(/Parcela.*Tratamento.*Bloco.*Linha.*Coluna.*Produtividade/)
  expect(csv).toMatch(/102"?;"?T2 Produto 1"?;"?1"?;.*5\.346/)
  await page.getByRole('button', { name: 'Ver como tabela' }).click()
  await expect(page.getByRole('table', { name: 'Valores do gráfico' }).getByRole('row')).toHaveCount(25)
  await page.getByRole('button', { name: 'Ver como gráfico' }).click()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNothingBeyondTheEdge(page)
})

test('planning says how many blocks suffice, and the same seed draws the same layout', async ({
  signedIn: page,
}) => {
  await page.goto('/planejamento?delineamento=DBC&tratamentos=6&cv=10&diferenca=12')
  await expect(page.getByRole('row', { name: /^3 10/ })).toContainText('25,4')
  await page.getByLabel('Semente').fill('2026')
  await page.getByRole('button', { name: 'Sortear' }).click()
  const map = page.getByRole('region', { name: 'Croqui do ensaio' })
  await expect(map.getByRole('listitem')).toHaveCount(24)
  const drawn = await map.getByRole('listitem').allInnerTexts()
  await page.getByRole('button', { name: 'Sortear' }).click()
  expect(await map.getByRole('listitem').allInnerTexts()).toEqual(drawn)
  await expectAccessible(page)
})
