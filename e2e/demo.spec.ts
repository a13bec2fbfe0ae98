import { readFileSync } from 'node:fs'
import { overviewOf, type SynthesisAnswer } from '@ensaio/domain'
import { DEMO_INPUTS, demoSheet } from '@ensaio/domain/demo'
import { expect, newPerson } from './fixtures.ts'
import { create } from './seed.ts'
import { card, STORED, test } from './seeded.ts'
import { startServer } from './server.ts'

test('without experiments the demo is shown, its banner stays away once dismissed', async ({
  page,
  context,
}) => {
  const empty = await startServer()
  try {
    const person = await newPerson(empty.url)
    await context.addInitScript((session) => {
      localStorage.setItem('ensaio.auth.remember', '1')
      localStorage.setItem('ensaio.auth.token', JSON.stringify(session))
    }, person.session)
    await page.goto(`${empty.url}/dashboard`)
    await expect(page.getByText('Modo Demonstração')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Experimentos Cadastrados (60)' })).toBeVisible()
    await page.getByLabel('Cultura').selectOption('Soja')
    const soy = overviewOf(STORED, { cultura: 'Soja' }).total
    await expect(page.getByRole('heading', { name: `Experimentos Cadastrados (${soy})` })).toBeVisible()
    await expect(page.getByRole('button', { name: /^Excluir/ }).first()).toBeDisabled()
    // Every picture and file says what its figures are, apart from the notice.
    const mark = page.getByRole('banner').getByText('Dados de demonstração')
    await expect(mark).toBeVisible()
    const chart = card(page, 'Experimentos por regional')
    await expect(chart).toContainText('dados de demonstração')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      chart.getByRole('button', { name: 'Baixar CSV' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('Experimentos por regional (dados de demonstração).csv')
    expect(readFileSync(await file.path(), 'utf8')).toMatch(/Dados de demonstração\r\n$/)
    await page.getByRole('button', { name: 'Dispensar aviso' }).click()
    await expect(mark).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('demo_mode_alert_dismissed'))).toBe('true')
    await page.reload()
    await expect(page.getByRole('heading', { name: /Experimentos Cadastrados/ })).toBeVisible()
    await expect(page.getByText('Modo Demonstração')).toBeHidden()
    // On paper it says what the figures are all the same.
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    await expect(page.getByText('Modo Demonstração')).toBeVisible()
    await page.evaluate(() => dispatchEvent(new Event('afterprint')))
    await expect(page.getByText('Modo Demonstração')).toBeHidden()
  } finally {
    await empty.stop()
  }
})

test('whoever has experiments is shown the failure and the retry, and no invented ones unless asked for', async ({
  signedIn: page,
  allowed,
}) => {
  allowed.push('net::ERR_')
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: /Experimentos Cadastrados \(60\)/ })).toBeVisible()
  await page.route('**/api/**', (route) => route.abort())
  await page.reload()
  await expect(page.getByText(/O servidor está indisponível\. Os seus experimentos/)).toBeVisible({
    timeout: 30_000,
  })
  await expect(page.getByText('Modo Demonstração')).toBeHidden()
  await page.getByRole('button', { name: 'Ver dados de demonstração enquanto isso' }).click()
  await expect(page.getByText('Modo Demonstração')).toBeVisible()
  await page.reload()
  await expect(page.getByText(/O servidor está indisponível\. Os seus experimentos/)).toBeVisible({
    timeout: 30_000,
  })
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Tentar novamente' }).click()
  await expect(page.getByRole('heading', { name: /Experimentos Cadastrados \(60\)/ })).toBeVisible()
})

test('a demo trial with plots shows what it pays, computed here, and saves nothing', async ({
  page,
  context,
}) => {
  const empty = await startServer()
  try {
    const person = await newPerson(empty.url)
    await context.addInitScript((session) => {
      localStorage.setItem('ensaio.auth.remember', '1')
      localStorage.setItem('ensaio.auth.token', JSON.stringify(session))
    }, person.session)
    await page.goto(`${empty.url}/experimentos/${STORED[0]?.id}?aba=economia`)
    await expect(page.getByText(/^A R\$ [\d.,]+\/sc, T\d .* deixa R\$ .* \(IC 95 %: /)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Salvar preços' })).toBeDisabled()
    await page.goto(`${empty.url}/experimentos/${STORED[0]?.id}`)
    await expect(page.getByRole('button', { name: 'Copiar frase' })).toBeVisible()
  } finally {
    await empty.stop()
  }
})

test('a synthesis of the demo trials is computed here as the server computes it', async ({ browser }) => {
  const [own, empty] = [await startServer(), await startServer()]
  const context = await browser.newContext({ locale: 'pt-BR' })
  try {
    const [stores, looks] = [await newPerson(own.url, 'Quem Cadastra'), await newPerson(empty.url)]
    const headers = { authorization: `Bearer ${stores.token}` }
    for (const [at, { pdf_filename: _, ...input }] of DEMO_INPUTS.entries()) {
      const { id } = await create(own.url, stores, input)
      const sheet = demoSheet(at, input)
      if (!sheet) continue
      const put = await fetch(`${own.url}/api/experiments/${id}/plots`, {
        method: 'PUT',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ ...sheet, versao: 0 }),
      })
      expect(put.status).toBe(200)
    }
    await context.addInitScript((session) => {
      localStorage.setItem('ensaio.auth.remember', '1')
      localStorage.setItem('ensaio.auth.token', JSON.stringify(session))
    }, looks.session)
    const page = await context.newPage()
    for (const query of [
      'produto=Nutrivia%20Pleno',
      'produto=Dimi%20Cobre%20WG&medida=diferenca&sozinho=1',
      'produto=Amino%20Boro&cultura=Soja&imputar=1',
    ]) {
      const answered = await fetch(`${own.url}/api/synthesis?${query}`, { headers })
      const { sintese } = (await answered.json()) as { sintese: SynthesisAnswer }
      const [sentence] = Object.values(sintese.frases)
      await page.goto(`${empty.url}/dashboard?aba=synthesis&${query.replace('produto=', 'comparar=')}`)
      await expect(page.getByTestId('sintese-frase')).toContainText(sentence ?? 'nada')
      await expect(
        page.getByText(`${sintese.total} no filtro = ${sintese.ensaios.length} comparados`),
      ).toBeVisible()
      await expect(page.getByRole('button', { name: 'Registrar síntese' })).toBeDisabled()
    }
    await page.getByRole('combobox', { name: 'Produto a comparar' }).click()
    await expect(page.getByRole('option', { name: /ensaios?/ }).first()).toBeVisible()
  } finally {
    await context.close()
    await Promise.all([own.stop(), empty.stop()])
  }
})
