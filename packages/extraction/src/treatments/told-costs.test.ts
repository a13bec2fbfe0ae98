import { expect, test } from 'vitest'
import { arrange } from '../document.ts'
import { typed } from '../layout/test-typed.ts'
import { emptyDraft } from './draft.ts'
import { fillToldCosts } from './told-costs.ts'

function costsOf(text: string, codes: readonly string[]) {
  const drafts = codes.map((code) => ({ ...emptyDraft(), code }))
  fillToldCosts(arrange([typed(text)]), drafts)
  return drafts.map(({ custo }) => custo?.value ?? null)
}

test('a sentence tells what each treatment cost', () => {
  const text = `
Com o preço de fevereiro, a faixa 2 custou R$ 41,00 por hectare, a faixa 3 saiu por R$ 82,00
e a faixa 4, que leva os três produtos, R$ 117,90.`
  expect(costsOf(text, ['1', '2', '3', '4'])).toEqual([null, 41, 82, 117.9])
})

test('a list with leaders tells what each treatment cost, if so says what stands above it', () => {
  const list = `
tratamento 2 ........... R$  93,00
tratamento 3 ........... R$ 124,00
tratamento 4 ........... R$ 108,00`
  expect(costsOf(`\nGASTO COM OS PRODUTOS\n${list}`, ['1', '2', '3', '4'])).toEqual([null, 93, 124, 108])
  expect(costsOf(`\nRECEITA POR HECTARE\n${list}`, ['1', '2', '3', '4'])).toEqual([null, null, null, null])
})

test('amounts may stand in front of the numbers of their treatments', () => {
  const text = `
De gasto com produto, por hectare, foram R$ 62,00 no número 2; R$ 124,00 no número 3 e R$ 98,00 no
número 4. Com o saco a R$ 38,00 o senhor faça a conta.`
  expect(costsOf(text, ['1', '2', '3', '4'])).toEqual([null, 62, 124, 98])
})
