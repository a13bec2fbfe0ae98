import { fieldTrial } from './field-trial.ts'
import { expect, expectAccessible, test } from './fixtures.ts'
import { takeAlong } from './phone.ts'

test.use({ viewport: { width: 360, height: 640 } })

test('a phone left alone hides its screen behind the PIN, and nothing typed is lost', async ({
  page,
  person,
  server,
}) => {
  const { id } = await fieldTrial(server.url, person)
  await page.clock.install()
  await takeAlong(page, person, id)

  await page.goto(`${server.url}/campo/aparelho`)
  await page.getByRole('button', { name: 'Criar PIN' }).click()
  const made = page.getByLabel('PIN novo, de 4 a 8 números')
  const again = page.getByLabel('O mesmo PIN de novo')
  await made.fill('12')
  await page.getByRole('button', { name: 'Guardar PIN' }).click()
  await expect(page.getByRole('alert')).toHaveText('O PIN tem de 4 a 8 números.')
  await made.fill('2580')
  await again.fill('2581')
  await page.getByRole('button', { name: 'Guardar PIN' }).click()
  await expect(page.getByRole('alert')).toHaveText('Os dois PINs são diferentes.')
  await again.fill('2580')
  await page.getByRole('button', { name: 'Guardar PIN' }).click()
  await expect(page.getByRole('button', { name: 'Tirar PIN' })).toBeVisible()

  await page.goto(`${server.url}/campo/${id}/coleta`)
  const height = page.getByLabel('Altura de plantas (cm)')
  await height.fill('8')
  // A dialog that is open is hidden with the rest, and hinders nobody.
  await page.getByRole('button', { name: 'Anotar' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('Praga na borda')
  await page.clock.fastForward('04:50')
  await expect(page.getByRole('dialog').getByRole('textbox')).toBeVisible()
  await page.clock.fastForward('00:20')
  const pin = page.getByLabel('PIN do Ensaio Campo')
  await expect(pin).toBeFocused()
  await expect(page.getByRole('heading', { name: 'Parcela 101' })).toBeHidden()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(pin).toBeVisible()
  for (let n = 0; n < 4; n++) {
    await pin.fill('0000')
    await page.getByRole('button', { name: 'Abrir' }).click()
    await expect(page.getByRole('alert')).toHaveText('PIN errado.')
    await expect(pin).toHaveValue('')
  }
  await pin.fill('0000')
  await page.getByRole('button', { name: 'Abrir' }).click()
  await expect(page.getByRole('alert')).toHaveText('Espere 30 segundos e tente de novo.')

  // Not even the right one, nor a page begun anew.
  await page.reload()
  await pin.fill('2580')
  await page.getByRole('button', { name: 'Abrir' }).click()
  await expect(page.getByRole('alert')).toContainText('Espere')
  await page.clock.fastForward('00:31')
  await pin.fill('2580')
  await page.getByRole('button', { name: 'Abrir' }).click()
  await expect(page.getByRole('heading', { name: 'Parcela 101' })).toBeVisible()
  await expect(height).toHaveValue('8')

  await page.reload()
  await expect(page.getByRole('heading', { name: 'Parcela 101' })).toBeVisible()
  await page.clock.fastForward('05:10')
  await page.getByRole('button', { name: 'Esqueci o PIN' }).click()
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Senha').fill(person.password)
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page.getByRole('heading', { name: 'Parcela 101' })).toBeVisible()
  await page.clock.fastForward('05:10')
  await expect(height).toBeVisible()
})
