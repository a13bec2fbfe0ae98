import { expect, expectAccessible, type Person, test } from './fixtures.ts'
import { create } from './seed.ts'

const CONSULTANCY = 'Ganho & Cia'

/** A trial whose T2 holds the first product and T3 the second. */
const tried = (
  url: string,
  person: Person,
  [control, first, second]: [number, number, number],
  change: object = {},
) =>
  create(url, person, {
    consultoria: CONSULTANCY,
    cultura: 'Soja',
    cultivar: 'BMX Ganho',
    teor_argila: 45,
    tratamentos: [
      { nome: 'Testemunha', produtividade: control, custo: 0, produtos_aplicados: [] },
      ...[first, second].map((produtividade, at) => ({
        nome: `T${at + 2}`,
        produtividade,
        custo: 60,
        produtos_aplicados: [
          { nome: at === 0 ? 'Ganhador Um' : 'Perdedor Dois', dose: 1, unidade: 'L/ha', custo: 60 },
        ],
      })),
    ].map((one) => ({ modalidade: 'Foliar', ...one })),
    ...change,
  })

test('the measure is switched: gain in sacks and in %, wins, the price gives a margin, Back undoes', async ({
  signedIn: page,
  person,
  server,
}) => {
  // T2 gains 300, 300 and 360 kg/ha, T3 loses 60, 60 and 120: 120 kg/ha (2 sc) a trial on average.
  for (const yields of [
    [3000, 3300, 2940],
    [3300, 3600, 3240],
    [3600, 3960, 3480],
  ] as [number, number, number][])
    await tried(server.url, person, yields)

  await page.goto(`/dashboard?consultoria=${encodeURIComponent(CONSULTANCY)}`)
  await expect(page.getByText('Produtividade média por cultura')).toBeVisible()
  await page.getByText('Ganho sobre a Testemunha (unidade)').click()
  await expect(page).toHaveURL(/mostrar=ganho/)
  await expect(
    page.getByText('Em 3 ensaios com Testemunha, os tratamentos renderam em média +2,0 sc/ha sobre ela'),
  ).toBeVisible()
  await expect(page.getByText('venceram em 3 de 3.')).toBeVisible()

  const table = page.getByRole('table', { name: 'Ganho e margem de cada produto' })
  await expect(table.getByRole('row', { name: /Ganhador Um/ })).toContainText('+5,3')
  await expect(table.getByRole('row', { name: /Ganhador Um/ })).toContainText('3 de 3')
  await expect(table.getByRole('row', { name: /Perdedor Dois/ })).toContainText('0 de 3')
  await page.getByLabel('Preço da cultura (R$/sc)').fill('120')
  await page.keyboard.press('Tab')
  await expect(page).toHaveURL(/preco_sc=120/)
  // 320 kg are 5,333 sc: 640 less 60.
  await expect(table.getByRole('row', { name: /Ganhador Um/ })).toContainText('+R$ 580,00')
  await expect(table.getByRole('row', { name: /Ganhador Um/ })).toContainText('0,5 sc/ha')
  await expectAccessible(page)

  await page.getByText('Ganho sobre a Testemunha (%)').click()
  await expect(page.getByText(/renderam em média \+3,\d % sobre ela/)).toBeVisible()
  await page.goBack()
  await expect(page.getByText(/renderam em média \+2,0 sc\/ha/)).toBeVisible()
})

test('filters add: a soil class, not a state, undone by Back and taken off by their chip', async ({
  signedIn: page,
  person,
  server,
}) => {
  const mine = { consultoria: 'Filtro & Cia' }
  await tried(server.url, person, [3000, 3300, 3100], { ...mine, teor_argila: 20 })
  await tried(server.url, person, [3000, 3300, 3100], { ...mine, teor_argila: 45 })
  await tried(server.url, person, [3000, 3300, 3100], { ...mine, teor_argila: 70 })
  await page.goto(`/dashboard?consultoria=${encodeURIComponent(mine.consultoria)}`)
  const total = page.getByText('Total de Experimentos').locator('..')
  await expect(total).toContainText('3')

  await page.getByRole('button', { name: 'Mais filtros' }).click()
  const dialog = page.getByRole('dialog', { name: 'Mais filtros' })
  await dialog.getByLabel(/^Solo argiloso/).check()
  await dialog.getByLabel(/^Solo muito argiloso/).check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Ver o resultado' }).click()
  await expect(page).toHaveURL(/solo=argiloso&solo=muito_argiloso/)
  await expect(total).toContainText('2')
  await page.getByRole('button', { name: 'Mais filtros' }).click()
  await dialog
    .getByRole('group', { name: 'Solo (argila)' })
    .getByLabel(/^não é/)
    .check()
  await dialog.getByRole('button', { name: 'Ver o resultado' }).click()
  await expect(total).toContainText('1')
  await expect(page.getByRole('button', { name: /Solo \(argila\) não é/ })).toBeVisible()
  await page.goBack()
  await expect(total).toContainText('2')
  await page.getByRole('button', { name: /Remover filtro Solo/ }).click()
  await expect(total).toContainText('3')
})

test('a product has a page: from the list, with its wins, its trials and its soils', async ({
  signedIn: page,
  person,
  server,
}) => {
  const mine = { consultoria: 'Produto & Cia' }
  await tried(server.url, person, [3000, 3300, 2940], { ...mine, teor_argila: 20 })
  await tried(server.url, person, [3300, 3630, 3240], { ...mine, teor_argila: 45 })
  await tried(server.url, person, [3600, 3960, 3480], { ...mine, teor_argila: 50 })
  await page.goto(`/dashboard?mostrar=ganho&consultoria=${encodeURIComponent(mine.consultoria)}`)
  await page.getByRole('link', { name: 'Ganhador Um' }).click()
  await expect(page).toHaveURL(/\/produto\?/)
  await expect(page.getByRole('heading', { name: 'Ganhador Um', level: 1 })).toBeVisible()
  // Each gained 10 %.
  await expect(page.getByTestId('sintese-frase')).toContainText(
    'Em 3 ensaios sem erro experimental, a média simples de Ganhador Um sobre a Testemunha é',
  )
  await expect(page.getByText('Venceu a Testemunha em 3 de 3 ensaios')).toBeVisible()
  const soil = page
    .getByRole('heading', { name: 'Ganho por classe de solo' })
    .locator('xpath=ancestor::*[.//button][1]')
  await soil.getByRole('button', { name: 'Ver como tabela' }).click()
  const clayey = page.getByRole('row', { name: /^Solo argiloso/i })
  // 330 and 360 kg/ha.
  await expect(clayey).toContainText('345')
  await expect(clayey).toContainText('2 de 2')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Ver síntese' }).click()
  await expect(page.getByRole('tab', { name: 'Síntese' })).toHaveAttribute('aria-selected', 'true')
})
