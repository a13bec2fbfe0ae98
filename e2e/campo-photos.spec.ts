import { createHash, randomUUID } from 'node:crypto'
import { fieldTrial, HEIGHT, standing } from './field-trial.ts'
import { expect, expectAccessible, type Person, test } from './fixtures.ts'
import { enter, queue, takeAlong } from './phone.ts'
import { api, expectNothingBeyondTheEdge } from './several.ts'

test.use({ viewport: { width: 360, height: 640 } })

/** A picture as a camera makes one: large, and noisy enough to take several parts. */
const picture = (page: import('@playwright/test').Page, width: number, height: number) =>
  page
    .evaluate(
      async ([w, h]) => {
        const canvas = new OffscreenCanvas(w ?? 1, h ?? 1)
        const pen = canvas.getContext('2d')
        const step = 4
        for (let x = 0; x < canvas.width; x += step)
          for (let y = 0; y < canvas.height; y += step) {
            if (!pen) continue
            pen.fillStyle = `rgb(${(x * 7 + y * 13) % 256} ${(x * 3 + y * 5 + ((x * y) % 97)) % 256} ${(y * 11) % 256})`
            pen.fillRect(x, y, step, step)
          }
        const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.95 })
        return [...new Uint8Array(await blob.arrayBuffer())]
      },
      [width, height],
    )
    .then((bytes) => ({ name: 'foto.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(bytes) }))
const photosOf = async (url: string, person: Person, id: string) =>
  (await api(url, person, 'GET', `/api/experiments/${id}/photos`)).fotos as {
    id: string
    numero: number
    largura: number
    altura: number
    posicao: { lat: number } | null
  }[]

test('a photo is taken without a network, outlives the page, and goes out behind the values, in parts', async ({
  page,
  context,
  person,
  server,
  allowed,
}) => {
  allowed.push('ERR_INTERNET_DISCONNECTED', 'ERR_FAILED')
  await context.grantPermissions(['geolocation'])
  await context.setGeolocation({ latitude: -12.5, longitude: -55.25, accuracy: 5 })
  const { id } = await fieldTrial(server.url, person, [HEIGHT])
  await takeAlong(page, person, id)
  await page.goto('/campo/aparelho')
  await page.getByLabel('Registrar a posição, uma vez por parcela').check()
  await expectAccessible(page)
  await page.goto(`/campo/${id}/coleta`)
  await expect(page.getByRole('heading', { name: 'Parcela 101' })).toBeVisible()
  const taken = await picture(page, 2400, 1800)
  await context.setOffline(true)
  await page.getByLabel('Altura de plantas (cm)').fill('8')
  const camera = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Foto', exact: true }).click()
  await (await camera).setFiles(taken)
  await expect(page.getByRole('status').filter({ hasText: 'Guardado: foto' })).toBeVisible()
  await expect(queue(page, 'Sem internet · 1 registro guardado neste aparelho')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Altura de plantas (cm)')).toHaveValue('8')
  await expect(page.getByText('A câmera fechou o app.')).toBeHidden()
  await enter(page, '2')
  await expect(queue(page, 'Sem internet · 2 registros guardados neste aparelho')).toBeVisible()
  await page.getByRole('button', { name: 'Parcela anterior' }).click()
  await page.getByRole('button', { name: 'Histórico' }).click()
  await expect(page.getByText(/· para enviar$/)).toBeVisible()
  await expectAccessible(page)
  await expectNothingBeyondTheEdge(page)
  await page.getByRole('button', { name: 'Fechar' }).click()

  // The network goes away behind the first part: it goes on from there.
  let parts = 0
  await page.route('**/part', async (route) => {
    parts += 1
    if (parts === 2) await route.abort()
    else await route.continue()
  })
  await context.setOffline(false)
  await expect.poll(async () => (await standing(server.url, person, id)).get(101)).toBe(82)
  await expect(queue(page, 'Tudo enviado')).toBeVisible({ timeout: 40_000 })
  expect(parts).toBeGreaterThanOrEqual(3)
  const [photo, ...others] = await photosOf(server.url, person, id)
  expect(others).toEqual([])
  expect(photo).toMatchObject({ numero: 101, largura: 1600, altura: 1200, posicao: { lat: -12.5 } })
  await page.getByRole('button', { name: 'Histórico' }).click()
  await expect(page.getByText(/· enviada$/)).toBeVisible()
})

test('a camera that closes the application loses nothing, and the page says so', async ({
  page,
  context,
  person,
  server,
}) => {
  const { id } = await fieldTrial(server.url, person, [HEIGHT])
  await takeAlong(page, person, id)
  await page.goto(`/campo/${id}/coleta`)
  await enter(page, '82')
  await page.getByLabel('Altura de plantas (cm)').fill('7')
  const camera = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Foto', exact: true }).click()
  await camera
  await page.close()
  const again = await context.newPage()
  await again.goto(`/campo/${id}/coleta`)
  await expect(again.getByRole('heading', { name: 'Parcela 102' })).toBeVisible()
  await expect(again.getByText('A câmera fechou o app. Nada foi perdido; tire a foto de novo.')).toBeVisible()
  await expect(again.getByLabel('Altura de plantas (cm)')).toHaveValue('7')
  await expectAccessible(again)
  await again.reload()
  await expect(again.getByRole('heading', { name: 'Parcela 102' })).toBeVisible()
  await expect(again.getByText('A câmera fechou o app.')).toBeHidden()
})

test('what is no picture, and what has no room, is said', async ({ page, person, server }) => {
  const { id } = await fieldTrial(server.url, person, [HEIGHT])
  await takeAlong(page, person, id)
  await page.goto(`/campo/${id}/coleta`)
  const take = async (file: { name: string; mimeType: string; buffer: Buffer }) => {
    const camera = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Foto', exact: true }).click()
    await (await camera).setFiles(file)
  }
  await take({ name: 'x.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('nenhuma foto') })
  await expect(page.getByRole('alert')).toHaveText('Esta foto não pôde ser lida. Tire outra.')
  const taken = await picture(page, 1600, 1200)
  // A phone that has no room for pictures, and says so as browsers do.
  await page.evaluate(() => {
    const { add } = IDBObjectStore.prototype
    Object.assign(window, { room: () => Object.assign(IDBObjectStore.prototype, { add }) })
    IDBObjectStore.prototype.add = function (...given) {
      if (this.name === 'fotos') throw new DOMException('full', 'QuotaExceededError')
      return add.apply(this, given)
    }
  })
  await take(taken)
  await expect(page.getByRole('alert')).toHaveText(
    'Sem espaço para fotos. Envie as que esperam ou libere espaço.',
  )
  await enter(page, '82')
  await expect(page.getByRole('status').filter({ hasText: 'Guardado: 82' })).toBeVisible()
  await page.evaluate(() => (window as unknown as { room(): void }).room())
  await take(taken)
  await expect(page.getByRole('status').filter({ hasText: 'Guardado: foto' })).toBeVisible()
  await expect(queue(page, 'Tudo enviado')).toBeVisible({ timeout: 40_000 })
  expect(await photosOf(server.url, person, id)).toHaveLength(1)
})

test('the desk shows the photos with their plots, makes one larger, saves it and deletes it', async ({
  signedIn: page,
  person,
  server,
}) => {
  const { id } = await fieldTrial(server.url, person, [HEIGHT])
  await page.goto('/dashboard')
  const { buffer } = await picture(page, 640, 480)
  const { ficha } = await api(server.url, person, 'GET', `/api/experiments/${id}/plots`)
  const [aparelho, entry] = [randomUUID(), randomUUID()]
  await api(server.url, person, 'POST', '/api/field/changes', {
    aparelho,
    registros: [
      {
        ...{ v: 1, id: entry, aparelho, seq: 1, experimento: id, pacote: 1, tipo: 'foto' },
        ...{ parcela: ficha.parcelas[0].id, quando: '2026-03-12T12:00:00-03:00' },
        posicao: { lat: -12.5, lng: -55.25, precisao_m: 4, quando: null },
        arquivo: { sha256: createHash('sha256').update(buffer).digest('hex'), tamanho: buffer.length },
      },
    ],
  })
  for (let de = 0; de < buffer.length; de += 262_144) {
    const form = new FormData()
    form.set('de', String(de))
    form.set('parte', new Blob([new Uint8Array(buffer.subarray(de, de + 262_144))]), 'parte')
    const answer = await fetch(`${server.url}/api/experiments/${id}/photos/${entry}/part`, {
      ...{ method: 'PUT', headers: { authorization: `Bearer ${person.token}` }, body: form },
    })
    expect(answer.status).toBe(200)
  }
  await page.goto(`/experimentos/${id}?aba=parcelas`)
  await expect(page.getByRole('heading', { name: 'Fotos' })).toBeVisible()
  await expect(page.getByText('Uma foto das parcelas.')).toBeVisible()
  await page.getByRole('button', { name: /^Parcela 101 12\/03\/2026/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Parcela 101' })
  await expect(dialog.getByRole('img', { name: 'Foto da parcela 101' })).toBeVisible()
  await expect(dialog.getByText(/-12,50000; -55,25000 · ± 4 m/)).toBeVisible()
  await expectAccessible(page)
  const saved = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Baixar' }).click()
  expect((await saved).suggestedFilename()).toBe('Parcela 101 - 2026-03-12.jpg')
  await dialog.getByRole('button', { name: 'Apagar' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Apagar' }).click()
  await expect(page.getByText('Foto apagada')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Fotos' })).toBeHidden()
  expect(await photosOf(server.url, person, id)).toEqual([])
})

test('photos that wait are taken away in one file, brought to another phone, and arrive from there', async ({
  page,
  browser,
  context,
  person,
  server,
  allowed,
}) => {
  allowed.push('ERR_INTERNET_DISCONNECTED')
  const { id } = await fieldTrial(server.url, person, [HEIGHT])
  await takeAlong(page, person, id)
  await page.goto(`/campo/${id}/coleta`)
  const taken = await picture(page, 640, 480)
  await context.setOffline(true)
  const camera = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Foto', exact: true }).click()
  await (await camera).setFiles(taken)
  await expect(page.getByRole('status').filter({ hasText: 'Guardado: foto' })).toBeVisible()
  await page.goto(`/campo/${id}`)
  await page.getByRole('button', { name: 'Remover deste aparelho' }).click()
  await expect(page.getByText('1 registro ainda não foi enviado.')).toBeVisible()
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Salvar cópia e remover' }).click()
  const copy = await (await saving).path()
  await expect(page.getByText('Confira se o arquivo está nos seus downloads.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'A cópia está salva, remover' }).click()
  await expect(page.getByRole('heading', { name: 'Campo', exact: true })).toBeVisible()
  await page.goto('/campo/aparelho')
  await expect(queue(page, 'Tudo enviado')).toBeVisible()

  const other = await browser.newContext({ baseURL: server.url, viewport: { width: 360, height: 640 } })
  const second = await other.newPage()
  await takeAlong(second, person, id)
  await second.goto('/campo/aparelho')
  await second.getByLabel('Importar cópia').setInputFiles(copy)
  await expect(second.getByText('1 registro desta cópia entrou na fila.')).toBeVisible()
  await expect(queue(second, 'Tudo enviado')).toBeVisible({ timeout: 40_000 })
  expect(await photosOf(server.url, person, id)).toMatchObject([{ numero: 101, largura: 640 }])
  await other.close()
})

test('a photo that the plot has no room for is kept, named, and given up only when asked', async ({
  page,
  person,
  server,
  allowed,
}) => {
  allowed.push('422 PUT')
  const { id } = await fieldTrial(server.url, person, [HEIGHT])
  await takeAlong(page, person, id)
  // Twenty are there already, of which this phone has not heard.
  const { ficha } = await api(server.url, person, 'GET', `/api/experiments/${id}/plots`)
  await fetch(`${server.url}/brapi/v2/images`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(Array.from({ length: 20 }, () => ({ observationUnitDbId: ficha.parcelas[0].id }))),
  })
  await page.goto(`/campo/${id}/coleta`)
  const camera = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Foto', exact: true }).click()
  await (await camera).setFiles(await picture(page, 320, 240))
  await expect(page.getByRole('status').filter({ hasText: 'Guardado: foto' })).toBeVisible()
  await enter(page, '82')
  await expect.poll(async () => (await standing(server.url, person, id)).get(101)).toBe(82)
  await page.goto('/campo/aparelho')
  await expect(page.getByRole('heading', { name: 'Fotos não enviadas' })).toBeVisible()
  await expect(page.getByText('Uma parcela guarda no máximo 20 fotos', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await expectNothingBeyondTheEdge(page)
  await page.getByRole('button', { name: 'Descartar…' }).click()
  await expect(page.getByText('Esta foto só existe neste aparelho.')).toBeVisible()
  await page.getByRole('button', { name: 'Descartar foto' }).click()
  await expect(page.getByRole('heading', { name: 'Fotos não enviadas' })).toBeHidden()
  await expect(page.getByText('foto descartada')).toBeVisible()
})

test('a photo is taken back after one question, before it is sent and after, and the value under it stays', async ({
  page,
  context,
  person,
  server,
  allowed,
}) => {
  allowed.push('ERR_INTERNET_DISCONNECTED', 'ERR_FAILED')
  const { id } = await fieldTrial(server.url, person, [HEIGHT])
  await takeAlong(page, person, id)
  await page.goto(`/campo/${id}/coleta`)
  await enter(page, '82')
  await page.getByRole('button', { name: 'Parcela anterior' }).click()
  const file = await picture(page, 800, 600)
  const take = async () => {
    const camera = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Foto', exact: true }).click()
    await (await camera).setFiles(file)
    await expect(page.getByRole('status').filter({ hasText: 'Guardado: foto' })).toBeVisible()
  }
  const undo = page.getByRole('button', { name: 'Desfazer', exact: true })
  const asked = page.getByRole('dialog', { name: 'Desfazer a foto' })
  const done = page.getByText('foto desfeita na parcela 101')
  await take()
  await expect(queue(page, 'Tudo enviado')).toBeVisible({ timeout: 40_000 })
  expect(await photosOf(server.url, person, id)).toHaveLength(1)
  await undo.click()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page)
  }
  // The safe choice comes first, and changes nothing.
  await asked.getByRole('button', { name: 'Fechar' }).click()
  await expect(asked).toBeHidden()
  await expect(done).toBeHidden()
  await undo.click()
  await asked.getByRole('button', { name: 'Desfazer a foto' }).click()
  await expect(done).toBeVisible()
  await expect.poll(() => photosOf(server.url, person, id)).toEqual([])

  // Without a network it never leaves the phone; what is told of it does.
  await context.setOffline(true)
  await take()
  await undo.click()
  await asked.getByRole('button', { name: 'Desfazer a foto' }).click()
  await expect(done).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Histórico' }).click()
  const history = page.getByRole('dialog', { name: 'Histórico' })
  await expect(history.getByText(/· desfeita$/)).toHaveCount(2)
  await expect(history.locator('img')).toHaveCount(0)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await context.setOffline(false)
  await expect(queue(page, 'Tudo enviado')).toBeVisible({ timeout: 40_000 })
  expect(await photosOf(server.url, person, id)).toEqual([])
  await page.goto('/campo/aparelho')
  await expect(page.getByText('foto desfeita')).toHaveCount(4)
  await page.goto(`/campo/${id}/coleta`)
  await undo.click()
  await expect(page.getByText('desfeito na parcela 101')).toBeVisible()
  await expect.poll(async () => (await standing(server.url, person, id)).get(101)).toBeNull()
})
