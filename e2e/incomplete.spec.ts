import { expect, expectAccessible, type Person, test } from './fixtures.ts'
import { create } from './seed.ts'

const change = async (url: string, { token }: Person, id: string, fields: object) => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const { experimento } = await (await fetch(`${url}/api/experiments/${id}`, { headers })).json()
  const body = JSON.stringify({ ...experimento, ...fields })
  const put = await fetch(`${url}/api/experiments/${id}`, { method: 'PUT', headers, body })
  expect(put.status).toBe(200)
}

test('a trial whose clay is filled in leaves the list, and a refused value stays where it was typed', async ({
  signedIn: page,
  person,
  server,
}) => {
  const consultoria = `Completa ${person.email.slice(0, 12)}`
  const soil = { consultoria, teor_materia_organica: 3, latitude: -12.5, longitude: -55.7 }
  await create(server.url, person, { ...soil, cidade: 'Sorriso', teor_argila: null })
  await create(server.url, person, { ...soil, cidade: 'Sinop', teor_argila: 20 })
  await page.goto(`/dashboard?consultoria=${encodeURIComponent(consultoria)}`)
  await page.getByRole('link', { name: 'Ensaios incompletos' }).click()
  await expect(page).toHaveURL(/\/incompletos\?consultoria=/)
  await page.getByRole('button', { name: 'Argila · 1' }).click()
  await expect(page).toHaveURL(/falta=teor_argila/)
  const row = page.getByRole('row', { name: /Sorriso/ })
  await expect(row).toBeVisible()
  await expect(page.getByRole('row', { name: /Sinop/ })).toHaveCount(0)
  await expectAccessible(page)

  const clay = row.getByLabel(/^Teor de Argila/)
  await clay.fill('120')
  await clay.blur()
  await expect(row.getByText('Valor deve ser menor que 100')).toBeVisible()
  await row.getByRole('button', { name: /^Salvar/ }).click()
  await expect(clay).toBeFocused()
  await clay.fill('42,5')
  await row.getByRole('button', { name: /^Salvar/ }).click()
  await expect(row).toHaveCount(0)
  await expect(page.getByRole('status').filter({ hasText: ': salvo.' })).toBeVisible()
  await expect(page.getByText('Nenhum ensaio incompleto com estes filtros')).toBeVisible()
  await page.getByRole('button', { name: 'Mostrar as outras faltas' }).click()
  // What remains of both: nobody knows their error.
  await expect(page.getByRole('row', { name: /Sorriso/ }).getByText('42,5')).toBeVisible()
  await page
    .getByRole('row', { name: /Sorriso/ })
    .getByRole('link', { name: /^Digitar parcelas/ })
    .click()
  await expect(page).toHaveURL(/aba=parcelas/)
})

test('what somebody else saved meanwhile is told, and what was typed stays until it is saved again', async ({
  signedIn: page,
  person,
  server,
  allowed,
}) => {
  allowed.push('409 PUT')
  const consultoria = `Conflito ${person.email.slice(0, 12)}`
  const id = (await create(server.url, person, { consultoria, teor_argila: null })).id
  await page.goto(`/incompletos?falta=teor_argila&consultoria=${encodeURIComponent(consultoria)}`)
  const clay = page.getByLabel(/^Teor de Argila/)
  await clay.fill('33')
  // As from a window that hears of nothing.
  await page.route('**/api/experiments/incomplete**', (route) => route.abort('aborted'))
  await change(server.url, person, id, { teor_argila: 50 })
  await clay.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'alterou este experimento' })).toContainText(
    'Está salvo: Teor de Argila (%): 50.',
  )
  await expect(clay).toHaveValue('33')
  await page.unroute('**/api/experiments/incomplete**')
  // An answer that has the trial no more does not take away what was typed in it.
  const answered = page.waitForResponse('**/api/experiments/incomplete**')
  await change(server.url, person, id, { espacamento: 50 })
  await answered
  await expect(page.getByRole('button', { name: 'Argila · 0' })).toBeVisible()
  await expect(clay).toHaveValue('33')
  await page.getByRole('button', { name: /^Salvar/ }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'alterou este experimento' })).toBeVisible()
  await expect(clay).toHaveValue('33')
  await page.getByRole('button', { name: /^Salvar/ }).click()
  await expect(page.getByText('Nenhum ensaio incompleto com estes filtros')).toBeVisible()
  const { experimento } = await (
    await fetch(`${server.url}/api/experiments/${id}`, {
      headers: { authorization: `Bearer ${person.token}` },
    })
  ).json()
  expect(experimento.teor_argila).toBe(33)
})

test('what was typed stays under another filter, and its save asks before it overwrites what somebody saved', async ({
  signedIn: page,
  person,
  server,
  allowed,
}) => {
  allowed.push('409 PUT')
  const consultoria = `Filtro ${person.email.slice(0, 12)}`
  const lacking = { consultoria, teor_argila: null, cultivar: 'Não informado' }
  const id = (await create(server.url, person, { ...lacking, cidade: 'Sorriso' })).id
  await create(server.url, person, { ...lacking, cidade: 'Sinop', teor_argila: 20 })
  await page.goto(`/incompletos?falta=teor_argila&consultoria=${encodeURIComponent(consultoria)}`)
  const row = page.getByRole('row', { name: /Sorriso/ })
  await row.getByLabel(/^Teor de Argila/).fill('33')
  await change(server.url, person, id, { teor_argila: 50 })
  await expect(page.getByRole('button', { name: 'Argila · 0' })).toBeVisible()
  await page.getByRole('button', { name: 'Cultivar · 2' }).click()
  await expect(page.getByRole('row', { name: /Sinop/ })).toBeVisible()
  await expect(row.getByLabel(/^Teor de Argila/)).toHaveValue('33')
  await row.getByRole('button', { name: /^Salvar/ }).click()
  const told = page.getByRole('alert').filter({ hasText: 'alterou este experimento' })
  await expect(told).toContainText('Está salvo: Teor de Argila (%): 50')
  await expect(row.getByLabel(/^Teor de Argila/)).toHaveValue('33')
  await expectAccessible(page)
  const saved = async () => {
    const headers = { authorization: `Bearer ${person.token}` }
    return (await (await fetch(`${server.url}/api/experiments/${id}`, { headers })).json()).experimento
  }
  expect((await saved()).teor_argila).toBe(50)
  await row.getByRole('button', { name: /^Salvar/ }).click()
  await expect(row.getByLabel(/^Teor de Argila/)).toHaveCount(0)
  expect((await saved()).teor_argila).toBe(33)
})

test('on a phone the list is cards, and the page does not scroll sideways', async ({
  signedIn: page,
  person,
  server,
}) => {
  const consultoria = `Celular ${person.email.slice(0, 12)}`
  await create(server.url, person, { consultoria, teor_argila: null, cultivar: 'Não informado' })
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(`/incompletos?consultoria=${encodeURIComponent(consultoria)}`)
  await page.getByLabel(/^Teor de Argila/).fill('28')
  await page.getByLabel(/^Cultivar/).fill('M 8349 IPRO')
  await page.getByRole('button', { name: /^Salvar/ }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Ainda falta' })).toBeVisible()
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
})
