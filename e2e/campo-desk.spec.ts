import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { fieldTrial, HEIGHT, standing } from './field-trial.ts'
import { expect, expectAccessible, newPerson, type Person, test } from './fixtures.ts'
import { enter, queue, signInOnPhone, takeAlong } from './phone.ts'
import { api, expectNothingBeyondTheEdge } from './several.ts'

/** Entries of a phone for a plot that the trial does not have any more. */
async function parked(url: string, person: Person, id: string) {
  const pack = await api(url, person, 'GET', `/api/experiments/${id}/field-package`)
  const { ficha } = await api(url, person, 'GET', `/api/experiments/${id}/plots`)
  const gone = ficha.parcelas.at(-1).id
  const parcelas = ficha.parcelas.slice(0, -1)
  await api(url, person, 'PUT', `/api/experiments/${id}/plots`, { ...ficha, parcelas })
  const aparelho = randomUUID()
  const of = (seq: number, given: object) => ({
    ...{ v: 1, id: randomUUID(), aparelho, seq, experimento: id, pacote: 1, tipo: 'valor', base: null },
    ...{ parcela: gone, variavel: pack.variaveis[0].id, avaliacao: null, nome: 'João Lima' },
    ...{ quando: '2026-03-12T09:00:00-03:00', ...given },
    rotulos: { parcela: '909', variavel: 'Altura de plantas', avaliacao: null },
  })
  const plot = pack.parcelas.find(({ numero }: { numero: number }) => numero === 101).id
  await api(url, person, 'POST', '/api/field/changes', {
    aparelho,
    registros: [
      of(1, { parcela: plot, valor: 71 }),
      of(2, { valor: 82.5 }),
      of(3, { tipo: 'sem_valor', motivo: 'perdida' }),
    ],
  })
}

test('entries without a place wait at the desk: one is put in a plot, one is thrown away after one question', async ({
  signedIn: page,
  person,
  server,
}) => {
  const { id } = await fieldTrial(server.url, person, [HEIGHT])
  await page.goto(`/experimentos/${id}?aba=parcelas`)
  await expect(page.getByRole('heading', { name: 'No campo' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Registros sem lugar' })).toBeHidden()
  await parked(server.url, person, id)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Registros sem lugar' })).toBeVisible()
  await expect(page.getByText('2 registros do campo esperam uma decisão.')).toBeVisible()
  await expect(page.getByText('Parcela 909 · Altura de plantas · 82,5')).toBeVisible()
  await expect(page.getByText('A parcela, a variável ou a avaliação não existe mais.').first()).toBeVisible()
  for (const width of [360, 390, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await expectNothingBeyondTheEdge(page)
  }

  await page.getByRole('button', { name: 'Colocar em…' }).first().click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Variável')).toHaveValue(/./)
  await dialog.getByRole('button', { name: 'Colocar', exact: true }).click()
  await expect(dialog.getByText('Escolha a parcela')).toBeVisible()
  await dialog.getByLabel('Parcela').selectOption({ label: '101 · T2' })
  await expect(dialog.getByText('Nesta célula está 71,0 de João Lima')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Colocar', exact: true }).click()
  await expect(page.getByText('Registro colocado')).toBeVisible()
  expect((await standing(server.url, person, id)).get(101)).toBe(82.5)

  await expect(page.getByText('1 registro do campo espera uma decisão.')).toBeVisible()
  await page.getByRole('button', { name: 'Descartar' }).click()
  const question = page.getByRole('alertdialog')
  await expect(
    question.getByText('Parcela 909 · Altura de plantas · Sem valor (Parcela perdida)'),
  ).toBeVisible()
  await question.getByRole('button', { name: 'Descartar' }).click()
  await expect(page.getByRole('heading', { name: 'Registros sem lugar' })).toBeHidden()
  const { registros } = await api(server.url, person, 'GET', `/api/experiments/${id}/field-changes`)
  expect(
    registros.filter(({ estado }: { estado: string }) => estado === 'guardado').length,
    'the history keeps both',
  ).toBe(2)
})

test('two values for one cell are decided at the desk, and the analysis says so until then', async ({
  signedIn: page,
  person,
  server,
}) => {
  const { id } = await fieldTrial(server.url, person, [HEIGHT])
  const pack = await api(server.url, person, 'GET', `/api/experiments/${id}/field-package`)
  const plots = [...pack.parcelas].sort((a, b) => a.numero - b.numero)
  const said = (nome: string, values: readonly number[]) => {
    const aparelho = randomUUID()
    return api(server.url, person, 'POST', '/api/field/changes', {
      aparelho,
      registros: values.map((valor, at) => ({
        ...{ v: 1, id: randomUUID(), aparelho, seq: at + 1, experimento: id, pacote: 1, tipo: 'valor' },
        ...{ base: null, parcela: plots[at].id, variavel: pack.variaveis[0].id, avaliacao: null, nome },
        ...{ valor, quando: '2026-03-12T09:00:00-03:00' },
      })),
    })
  }
  await said(
    'Ana Lima',
    plots.map((_, at) => 80 + ((at * 7) % 11)),
  )
  await said('Bruno Reis', [95])
  await page.goto(`/experimentos/${id}?aba=analise&variavel=altura`)
  await expect(
    page.getByText(
      '1 conflito do campo espera uma decisão (parcela 101): a análise usa o valor que está valendo.',
    ),
  ).toBeVisible()
  await page.goto(`/experimentos/${id}?aba=parcelas`)
  await expect(page.getByRole('heading', { name: 'Conflitos' })).toBeVisible()
  await expect(page.getByText('1 conflito para resolver.')).toBeVisible()
  for (const width of [360, 390, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await expectNothingBeyondTheEdge(page)
  }
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Ficar com 95,0 de Bruno Reis' }).click()
  await expect(page.getByText('Conflito resolvido')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Conflitos' })).toBeHidden()
  expect((await standing(server.url, person, id)).get(101)).toBe(95)
})

test('an invitation gives one phone without an account one trial, until it is revoked', async ({
  signedIn: page,
  browser,
  person,
  server,
  allowed,
}) => {
  allowed.push('422 POST')
  const { id } = await fieldTrial(server.url, person, [HEIGHT])
  await page.goto(`/experimentos/${id}?aba=parcelas`)
  await page.getByRole('button', { name: 'Convite de campo' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Vale por').fill('91')
  await dialog.getByRole('button', { name: 'Mostrar QR code' }).click()
  await expect(dialog.getByText('Informe de 1 a 90 dias')).toBeVisible()
  await dialog.getByLabel('Vale por').fill('7')
  const making = page.waitForResponse((answer) => answer.url().endsWith('/field-invitations'))
  await dialog.getByRole('button', { name: 'Mostrar QR code' }).click()
  await expect(dialog.getByRole('img', { name: 'QR code do convite' })).toBeVisible()
  await expectAccessible(page)
  const { convite } = await (await making).json()
  const address = new URL(convite.url)
  expect(address.pathname).toBe('/campo/convite')

  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 360, height: 640 } })
  const phone = await context.newPage()
  await phone.goto(`/campo/convite${address.hash}`)
  await phone.getByRole('button', { name: 'Aceitar convite' }).click()
  await expect(phone.getByRole('alert')).toHaveText('Informe o seu nome')
  await expectAccessible(phone)
  await phone.getByLabel('Seu nome').fill('João Lima')
  await phone.getByRole('button', { name: 'Aceitar convite' }).click()
  await phone.getByRole('button', { name: 'Levar para o campo' }).click()
  await expect(phone.getByText('Disponível sem internet')).toBeVisible()
  expect(phone.url()).not.toContain('#')
  await phone.getByRole('button', { name: 'Coletar' }).click()
  await enter(phone, '82')
  await expect(queue(phone, 'Guardado: 82')).toBeVisible()
  await expect(queue(phone, 'Tudo enviado')).toBeVisible()
  const { registros } = await api(server.url, person, 'GET', `/api/experiments/${id}/field-changes`)
  expect(registros[0].nome).toMatch(/^João Lima \(convite de .+\)$/)
  await phone.goto('/campo')
  await expect(phone.getByText(/^João Lima · convite de .+, até /)).toBeVisible()
  await expect(phone.getByRole('heading', { name: 'Ensaios para levar' })).toBeHidden()
  await expectNothingBeyondTheEdge(phone)

  // A second phone that reads the same code gets nothing.
  const other = await browser.newContext({ baseURL: server.url, viewport: { width: 390, height: 844 } })
  const second = await other.newPage()
  await second.goto(`/campo/convite${address.hash}`)
  await second.getByLabel('Seu nome').fill('Outra Pessoa')
  await second.getByRole('button', { name: 'Aceitar convite' }).click()
  await expect(second.getByRole('alert')).toHaveText(
    'Este convite de campo não vale mais. Peça um novo QR code.',
  )
  await other.close()

  // Without a network it goes on; revoked meanwhile, what was not sent is left for a copy.
  await phone.goto(`/campo/${id}/coleta`)
  await expect(phone.getByRole('heading', { name: /^Parcela / })).toBeVisible()
  await context.setOffline(true)
  await enter(phone, '90')
  await expect(queue(phone, 'Sem internet · 1 registro guardado neste aparelho')).toBeVisible()
  await dialog.getByRole('button', { name: 'Pronto' }).click()
  await expect(page.getByText('João Lima', { exact: true })).toBeVisible()
  for (const width of [360, 390, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await expectNothingBeyondTheEdge(page)
  }
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Revogar' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revogar' }).click()
  await expect(page.getByText('Revogado', { exact: true })).toBeVisible()
  await context.setOffline(false)
  await expect(phone.getByRole('heading', { name: 'Convite encerrado' })).toBeVisible({ timeout: 20_000 })
  await expect(phone.getByText('1 registro não foi enviado.')).toBeVisible()
  await expectAccessible(phone)
  const saving = phone.waitForEvent('download')
  await phone.getByRole('button', { name: 'Salvar cópia' }).click()
  expect((await saving).suggestedFilename()).toMatch(/\.csv$/)
  await phone.getByRole('button', { name: 'Sair deste convite' }).click()
  await expect(phone.getByLabel('Senha')).toBeVisible()
  await context.close()
})

test('a member of the organisation is put in the field team, takes the trial along and records', async ({
  signedIn: page,
  browser,
  person,
  server,
}) => {
  const { id } = await fieldTrial(server.url, person, [HEIGHT])
  const name = `Rui ${randomUUID().slice(0, 8)}`
  const rui = await newPerson(server.url, name)
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 360, height: 640 } })
  const phone = await context.newPage()
  await phone.goto(`/campo/${id}`)
  await signInOnPhone(phone, rui)
  await phone.getByRole('button', { name: 'Levar para o campo' }).click()
  await expect(phone.getByRole('alert')).toHaveText('Acesso negado')

  await page.goto(`/experimentos/${id}?aba=parcelas`)
  await page.getByLabel('Membro da organização').selectOption({ label: name })
  await page.getByRole('button', { name: 'Pôr na equipe' }).click()
  await expect(page.getByRole('list', { name: 'Pessoas da equipe' })).toContainText(name)
  await phone.getByRole('button', { name: 'Levar para o campo' }).click()
  await expect(phone.getByText('Disponível sem internet')).toBeVisible()
  await phone.getByRole('button', { name: 'Coletar' }).click()
  await enter(phone, '88')
  await expect(queue(phone, 'Guardado: 88')).toBeVisible()
  await expect(queue(phone, 'Tudo enviado')).toBeVisible()
  expect((await standing(server.url, person, id)).get(101)).toBe(88)

  await page.getByRole('button', { name: `Tirar ${name} da equipe` }).click()
  await expect(page.getByRole('list', { name: 'Pessoas da equipe' })).toBeHidden()
  // What was recorded meanwhile is kept for an editor.
  await enter(phone, '90')
  await expect(queue(phone, 'Guardado: 90')).toBeVisible()
  await expect(queue(phone, 'Tudo enviado')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Registros sem lugar' })).toBeVisible()
  await context.close()
})

test('words and days of the field stand in the grid, and are typed there; limits are the phone’s', async ({
  signedIn: page,
  person,
  server,
}) => {
  const { id } = await fieldTrial(server.url, person)
  const { ficha } = await api(server.url, person, 'GET', `/api/experiments/${id}/plots`)
  const aparelho = randomUUID()
  const entered = { altura: 82, floracao: '2026-03-12', obs: 'Acamada' }
  await api(server.url, person, 'POST', '/api/field/changes', {
    aparelho,
    registros: Object.entries(entered).map(([chave, valor], at) => ({
      ...{ v: 1, id: randomUUID(), aparelho, seq: at + 1, experimento: id, pacote: 1, tipo: 'valor', valor },
      ...{ parcela: ficha.parcelas[0].id, base: null, quando: '2026-03-12T12:00:00-03:00' },
      variavel: ficha.variaveis.find((one: { chave: string }) => one.chave === chave).id,
    })),
  })
  await page.goto(`/experimentos/${id}?aba=parcelas`)
  const grid = page.getByRole('grid', { name: 'Valores por parcela' })
  await expect(grid.getByRole('gridcell', { name: 'Acamada' })).toBeVisible()
  await expect(grid.getByRole('gridcell', { name: '12/03/2026' })).toBeVisible()
  await grid.focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('301')
  await page.keyboard.press('Enter')
  await expect(grid.getByRole('gridcell', { name: '301' })).toHaveAttribute(
    'title',
    'O valor deve ficar entre 0 e 300.',
  )
  await page.keyboard.press('Control+z')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('31/02/2026')
  await page.keyboard.press('Enter')
  await expect(grid.getByRole('gridcell', { name: '31/02/2026' })).toHaveAttribute(
    'title',
    'Informe a data: dd/mm/aaaa',
  )
  await page.keyboard.press('ArrowUp')
  await page.keyboard.type('13/3/2026')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Bordadura falhada')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Salvar parcelas' }).click()
  await expect(page.getByText('Parcelas salvas')).toBeVisible()
  await page.reload()
  await expect(grid.getByRole('gridcell', { name: 'Bordadura falhada' })).toBeVisible()
  const stands = await api(server.url, person, 'GET', `/api/experiments/${id}/plots`)
  const words = Object.fromEntries(
    stands.ficha.textos.map((one: { variavel: string; textos: (string | null)[] }) => [
      one.variavel,
      one.textos.filter((text) => text !== null),
    ]),
  )
  expect(words['obs']).toContain('Bordadura falhada')
  expect(words['floracao']).toContain('2026-03-13')
  await expectAccessible(page)
})

/** The dialog of a trial's columns, open at the desk. */
async function columnsOf(page: Page, id: string): Promise<Locator> {
  await page.goto(`/experimentos/${id}?aba=parcelas`)
  await page.getByRole('button', { name: 'Colunas' }).click()
  return page.getByRole('dialog', { name: 'Colunas e tratamentos' })
}

/** A further variable of notes, its settings for the field open. */
async function addNote(dialog: Locator, name: string): Promise<void> {
  await dialog.getByRole('button', { name: 'Adicionar variável' }).click()
  await dialog.getByLabel('Nome').last().fill(name)
  await dialog.getByLabel('Tipo').last().selectOption('Nota')
  await dialog.getByText(`Coleta no campo: ${name}`).click()
}

test('what is set for a variable at the desk reaches the phone: instruction, limits, notes, several samples', async ({
  signedIn: page,
  browser,
  person,
  server,
}) => {
  const { id } = await fieldTrial(server.url, person, [HEIGHT])
  const dialog = await columnsOf(page, id)
  await dialog.getByText('Coleta no campo: Altura de plantas').click()
  await expect(dialog.getByLabel('Máximo')).toHaveValue('300')
  await dialog.getByLabel('Máximo').fill('250')
  await dialog.getByLabel('Amostras').fill('3')
  await dialog.getByLabel('Instrução para quem coleta').fill('Três plantas do meio da parcela.')
  await addNote(dialog, 'Ferrugem')
  for (const word of ['Ausente', 'Muita']) {
    await dialog.getByRole('button', { name: 'Adicionar nota' }).click()
    await dialog.getByLabel('Significa').last().fill(word)
  }
  await expectAccessible(page)
  await expectNothingBeyondTheEdge(page)
  await dialog.getByRole('button', { name: 'Aplicar' }).click()
  await page.getByRole('button', { name: 'Salvar parcelas' }).click()
  await expect(page.getByText('Parcelas salvas')).toBeVisible()
  await page.getByText('Quem coleta cada bloco').click()
  await page.getByLabel('Bloco 1', { exact: true }).fill('Bruno')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Blocos indicados')).toBeVisible()
  await expectAccessible(page)

  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 360, height: 640 } })
  const phone = await context.newPage()
  await takeAlong(phone, person, id)
  await expect(phone.getByText('Bloco 1: Bruno', { exact: true })).toBeVisible()
  await phone.goto(`/campo/${id}/coleta`)
  await expect(phone.getByText('Bloco 1: Bruno · linha 1, coluna 1')).toBeVisible()
  await expect(phone.getByText('Três plantas do meio da parcela.')).toBeVisible()
  await expect(phone.getByText('Amostra 1 de 3')).toBeVisible()
  await enter(phone, '260')
  await expect(phone.getByRole('alert')).toHaveText('O valor deve ficar entre 0 e 250.')
  await phone.getByLabel('Altura de plantas (cm)').fill('')
  await enter(phone, '80')
  await expect(phone.getByRole('status').filter({ hasText: 'Guardado: 80' })).toBeVisible()
  await expect(phone.getByText('Amostra 2 de 3 · 80,0 · média 80')).toBeVisible()
  await expectAccessible(phone)
  await enter(phone, '82')
  await expect(phone.getByText('Amostra 3 de 3')).toBeVisible()
  // Taken back, it is the second's turn again, also behind a restart.
  await phone.getByRole('button', { name: 'Desfazer' }).click()
  await expect(phone.getByText('Guardado: desfeito na parcela 101')).toBeVisible()
  await phone.reload()
  await expect(phone.getByText('Amostra 2 de 3 · 80,0 · média 80')).toBeVisible()
  await enter(phone, '82')
  await expect(phone.getByText('Amostra 3 de 3 · 80,0; 82,0 · média 81')).toBeVisible()
  await enter(phone, '84')
  await expect(phone.getByRole('group', { name: 'Ferrugem' })).toBeVisible()
  await phone.getByRole('group', { name: 'Ferrugem' }).getByRole('radio', { name: 'Muita' }).check()
  await phone.getByRole('button', { name: 'Salvar e seguir' }).click()
  await expect(phone.getByRole('heading', { name: 'Parcela 102' })).toBeVisible()
  await expect.poll(async () => (await standing(server.url, person, id)).get(101)).toEqual([80, 82, 84])
  await expect.poll(async () => (await standing(server.url, person, id, 'ferrugem')).get(101)).toBe(2)
  await context.close()
})

test('what phones have said is waiting there is asked about, with its number, before parcels or trial go', async ({
  signedIn: page,
  person,
  server,
  allowed,
}) => {
  // Asked first; and then there are no parcels.
  allowed.push('409', '404')
  const { id, nome } = await fieldTrial(server.url, person, [HEIGHT])
  const aparelho = randomUUID()
  await api(server.url, person, 'GET', `/api/experiments/${id}/field-package?aparelho=${aparelho}`)
  await api(server.url, person, 'POST', '/api/field/changes', { aparelho, registros: [], pendentes: 12 })
  await page.goto(`/experimentos/${id}?aba=parcelas`)
  const asked = page.getByRole('alertdialog')
  const told = asked.getByText('12 registros ainda não foram enviados pelos celulares')
  const begin = async () => {
    await page.getByRole('button', { name: 'Planilhas' }).click()
    await page.getByRole('menuitem', { name: 'Excluir parcelas' }).click()
    await asked.getByRole('button', { name: 'Excluir', exact: true }).click()
    await expect(told).toBeVisible()
  }
  await begin()
  await expectAccessible(page)
  await asked.getByRole('button', { name: 'Cancelar' }).click()
  await begin()
  // A tap that comes at once was meant for the question before.
  await page.waitForTimeout(700)
  await asked.getByRole('button', { name: 'Excluir mesmo assim' }).click()
  await expect(page.getByText('Parcelas excluídas')).toBeVisible()

  // Their record of the trial went with nothing: it is asked about again.
  await page.goto('/dashboard')
  await page
    .getByRole('button', { name: `Excluir ${nome}` })
    .first()
    .click()
  await asked.getByRole('button', { name: 'Excluir', exact: true }).click()
  await expect(told).toBeVisible()
  await page.waitForTimeout(700)
  await asked.getByRole('button', { name: 'Excluir mesmo assim' }).click()
  await expect(page.getByText('Experimento excluído com sucesso!')).toBeVisible()
})

test('a scale of the product reaches the phone with its diagrams, and a scanner that types leads to its plot', async ({
  signedIn: page,
  browser,
  person,
  server,
}) => {
  const { id } = await fieldTrial(server.url, person, [HEIGHT])
  const dialog = await columnsOf(page, id)
  await addNote(dialog, 'Ferrugem')
  await dialog
    .getByRole('group', { name: 'Escalas prontas, com figura' })
    .getByRole('button', { name: 'Severidade na folha' })
    .click()
  await expect(dialog.getByLabel('Significa').first()).toHaveValue('Sem lesões')
  await expectAccessible(page)
  await expectNothingBeyondTheEdge(page)
  await dialog.getByRole('button', { name: 'Aplicar' }).click()
  await page.getByRole('button', { name: 'Salvar parcelas' }).click()
  await expect(page.getByText('Parcelas salvas')).toBeVisible()
  const { ficha } = await api(server.url, person, 'GET', `/api/experiments/${id}/plots`)

  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 360, height: 640 } })
  const phone = await context.newPage()
  await takeAlong(phone, person, id)
  await phone.goto(`/campo/${id}/coleta`)
  const height = phone.getByLabel('Altura de plantas (cm)')
  await expect(height).toBeFocused()
  const [first, second] = [ficha.parcelas[0], ficha.parcelas[5]]
  await phone.keyboard.type(`${server.url}/Q/${second.codigo}`.toUpperCase())
  await phone.keyboard.press('Enter')
  await expect(phone.getByRole('heading', { name: `Parcela ${second.numero}` })).toBeVisible()
  await expect(height).toHaveValue('')
  await phone.keyboard.type(`${server.url}/q/${first.codigo}`)
  await phone.keyboard.press('Enter')
  await expect(phone.getByRole('heading', { name: `Parcela ${first.numero}` })).toBeVisible()
  await enter(phone, '80')
  const notes = phone.getByRole('group', { name: 'Ferrugem (%)' })
  await expect(notes.getByRole('radio')).toHaveCount(8)
  await expect(notes.locator('svg')).toHaveCount(8)
  await expectAccessible(phone)
  await expectNothingBeyondTheEdge(phone)
  await notes.getByRole('radio', { name: 'Um quarto' }).check()
  await phone.getByRole('button', { name: 'Salvar e seguir' }).click()
  await expect.poll(async () => (await standing(server.url, person, id, 'ferrugem')).get(101)).toBe(25)
  await context.close()
})

test('several categories of one plot: allowed at the desk, ticked on the phone, kept as words', async ({
  signedIn: page,
  browser,
  person,
  server,
}) => {
  const { id } = await fieldTrial(server.url, person, [HEIGHT])
  const dialog = await columnsOf(page, id)
  await addNote(dialog, 'Pragas')
  const several = dialog.getByRole('checkbox', { name: 'Permitir várias categorias' })
  for (const word of ['Lagarta', 'Percevejo', 'Ácaro']) {
    await dialog.getByRole('button', { name: 'Adicionar nota' }).click()
    await dialog.getByLabel('Significa').last().fill(word)
  }
  await several.check()
  await expectAccessible(page)
  await expectNothingBeyondTheEdge(page)
  await dialog.getByRole('button', { name: 'Aplicar' }).click()
  await page.getByRole('button', { name: 'Salvar parcelas' }).click()
  await expect(page.getByText('Parcelas salvas')).toBeVisible()

  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 360, height: 640 } })
  const phone = await context.newPage()
  await takeAlong(phone, person, id)
  await phone.goto(`/campo/${id}/coleta`)
  await enter(phone, '80')
  const pests = phone.getByRole('group', { name: 'Pragas' })
  await pests.getByRole('checkbox', { name: 'Ácaro' }).check()
  await pests.getByRole('checkbox', { name: 'Lagarta' }).check()
  // Ticked and not saved, it outlives the page as anything that is typed.
  await phone.reload()
  await expect(pests.getByRole('checkbox', { name: 'Ácaro' })).toBeChecked()
  await expect(pests.getByRole('checkbox', { name: 'Percevejo' })).not.toBeChecked()
  for (const scheme of ['light', 'dark'] as const) {
    await phone.emulateMedia({ colorScheme: scheme })
    await expectAccessible(phone)
    await expectNothingBeyondTheEdge(phone)
  }
  await phone.getByRole('button', { name: 'Salvar e seguir' }).click()
  await expect(phone.getByRole('status').filter({ hasText: 'Guardado: 1; 3' })).toBeVisible()
  await expect(queue(phone, 'Tudo enviado')).toBeVisible()
  await context.close()

  await page.reload()
  const grid = page.getByRole('grid', { name: 'Valores por parcela' })
  await expect(grid.getByRole('gridcell', { name: '1; 3' })).toBeVisible()
  await grid.focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.type('percevejo; lagarta')
  await page.keyboard.press('Enter')
  await expect(grid.getByRole('gridcell', { name: '1; 2' })).toBeVisible()
  await page.keyboard.type('4')
  await page.keyboard.press('Enter')
  await expect(grid.getByRole('gridcell', { name: '4', exact: true })).toHaveAttribute(
    'title',
    'Informe as categorias, com ponto e vírgula entre elas: 1; 3',
  )
  await page.keyboard.press('Control+z')
  await page.getByRole('button', { name: 'Salvar parcelas' }).click()
  await expect(page.getByText('Parcelas salvas')).toBeVisible()
  const { ficha } = await api(server.url, person, 'GET', `/api/experiments/${id}/plots`)
  expect(ficha.textos[0].textos.slice(0, 3)).toEqual(['1; 3', '1; 2', null])
  // Words stay words while there are any.
  await page.getByRole('button', { name: 'Colunas' }).click()
  await dialog.getByText('Coleta no campo: Pragas').click()
  await expect(several).toBeDisabled()
})

test('where north is on the layout is told at the desk, and drawn on the phone', async ({
  signedIn: page,
  browser,
  person,
  server,
}) => {
  const { id } = await fieldTrial(server.url, person, [HEIGHT])
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 360, height: 640 } })
  const phone = await context.newPage()
  await takeAlong(phone, person, id)
  await expect(phone.getByRole('heading', { name: 'Croqui' })).toBeVisible()
  await expect(phone.getByRole('img', { name: /^Norte/ })).toHaveCount(0)

  await page.goto(`/experimentos/${id}?aba=parcelas`)
  await page.getByRole('button', { name: 'Croqui', exact: true }).click()
  await page.getByLabel('Norte do croqui').selectOption('Para cima, à direita')
  await expect(page.getByRole('img', { name: 'Norte: para cima, à direita' })).toBeVisible()
  await expectAccessible(page)
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await expectNothingBeyondTheEdge(page)
  }
  await page.getByRole('button', { name: 'Salvar parcelas' }).click()
  await expect(page.getByText('Parcelas salvas')).toBeVisible()

  // The phone hears that its trial is another, and takes it anew.
  await phone.goto('/campo/aparelho')
  await phone.getByRole('button', { name: 'Sincronizar agora' }).click()
  await phone.goto(`/campo/${id}`)
  await phone.getByRole('button', { name: 'Atualizar agora' }).click()
  await expect(phone.getByRole('img', { name: 'Norte: para cima, à direita' })).toBeVisible()
  for (const colorScheme of ['light', 'dark'] as const) {
    await phone.emulateMedia({ colorScheme })
    await expectAccessible(phone)
    await expectNothingBeyondTheEdge(phone)
  }
  await context.close()
})

test('what would leave the sheet with a column, or with its type, is said before', async ({
  signedIn: page,
  person,
  server,
}) => {
  const { id } = await fieldTrial(server.url, person, [HEIGHT])
  const { ficha } = await api(server.url, person, 'GET', `/api/experiments/${id}/plots`)
  await api(server.url, person, 'POST', `/api/experiments/${id}/plots/cells`, {
    versao: ficha.versao,
    celulas: [101, 102].map((parcela, at) => ({
      ...{ parcela, variavel: 'altura', avaliacao: null, antes: null, valor: 80 + at },
    })),
  })
  const dialog = await columnsOf(page, id)
  await dialog.getByLabel('Tipo').first().selectOption('Texto')
  await dialog.getByRole('button', { name: 'Aplicar', exact: true }).click()
  await expect(dialog.getByText(/^2 valores saem da ficha/)).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('Tipo').first().selectOption('Contagem')
  await dialog.getByRole('button', { name: 'Aplicar mesmo assim' }).click()
  await expect(dialog).toBeHidden()
})
