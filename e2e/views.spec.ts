import { expect, expectAccessible } from './fixtures.ts'
import { create } from './seed.ts'
import { test } from './seeded.ts'

test('a view keeps what the address holds, says when it was changed, and opens the dashboard', async ({
  signedIn: page,
}) => {
  await page.goto('/dashboard')
  await expect(page.getByText('Nenhum filtro: todos os experimentos')).toBeVisible()
  await page.getByLabel('Cultura', { exact: true }).selectOption('Milho')
  await page.getByRole('button', { name: 'Salvar vista' }).click()
  const dialog = page.getByRole('dialog', { name: 'Salvar vista' })
  await expectAccessible(page)
  await dialog.getByLabel('Nome da vista').fill('Milho de todo o Brasil')
  await expect(dialog.getByLabel('Só para mim')).toBeChecked()
  await dialog.getByRole('button', { name: 'Salvar vista' }).click()
  await expect(page).toHaveURL(/cultura=Milho.*vista=/)
  await expect(page.getByRole('button', { name: 'Milho de todo o Brasil' })).toBeVisible()

  await page.getByLabel('Regional', { exact: true }).selectOption({ index: 1 })
  await expect(page.getByText('Modificada')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Descartar' }).click()
  await expect(page.getByText('Modificada')).toBeHidden()
  await expect(page).not.toHaveURL(/regional=/)

  await page.getByLabel('Abrir o dashboard com esta vista').check()
  await expect(page.getByText('O dashboard abre com “Milho de todo o Brasil”')).toBeVisible()
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/cultura=Milho/)
  // What is cleared stays clear.
  await page.getByRole('button', { name: 'Limpar Filtros' }).click()
  await expect(page.getByText('Nenhum filtro: todos os experimentos')).toBeVisible()
  await expect(page.getByText('Modificada')).toBeVisible()

  await page.getByRole('button', { name: 'Milho de todo o Brasil' }).click()
  await expect(page.getByText('Só para mim')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Vistas e avisos' }).click()
  await expect(page.getByRole('heading', { name: 'Vistas e avisos', level: 1 })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Milho de todo o Brasil' }).click()
  await expect(page).toHaveURL(/\/dashboard\?cultura=Milho&vista=/)
})

test('an alert tells of a new trial in the bell, and a link that nobody has is told so', async ({
  signedIn: page,
  owner,
  server,
  allowed,
}) => {
  allowed.push('404')
  await page.goto('/dashboard?cultura=Arroz')
  await page.getByRole('button', { name: 'Salvar vista' }).click()
  await page.getByLabel('Nome da vista').fill('Arroz irrigado')
  await page.getByRole('dialog').getByRole('button', { name: 'Salvar vista' }).click()
  await page.getByRole('button', { name: /^Avisar/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Aviso em “Arroz irrigado”' })
  await dialog.getByLabel('Condição (opcional)').selectOption('variavel')
  await dialog.getByLabel('Variável').selectOption('produtividade_media')
  await dialog.getByLabel('Valor').fill('1.000')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Criar aviso' }).click()
  await expect(dialog).toBeHidden()

  await create(server.url, owner, { cultura: 'Arroz' })
  await expect(page.getByRole('button', { name: 'Avisos', exact: true })).toBeVisible()
  await expect(async () => {
    await page.reload()
    await expect(page.getByRole('button', { name: 'Avisos: 1 não lidos' })).toBeVisible({ timeout: 10_000 })
  }).toPass({ timeout: 90_000 })
  await page.getByRole('button', { name: 'Avisos: 1 não lidos' }).click()
  await expect(page.getByText('“Arroz irrigado”')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Marcar tudo como lido' }).click()
  await expect(page.getByRole('button', { name: 'Avisos', exact: true })).toBeVisible()

  await page.goto('/vistas')
  await expect(page.getByText('Na hora · Produtividade média acima de 1.000 kg/ha')).toBeVisible()
  await page.getByRole('button', { name: 'Pausar o aviso em Arroz irrigado' }).click()
  await expect(page.getByText('Pausado por você.')).toBeVisible()
  await expectAccessible(page)

  await page.goto('/v/0190b3a0-0000-7000-8000-000000000000')
  await expect(page.getByText('Esta vista não existe ou não é sua para ver.')).toBeVisible()
  await page.goto('/encerrar-aviso/nada')
  await page.getByRole('button', { name: 'Encerrar este aviso' }).click()
  await expect(page.getByText('Este aviso não existe mais.')).toBeVisible()
  await expectAccessible(page)
})

test('the weekly digest is off until it is asked for', async ({ signedIn: page }) => {
  await page.goto('/profile')
  const digest = page.getByLabel('Receber o resumo semanal por email')
  await expect(digest).not.toBeChecked()
  await digest.check()
  await expect(page.getByText('Resumo semanal ligado')).toBeVisible()
  await page.reload()
  await expect(digest).toBeChecked()
})
