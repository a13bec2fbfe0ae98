import { readFileSync } from 'node:fs'
import { expect, expectAccessible } from './fixtures.ts'
import { create } from './seed.ts'
import { test } from './seeded.ts'

test('the report of a trial is taken away as PDF, Word and one page, and the extractor reads it back', async ({
  signedIn: page,
  owner,
  server,
  allowed,
}) => {
  allowed.push('net::ERR_')
  const { id } = await create(server.url, owner, { consultoria: 'Campo Lido de Volta' })
  await page.goto(`/experimentos/${id}`)
  await page.getByRole('button', { name: 'Baixar relatório' }).click()
  const dialog = page.getByRole('dialog', { name: 'Baixar relatório' })
  await expectAccessible(page)
  const taken: Record<string, string> = {}
  for (const [format, ending] of [
    ['Word', 'docx'],
    ['Resumo de uma página', 'pdf'],
    ['PDF', 'pdf'],
  ] as const) {
    if (!(await dialog.isVisible())) await page.getByRole('button', { name: 'Baixar relatório' }).click()
    await dialog.getByLabel(format, { exact: true }).check()
    if (format === 'Word') await dialog.getByLabel('Anexo').uncheck()
    const download = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Baixar', exact: true }).click()
    const file = await download
    expect(file.suggestedFilename()).toContain(`.${ending}`)
    taken[format] = await file.path()
    await expect(dialog).toBeHidden()
  }
  // What was left out is left out again, and it is not this browser that remembers it.
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => /report/.test(key)))).toEqual([])
  await page.reload()
  await page.getByRole('button', { name: 'Baixar relatório' }).click()
  await expect(dialog.getByLabel('Anexo')).not.toBeChecked()
  await expect(dialog.getByLabel('Capa', { exact: true })).toBeChecked()
  // Where it cannot be kept the report comes all the same, and that it was not kept is said.
  await page.route('**/api/profile/report-parts', (route) => route.abort(), { times: 1 })
  await dialog.getByLabel('Capa', { exact: true }).uncheck()
  const unkept = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Baixar', exact: true }).click()
  await unkept
  await expect(page.getByText('A escolha das partes vale só para este relatório')).toBeVisible()
  await page.goto('/extractor')
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({
      name: 'relatorio.pdf',
      mimeType: 'application/pdf',
      buffer: readFileSync(taken.PDF ?? ''),
    })
  await expect(page.getByRole('button', { name: 'Confirmar Dados' })).toBeVisible({ timeout: 180_000 })
  await expect(page.getByText('Campo Lido de Volta').first()).toBeVisible()
})

test('a trial is exported by the MIAPPE checklist, and what it lacks is named first', async ({
  signedIn: page,
  owner,
  server,
}) => {
  const { id } = await create(server.url, owner, { consultoria: 'Campo Exportado' })
  await page.goto(`/experimentos/${id}`)
  await page.getByRole('button', { name: 'Exportar' }).click()
  const dialog = page.getByRole('dialog', { name: 'Exportar' })
  await expect(dialog.getByText(/^Faltam para o MIAPPE: data de semeadura, delineamento/)).toBeVisible()
  await expectAccessible(page)
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'MIAPPE (ISA-Tab)' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^MIAPPE - .*Campo Exportado.*\.zip$/)
  expect(
    readFileSync(await file.path())
      .subarray(0, 2)
      .toString(),
  ).toBe('PK')
  await expect(dialog).toBeHidden()
  // From the details on the dashboard, too: the details stay open behind it.
  await page.goto('/dashboard?consultoria=Campo%20Exportado')
  await page
    .getByRole('button', { name: /^Detalhes de/ })
    .first()
    .click()
  const details = page.getByRole('dialog', { name: 'Detalhes do Experimento' })
  await details.getByRole('button', { name: 'Exportar' }).click()
  await expect(page.getByText(/^Faltam para o MIAPPE/)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText(/^Faltam para o MIAPPE/)).toBeHidden()
  await expect(details).toBeVisible()
})

test('a consolidated report of a filter is made and taken away', async ({ signedIn: page }) => {
  await page.goto('/dashboard?cultura=Soja')
  await page.getByRole('button', { name: 'Relatório consolidado' }).click()
  const dialog = page.getByRole('dialog', { name: 'Relatório consolidado' })
  await expect(dialog.getByText('Cultura: Soja')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('Apresentação (PowerPoint)').check()
  await dialog.getByRole('button', { name: 'Fazer relatório' }).click()
  await expect(dialog.getByText('O relatório está pronto.')).toBeVisible({ timeout: 180_000 })
  await expectAccessible(page)
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Baixar', exact: true }).click()
  expect((await download).suggestedFilename()).toContain('.pptx')
})

test('trials picked in the list are reported on together', async ({ signedIn: page, owner, server }) => {
  for (const consultoria of ['Escolha Um', 'Escolha Dois', 'Escolha Três'])
    await create(server.url, owner, { consultoria })
  await page.goto('/dashboard?busca=Escolha')
  await page.getByRole('button', { name: 'Escolher', exact: true }).click()
  await expect(page.getByText('Marque os ensaios na lista')).toBeVisible()
  for (const name of ['Escolha Um', 'Escolha Três'])
    await page.getByLabel(new RegExp(`^Escolher .*${name}`)).check()
  await expect(page.getByText('2 escolhidos')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Relatório dos escolhidos' }).click()
  const dialog = page.getByRole('dialog', { name: 'Relatório consolidado' })
  await expect(dialog.getByText('2 ensaios escolhidos')).toBeVisible()
  await dialog.getByRole('button', { name: 'Fazer relatório' }).click()
  await expect(dialog.getByText('2 ensaios; fica guardado por 7 dias.')).toBeVisible({ timeout: 180_000 })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Limpar escolha' }).click()
  await expect(page.getByText('Marque os ensaios na lista')).toBeVisible()
  await page.getByRole('button', { name: 'Escolher', exact: true }).press('Enter')
  await expect(page.getByLabel(/^Escolher /)).toHaveCount(0)
})

test('a conclusion is written on the trial, and stays with it', async ({ signedIn: page, owner, server }) => {
  const { id } = await create(server.url, owner, { consultoria: 'Campo Concluído' })
  await page.goto(`/experimentos/${id}`)
  await page.getByRole('button', { name: 'Editar conclusão' }).click()
  const field = page.getByRole('textbox', { name: 'Conclusão' })
  await expect(field).toBeFocused()
  await field.fill('O tratamento 2 pagou o que custou.\nVale repetir em argila acima de 40%.')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Salvar conclusão' }).click()
  await expect(page.getByText('Conclusão salva')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Editar conclusão' })).toBeFocused()
  await page.reload()
  await expect(page.getByText('Vale repetir em argila acima de 40%.')).toBeVisible()
  await page.getByRole('tab', { name: 'Histórico' }).click()
  await expect(page.getByText(/^Conclusão: – → O tratamento 2 pagou/)).toBeVisible()
})
