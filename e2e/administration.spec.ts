import { expect, expectAccessible, newPerson, onOwnServer, type Person } from './fixtures.ts'

const ADMIN = 'chefe@campo.com.br'

async function administrator(url: string): Promise<Person> {
  const response = await fetch(`${url}/auth/v1/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: ADMIN, password: 'sementes-2026', data: { name: 'Chefe' } }),
  })
  const session = (await response.json()) as { access_token: string }
  return { name: 'Chefe', email: ADMIN, password: 'sementes-2026', token: session.access_token, session }
}

const test = onOwnServer({ ADMIN_EMAIL: ADMIN }).extend<object, { chief: Person }>({
  chief: [async ({ server }, use) => use(await administrator(server.url)), { scope: 'worker' }],
  person: async ({ chief }, use) => use(chief),
})

test('a role asked for at registration is granted, and a person is blocked', async ({
  signedIn: page,
  server,
  browser,
}) => {
  const other = await browser.newPage({ baseURL: server.url })
  await other.goto('/register')
  await other.getByLabel('Nome completo').fill('Bia Ramos')
  await other.getByLabel('Email').fill('bia@campo.com.br')
  await other.getByLabel('Tipo de usuário').selectOption('Consultor Agrícola')
  await other.getByLabel('Senha', { exact: true }).fill('sementes-2026')
  await other.getByLabel('Confirmar senha').fill('sementes-2026')
  await other.getByRole('checkbox').check()
  await other.getByRole('button', { name: 'Cadastrar' }).click()
  await other.waitForURL('**/dashboard')
  await other.goto('/admin')
  await expect(other.getByText('Acesso negado')).toBeVisible()
  await other.goto('/profile')
  await expect(other.getByText('Consultor Agrícola solicitado')).toBeVisible()

  await page.goto('/admin?aba=solicitacoes')
  await expect(page.getByText('Bia Ramos')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Conceder' }).click()
  await expect(page.getByText('Nenhuma solicitação à espera')).toBeVisible()
  await page.getByRole('tab', { name: 'Pessoas' }).click()
  await expect(page.getByLabel('Papel de Bia Ramos')).toHaveValue('consultor')
  // What was granted is there for her at once, without another login; and what was taken, gone.
  await page.getByLabel('Papel de Bia Ramos').selectOption('Administrador')
  await expect(page.getByText('Bia Ramos agora é Administrador')).toBeVisible()
  await other.goto('/admin')
  await expect(other.getByRole('tab', { name: 'Pessoas' })).toBeVisible()
  await page.getByLabel('Papel de Bia Ramos').selectOption('Consultor Agrícola')
  await expect(page.getByText('Bia Ramos agora é Consultor Agrícola')).toBeVisible()
  await page.getByLabel('Buscar pessoas').fill('bia')
  await expect(page.getByRole('heading', { name: 'Pessoas (1)' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Bloquear', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Bloquear' }).click()
  await expect(page.getByText('Bloqueado', { exact: true })).toBeVisible()
  const refused = await fetch(`${server.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'bia@campo.com.br', password: 'sementes-2026' }),
  })
  expect(refused.status).toBe(400)
  await page.getByRole('tab', { name: 'Auditoria' }).click()
  await expect(page.getByRole('row').nth(1)).toContainText('Conta bloqueada')
  await expect(page.getByRole('row').nth(1)).toContainText('Bia Ramos')
  await expectAccessible(page)
})

test('the last administrator stays one', async ({ signedIn: page, allowed }) => {
  allowed.push('409')
  await page.goto('/admin')
  await page.getByLabel('Papel de Chefe').selectOption('Usuário Padrão')
  await expect(page.getByText('O último administrador não pode ser removido')).toBeVisible()
  await expect(page.getByLabel('Papel de Chefe')).toHaveValue('admin')
})

test('a crop is added to the lists, offered in the wizard, and taken off again', async ({
  signedIn: page,
}) => {
  await page.goto('/admin?aba=listas')
  await page.getByLabel('Lista', { exact: true }).selectOption('Culturas')
  await page.getByRole('button', { name: 'Adicionar' }).click()
  await page.getByLabel('Nome').fill('Sorgo')
  await page.getByRole('button', { name: 'Salvar' }).click()
  await expect(page.getByRole('row', { name: /Sorgo/ })).toContainText('Oferecido')
  await expectAccessible(page)
  await page.goto('/novo-experimento')
  await page.getByLabel('Consultoria').fill('Raiz Forte')
  await page.getByLabel('Marca').selectOption('Dimicron')
  await page.getByLabel('Business Unit').selectOption('BU2')
  await page.getByLabel('Regional').selectOption('Sul')
  const next = page.getByRole('button', { name: 'Próximo' })
  await next.click()
  await page.getByLabel('Cidade').fill('Ijuí')
  await page.getByLabel('Estado').selectOption('RS')
  await next.click()
  await next.click()
  await expect(page.getByLabel('Cultura').getByRole('option', { name: 'Sorgo' })).toBeAttached()
  page.on('dialog', (dialog) => dialog.accept())
  await page.goto('/admin?aba=listas')
  await page.getByLabel('Lista', { exact: true }).selectOption('Culturas')
  await page.getByRole('row', { name: /Sorgo/ }).getByRole('button', { name: 'Desativar' }).click()
  await expect(page.getByRole('row', { name: /Sorgo/ })).toContainText('Inativo')
})

test('the organisation is renamed, and a name left out is asked for', async ({ signedIn: page, allowed }) => {
  allowed.push('422')
  await page.goto('/admin?aba=organizacoes')
  const name = page.getByLabel('Nome')
  await expect(name).toHaveValue('Ensaio')
  await expect(page.getByRole('button', { name: 'Salvar' })).toBeDisabled()
  await expectAccessible(page)
  await name.fill(' ')
  await page.getByRole('button', { name: 'Salvar' }).click()
  await expect(page.getByText('Este campo é obrigatório')).toBeVisible()
  await name.fill('Consultoria Cerrado')
  await page.getByLabel('Tipo').selectOption('Fabricante')
  await page.getByRole('button', { name: 'Salvar' }).click()
  await expect(page.getByText('Alteração salva')).toBeVisible()
  await page.reload()
  await expect(name).toHaveValue('Consultoria Cerrado')
  await expect(page.getByLabel('Tipo')).toHaveValue('fabricante')
})

test('a deleted experiment is restored by an administrator', async ({ signedIn: page, server, chief }) => {
  const owner = await newPerson(server.url, 'Dono')
  const headers = (person: Person) => ({
    'content-type': 'application/json',
    authorization: `Bearer ${person.token}`,
  })
  const created = await fetch(`${server.url}/api/experiments`, {
    method: 'POST',
    headers: headers(owner),
    body: JSON.stringify({
      consultoria: 'Restaurável',
      marca: 'Maximus',
      bu: 'BU3',
      regional: 'Sul',
      cidade: 'Toledo',
      estado: 'PR',
      cultura: 'Milho',
      cultivar: 'DKB 265 PRO3',
      ano: 2022,
      tratamentos: [{ nome: 'Testemunha', modalidade: 'Controle', produtividade: 6420 }],
      tipo_estatistica: 'ANOVA',
      custo_protocolo: 27.9,
    }),
  })
  const { experimento } = (await created.json()) as { experimento: { id: string } }
  await fetch(`${server.url}/api/experiments/${experimento.id}`, {
    method: 'DELETE',
    headers: headers(owner),
  })
  await page.goto('/admin?aba=excluidos')
  await expect(page.getByText('Milho - Restaurável - 2022')).toBeVisible()
  await page.getByRole('button', { name: 'Restaurar' }).click()
  await expect(page.getByText('Experimento restaurado')).toBeVisible()
  const found = await fetch(`${server.url}/api/experiments/${experimento.id}`, { headers: headers(chief) })
  expect(found.status).toBe(200)
  await page.goto(`/dashboard?experimento=${experimento.id}`)
  await page.getByText('Histórico').click()
  await expect(page.getByText(/Chefe.*restaurado/)).toBeVisible()
  await expect(page.getByText(/Dono.*excluído/)).toBeVisible()
})

test('an administrator gives wheat a range, with its source, and takes soybean out', async ({
  signedIn: page,
  allowed,
}) => {
  allowed.push('422')
  await page.goto('/admin?aba=listas')
  const soy = page.getByRole('group', { name: 'Faixa de Soja' })
  await expect(soy.getByLabel('Conferir acima de')).toHaveValue('7.000')
  await expect(soy.getByLabel('Fonte', { exact: true })).toHaveValue(/^CONAB/)
  await page.getByRole('button', { name: 'Nova cultura' }).click()
  const fresh = page.getByRole('group', { name: 'Nova faixa' })
  await fresh.getByLabel('Cultura', { exact: true }).fill('Trigo')
  const wheat = page.getByRole('group', { name: 'Faixa de Trigo' })
  await wheat.getByLabel('Safra da média').fill('2025')
  await wheat.getByLabel('Fonte', { exact: true }).fill('Ensaios da casa')
  await wheat.getByLabel('Média publicada').fill('3000')
  await wheat.getByLabel('Conferir abaixo de').fill('900')
  await wheat.getByLabel('Conferir acima de').fill('800')
  await wheat.getByLabel('Impossível acima de').fill('12000')
  const save = page.getByRole('button', { name: 'Salvar faixas de produtividade' })
  await save.click()
  await expect(page.getByText('Os limites crescem: abaixo, acima, impossível').first()).toBeVisible()
  await wheat.getByLabel('Conferir acima de').fill('7500')
  await soy.getByLabel('Comparar as produtividades desta cultura').uncheck()
  await save.click()
  await expect(page.getByText('Faixas salvas').first()).toBeVisible()
  await page.reload()
  await expect(wheat.getByLabel('Conferir acima de')).toHaveValue('7.500')
  await expect(soy.getByLabel('Comparar as produtividades desta cultura')).not.toBeChecked()
  await expect(page.getByText('Fonte de 2003')).toBeVisible()
})
