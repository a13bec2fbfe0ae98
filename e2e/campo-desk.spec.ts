import { randomUUID } from 'node:crypto'
import { fieldTrial, HEIGHT, standing } from './field-trial.ts'
import { expect, expectAccessible, type Person, test } from './fixtures.ts'
import { api, expectNothingBeyondTheEdge } from './several.ts'

/** Entries of a phone for a plot that the trial does not have any more. */
async function parked(url: string, person: Person, id: string) {
  const pack = await api(url, person, 'GET', `/api/experiments/${id}/field-package`)
  const aparelho = randomUUID()
  const of = (seq: number, given: object) => ({
    ...{ v: 1, id: randomUUID(), aparelho, seq, experimento: id, pacote: 1, tipo: 'valor', base: null },
    ...{ parcela: randomUUID(), variavel: pack.variaveis[0].id, avaliacao: null, nome: 'João Lima' },
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
