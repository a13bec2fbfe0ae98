import { expect, test } from 'vitest'
import { arrange } from '../document.ts'
import { typed } from '../layout/test-typed.ts'
import { type Draft, emptyDraft } from './draft.ts'
import { fillCostsByName, fillToldYields } from './told-by-name.ts'

const found = <T>(value: T) => ({ value, words: [], score: 1, method: 'list' as const })
const treatment = (...products: string[]): Draft => ({
  ...emptyDraft(),
  ...{ control: products.length === 0, nome: found(products.join(' + ') || 'Testemunha') },
  produtos: products.map((name) => ({ nome: found(name), dose: null, unidade: null, custo: null })),
})
const trial = () => [
  treatment(),
  treatment('Silarroz'),
  treatment('Fungiroz'),
  treatment('Silarroz', 'Fungiroz'),
]

test('yields are told by the products that stand before them, of whom nobody else is named', () => {
  const text = `
A testemunha fechou em 7.940 kg/ha; com Silarroz foram 8.365 kg/ha; Fungiroz deu 8.890 kg/ha;
a mistura de Silarroz com Fungiroz foi a melhor, 9.275 kg/ha, ou seja, 1.335 kg/ha a mais.`
  const drafts = trial()
  fillToldYields(arrange([typed(text)]), drafts)
  expect(drafts.map(({ produtividade }) => produtividade?.value)).toEqual([7940, 8365, 8890, 9275])
})

test('what was gained, and one treatment of four, is no yield of them', () => {
  const text = '\nO ganho com Silarroz foi de 1.335 kg/ha; Fungiroz deu 8.890 kg/ha.'
  const drafts = trial()
  fillToldYields(arrange([typed(text)]), drafts)
  expect(drafts.every(({ produtividade }) => produtividade === null)).toBe(true)
})

test('costs are told by products, in front of a name in brackets too, where the sentence is of costs', () => {
  const list = `Silarroz, R$ 88,00; Fungiroz, R$ 167,00; e R$ 255,00 (Silarroz com Fungiroz).`
  const costs = (said: string) => {
    const drafts = trial()
    fillCostsByName(arrange([typed(`\n${said} ${list}`)]), drafts)
    return drafts.map(({ custo }) => custo?.value ?? null)
  }
  expect(costs('Gasto por hectare:')).toEqual([null, 88, 167, 255])
  expect(costs('Preços da safra:')).toEqual([null, null, null, null])
})
