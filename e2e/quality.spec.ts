import { fieldTrial } from './field-trial.ts'
import { expect, expectAccessible, test } from './fixtures.ts'
import { create, EXPERIMENT } from './seed.ts'
import { api } from './several.ts'

const SACKS = {
  cultura: 'Soja',
  cultivar: 'BMX Desafio RR',
  tratamentos: EXPERIMENT.tratamentos.map((one, at) => ({ ...one, produtividade: 58 + 3 * at })),
}

test('a wrong unit is seen in the list, told with its source, and answered for good', async ({
  signedIn: page,
  person,
  server,
}) => {
  const consultoria = `Luz ${person.email.slice(0, 12)}`
  await create(server.url, person, { ...SACKS, consultoria, cidade: 'Sorriso', estado: 'MT' })
  await create(server.url, person, { consultoria, cidade: 'Ijuí' })
  await page.goto(`/dashboard?consultoria=${encodeURIComponent(consultoria)}`)
  await expect(page.getByText('2 problemas')).toBeVisible()
  await expect(page.getByRole('row').getByText('Sem apontamentos', { exact: true })).toBeVisible()
  await page.getByLabel('Qualidade', { exact: true }).selectOption('Problemas')
  await expect(page).toHaveURL(/qualidade=problema/)
  await expect(page.getByText('Experimentos Cadastrados (1)')).toBeVisible()
  await page.getByRole('button', { name: /^Detalhes de Soja/ }).click()
  await expect(page.getByRole('dialog').getByText('2 problemas')).toBeVisible()
  await page.getByRole('dialog').getByRole('link', { name: 'Abrir página do experimento' }).click()
  await page.getByRole('tab', { name: 'Qualidade' }).click()
  await expect(page).toHaveURL(/aba=qualidade/)
  const problems = page.getByRole('region', { name: 'Problemas' })
  await expect(problems.getByText('Parece sc/ha: 58 sc/ha seriam 3.480 kg/ha. Converter?')).toBeVisible()
  await expect(problems.getByText(/Fonte: CONAB, 12º levantamento.*lido em/).first()).toBeVisible()
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'light' })

  await problems.getByRole('button', { name: 'Está certo assim' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Guardar a resposta' }).click()
  await expect(dialog.getByText('Diga por que está certo, em 5 a 300 caracteres')).toBeVisible()
  await dialog.getByLabel('Por que está certo').fill('Perda por granizo, laudo em anexo')
  await dialog.getByRole('button', { name: 'Guardar a resposta' }).click()
  await expect(page.getByRole('region', { name: 'Respondidos' }).getByText(/granizo/)).toBeVisible()
  await expect(page.getByText('1 problema', { exact: true }).first()).toBeVisible()

  await page.getByLabel('Este ensaio será usado em registro no MAPA').click()
  await expect(page).toHaveURL(/registro=fertilizante/)
  await expect(page.getByRole('row', { name: /Graus de liberdade do resíduo.*pelo menos 15/ })).toBeVisible()
  await expect(
    page.getByText('Esta lista ajuda a conferir. Quem decide é o MAPA; leia a norma em vigor.'),
  ).toBeVisible()
  await expectAccessible(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Baixar com o relatório' }).click()
  expect((await download).suggestedFilename()).toMatch(/^Relatório para registro - .*\.pdf$/)
})

test('advice stands under its field after leaving it, and one click puts the value right', async ({
  signedIn: page,
  person,
  server,
}) => {
  const sacks = await create(server.url, person, { ...SACKS, cidade: 'Sorriso', estado: 'MT' })
  await page.goto(`/experimentos/${sacks.id}?aba=qualidade`)
  const wrong = 'Parece sc/ha: 61 sc/ha seriam 3.660 kg/ha. Converter?'
  await page
    .getByRole('listitem')
    .filter({ hasText: wrong })
    .getByRole('link', { name: 'Ver o dado' })
    .click()
  // Whoever comes from a finding sees it at its field at once, with what puts it right.
  await expect(page.getByText(wrong)).toBeVisible()
  const second = page.getByLabel(/^Produtividade/).nth(1)
  await expect(second).toBeFocused()
  await expect(second).toHaveAccessibleDescription(/Parece sc\/ha: 61/)
  await expect(page.getByRole('button', { name: 'Converter' }).first()).toBeVisible()
  await expectAccessible(page)

  const { id } = await create(server.url, person, { cidade: 'Ijuí' })
  await page.goto(`/novo-experimento?id=${id}&passo=3`)
  const clay = page.getByLabel('Teor de Argila (%)')
  await clay.fill('380')
  await expect(page.getByText(/Parece g\/kg/)).toHaveCount(0)
  await clay.blur()
  await expect(page.getByText('Parece g/kg: 380 g/kg são 38 %. Converter?')).toBeVisible()
  await page.getByRole('button', { name: 'Converter' }).click()
  await expect(clay).toHaveValue('38')
  await expect(page.getByText(/Parece g\/kg/)).toHaveCount(0)
  await expectAccessible(page)
})

test('a finding leads to its cell; an inoculant is asked for places and seasons of a chosen set', async ({
  signedIn: page,
  person,
  server,
}) => {
  const { id } = await fieldTrial(server.url, person)
  const path = `/api/experiments/${id}/plots`
  const { ficha } = await api(server.url, person, 'GET', path)
  const heights = ficha.parcelas.map(({ numero }: { numero: number }) =>
    numero === 203 ? 200 : 80 + (numero % 7),
  )
  await api(server.url, person, 'PUT', path, {
    ...ficha,
    valores: [{ variavel: 'altura', avaliacao: null, valores: heights }],
  })
  await page.goto(`/experimentos/${id}?aba=qualidade`)
  const finding = page
    .getByRole('listitem')
    .filter({ hasText: /200 cm.*(fora|Fora)|203/ })
    .first()
  await finding.getByRole('link', { name: 'Ver o dado' }).click()
  await expect(page).toHaveURL(/aba=parcelas&parcela=203&variavel=altura$/)
  const grid = page.getByRole('grid')
  await expect(grid).toBeFocused()
  const active = await grid.getAttribute('aria-activedescendant')
  await expect(page.locator(`[id="${active}"]`)).toHaveText('200')

  const { experimento } = await api(server.url, person, 'GET', `/api/experiments/${id}`)
  const { cultura, cidade, estado, ano } = experimento
  const consultoria = `Conjunto ${person.email.slice(0, 12)}`
  for (const [at, place] of ['Sorriso', 'Lucas do Rio Verde', 'Sinop'].entries())
    await create(server.url, person, {
      cultura,
      ano,
      consultoria,
      cidade: place,
      estado: 'MT',
      codigo: `C${at} ${id.slice(-8)}`,
    })
  await page.goto(`/experimentos/${id}?aba=qualidade&registro=inoculante`)
  const row = page.getByRole('row', { name: /quatro locais em uma safra \(2\.2\)/ })
  await expect(row).toContainText('Conferir com a norma')
  const set = page.getByRole('region', { name: 'Conjunto para registro' })
  const search = set.getByRole('searchbox')
  await search.fill(consultoria)
  const found = set.getByRole('list', { name: 'Ensaios encontrados' }).getByRole('checkbox')
  await expect(found).toHaveCount(3)
  await found.nth(0).check()
  await expect(row).toContainText('Não atende')
  await found.nth(1).check()
  await found.nth(2).check()
  await expect(row).toContainText('Atende')
  await expect(row).toContainText('no máximo 4 locais em uma safra')
  expect([cidade, estado]).not.toContain('MT')
  await expectAccessible(page)
  // The set is in the address, to be sent.
  await page.reload()
  await expect(set.getByRole('list', { name: 'No conjunto' }).getByRole('listitem')).toHaveCount(3)
  await set
    .getByRole('button', { name: /^Tirar .* do conjunto$/ })
    .first()
    .click()
  await expect(row).toContainText('no máximo 3 locais em uma safra')
})
