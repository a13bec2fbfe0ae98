import { readFile } from 'node:fs/promises'
import { fieldTrial, HEIGHT, standing } from './field-trial.ts'
import { expect, expectAccessible, test } from './fixtures.ts'
import { enter, queue, signInOnPhone, takeAlong } from './phone.ts'
import { expectNothingBeyondTheEdge } from './several.ts'

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

test('what waits is sent by the worker when no page of the field is open', async ({
  page,
  context,
  person,
  server,
  allowed,
}) => {
  allowed.push('ERR_INTERNET_DISCONNECTED')
  const { id } = await fieldTrial(server.url, person)
  await takeAlong(page, person, id)
  const elsewhere = await context.newPage()
  await elsewhere.goto(`${server.url}/login`)
  const devtools = await context.newCDPSession(elsewhere)
  const registration = new Promise<string>((resolve) =>
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find(({ scopeURL }) => scopeURL.startsWith(server.url))
      if (found) resolve(found.registrationId)
    }),
  )
  await devtools.send('ServiceWorker.enable')
  const registrationId = await registration
  // The session has run out meanwhile: it is renewed by the worker.
  await page.goto(`${server.url}/campo/${id}/coleta`)
  await context.setOffline(true)
  await enter(page, '82,5')
  await expect(queue(page, 'Sem internet · 1 registro guardado neste aparelho')).toBeVisible()
  await page.evaluate(async () => {
    const open = indexedDB.open('ensaio-campo')
    await new Promise((resolve) => {
      open.onsuccess = resolve
    })
    const store = open.result.transaction('chaves', 'readwrite').objectStore('chaves')
    const read = store.get('auth sessao')
    await new Promise((resolve) => {
      read.onsuccess = resolve
    })
    const put = store.put(JSON.stringify({ ...JSON.parse(read.result), expires_at: 1 }), 'auth sessao')
    await new Promise((resolve) => {
      put.onsuccess = resolve
    })
    open.result.close()
  })
  await page.close()
  await context.setOffline(false)
  // As a browser does until the worker has got through.
  await expect
    .poll(
      async () => {
        await devtools.send('ServiceWorker.dispatchSyncEvent', {
          ...{ origin: server.url, registrationId, tag: 'enviar', lastChance: false },
        })
        return (await standing(server.url, person, id)).get(101)
      },
      { intervals: [2_000] },
    )
    .toBe(82.5)

  const back = await context.newPage()
  await back.goto(`${server.url}/campo/${id}/coleta`)
  await expect(queue(back, 'Tudo enviado')).toBeVisible()
})

test('what is typed stays with its plot until it is saved, and ends there', async ({
  page,
  person,
  server,
}) => {
  const { id } = await fieldTrial(server.url, person)
  await takeAlong(page, person, id)
  await page.goto(`${server.url}/campo/${id}/coleta`)
  const height = page.getByLabel('Altura de plantas (cm)')
  await height.fill('7')
  // Whoever walks on is told of it, and finds it again, whatever happened to the page.
  await page.getByRole('button', { name: 'Próxima parcela' }).click()
  await expect(height).toHaveValue('')
  await expect(page.getByText('Digitado e não guardado: “7” na parcela 101.')).toBeVisible()
  await height.fill('81')
  await page.getByRole('button', { name: 'Salvar e seguir' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Guardado: 81' })).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Voltar à parcela 101' }).click()
  await expect(page.getByRole('heading', { name: 'Parcela 101' })).toBeVisible()
  await expect(height).toHaveValue('7')
  await height.fill('72')
  await page.getByRole('button', { name: 'Salvar e seguir' }).click()
  await expect(page.getByText('Digitado e não guardado')).toBeHidden()

  // What was saved is no draft: typing it anew begins with nothing.
  await page.getByRole('button', { name: 'Próxima parcela' }).click()
  await page.getByRole('button', { name: 'Parcela anterior' }).click()
  await expect(page.getByRole('heading', { name: 'Parcela 101' })).toBeVisible()
  await expect(height).toHaveValue('')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Parcela 101' })).toBeVisible()
  await expect(height).toHaveValue('')
  await expect(page.getByText(/^Valor desta parcela: 72/)).toBeVisible()
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await page.getByRole('link', { name: 'Terminar por agora' }).click()
  await page.getByRole('button', { name: 'Coletar' }).click()
  await expect(height).toHaveValue('')
})

for (const [phone, userAgent] of [
  [
    'iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  ],
  [
    'iPad',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  ],
] as const)
  test(`an ${phone} that has not installed the application is shown how, in pictures`, async ({
    browser,
    person,
    server,
  }) => {
    const { id } = await fieldTrial(server.url, person)
    const context = await browser.newContext({
      ...{ baseURL: server.url, userAgent, viewport: { width: 360, height: 740 } },
    })
    const page = await context.newPage()
    // What it touches with is all that tells an iPad from a computer.
    await page.addInitScript(() => Object.defineProperty(navigator, 'maxTouchPoints', { value: 5 }))
    await page.goto(`/campo/${id}`)
    await signInOnPhone(page, person)
    const told = async () => {
      await expect(page.getByText('No iPhone, instale o Ensaio antes de coletar sem internet.')).toBeVisible()
      await expect(
        page.getByText('Toque em Compartilhar e depois em “Adicionar à Tela de Início”.'),
      ).toBeVisible()
      await expect(page.getByRole('img', { name: /Compartilhar é um quadrado com uma seta/ })).toBeVisible()
      await expect(
        page.getByRole('img', { name: /Adicionar à Tela de Início tem um quadrado/ }),
      ).toBeVisible()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await expectAccessible(page)
        await expectNothingBeyondTheEdge(page)
      }
    }
    await expect(page.getByRole('button', { name: 'Continuar sem instalar' })).toBeVisible()
    await told()
    await page.goto('/campo')
    await told()
    await context.close()
  })

test('labels are taken as a PDF in the millimetres of their paper; without a network the page says what to do', async ({
  page,
  context,
  person,
  server,
  allowed,
}) => {
  allowed.push('ERR_INTERNET_DISCONNECTED', 'ERR_FAILED')
  const { id } = await fieldTrial(server.url, person)
  await takeAlong(page, person, id)
  await page.goto(`/campo/${id}/etiquetas`)
  await page.getByLabel('Papel').selectOption('A4, 2 × 7 (99,1 × 38,1 mm)')
  await page.getByLabel('Começar na etiqueta').fill('5')
  await expect(page.getByText('12 etiquetas em 2 páginas.')).toBeVisible()
  const button = page.getByRole('button', { name: 'Baixar PDF' })
  const coming = page.waitForEvent('download')
  await button.click()
  const download = await coming
  expect(download.suggestedFilename()).toBe('etiquetas.pdf')
  const pdf = (await readFile(await download.path())).toString('latin1')
  expect(pdf.startsWith('%PDF-')).toBe(true)
  const pages = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)]
  expect(pages.map(([, width, height]) => [Number(width) / 72, Number(height) / 72])).toEqual(
    Array.from({ length: 2 }, () => [expect.closeTo(210 / 25.4, 3), expect.closeTo(297 / 25.4, 3)]),
  )
  await expect(button).toBeEnabled()
  await context.setOffline(true)
  await button.click()
  await expect(page.getByRole('alert')).toHaveText(
    'Sem internet: o PDF é feito no servidor. Imprima daqui ou tente de novo com internet.',
  )
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page)
    await expectNothingBeyondTheEdge(page)
  }
})

test('a phone whose clock is wrong says so, and its history tells both times', async ({
  page,
  person,
  server,
}) => {
  const { id } = await fieldTrial(server.url, person, [HEIGHT])
  await page.clock.install({ time: Date.now() + 20 * 60_000 })
  await takeAlong(page, person, id)
  await page.goto(`/campo/${id}/coleta`)
  await enter(page, '82')
  // What the clock is off by is known from the first answer on.
  await expect.poll(async () => (await standing(server.url, person, id)).get(101)).toBe(82)
  await expect(queue(page, 'Tudo enviado')).toBeVisible()
  await enter(page, '83')
  await expect(page.getByRole('heading', { name: 'Parcela 103' })).toBeVisible()
  await page.getByRole('button', { name: 'Parcela anterior' }).click()
  await page.getByRole('button', { name: 'Histórico' }).click()
  const history = page.getByRole('dialog', { name: 'Histórico' })
  const time = '\\d\\d/\\d\\d/\\d{4}, \\d\\d:\\d\\d'
  await expect(
    history.getByText(new RegExp(`${time} \\(no relógio do aparelho: ${time}\\) · este aparelho`)),
  ).toBeVisible()
  await expectAccessible(page)
  await expectNothingBeyondTheEdge(page)
  await page.keyboard.press('Escape')
  await page.goto(`/campo/${id}`)
  await expect(page.getByText('O relógio deste aparelho está 20 min adiantado.')).toBeVisible()
})
