import { expectAccessible } from './fixtures.ts'
import {
  api,
  expect,
  expectNothingBeyondTheEdge,
  newPerson,
  organization,
  pageOf,
  test,
  trial,
} from './several.ts'

test('an administrator lets several organisations in, and is told what that means', async ({
  browser,
  server,
  chief,
}) => {
  await api(server.url, chief, 'PUT', '/api/admin/installation', { organizacoes: 'uma' })
  const page = await pageOf(browser, server, chief)
  await page.goto('/admin?aba=organizacoes')
  await expect(page.getByRole('button', { name: /^Organização:/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Permitir várias organizações' }).click()
  await expect(page.getByRole('alertdialog')).toContainText(
    'Cada organização passa a ver somente os próprios experimentos e os que receber. As contas que já existem continuam na organização “Ensaio”.',
  )
  await expectAccessible(page)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Permitir' }).click()
  await expect(page.getByText('Alteração salva')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Organização:/ })).toContainText('Ensaio')
  await page.context().close()
})

test('who registers has a space of their own, makes an organisation and invites others to it', async ({
  browser,
  server,
}) => {
  const page = await (await browser.newContext({ baseURL: server.url })).newPage()
  await page.goto('/register')
  await page.getByLabel('Nome completo').fill('Rita Campos')
  await page.getByLabel('Email').fill('rita@campo.com.br')
  await page.getByLabel('Senha', { exact: true }).fill('sementes-2026')
  await page.getByLabel('Confirmar senha').fill('sementes-2026')
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Cadastrar' }).click()
  await page.waitForURL('**/dashboard')
  const menu = page.getByRole('button', { name: /^Organização:/ })
  await expect(menu).toContainText('Espaço de Rita Campos')
  await expect(page.getByText('Modo Demonstração')).toBeVisible()

  await menu.click()
  await expect(page.getByRole('menuitem', { name: /Espaço de Rita Campos/ })).toContainText(
    'Espaço pessoal · Dono',
  )
  await expect(page.getByRole('menuitem', { name: 'Convites (0)' })).toBeVisible()
  await page.getByRole('menuitem', { name: 'Criar organização' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Criar' }).click()
  await expect(dialog.getByText('Este campo é obrigatório')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('Nome').fill('Consultoria Cerrado')
  await dialog.getByLabel('Nome').press('Enter')
  await expect(menu).toContainText('Consultoria Cerrado')
  // Of a person with several, the address says of which one it is.
  await expect(page).toHaveURL(/\?org=[0-9a-f-]{36}$/)

  await menu.click()
  await page.getByRole('menuitem', { name: 'Membros e organização' }).click()
  await expect(page.getByRole('heading', { name: 'Consultoria Cerrado' })).toBeVisible()
  await page.getByLabel('Email').fill('lia@campo.com.br')
  await page.getByLabel('Papel', { exact: true }).selectOption('Leitor')
  await page.getByRole('button', { name: 'Enviar convite' }).click()
  await expect(page.getByText('Convite enviado.')).toBeVisible()
  await expect(page.getByText('Copie o link e envie a lia@campo.com.br.')).toBeVisible()
  await expectAccessible(page)
  const link = await page.getByLabel('Link do convite').inputValue()
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNothingBeyondTheEdge(page)
  await page.setViewportSize({ width: 1280, height: 900 })

  const other = await pageOf(browser, server, await newPerson(server.url, 'Outra Pessoa'))
  await other.goto(link)
  await expect(other.getByText('Consultoria Cerrado')).toBeVisible()
  await expect(other.getByText('lia@campo.com.br')).toBeVisible()
  await other.getByRole('button', { name: 'Aceitar' }).click()
  await expect(
    other.getByText('Este convite foi enviado para outro email. Entre com ele para aceitar.'),
  ).toBeVisible()
  await other.context().close()

  const invited = await (await browser.newContext({ baseURL: server.url })).newPage()
  await invited.goto(link)
  await expectAccessible(invited)
  await invited.getByRole('link', { name: 'Cadastrar' }).click()
  await expect(invited.getByLabel('Email')).toHaveValue('lia@campo.com.br')
  await invited.getByLabel('Nome completo').fill('Lia Leitora')
  await invited.getByLabel('Senha', { exact: true }).fill('sementes-2026')
  await invited.getByLabel('Confirmar senha').fill('sementes-2026')
  await invited.getByRole('checkbox').check()
  await invited.getByRole('button', { name: 'Cadastrar' }).click()
  await invited.waitForURL('**/dashboard')
  await expect(invited.getByRole('button', { name: /^Organização:/ })).toContainText('Consultoria Cerrado')
  await invited.goto(link)
  await expect(invited.getByText('Este convite não existe ou não vale mais.')).toBeVisible()
  await invited.goto('/novo-experimento')
  await expect(invited.getByRole('heading', { name: 'Novo experimento' })).toBeVisible()
  await expect(invited.getByText('Leitores não podem alterar experimentos').first()).toBeVisible()
  await invited.goto('/importar')
  await expect(invited.getByRole('heading', { name: 'Importar planilha' })).toBeVisible()
  await expect(invited.getByText('Leitores não podem alterar experimentos').first()).toBeVisible()
  await invited.goto('/dashboard')
  for (const name of ['Novo Experimento', 'Importar planilha']) {
    await expect(invited.getByRole('button', { name })).toBeDisabled()
    await expect(invited.getByRole('button', { name })).toHaveAttribute(
      'title',
      'Leitores não podem alterar experimentos',
    )
  }
  await invited.goto('/organizacao')
  await expect(invited.getByText('Rita Campos')).toBeVisible()
  await expect(invited.getByRole('tab', { name: 'Atividade' })).toHaveCount(0)

  await page.reload()
  await page.getByLabel('Papel de Lia Leitora').selectOption('Gestor')
  await expect(page.getByText('Papel alterado')).toBeVisible()
  await page.getByRole('tab', { name: 'Atividade' }).click()
  await expect(
    page.getByRole('row', { name: /Papel alterado.*Rita Campos.*Lia Leitora.*Gestor/ }),
  ).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('tab', { name: 'Membros' }).click()
  // The last owner stays while others are members.
  await page.getByRole('button', { name: 'Sair Rita Campos' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sair' }).click()
  await expect(
    page.getByText('A organização precisa de pelo menos um dono. Escolha outro antes de sair.'),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Remover Lia Leitora' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remover' }).click()
  await expect(page.getByText('Membro removido')).toBeVisible()
  // Who is removed reads nothing more, in the page that is open either.
  await invited.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expect(invited.getByRole('button', { name: /^Organização:/ })).toContainText('Espaço de Lia Leitora')
})

test('two tabs of one person act for two organisations, and nothing of the one is on the other', async ({
  browser,
  server,
}) => {
  const person = await newPerson(server.url, 'Duas Casas')
  const first = await organization(server.url, person, 'Casa Primeira', 'consultoria')
  await api(server.url, person, 'POST', '/api/experiments', trial({ consultoria: 'Da Primeira' }))
  const second = await organization(server.url, person, 'Casa Segunda', 'fazenda')
  await api(server.url, person, 'POST', '/api/experiments', trial({ consultoria: 'Da Segunda' }))

  const page = await pageOf(browser, server, person)
  await page.goto(`/dashboard?org=${first.id}`)
  await expect(page.getByTitle('Da Primeira')).toBeVisible()
  const other = await page.context().newPage()
  await other.goto(`/dashboard?org=${second.id}`)
  await expect(other.getByTitle('Da Segunda')).toBeVisible()
  await expect(other.getByText('Da Primeira')).toHaveCount(0)

  // The first goes on as it was, whatever the second one does.
  await page.getByRole('tab', { name: 'Documentos' }).click()
  await page.getByRole('tab', { name: 'Visão Geral' }).click()
  await expect(page.getByTitle('Da Primeira')).toBeVisible()
  await expect(page.getByText('Da Segunda')).toHaveCount(0)
  await expect(page).toHaveURL(new RegExp(`org=${first.id}`))

  // With a record open, another organisation leads to its list.
  await page
    .getByRole('button', { name: /^Detalhes de/ })
    .first()
    .click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.getByRole('button', { name: 'Fechar', exact: true }).click()
  await page.getByRole('button', { name: /^Organização:/ }).click()
  await page.getByRole('menuitem', { name: /Casa Segunda/ }).click()
  await expect(page.getByTitle('Da Segunda')).toBeVisible()
  await expect(page.getByText('Da Primeira')).toHaveCount(0)
  await page.goBack()
  await expect(page.getByTitle('Da Primeira')).toBeVisible()

  // The page of one record is left for the list, where the other organisation does not see it.
  const failed: string[] = []
  page.on('console', (message) => message.type() === 'error' && failed.push(message.text()))
  const { experimentos } = await api(server.url, person, 'GET', '/api/experiments')
  await page.goto(`/experimentos/${experimentos[0].id}?org=${second.id}`)
  await expect(page.getByText('Da Segunda').first()).toBeVisible()
  await page.getByRole('button', { name: /^Organização:/ }).click()
  await page.getByRole('menuitem', { name: /Casa Primeira/ }).click()
  await expect(page).toHaveURL(new RegExp(`/dashboard\\?org=${first.id}$`))
  await expect(page.getByTitle('Da Primeira')).toBeVisible()
  expect(failed).toEqual([])

  // What is begun in one is not found in the other.
  await page.goto(`/novo-experimento?org=${first.id}`)
  await page.getByLabel('Consultoria').first().fill('Rascunho da Primeira')
  await page.waitForTimeout(600)
  await other.goto(`/novo-experimento?org=${second.id}`)
  await expect(other.getByLabel('Consultoria').first()).toHaveValue('')
  await expect(other.getByText('Você tem um rascunho não salvo')).toHaveCount(0)

  // An address of an organisation that is not one's own.
  await other.goto('/dashboard?org=00000000-0000-4000-8000-000000000000')
  await expect(other.getByText('Organização não encontrada').first()).toBeVisible()
  await expect(other).toHaveURL(/org=(?!00000000)/)
})

test('an organisation is closed with its name and a password, and opened again', async ({
  browser,
  server,
}) => {
  const person = await newPerson(server.url, 'Dona Fecha')
  const { nome, id } = await organization(server.url, person, 'Efêmera', 'consultoria')
  const { experimento: made } = await api(server.url, person, 'POST', '/api/experiments', trial())
  const page = await pageOf(browser, server, person)
  await page.goto(`/organizacao?aba=dados&org=${id}`)
  await page.getByRole('button', { name: 'Fechar organização' }).click()
  const dialog = page.getByRole('alertdialog')
  await expectAccessible(page)
  await dialog.getByLabel(/Escreva o nome/).fill('Outra')
  await dialog.getByLabel('Sua senha').fill(person.password)
  await dialog.getByRole('button', { name: 'Fechar organização' }).click()
  await expect(dialog.getByText('O nome não é o da organização')).toBeVisible()
  await dialog.getByLabel(/Escreva o nome/).fill(nome)
  await dialog.getByRole('button', { name: 'Fechar organização' }).click()
  await expect(page.getByText(/Excluída em \d\d\/\d\d\/\d{4}/)).toBeVisible()
  const closed = 'Esta organização está fechada para alterações'
  await expect(page.getByRole('button', { name: 'Renovar código' })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Renovar código' })).toHaveAttribute('title', closed)
  await page.goto(`/dashboard?org=${id}`)
  await expect(page.getByText(closed)).toBeVisible()
  for (const name of ['Novo Experimento', 'Importar planilha']) {
    await expect(page.getByRole('button', { name })).toBeDisabled()
    await expect(page.getByRole('button', { name })).toHaveAttribute('title', closed)
  }
  await expect(page.getByRole('button', { name: /^Excluir / }).first()).toHaveAttribute('title', closed)
  await expectAccessible(page)
  await page.goto(`/experimentos/${made.id}`)
  await expect(page.getByText(closed).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Compartilhar', exact: true })).toBeDisabled()
  await expect(page.getByRole('button', { name: /^Editar/ }).first()).toBeDisabled()
  await page.goto('/novo-experimento')
  await expect(page.getByRole('heading', { name: 'Novo experimento' })).toBeVisible()
  await expect(page.getByText(closed)).toBeVisible()
  await page.goto('/compartilhamento')
  await expect(page.getByText(closed).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Compartilhar tudo' })).toBeDisabled()
  await page.goto('/organizacao?aba=dados')
  await page.getByRole('button', { name: 'Reabrir organização' }).click()
  await dialog.getByLabel(/Escreva o nome/).fill(nome)
  await dialog.getByLabel('Sua senha').fill(person.password)
  await dialog.getByRole('button', { name: 'Reabrir' }).click()
  await expect(page.getByText('Organização reaberta')).toBeVisible()
  await expect(page.getByText(/Excluída em/)).toHaveCount(0)
})

test('a name that was typed here is proposed to everybody, and only then reaches the administrator', async ({
  browser,
  server,
  chief,
}) => {
  const person = await newPerson(server.url, 'Dona Nome')
  const { id } = await organization(server.url, person, 'Nomeadora', 'consultoria')
  await api(server.url, person, 'POST', '/api/experiments', trial({ marca: 'Marca Inédita' }))
  const list = '/api/admin/lookups/marcas'
  const names = async () =>
    (await api(server.url, chief, 'GET', list)).items.map(({ nome }: { nome: string }) => nome)
  expect(await names()).not.toContain('Marca Inédita')
  const page = await pageOf(browser, server, person)
  await page.goto(`/organizacao?aba=dados&org=${id}`)
  await page.getByLabel('Nome usado nos experimentos').selectOption('Marca Inédita')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Propor para todos' }).click()
  await expect(page.getByLabel('Nome usado nos experimentos')).toHaveValue('')
  await expect.poll(names).toContain('Marca Inédita')
})
