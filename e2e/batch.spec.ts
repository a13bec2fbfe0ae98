import { readFileSync } from 'node:fs'
import { expect, expectAccessible, test } from './fixtures.ts'
import { REPORT } from './seed.ts'

test('many reports are read in a queue and reviewed one after the other', async ({
  signedIn: page,
  allowed,
}) => {
  allowed.push('422')
  const pdf = readFileSync(REPORT)
  await page.goto('/extractor')
  await page.getByRole('button', { name: 'Vários relatórios' }).click()
  await page.getByLabel('Arquivo PDF').setInputFiles([
    { name: 'primeiro.pdf', mimeType: 'application/pdf', buffer: pdf },
    { name: 'segundo.pdf', mimeType: 'application/pdf', buffer: pdf },
    { name: 'falso.pdf', mimeType: 'application/pdf', buffer: Buffer.from('MZ nada disto') },
    { name: 'terceiro.pdf', mimeType: 'application/pdf', buffer: pdf },
  ])
  await expect(page.getByRole('heading', { name: '4 relatórios' })).toBeVisible()
  await expect(page.getByText(/lido, \d+% de confiança/)).toHaveCount(3, { timeout: 60_000 })
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
  await page.getByRole('button', { name: 'Pular' }).click()
  await expect(page.getByText('Relatório 4 de 4')).toBeVisible()
  await page.getByRole('button', { name: 'Voltar à lista' }).click()
  await expect(page.getByText('salvo', { exact: true })).toBeVisible()
  await expect(page.getByText('pulado')).toBeVisible()
})
