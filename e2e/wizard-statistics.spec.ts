import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures.ts'
import { create, REPORT } from './seed.ts'

const next = (page: Page) => page.getByRole('button', { name: 'Próximo' }).click()

test('what a report tells of its statistics is entered on page 6, and the analysis is rebuilt from it', async ({
  signedIn: page,
  person,
  server,
}) => {
  const means = [3144, 3438, 3520, 3389]
  const { id } = await create(server.url, person, {
    tratamentos: means.map((produtividade, index) => ({
      nome: index === 0 ? 'Testemunha' : `Produto ${index}`,
      modalidade: index === 0 ? 'Controle' : 'Foliar',
      produtividade,
      custo: 10 * index,
    })),
  })
  await page.goto(`/novo-experimento?id=${id}&passo=6`)
  await expect(page.getByRole('group', { name: 'Estatística do relatório (opcional)' })).toContainText(
    'Com o CV e o número de repetições, a análise é reconstruída a partir das médias: F, letras e Dunnett.',
  )
  await page.getByLabel('Delineamento').selectOption('DBC')
  await page.getByLabel('Repetições').fill('0')
  await page.getByLabel('CV (%)').fill('4,1')
  await next(page)
  await expect(page.getByText('Informe de 1 a 100 repetições')).toBeVisible()
  await page.getByLabel('Repetições').fill('4')
  await page.getByLabel('Teste de médias').fill('Tukey')
  for (const [index, letters] of ['b', 'a', 'a', 'ab'].entries())
    await page.getByLabel(`Letras de T${index + 1}`).fill(letters)
  await expectAccessible(page)
  // A draft keeps it.
  await page.waitForTimeout(400)
  page.on('dialog', (dialog) => dialog.accept())
  await page.reload()
  await page.getByRole('button', { name: 'Continuar rascunho' }).click()
  await expect(page.getByLabel('CV (%)')).toHaveValue('4,1')
  await expect(page.getByLabel('Letras de T4')).toHaveValue('ab')
  await next(page)
  await page.getByLabel('Arquivo PDF').setInputFiles(REPORT)
  await page.getByRole('button', { name: 'Salvar Experimento' }).click()
  await expect(page.getByText('Experimento atualizado com sucesso!')).toBeVisible()
  await page.goto(`/experimentos/${id}?aba=analise`)
  await expect(page.getByText(/reconstruída/i).first()).toBeVisible()
  const stored = async () => {
    const response = await fetch(`${server.url}/api/experiments/${id}`, {
      headers: { authorization: `Bearer ${person.token}` },
    })
    const { experimento } = (await response.json()) as { experimento: { estatistica_informada: unknown } }
    return experimento.estatistica_informada
  }
  expect(await stored()).toEqual({
    delineamento: 'DBC',
    repeticoes: 4,
    cv: 4.1,
    cv_casas: null,
    dms: null,
    dms_teste: null,
    gl_residuo: null,
    teste: 'Tukey',
    letras: { 1: 'b', 2: 'a', 3: 'a', 4: 'ab' },
  })
  // What is emptied is erased.
  await page.goto(`/novo-experimento?id=${id}&passo=6`)
  await expect(page.getByLabel('Letras de T4')).toHaveValue('ab')
  await page.getByLabel('Delineamento').selectOption('')
  for (const label of [
    'Repetições',
    'CV (%)',
    'Teste de médias',
    ...means.map((_, at) => `Letras de T${at + 1}`),
  ])
    await page.getByLabel(label).fill('')
  await next(page)
  await page.getByRole('button', { name: 'Salvar Experimento' }).click()
  await expect(page).toHaveURL(/\/dashboard/)
  expect(await stored()).toBeNull()
})

test('yields that come from plots are shown, not typed, and lead to the plots', async ({
  signedIn: page,
  person,
  server,
}) => {
  const { id } = await create(server.url, person)
  const put = await fetch(`${server.url}/api/experiments/${id}/plots`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${person.token}` },
    body: JSON.stringify({
      versao: 0,
      delineamento: 'DBC',
      tratamentos: [{ numero: 1 }, { numero: 2 }],
      variaveis: [
        {
          chave: 'produtividade',
          nome: 'Produtividade',
          unidade: 'kg/ha',
          tipo: 'continua',
          produtividade: true,
        },
      ],
      parcelas: [101, 102, 201, 202].map((numero, at) => ({
        numero,
        tratamento: 1 + (at % 2),
        bloco: 1 + Math.floor(at / 2),
      })),
      valores: [{ variavel: 'produtividade', valores: [3140, 3430, 3148, 3446] }],
    }),
  })
  expect(put.status, await put.text()).toBe(200)
  await page.goto(`/novo-experimento?id=${id}&passo=5`)
  const yields = page.getByLabel('Produtividade (kg/ha)')
  await expect(yields.first()).not.toBeEditable()
  await expect(page.getByText('calculada das parcelas')).toHaveCount(2)
  await expect(page.getByRole('link', { name: 'Ver parcelas' }).first()).toHaveAttribute(
    'href',
    `/experimentos/${id}?aba=parcelas`,
  )
  await expectAccessible(page)
  // One that is new has no plots yet.
  await page.getByRole('button', { name: 'Adicionar Tratamento' }).click()
  await expect(yields.nth(2)).toBeEditable()
})
