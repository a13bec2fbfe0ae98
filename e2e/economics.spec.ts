import type { Page } from '@playwright/test'
import { expect, expectAccessible, newPerson, type Person, test } from './fixtures.ts'
import { create } from './seed.ts'

const YIELDS = [3010, 3320, 3540, 2890, 3260, 3400, 3105, 3410, 3610, 2995, 3310, 3455]
const COSTS = [0, 90, 330]

/** Soy of three treatments in four blocks: T2 is the cheap one, T3 the one that yields most. */
async function planted(url: string, person: Person): Promise<string> {
  const { id } = await create(url, person, {
    cultura: 'Soja',
    cultivar: 'BMX Bônus IPRO',
    tratamentos: ['Testemunha', 'Dimi Zinco', 'Dimi Fosfito'].map((nome, at) => ({
      ...{ nome, modalidade: 'Foliar', produtividade: 3000, custo: COSTS[at] },
      produtos_aplicados: at === 0 ? [] : [{ nome, dose: 1.5, unidade: 'L/ha' }],
    })),
  })
  const put = await fetch(`${url}/api/experiments/${id}/plots`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${person.token}` },
    body: JSON.stringify({
      ...{ versao: 0, delineamento: 'DBC', testemunha: 1 },
      tratamentos: [{ numero: 1 }, { numero: 2 }, { numero: 3 }],
      variaveis: [
        {
          ...{ chave: 'produtividade', nome: 'Produtividade', unidade: 'kg/ha', tipo: 'continua' },
          ...{ maior_melhor: true, produtividade: true },
        },
      ],
      parcelas: YIELDS.map((_, at) => ({
        ...{ numero: 101 + at, tratamento: (at % 3) + 1, bloco: Math.floor(at / 3) + 1 },
      })),
      valores: [{ variavel: 'produtividade', avaliacao: null, valores: YIELDS }],
    }),
  })
  expect(put.status).toBe(200)
  return id
}

const ranked = (page: Page) =>
  page.getByRole('list', { name: 'Tratamentos do que mais deixa ao que menos deixa' }).getByRole('listitem')
const reais = (text: string) => Number(text.replace(/\./g, '').replace(',', '.'))

test('the ranking flips at the announced price, what was tried outlives a reload, and prices are saved with date and source', async ({
  signedIn: page,
  person,
  server,
}) => {
  const id = await planted(server.url, person)
  await page.goto(`/experimentos/${id}`)
  await page.getByRole('tab', { name: 'Economia' }).click()
  await expect(page.getByText('Informe o preço de venda')).toBeVisible()
  const price = page.getByLabel('Preço de venda (R$/sc)')
  await price.fill('120')
  await expect(page.getByText(/^A R\$ 120,00\/sc, T3 \(Dimi Fosfito\) deixa R\$/)).toBeVisible()
  await expect(ranked(page).first()).toContainText('T3 (Dimi Fosfito)')
  const turns = page.getByRole('list', { name: 'Preços em que o melhor muda' })
  const announced = reais(
    /Inverte em R\$ ([\d.,]+)\/sc: abaixo T2, acima T3/.exec((await turns.textContent()) ?? '')?.[1] ?? '',
  )
  expect(announced).toBeGreaterThan(60)
  const slider = page.getByRole('slider', { name: 'Variação do preço' })
  await slider.focus()
  let before = 120
  for (let step = 0; step < 50; step++) {
    before = reais(await price.inputValue())
    await page.keyboard.press('ArrowLeft')
    // The order and the badge are of one answer: the ranking is looked at when that answer is on the page.
    const lower = (before - 1.2).toFixed(2).replace('.', ',')
    await expect(page.getByText(`R$ ${lower}/sc · experimentado, não salvo`)).toBeVisible()
    if ((await ranked(page).first().textContent())?.includes('T2')) break
  }
  const after = reais(await price.inputValue())
  expect(before - after, 'a key is one per cent').toBeCloseTo(1.2, 6)
  expect(after).toBeLessThanOrEqual(announced + 0.005)
  expect(before).toBeGreaterThanOrEqual(announced - 0.005)
  await expect(page).toHaveURL(new RegExp(`preco=${after}`))

  await page.getByRole('slider', { name: 'Variação do custo de T3' }).focus()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByLabel('T3 (Dimi Fosfito)', { exact: true })).toHaveValue('326,70')
  await expect(page).toHaveURL(/c=3%3A326\.7/)
  await page.reload()
  await expect(price).toHaveValue(after.toFixed(2).replace('.', ','))
  await expect(page.getByLabel('T3 (Dimi Fosfito)', { exact: true })).toHaveValue('326,70')
  await expect(page.getByText('experimentado, não salvo')).toBeVisible()

  await page.getByRole('button', { name: 'Salvar preços' }).click()
  const dialog = page.getByRole('dialog', { name: 'Preços do experimento' })
  await dialog.getByRole('button', { name: 'Gravar' }).click()
  await expect(dialog.getByText('Informe a data do preço: um dia ou um mês')).toBeVisible()
  await expect(dialog.getByText('Informe a fonte do preço')).toBeVisible()
  await dialog.getByLabel('Data').fill('03/2025')
  await dialog.getByLabel('Fonte').fill('CEPEA')
  await dialog.getByRole('button', { name: 'Gravar' }).click()
  await expect(page.getByText('Preços salvos')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('CEPEA, 03/2025').first()).toBeVisible()
  await expect(page.getByText('Preço de 03/2025').first()).toBeVisible()
  await page.getByRole('tab', { name: 'Resumo' }).click()
  await expect(page.getByText(/\(n = 12 parcelas; preço: CEPEA, 03\/2025\)$/)).toBeVisible()
  await page.getByRole('tab', { name: 'Histórico' }).click()
  await expect(page.getByText(/\(CEPEA, 03\/2025\)/)).toBeVisible()
})

test('somebody else tries prices and saves none', async ({ signedIn: page, server }) => {
  const id = await planted(server.url, await newPerson(server.url, 'Outra Pessoa'))
  await page.goto(`/experimentos/${id}?aba=economia&preco=118.5`)
  await expect(page.getByText(/^A R\$ 118,50\/sc/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Salvar preços' })).toBeDisabled()
})

for (const width of [360, 1440])
  for (const colorScheme of ['light', 'dark'] as const)
    test(`nothing stands in anybody's way at ${width} px, ${colorScheme}`, async ({
      signedIn: page,
      person,
      server,
    }) => {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      const id = await planted(server.url, person)
      await page.goto(`/experimentos/${id}?aba=economia&preco=120&baixo=90&alto=140`)
      await expect(ranked(page)).toHaveCount(3)
      await expectAccessible(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      await page
        .locator('section')
        .filter({ has: page.getByRole('heading', { name: 'Quanto cada tratamento deixa' }) })
        .getByRole('button', { name: 'Ver como tabela' })
        .click()
      await expect(page.getByRole('columnheader', { name: 'Probabilidade na faixa de preço' })).toBeAttached()
      await expectAccessible(page)
      if (width < 1024) {
        await page.getByRole('button', { name: 'Preços e custos' }).click()
        const slider = page.getByRole('slider', { name: 'Variação do preço' })
        expect((await slider.boundingBox())?.height).toBeGreaterThanOrEqual(44)
        await expectAccessible(page)
      }
      await page.getByRole('button', { name: 'Salvar preços' }).click()
      await page.getByRole('button', { name: 'Incluir produto' }).click()
      await expect(page.getByLabel('Produto', { exact: true })).toHaveValue('Dimi Zinco')
      await expectAccessible(page)
    })
