import { expect, expectAccessible, type Person, test } from './fixtures.ts'
import { create } from './seed.ts'

const PRODUCT = 'Boro Ensaiado'
const CONSULTANCY = 'Síntese & Filhos'

/** A trial with the product whose report tells its CV. */
const tried = (url: string, person: Person, [control, treated]: [number, number], change = {}) =>
  create(url, person, {
    consultoria: CONSULTANCY,
    cultura: 'Soja',
    cultivar: 'BMX Bônus IPRO',
    estatistica_informada: { delineamento: 'DBC', repeticoes: 4, cv: 4.1, cv_casas: 1 },
    tratamentos: [
      { nome: 'Testemunha', produtividade: control, custo: 0, produtos_aplicados: [] },
      {
        ...{ nome: 'Boro', produtividade: treated, custo: 80 },
        produtos_aplicados: [{ nome: PRODUCT, dose: 1.5, unidade: 'L/ha' }],
      },
    ].map((one) => ({ modalidade: 'Foliar', ...one })),
    ...change,
  })

test('from a filter to the sentence: a duplicate is put back, the sentence copied, the synthesis recorded and run again', async ({
  signedIn: page,
  person,
  server,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const yields: [number, number][] = [
    [3400, 3620],
    [3100, 3340],
    [3250, 3500],
    [3600, 3790],
    [2900, 3150],
    [3300, 3530],
  ]
  for (const [at, pair] of yields.entries())
    await tried(server.url, person, pair, { teor_argila: 20 + 6 * at })
  await tried(server.url, person, [3400, 3620])

  await page.goto(`/dashboard?consultoria=${encodeURIComponent(CONSULTANCY)}`)
  await page.getByRole('tab', { name: 'Síntese' }).click()
  await expect(page.getByText('Escolha um produto para comparar com a Testemunha')).toBeVisible()
  const chooser = page.getByRole('combobox', { name: 'Produto a comparar' })
  await chooser.click()
  await page.getByRole('option', { name: new RegExp(`${PRODUCT}.*7 ensaios`) }).click()
  const sentence = page.getByTestId('sintese-frase')
  await expect(sentence).toHaveText(
    /^Em 6 ensaios, Boro Ensaiado rendeu \+\d+ kg\/ha \(\+\d,\d %\) sobre a Testemunha \(IC 95 %: \d+ a \d+\); ganhou em 6 de 6\./,
  )
  await expect(page.getByText('Ensaios cadastrados não são uma amostra ao acaso')).toBeVisible()
  await expect(page.getByText('7 no filtro = 6 comparados + 1 de fora')).toBeVisible()

  await page.getByRole('button', { name: 'Contar de novo' }).click()
  await expect(sentence).toHaveText(/^Em 7 ensaios/)
  await page.goBack()
  await expect(sentence).toHaveText(/^Em 6 ensaios/)

  await page.getByRole('button', { name: 'Copiar frase' }).click()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toContain((await sentence.textContent()) ?? 'nada')
  expect(copied).toContain('não são uma amostra ao acaso')

  await page.getByLabel('Moderador').selectOption('teor_argila')
  await expect(page.getByText(/^Em 6 ensaios, o efeito muda/)).toBeVisible()
  await page.getByLabel('Preço de venda').fill('120')
  await page.getByLabel('Preço de venda').blur()
  await expect(page.getByText(/^A R\$ 120,00, pagou o custo em 6 de 6/)).toBeVisible()

  await page.getByRole('button', { name: 'Registrar síntese' }).click()
  await page.getByRole('button', { name: 'Guardar registro' }).click()
  await expect(page.getByText('Síntese registrada', { exact: true })).toBeVisible()
  await tried(server.url, person, [3000, 3290])
  await page.getByRole('button', { name: 'Rodar de novo' }).click()
  await expect(page.getByText('Ensaios que entraram: 1.')).toBeVisible()

  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
  await page.setViewportSize({ width: 360, height: 800 })
  await expectAccessible(page)
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
})

test('a row of the figure and of its table opens the trial, and an address brings the same view back', async ({
  signedIn: page,
  person,
  server,
}) => {
  const consultoria = 'Síntese de Dois'
  await tried(server.url, person, [3400, 3620], { consultoria })
  await tried(server.url, person, [3100, 3360], { consultoria })
  const query = new URLSearchParams({ consultoria, aba: 'synthesis', comparar: PRODUCT })
  await page.goto(`/dashboard?${query}`)
  await expect(page.getByText('dois ensaios não medem a variação entre ensaios')).toBeVisible()
  await page.getByRole('button', { name: 'Ver como tabela' }).first().click()
  await page
    .getByRole('button', { name: /Soja - Síntese de Dois/ })
    .first()
    .click()
  await expect(page).toHaveURL(/\/experimentos\//)
})

test('from a point of the map to the synthesis, narrowed by dose and asked for a treatment by its name', async ({
  signedIn: page,
  person,
  server,
  allowed,
}) => {
  // No trial at such a dose: the answer says so.
  allowed.push('422')
  const consultoria = 'Síntese do Mapa'
  await tried(server.url, person, [3400, 3620], { consultoria })
  await page.goto(`/dashboard?${new URLSearchParams({ consultoria, aba: 'interactive' })}`)
  await page.getByRole('button', { name: /, Soja, / }).press('Enter')
  await page.getByRole('button', { name: `Ver síntese de ${PRODUCT}` }).click()
  await expect(page).toHaveURL(/aba=synthesis/)
  const sentence = page.getByTestId('sintese-frase')
  await expect(sentence).toContainText(PRODUCT)

  await page.getByText('Dose, variável e tratamento comparados').click()
  await page.getByLabel('Dose mínima').fill('2')
  await page.getByLabel('Dose mínima').blur()
  await expect(page.getByText(/^Nenhum ensaio do filtro compara/)).toBeVisible()
  await page.getByRole('button', { name: 'Tirar as condições da síntese' }).click()
  await expect(sentence).toContainText(PRODUCT)
  await page.getByLabel('Tratamento no lugar do produto').fill('boro')
  await page.getByLabel('Tratamento no lugar do produto').press('Enter')
  await expect(page).toHaveURL(/tratamento=boro/)
  await expect(sentence).toContainText('boro')
  await expect(page.getByLabel('Dose mínima')).toBeDisabled()
  await expectAccessible(page)
})

test('more trials than a page takes are groups, opened by the keyboard', async ({
  signedIn: page,
  person,
  server,
}) => {
  const consultoria = 'Síntese de Muitos'
  for (let at = 0; at < 64; at += 8)
    await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        tried(server.url, person, [3000 + at, 3200 + at + n], { consultoria, teor_argila: 20 + n }),
      ),
    )
  await page.goto(`/dashboard?${new URLSearchParams({ consultoria, aba: 'synthesis', comparar: PRODUCT })}`)
  const group = page.getByRole('list', { name: 'Grupos de ensaios' }).getByRole('button').first()
  await expect(group).toHaveAttribute('aria-expanded', 'false')
  await group.press('Enter')
  await expect(group).toHaveAttribute('aria-expanded', 'true')
  await expectAccessible(page)
})
