import { expect, expectAccessible, test } from './fixtures.ts'
import { create, EXPERIMENT } from './seed.ts'

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
