import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, expectAccessible, onOwnServer } from './fixtures.ts'

const test = onOwnServer()

const REPORT = fileURLToPath(new URL('./reports/ficha.pdf', import.meta.url))
const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test('a person registers, has a report read, reviews, saves, and finds it all again after a kill', async ({
  page,
  server,
  allowed,
}) => {
  await page.goto('/')
  await page.getByRole('link', { name: 'Cadastrar' }).click()
  await page.getByLabel('Nome completo').fill('Ana Souza')
  await page.getByLabel('Email').fill('ana.souza@lavoura.com.br')
  await page.getByLabel('Empresa').fill('Lavoura Clara')
  await page.getByLabel('Senha', { exact: true }).fill('sementes-2026')
  await page.getByLabel('Confirmar senha').fill('sementes-2026')
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Cadastrar' }).click()
  await expect(page.getByText('Conta criada com sucesso!')).toBeVisible()
  await page.waitForURL('**/dashboard')
  await expect(page.getByRole('heading', { name: 'Dashboard Agrícola' })).toBeVisible()

  await page.getByRole('button', { name: 'Extração Automática' }).click()
  await page.getByLabel('Arquivo PDF').setInputFiles(REPORT)
  await expect(page.getByText(/Dados extraídos com \d+% de confiança/)).toBeVisible({ timeout: 180_000 })
  const review = page.getByRole('dialog', { name: 'Extração Automática' })
  await expect(review.getByLabel('Consultoria')).toHaveValue('Lavoura Clara Consultores')
  await expect(review.getByLabel('Cidade')).toHaveValue('Campo Verde')
  await expect(page.getByRole('img', { name: 'Página 1 do relatório' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Confirmar Dados' }).click()
  await expect(page.getByText('Dados importados automaticamente!')).toBeVisible()

  for (let step = 1; step <= 6; step++) {
    await expect(page.getByText(`Página ${step} de 7`)).toBeVisible()
    if (step === 5) await expect(page.getByLabel('Produtividade (kg/ha)').first()).toHaveValue('3.480')
    await page.getByRole('button', { name: 'Próximo' }).click()
  }
  await expect(page.getByText('Página 7 de 7')).toBeVisible()
  await expect(page.getByText('ficha.pdf')).toBeVisible()
  await page.getByRole('button', { name: 'Salvar Experimento' }).click()
  await expect(page.getByText('Experimento criado com sucesso!')).toBeVisible()
  // The open dashboard notices the missing server until it is back.
  allowed.push('net::ERR_', '50', 'Failed to fetch')
  await server.kill()
  await server.start()

  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Experimentos Cadastrados (1)' })).toBeVisible()
  await expect(page.getByRole('cell', { name: 'Lavoura Clara Consultores', exact: true })).toBeVisible()
  await expect(page.getByText('3.632 kg/ha')).toBeVisible()

  await page.getByRole('tab', { name: 'Análise Interativa' }).click()
  await page.getByRole('button', { name: /Campo Verde\/MT, Soja, Aminoagro, 2023/ }).click()
  const popup = page.locator('.leaflet-popup')
  await expect(popup).toContainText('Campo Verde/MT')
  await expect(popup).toContainText('3.632 kg/ha')
  await expect(popup).toContainText('R$ 214,80')

  await page.getByRole('tab', { name: 'Documentos' }).click()
  await expect(page.getByText('1 documento(s) disponível(eis)')).toBeVisible()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'PDF', exact: true }).click(),
  ])
  expect(download.suggestedFilename()).toBe('ficha.pdf')
  expect(hash(readFileSync(await download.path()))).toBe(hash(readFileSync(REPORT)))
  const [tab] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Ver', exact: true }).click(),
  ])
  await expect.poll(() => tab.url()).toMatch(/^blob:/)
})
