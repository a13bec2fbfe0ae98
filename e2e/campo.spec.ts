import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium, type Page } from '@playwright/test'
import { fieldTrial, HEIGHT, standing } from './field-trial.ts'
import { expect, expectAccessible, newPerson, test } from './fixtures.ts'
import { enter, Phone, queue, signInOnPhone, startWay, takeAlong } from './phone.ts'
import { api, expectNothingBeyondTheEdge } from './several.ts'

test.use({ viewport: { width: 360, height: 640 } })

const OTHERS =
  /^Há 1 registro de .\*\*\*@campo\.com\.br neste aparelho\. Entre com essa conta para enviá-lo\.$/

/** Every entry that the server has of a trial. */
const received = async (url: string, person: Parameters<typeof api>[1], id: string) =>
  (await api(url, person, 'GET', `/api/experiments/${id}/field-changes`)).registros as {
    id: string
    valor: unknown
    tipo: string
    estado: string
  }[]

test('a trial is taken along, collected without a network, corrected, and arrives once', async ({
  page,
  context,
  person,
  server,
  allowed,
}) => {
  allowed.push('ERR_INTERNET_DISCONNECTED')
  const { id } = await fieldTrial(server.url, person)
  await takeAlong(page, person, id)
  await context.setOffline(true)
  await page.reload()
  await page.getByRole('button', { name: 'Coletar' }).click()

  await expect(page.getByRole('heading', { name: 'Parcela 101' })).toBeVisible()
  await expect(page.getByText('linha 1, coluna 1')).toBeVisible()
  await expect(page.getByLabel('Altura de plantas (cm)')).toBeFocused()
  await enter(page, '301')
  await expect(page.getByRole('alert')).toHaveText('O valor deve ficar entre 0 e 300.')
  for (let n = 0; n < 3; n++) await page.getByRole('button', { name: 'Apagar' }).click()
  await enter(page, '150')
  await expect(page.getByRole('alert')).toHaveText('Fora da faixa esperada (60 a 120 cm). Confirmar 150?')
  await page.getByRole('button', { name: 'Corrigir' }).click()
  await page.getByLabel('Altura de plantas (cm)').fill('')
  await enter(page, '82,5')
  await expect(page.getByRole('status').filter({ hasText: 'Guardado: 82,5' })).toBeVisible()

  await page.getByRole('button', { name: 'Contar mais um' }).click()
  await page.getByRole('button', { name: 'Contar mais um' }).click()
  await page.getByRole('button', { name: 'Contar menos um' }).click()
  await page.reload()
  await expect(page.getByLabel('Estande (plantas)')).toHaveValue('1')
  await page.getByRole('button', { name: 'Salvar e seguir' }).click()
  await page.getByRole('group', { name: 'Ferrugem' }).getByRole('radio', { name: 'Pouca' }).check()
  await page.getByRole('button', { name: 'Salvar e seguir' }).click()
  await page.getByRole('button', { name: 'Hoje' }).click()
  await page.getByRole('button', { name: 'Salvar e seguir' }).click()
  await page.getByLabel('Observação').fill('Acamada no canto')
  await page.getByRole('button', { name: 'Salvar e seguir' }).click()

  await expect(page.getByRole('heading', { name: 'Parcela 102' })).toBeVisible()
  await page.getByRole('button', { name: 'Sem valor', exact: true }).click()
  await page.getByRole('button', { name: 'Parcela perdida' }).click()
  await expect(queue(page, 'Sem internet · 6 registros guardados neste aparelho')).toBeVisible()
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await expect(page.getByText('Ainda sem valor nesta parcela.')).toBeVisible()
  await page.getByRole('button', { name: 'Ir para parcela' }).click()
  await page.getByLabel('Número ou etiqueta').fill('101')
  await page.getByRole('button', { name: 'Ir', exact: true }).click()
  await enter(page, '90')
  await page.getByRole('button', { name: 'Parcela anterior' }).isDisabled()
  await page.getByRole('button', { name: 'Próxima sem valor' }).click()
  await expect(page.getByRole('heading', { name: 'Parcela 102' })).toBeVisible()

  await context.setOffline(false)
  await expect(queue(page, 'Tudo enviado')).toBeVisible({ timeout: 20_000 })
  expect((await standing(server.url, person, id)).get(101)).toBe(90)
  expect((await standing(server.url, person, id)).get(102)).toBeNull()
  expect((await standing(server.url, person, id, 'estande')).get(101)).toBe(1)
  const entries = await received(server.url, person, id)
  expect(entries.map(({ tipo }) => tipo).sort()).toEqual(
    ['exclusao', 'sem_valor', ...Array<string>(6).fill('valor')].sort(),
  )
  expect(new Set(entries.map(({ estado }) => estado))).toEqual(new Set(['aplicado']))
})

test('who is signed in on the pages is in the field without a password, and leaves it with them', async ({
  signedIn: page,
  context,
  person,
  server,
  allowed,
}) => {
  allowed.push('ERR_INTERNET_DISCONNECTED')
  const { id } = await fieldTrial(server.url, person, [HEIGHT])
  // Plots without a value yet: its pages say that there is nothing to analyse, and none of them fails at it.
  await page.goto(`/experimentos/${id}?aba=analise`)
  await expect(
    page.getByText('São necessárias pelo menos duas repetições e dois tratamentos com valores'),
  ).toBeVisible()
  await page.goto(`/experimentos/${id}`)
  await page.getByRole('button', { name: 'Levar para o campo' }).press('Enter')
  await expect(page).toHaveURL(new RegExp(`/campo/${id}$`))
  await expect(page.getByRole('button', { name: 'Levar para o campo' })).toBeVisible()
  await expect(page.getByLabel('Senha')).toHaveCount(0)
  await takeAlong(page, person, id)
  await context.setOffline(true)
  await page.reload()
  await page.getByRole('button', { name: 'Coletar' }).click()
  await enter(page, '82')
  await expect(queue(page, 'Sem internet · 1 registro guardado neste aparelho')).toBeVisible()
  await context.setOffline(false)
  await expect(queue(page, 'Tudo enviado')).toBeVisible({ timeout: 20_000 })

  // One who leaves the field alone is not taken in again unasked.
  await page.goto('/campo/aparelho')
  await page.getByRole('button', { name: 'Sair', exact: true }).click()
  await page.getByRole('button', { name: 'Sair e apagar deste aparelho' }).click()
  await expect(page.getByLabel('Senha')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Senha')).toBeVisible()
  await expectAccessible(page)
  await expectNothingBeyondTheEdge(page)
  await page.getByRole('button', { name: `Continuar como ${person.email}` }).click()
  await expect(page.getByRole('heading', { name: 'Este aparelho' })).toBeVisible()

  // A value that is not sent yet outlives the person's leaving the pages, sealed; nothing else is there.
  await takeAlong(page, person, id)
  const phone = await context.newPage()
  await phone.goto(`/campo/${id}/coleta`)
  await expect(phone.getByRole('heading', { name: 'Parcela 102' })).toBeVisible()
  const way = (route: { abort(): Promise<void> }) => route.abort()
  await context.route('**/api/field/**', way)
  allowed.push('ERR_FAILED')
  await enter(phone, '84')
  await page.goto('/profile')
  await page.getByRole('main').getByRole('button', { name: 'Sair' }).click()
  await expect(page.getByText('Logout realizado com sucesso!')).toBeVisible()
  await expect(phone.getByText(OTHERS)).toBeVisible()
  await expect(phone.getByRole('button', { name: /^Continuar como/ })).toHaveCount(0)
  // Another account is told of it wherever it begins, and sees nothing of it.
  const other = await newPerson(server.url, 'Rui Dias')
  await signInOnPhone(phone, other)
  await expect(phone.getByLabel('Senha')).toHaveCount(0)
  for (const path of [`/campo/${id}`, '/campo', '/campo/aparelho']) {
    await phone.goto(path)
    await expect(phone.getByText(OTHERS)).toBeVisible()
    await expect(queue(phone, /^Tudo enviado$/)).toBeVisible()
  }
  await expectAccessible(phone)
  await expect(phone.getByText('Parcela 102')).toHaveCount(0)
  await phone.getByRole('button', { name: 'Sair', exact: true }).click()
  await phone.getByRole('button', { name: 'Sair e apagar deste aparelho' }).click()
  await context.unroute('**/api/field/**', way)
  await signInOnPhone(phone, person)
  await expect(queue(phone, 'Tudo enviado')).toBeVisible()
  const answer = await fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: person.email, password: person.password }),
  })
  const { access_token: token } = (await answer.json()) as { access_token: string }
  expect((await standing(server.url, { ...person, token }, id)).get(102)).toBe(84)
})

test('a session that has ended is told as such, and not as a missing network', async ({
  page,
  person,
  server,
  allowed,
}) => {
  allowed.push('401 GET', '401 (Unauthorized)')
  const { nome } = await fieldTrial(server.url, person, [HEIGHT])
  await page.goto('/campo')
  await signInOnPhone(page, person)
  await expect(page.getByRole('link', { name: nome })).toBeVisible()
  await page.route('**/api/settings', (route) =>
    route.fulfill({ status: 401, json: { code: 'auth.required' } }),
  )
  await page.reload()
  await expect(page.getByText('Entre de novo para ver os outros ensaios.')).toBeVisible()
  await expect(page.getByText(/Sem internet/)).toHaveCount(0)
  await expectAccessible(page)
  await page.unroute('**/api/settings')
  await signInOnPhone(page, person)
  await expect(page.getByRole('link', { name: nome })).toBeVisible()
  await expect(page.getByText('Entre de novo para ver os outros ensaios.')).toHaveCount(0)
})

test('a note that came last is taken back before the value under it, and both stand in the history', async ({
  page,
  person,
  server,
}) => {
  const { id } = await fieldTrial(server.url, person, [HEIGHT])
  await takeAlong(page, person, id)
  await page.getByRole('button', { name: 'Coletar' }).click()
  await enter(page, '82')
  await page.getByRole('button', { name: 'Parcela anterior' }).click()
  await page.getByRole('button', { name: 'Anotar' }).click()
  await page.getByLabel('Anotação desta parcela').fill('Acamada no canto')
  await page.getByRole('button', { name: 'Guardar anotação' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Guardado: anotação' })).toBeVisible()
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await expect(page.getByText('anotação desfeita na parcela 101')).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Histórico' }).click()
  const history = page.getByRole('dialog', { name: 'Histórico' })
  await expect(history.getByText('Acamada no canto')).toBeVisible()
  await expect(history.getByText(/· desfeita$/)).toBeVisible()
  await expect(history.getByText('82,0', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(queue(page, 'Tudo enviado')).toBeVisible()
  const sent = await received(server.url, person, id)
  expect(sent.map(({ tipo, valor, estado }) => [tipo, valor, estado])).toEqual([
    ['valor', 82, 'aplicado'],
    ['nota', 'Acamada no canto', 'aplicado'],
    ['nota', null, 'aplicado'],
  ])
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await expect(page.getByText('desfeito na parcela 101')).toBeVisible()
  await expect.poll(async () => (await standing(server.url, person, id)).get(101)).toBeNull()
})

test('two phones that did not know of each other make a conflict, which is shown and decided', async ({
  browser,
  person,
  server,
}) => {
  const { id } = await fieldTrial(server.url, person, [HEIGHT])
  const phones = await Promise.all(
    [1, 2].map(async () => {
      const context = await browser.newContext({ baseURL: server.url, viewport: { width: 360, height: 640 } })
      const page = await context.newPage()
      await takeAlong(page, person, id)
      await context.setOffline(true)
      await page.getByRole('button', { name: 'Coletar' }).click()
      return { context, page }
    }),
  )
  const [one, two] = phones
  if (!one || !two) throw new Error('Two phones')
  const camera = one.page.waitForEvent('filechooser')
  await one.page.getByRole('button', { name: 'Foto', exact: true }).click()
  const dot = await one.page.evaluate(async () => {
    const canvas = new OffscreenCanvas(64, 64)
    canvas.getContext('2d')?.fillRect(0, 0, 32, 64)
    const blob = await canvas.convertToBlob({ type: 'image/jpeg' })
    return [...new Uint8Array(await blob.arrayBuffer())]
  })
  await (await camera).setFiles({ name: 'foto.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(dot) })
  await enter(one.page, '92')
  await enter(two.page, '95')
  await expect(queue(two.page, '1 registro guardado')).toBeVisible()
  await one.context.setOffline(false)
  await expect(queue(one.page, 'Tudo enviado')).toBeVisible()
  await two.context.setOffline(false)
  await expect(queue(two.page, 'Tudo enviado · 1 conflito para resolver')).toBeVisible()
  expect((await standing(server.url, person, id)).get(101)).toBe(92)

  for (const path of [`/campo/${id}/etiquetas`, '/campo/aparelho', '/campo']) {
    await two.page.goto(path)
    await expect(queue(two.page, /^Tudo enviado · 1 conflito para resolver$/)).toBeVisible()
  }
  await two.page.getByRole('link', { name: '1 conflito para resolver' }).click()
  await expect(two.page.getByRole('heading', { name: 'Conflitos' })).toBeVisible()
  // The photo that the other phone took of the plot.
  await two.page.getByRole('button', { name: 'Ver 1 foto da parcela' }).click()
  const shown = two.page.getByRole('region', { name: 'Parcela 101' }).locator('img')
  await expect(shown).toHaveJSProperty('complete', true)
  await expect(shown).not.toHaveJSProperty('naturalWidth', 0)
  await expectAccessible(two.page)
  await two.page.getByRole('button', { name: 'Ficar com 95,0 de Ana Souza' }).click()
  await expect(two.page.getByText('Não há conflitos neste ensaio.')).toBeVisible()
  await expect(queue(two.page, /^Tudo enviado$/)).toBeVisible()
  expect((await standing(server.url, person, id)).get(101)).toBe(95)
  await two.page.getByRole('link', { name: 'Ensaio', exact: true }).click()
  await two.page.getByRole('link', { name: 'Campo', exact: true }).click()
  await expect(two.page.getByRole('heading', { name: 'Campo', exact: true })).toBeVisible()
  await expect(queue(two.page, /^Tudo enviado$/)).toBeVisible()

  await one.page.goto(`/campo/${id}`)
  await one.page.getByText('Parcelas em tabela').click()
  await expect(one.page.getByText('12 valores')).toBeVisible()
  await expect(queue(one.page, /^Tudo enviado$/)).toBeVisible()
  await Promise.all(phones.map(({ context }) => context.close()))
})

const LAUNCH = {
  ...(process.env['CHROMIUM'] ? { executablePath: process.env['CHROMIUM'] } : {}),
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run'],
}

/** How often the browser is killed: a few in every run, many by hand. */
const KILLS = Number(process.env['FIELD_KILLS'] ?? 3)
const WEATHERS = ['good', 'lost', 'cut', 'portal', 'gateway'] as const

test('what had its check mark is there after every kill of the browser, and on the server once', async ({
  person,
  server,
}) => {
  test.setTimeout(60_000 + KILLS * 20_000)
  const { expected: _, ...free } = {
    ...HEIGHT,
    esperado_min: null,
    esperado_max: null,
    maximo: null,
    expected: 0,
  }
  const { id } = await fieldTrial(server.url, person, [{ ...free, casas: 0 }])
  const way = await startWay(server.url)
  const phone = new Phone()
  const marked: number[] = []
  let [value, taps] = [1000, 0]
  try {
    let page = await phone.start()
    page.setDefaultTimeout(15_000)
    await takeAlong(proxied(page, way.url), person, id)
    for (let kill = 0; kill < KILLS; kill++) {
      way.weather = WEATHERS[kill % WEATHERS.length] ?? 'good'
      await page.goto(`${way.url}/campo/${id}/coleta`)
      const input = page.getByLabel('Altura de plantas (cm)')
      await expect(input).toBeVisible()
      let over = false
      const end = new Promise<void>((resolve) => setTimeout(resolve, 700 + Math.random() * 2500)).then(() => {
        over = true
        return phone.kill()
      })
      while (!over) {
        value += 1
        taps += 1
        const typed = value
        try {
          await input.fill(String(typed), { timeout: 3000 })
          await input.press('Enter', { timeout: 3000 })
          await page
            .getByRole('status')
            .filter({ hasText: `Guardado: ${typed.toLocaleString('pt-BR')}` })
            .waitFor({ timeout: 3000 })
          marked.push(typed)
        } catch (error) {
          // Its browser is gone.
          if (!over) throw error
        }
      }
      await end
      // In long runs the server ends the same way, now and then.
      if (kill % 10 === 9) {
        await server.kill()
        await server.start()
      }
      page = await phone.start()
      page.setDefaultTimeout(15_000)
    }
    way.weather = 'good'
    await page.goto(`${way.url}/campo/aparelho`)
    await page.getByRole('button', { name: 'Sincronizar agora' }).click()
    await expect(queue(page, 'Tudo enviado')).toBeVisible({ timeout: 30_000 })
  } finally {
    await phone.stop()
    way.stop()
  }
  const counts = new Map<unknown, number>()
  for (const { valor } of await received(server.url, person, id))
    counts.set(valor, (counts.get(valor) ?? 0) + 1)
  const lost = marked.filter((one) => !counts.has(one))
  const doubled = [...counts.values()].filter((n) => n > 1)
  console.log(
    `${KILLS} kills, ${taps} typed, ${marked.length} marked: ${lost.length} lost, ${doubled.length} doubled`,
  )
  expect(marked.length).toBeGreaterThan(KILLS)
  expect({ lost, doubled }).toEqual({ lost: [], doubled: [] })
})

/** The same page, whose addresses begin with another origin. */
function proxied(page: Page, origin: string): Page {
  const goto = page.goto.bind(page)
  page.goto = (address, options) => goto(address.startsWith('/') ? `${origin}${address}` : address, options)
  return page
}

test('assessed blind, the phone shows letters; a lost phone is revoked and keeps what it had not sent', async ({
  signedIn: page,
  browser,
  person,
  server,
  allowed,
}) => {
  allowed.push('403 POST')
  const { id } = await fieldTrial(server.url, person, [HEIGHT])
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/experimentos/${id}?aba=parcelas`)
  await page.getByRole('checkbox', { name: 'Avaliação às cegas' }).click()
  await expect(page.getByText('= T1 Testemunha')).toBeVisible()
  await expectAccessible(page)

  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 360, height: 640 } })
  const phone = await context.newPage()
  await takeAlong(phone, person, id)
  await phone.getByRole('button', { name: 'Coletar' }).click()
  await expect(phone.getByText(/^Bloco 1 · linha 1, coluna 1 · [A-D]$/)).toBeVisible()
  expect(await phone.content()).not.toMatch(/Testemunha|Produto/)
  await context.setOffline(true)
  await enter(phone, '77')
  await expect(queue(phone, 'Sem internet · 1 registro guardado neste aparelho')).toBeVisible()
  await phone.goto('/campo/aparelho')
  const saved = phone.waitForEvent('download')
  await phone.getByRole('button', { name: 'Salvar cópia' }).click()
  const copy = await (await saved).path()

  await page.goto('/profile')
  await page.getByRole('button', { name: 'Revogar aparelho' }).click()
  await expectAccessible(page)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revogar aparelho' }).click()
  await expect(page.getByText('Revogado', { exact: true })).toBeVisible()
  await context.setOffline(false)
  await expect(phone.getByRole('heading', { name: 'Aparelho revogado' })).toBeVisible()
  await expect(queue(phone, /^Aparelho revogado$/)).toBeVisible()
  expect((await standing(server.url, person, id)).get(101)).toBeNull()
  // Another phone of the account brings the copy: the value arrives in its name, and it is sealed by nothing.
  const other = await browser.newContext({ baseURL: server.url, viewport: { width: 360, height: 640 } })
  const second = await other.newPage()
  await takeAlong(second, person, id)
  await second.goto('/campo/aparelho')
  await second.getByLabel('Importar cópia').setInputFiles(copy)
  await expect(second.getByText('1 registro desta cópia entrou na fila.')).toBeVisible()
  await expect.poll(async () => (await standing(server.url, person, id)).get(101)).toBe(77)
  await expect(queue(second, 'Tudo enviado')).toBeVisible()
  await other.close()
  // The first phone, signed in again: what was sealed goes out, and counts once.
  await signInOnPhone(phone, person)
  await expect(phone.getByRole('heading', { name: 'Este aparelho' })).toBeVisible()
  await expect(queue(phone, 'Tudo enviado')).toBeVisible()
  expect((await received(server.url, person, id)).map(({ valor, estado }) => [valor, estado])).toEqual([
    [77, 'aplicado'],
  ])
  await expect(phone.getByText('Recusado pelo servidor')).toHaveCount(0)
  await context.close()
})

test('the camera reads a label, with a reader of our own that comes with the first scan', async ({
  person,
  server,
}) => {
  const { id } = await fieldTrial(server.url, person, [HEIGHT])
  const folder = mkdtempSync(join(tmpdir(), 'ensaio-label-'))
  const drawn = await chromium.launch(LAUNCH)
  const printed = await drawn.newPage({ baseURL: server.url, viewport: { width: 640, height: 480 } })
  await takeAlong(printed, person, id)
  await printed.goto(`/campo/${id}/etiquetas`)
  const { ficha } = await api(server.url, person, 'GET', `/api/experiments/${id}/plots`)
  await expect(printed.locator('.label-box svg').nth(6)).toBeAttached()
  await printed.evaluate(() => {
    const code = document.querySelectorAll('.label-box svg')[6]
    if (!code) throw new Error('No label')
    document.body.replaceChildren(code)
    document.body.style.cssText = 'background: #fff; padding: 10px; zoom: 4'
  })
  const film = join(folder, 'label.mjpeg')
  writeFileSync(film, await printed.screenshot({ type: 'jpeg', quality: 95 }))
  await drawn.close()

  const args = ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream']
  const seeing = await chromium.launch({
    ...LAUNCH,
    args: [...LAUNCH.args, ...args, `--use-file-for-fake-video-capture=${film}`],
  })
  const page = await seeing.newPage({ baseURL: server.url, viewport: { width: 360, height: 640 } })
  await takeAlong(page, person, id)
  await page.getByRole('button', { name: 'Coletar' }).click()
  await page.getByRole('button', { name: 'Ler etiqueta' }).click()
  await expect(page.getByRole('heading', { name: `Parcela ${ficha.parcelas[6].numero}` })).toBeVisible()
  await seeing.close()
  rmSync(folder, { recursive: true, force: true })
})

test('a scanner that types is heard wherever one is, and a count can be typed', async ({
  page,
  person,
  server,
}) => {
  const { id } = await fieldTrial(server.url, person)
  const { ficha } = await api(server.url, person, 'GET', `/api/experiments/${id}/plots`)
  const scan = async (plot: number, address = true) => {
    const { codigo, numero } = ficha.parcelas[plot]
    await page.keyboard.type(address ? `${server.url}/q/${codigo}`.toUpperCase() : codigo)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: `Parcela ${numero}` })).toBeVisible()
  }
  await takeAlong(page, person, id)
  // On a page that reads no values, and behind the shortcut of the start screen.
  await page.goto('/campo/aparelho')
  await expect(page.getByRole('heading', { name: 'Este aparelho' })).toBeVisible()
  await expect(page.getByText(/^Relógio: /)).toBeVisible()
  await scan(3)
  await enter(page, '82')
  const count = page.getByLabel('Estande (plantas)')
  await page.getByRole('button', { name: 'Digitar o número' }).click()
  await page.getByRole('button', { name: '1', exact: true }).click()
  await page.getByRole('button', { name: '4', exact: true }).click()
  await page.getByRole('button', { name: 'Contar por toques' }).click()
  await page.getByRole('button', { name: 'Contar mais um' }).click()
  await expect(count).toHaveValue('15')
  // In the middle of a number that stays, and by the code alone.
  await count.focus()
  await scan(5)
  await scan(3, false)
  await page.getByRole('button', { name: 'Próxima sem valor' }).click()
  await expect(count).toHaveValue('15')
  await page.getByRole('button', { name: 'Salvar e seguir' }).click()
  await page.getByRole('group', { name: 'Ferrugem' }).getByRole('radio', { name: 'Pouca' }).check()
  await scan(6)
  await scan(3)
  await page.getByRole('button', { name: 'Próxima sem valor' }).click()
  await page.getByRole('button', { name: 'Anotar' }).click()
  await page.getByLabel('Anotação desta parcela').fill('Acamada. No canto, 82.5 cm')
  await page.getByRole('button', { name: 'Guardar anotação' }).click()
  await page.getByRole('button', { name: 'Sem valor', exact: true }).click()
  await page.getByRole('button', { name: 'Parcela perdida' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Guardado: sem valor' })).toBeVisible()
  await page.goto('/campo/aparelho')
  await expect(page.getByText('Parcela 104 · Anotação: Acamada. No canto, 82.5 cm')).toBeVisible()
  await expect(page.getByText('Parcela 104 · Ferrugem: sem valor (Parcela perdida)')).toBeVisible()
  await expect(page.getByText('Parcela 104 · Altura de plantas: 82')).toBeVisible()
  await page.goto('/campo?etiqueta=1')
  await expect(page.getByRole('dialog', { name: 'Ler etiqueta' })).toBeVisible()
})

test('what a phone loads first stays light: 130 kB of scripts, 20 kB of styles', async ({ server }) => {
  const page = await (await fetch(`${server.url}/campo`)).text()
  const packed = async (ending: string) => {
    const files = [...page.matchAll(new RegExp(`/assets/campo/[\\w-]+\\.${ending}`, 'g'))]
    expect(files.length).toBeGreaterThan(0)
    const sizes = files.map(async ([path]) => {
      const file = await (await fetch(`${server.url}${path}`)).arrayBuffer()
      return gzipSync(new Uint8Array(file)).length
    })
    return (await Promise.all(sizes)).reduce((sum, one) => sum + one, 0)
  }
  expect(await packed('js')).toBeLessThanOrEqual(130_000)
  expect(await packed('css')).toBeLessThanOrEqual(20_000)
})

test('every page of the field is accessible, fits, and opens a scanned label', async ({
  page,
  person,
  server,
}) => {
  const { id } = await fieldTrial(server.url, person)
  await takeAlong(page, person, id)
  const look = async () => {
    await expectAccessible(page)
    await expectNothingBeyondTheEdge(page)
  }
  await look()
  await page.getByText('O que coletar e em que ordem').click()
  await page.getByText('Parcelas em tabela').click()
  await look()
  for (const path of ['/campo', '/campo/aparelho', `/campo/${id}/etiquetas`, `/campo/${id}/conflitos`]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await look()
  }
  await page.goto(`/campo/${id}/etiquetas`)
  await page.emulateMedia({ media: 'print' })
  const code = page.locator('.label-box svg').first()
  // At 96 points an inch, without its quiet edge of two squares on each side: 18 mm at least.
  const squares = Number((await code.getAttribute('viewBox'))?.split(' ')[2])
  const width = (await code.boundingBox())?.width ?? 0
  expect((width * (squares - 4)) / squares).toBeGreaterThanOrEqual((18 / 25.4) * 96)
  await page.emulateMedia({ media: 'screen' })
  const { ficha } = await api(server.url, person, 'GET', `/api/experiments/${id}/plots`)
  await page.goto(`/Q/${ficha.parcelas[5].codigo}`)
  await expect(page.getByRole('heading', { name: `Parcela ${ficha.parcelas[5].numero}` })).toBeVisible()
  // Of a trial that is not on this phone.
  const other = await fieldTrial(server.url, person)
  const far = (await api(server.url, person, 'GET', `/api/experiments/${other.id}/plots`)).ficha.parcelas[6]
  const there = await page.context().newPage()
  await there.goto(`/q/${far.codigo}`)
  await expect(there.getByText('Esta etiqueta é do ensaio Soja · ')).toBeVisible()
  await expect(there.getByText(`Parcela ${far.numero} · o ensaio ainda não está`)).toBeVisible()
  await there.getByRole('button', { name: 'Abrir' }).click()
  await there.getByRole('button', { name: 'Levar para o campo' }).click()
  await expect(there.getByRole('heading', { name: `Parcela ${far.numero}` })).toBeVisible()
  await there.close()
  for (const theme of ['light', 'dark', 'sun']) {
    await page.emulateMedia({ colorScheme: theme === 'dark' ? 'dark' : 'light' })
    if (theme === 'sun') await page.getByRole('button', { name: 'Sol' }).click()
    await look()
    await page.getByRole('button', { name: 'Histórico' }).click()
    await look()
    await page.getByRole('button', { name: 'Fechar' }).click()
  }
})
