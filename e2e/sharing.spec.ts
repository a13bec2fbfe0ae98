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

test('a filter is shared without costs, accepted, told apart, and taken back', async ({
  browser,
  server,
}) => {
  const owner = await newPerson(server.url, 'Rita Dona')
  const maker = await newPerson(server.url, 'Marta Fábrica')
  await organization(server.url, owner, 'Consultoria Cerrado', 'consultoria')
  const makers = await organization(server.url, maker, 'Fábrica Verde', 'fabricante')
  await api(server.url, owner, 'POST', '/api/experiments', trial())
  await api(server.url, owner, 'POST', '/api/experiments', trial({ marca: 'Maximus', cultura: 'Milho' }))
  await api(server.url, maker, 'POST', '/api/experiments', trial({ consultoria: 'Da Fábrica', roi: 120 }))

  const page = await pageOf(browser, server, owner)
  await page.goto('/dashboard?marca=Aminoagro')
  await page.getByRole('button', { name: 'Compartilhar este filtro' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('1 experimento', { exact: true })).toBeVisible()
  await expect(
    dialog.getByText('Novos ensaios que passarem por este filtro também serão vistos.'),
  ).toBeVisible()
  await expect(dialog.getByText('O PDF mostra os custos; para enviá-lo, mostre os custos.')).toBeVisible()
  await expect(dialog.getByLabel('Mostrar o relatório em PDF')).toBeDisabled()
  await expectAccessible(page)
  await dialog.getByLabel('Nome da coleção').fill('Ensaios Aminoagro')
  await dialog.getByLabel('Código', { exact: true }).fill('AAAA-BBBB-CCCC')
  await dialog.getByRole('button', { name: 'Compartilhar' }).click()
  await expect(dialog.getByText('Código não encontrado. Confira com quem o enviou.')).toBeVisible()
  await dialog.getByLabel('Código', { exact: true }).fill(makers.codigo.toLowerCase())
  await dialog.getByLabel('Permitir comentários').check()
  await dialog.getByRole('button', { name: 'Compartilhar' }).click()
  await expect(dialog).toHaveCount(0)
  await page.goto('/compartilhamento?aba=colecoes')
  await expect(page.getByRole('listitem')).toHaveCount(1)

  const other = await pageOf(browser, server, maker)
  await other.goto('/dashboard')
  await expect(other.getByRole('heading', { name: 'Experimentos Cadastrados (1)' })).toBeVisible()
  await other.goto('/compartilhamento')
  await expect(other.getByText('Aguarda resposta')).toBeVisible()
  await expectAccessible(other)
  await other.getByRole('button', { name: 'Aceitar Ensaios Aminoagro' }).click()
  await expect(other.getByText('Compartilhamento aceito')).toBeVisible()
  await other.goto('/dashboard')
  await expect(other.getByRole('heading', { name: 'Experimentos Cadastrados (2)' })).toBeVisible()
  const received = other.getByRole('row', { name: /Cerrado Pesquisa/ })
  await expect(received).toContainText('De Consultoria Cerrado')
  await expect(received).toContainText('Oculto')
  await expect(other.getByText('Milho')).toHaveCount(0)
  await expect(
    other.getByText('ROI de 1 de 2 ensaios; nos demais os custos estão ocultos.').first(),
  ).toBeVisible()
  await expectAccessible(other)
  await received.getByRole('button', { name: /^Detalhes de/ }).click()
  const record = other.getByRole('dialog')
  await expect(record.getByText('De Consultoria Cerrado')).toBeVisible()
  await expect(record.getByText('4.321,50')).toHaveCount(0)
  await expect(record.getByText('Histórico')).toHaveCount(0)
  await expect(record.getByText('Consultoria Cerrado não mostra o relatório.')).toBeVisible()
  await expect(record.getByRole('button', { name: 'Editar' })).toBeDisabled()
  await record.locator('summary', { hasText: 'Comentários' }).click()
  await record.getByLabel('Novo comentário').fill('Repetiram em 2025?')
  await record.getByRole('button', { name: 'Comentar' }).click()
  await expect(record.getByText('Repetiram em 2025?', { exact: true })).toBeVisible()
  await expectAccessible(other)
  await record.getByRole('button', { name: 'Fechar', exact: true }).click()
  await other.getByRole('button', { name: 'Só os próprios' }).click()
  await expect(other.getByRole('heading', { name: 'Experimentos Cadastrados (1)' })).toBeVisible()
  await other.getByLabel('Origem').selectOption('Recebidos')
  await expect(other.getByText('Da Fábrica')).toHaveCount(0)
  await other.getByLabel('Origem').selectOption({ label: 'Consultoria Cerrado (1)' })
  await expect(other.getByText('Origem: Consultoria Cerrado')).toBeVisible()
  await other.setViewportSize({ width: 390, height: 844 })
  await expectNothingBeyondTheEdge(other)

  // The owner reads the other organisation's comment by its name, not by a person's.
  await page.goto('/dashboard')
  await page
    .getByRole('row', { name: /Aminoagro/ })
    .getByRole('button', { name: /^Detalhes de/ })
    .click()
  await page.getByRole('dialog').locator('summary', { hasText: 'Comentários' }).click()
  await expect(page.getByRole('dialog').getByText('Fábrica Verde')).toBeVisible()
  await expect(page.getByText('Marta Fábrica')).toHaveCount(0)

  await page.goto('/compartilhamento?aba=enviados')
  await page.getByRole('button', { name: 'Alterar Ensaios Aminoagro' }).click()
  await page.getByRole('dialog').getByLabel('Mostrar custos e retornos').check()
  await page.getByRole('dialog').getByRole('button', { name: 'Salvar' }).click()
  await expect(page.getByText('com custos, sem o relatório, com comentários')).toBeVisible()
  await other.setViewportSize({ width: 1280, height: 900 })
  await other.goto('/dashboard')
  await expect(received).toContainText('R$ 777,00')
  await page.getByRole('button', { name: 'Revogar Ensaios Aminoagro' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revogar' }).click()
  await expect(page.getByText('Encerrado', { exact: true })).toBeVisible()
  await other.reload()
  await expect(other.getByRole('heading', { name: 'Experimentos Cadastrados (1)' })).toBeVisible()
  await expect(received).toHaveCount(0)
})

test('picked trials are shared as one collection, and handed over for good', async ({ browser, server }) => {
  const owner = await newPerson(server.url, 'Dona Lista')
  const other = await newPerson(server.url, 'Outro Dono')
  await organization(server.url, owner, 'Origem SA', 'consultoria')
  const target = await organization(server.url, other, 'Destino SA', 'fazenda')
  for (const consultoria of ['Um', 'Dois', 'Três'])
    await api(server.url, owner, 'POST', '/api/experiments', trial({ consultoria }))
  const page = await pageOf(browser, server, owner)
  await page.goto('/dashboard')
  await page.getByLabel('Escolher Soja - Um - 2024').check()
  await page.getByLabel('Escolher Soja - Dois - 2024').check()
  await expect(page.getByText('2 escolhidos')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Compartilhar', exact: true }).click()
  await expect(page.getByRole('dialog').getByLabel('Nome da coleção')).toHaveValue('Seleção de 2 ensaios')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancelar' }).click()
  await page.getByRole('button', { name: 'Transferir', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Código da organização').fill(target.codigo)
  await page.getByRole('dialog').getByRole('button', { name: 'Oferecer' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  const taker = await pageOf(browser, server, other)
  await taker.goto('/compartilhamento?aba=transferencias')
  await expect(taker.getByText('2 experimentos')).toBeVisible()
  await expectAccessible(taker)
  await taker.getByRole('button', { name: 'Aceitar' }).click()
  await expect(taker.getByText('Aceita', { exact: true })).toBeVisible()
  await taker.goto('/dashboard')
  await expect(taker.getByRole('heading', { name: 'Experimentos Cadastrados (2)' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Experimentos Cadastrados (1)' })).toBeVisible()
})

test('a public link shows one trial without an account, until it is revoked', async ({ browser, server }) => {
  const owner = await newPerson(server.url, 'Dona Link')
  await organization(server.url, owner, 'Consultoria Aberta', 'consultoria')
  await api(server.url, owner, 'POST', '/api/experiments', trial())
  const page = await pageOf(browser, server, owner)
  await page.goto('/dashboard')
  await page
    .getByRole('button', { name: /^Detalhes de/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('summary', { hasText: 'Links públicos' }).click()
  await expect(dialog.getByText('Nenhum link público.')).toBeVisible()
  await dialog.getByLabel('Senha (opcional)').fill('çafra 2026')
  await dialog.getByRole('button', { name: 'Criar link público' }).click()
  await expect(dialog.getByText('Copie agora: o link não será mostrado de novo.')).toBeVisible()
  await expectAccessible(page)
  const link = await dialog.getByLabel('Link público', { exact: true }).inputValue()

  const visitor = await (await browser.newContext({ baseURL: server.url })).newPage()
  const answer = await visitor.goto(link)
  expect(answer?.headers()).toMatchObject({
    'referrer-policy': 'no-referrer',
    'x-robots-tag': expect.stringContaining('noindex'),
    'cache-control': expect.stringContaining('no-store'),
  })
  await visitor.getByLabel('Senha do link').fill('errada')
  await visitor.getByRole('button', { name: 'Abrir' }).click()
  await expect(visitor.getByText('Este link pede uma senha')).toBeVisible()
  await visitor.getByLabel('Senha do link').fill('çafra 2026')
  await visitor.getByRole('button', { name: 'Abrir' }).click()
  await expect(visitor.getByRole('heading', { name: 'Soja · Rio Verde/GO · 2024' })).toBeVisible()
  await expect(visitor.getByText('Consultoria Aberta')).toBeVisible()
  await expect(visitor.getByText('Dona Link')).toHaveCount(0)
  await expect(visitor.getByText('Oculto').first()).toBeVisible()
  await expect(visitor.getByText('4.321,50')).toHaveCount(0)
  await expectAccessible(visitor)
  await visitor.setViewportSize({ width: 390, height: 844 })
  await expectNothingBeyondTheEdge(visitor)

  await dialog.getByRole('button', { name: /^Revogar/ }).click()
  await expect(page.getByText('Link revogado')).toBeVisible()
  await visitor.reload()
  await expect(visitor.getByText('Este link não existe ou não vale mais.')).toBeVisible()
})

test('an embargo is set, shown and ended', async ({ browser, server }) => {
  const owner = await newPerson(server.url, 'Dona Embargo')
  await organization(server.url, owner, 'Reservada', 'consultoria')
  await api(server.url, owner, 'POST', '/api/experiments', trial())
  const page = await pageOf(browser, server, owner)
  await page.goto('/dashboard')
  await page
    .getByRole('button', { name: /^Detalhes de/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('summary', { hasText: 'Embargo' }).click()
  const year = new Date().getFullYear() + 1
  await dialog.getByLabel('Em embargo até').fill(`${year}-03-15`)
  await dialog.getByRole('button', { name: 'Definir embargo' }).click()
  await expect(dialog.getByText(`Em embargo até 15/03/${year}`).first()).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Encerrar embargo' }).click()
  await expect(page.getByText('Embargo encerrado')).toBeVisible()
  await expect(dialog.getByText(`Em embargo até 15/03/${year}`)).toHaveCount(0)
})
