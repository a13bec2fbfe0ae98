import { AxeBuilder } from '@axe-core/playwright'
import { expect, test } from './fixtures.ts'

test('the API is read and tried on its page, with the session of whoever is signed in', async ({
  signedIn: page,
  person,
  allowed,
}) => {
  allowed.push('422 POST')
  await page.goto('/termos-de-uso')
  await page.getByRole('link', { name: 'API', exact: true }).click()
  await expect(page).toHaveURL(/\/api-docs$/)
  await expect(page.getByText(person.email)).toBeVisible()
  await page.getByLabel('Procurar').fill('get /api/profile')
  await page.getByText('O próprio perfil').click()
  await page.getByRole('button', { name: 'Enviar' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'ms' })).toContainText(person.email)

  await page.getByLabel('Procurar').fill('cria um experimento')
  await page.getByText('Cria um experimento').click()
  await expect(page.getByText('tratamentos[].produtos_aplicados[].dose').first()).toBeVisible()
  await page.getByLabel('Corpo em JSON').fill('{}')
  await page.getByRole('button', { name: 'Enviar' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'ms' })).toContainText('validation.failed')
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
})
