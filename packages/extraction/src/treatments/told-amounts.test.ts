import { expect, test } from 'vitest'
import { arrange } from '../document.ts'
import { typed } from '../layout/test-typed.ts'
import { type Draft, emptyDraft } from './draft.ts'
import { fillToldAmounts } from './told-amounts.ts'

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
  fillToldAmounts(arrange([typed(text)]), drafts)
  expect(drafts.map(({ produtividade }) => produtividade?.value)).toEqual([7940, 8365, 8890, 9275])
})

test('what was gained, and one treatment of four, is no yield of them', () => {
  const text = '\nO ganho com Silarroz foi de 1.335 kg/ha; Fungiroz deu 8.890 kg/ha.'
  const drafts = trial()
  fillToldAmounts(arrange([typed(text)]), drafts)
  expect(drafts.every(({ produtividade }) => produtividade === null)).toBe(true)
})

test('costs are told by products, in front of a name in brackets too, where the sentence is of costs', () => {
  const list = `Silarroz, R$ 88,00; Fungiroz, R$ 167,00; e R$ 255,00 (Silarroz com Fungiroz).`
  const costs = (said: string) => {
    const drafts = trial()
    fillToldAmounts(arrange([typed(`\n${said} ${list}`)]), drafts)
    return drafts.map(({ custo }) => custo?.value ?? null)
  }
  expect(costs('Gasto por hectare:')).toEqual([null, 88, 167, 255])
  expect(costs('Preços da safra:')).toEqual([null, null, null, null])
})

test('what was measured and what it cost is told by letters, names and as the mixture', () => {
  const drafts = trial().map((draft, i) => ({ ...draft, code: 'ABCD'[i] ?? null }))
  const text = `
O Brix, medido em 20 frutas por talhão, foi de 11,2 no A, 11,5 no B, 11,9 no C e 11,3 no D. A testemunha produziu
2.640 caixas de 22 kg por hectare. Com o Silarroz a produção subiu para 2.985 caixas/ha e com o Fungiroz, para 3.072
caixas/ha. Onde os dois produtos foram usados juntos colhemos 3.310 caixas/ha. Quanto ao custo, aos preços de maio,
foi de R$ 115,00 por hectare para o Silarroz, R$ 148,00 para o Fungiroz e R$ 263,00 para a mistura.`
  fillToldAmounts(arrange([typed(text)]), drafts)
  expect(drafts.map(({ analises }) => analises.map(({ nome, valor }) => [nome, valor.value]))).toEqual(
    [11.2, 11.5, 11.9, 11.3].map((value) => [['Brix', value]]),
  )
  // Of what a box weighs where nothing is said beside it, the whole document tells later.
  expect(drafts.map(({ produtividade }) => produtividade?.value)).toEqual([
    58_080, 121_788, 125_337.6, 135_048,
  ])
  expect(drafts.map(({ custo }) => custo?.value)).toEqual([undefined, 115, 148, 263])
})

test('numbers of a list, gains and prices of a box are of no treatment', () => {
  const drafts = trial()
  const text = `
Foram quatro tratamentos: (1) testemunha; (2) Silarroz; (3) Fungiroz; (4) Silarroz com Fungiroz. O ganho foi de 3 % com
Silarroz, 5 % com Fungiroz. A receita foi de R$ 90,00 por saca na testemunha, R$ 95,00 com Silarroz.`
  fillToldAmounts(arrange([typed(text)]), drafts)
  expect(drafts.every(({ analises, custo }) => analises.length === 0 && custo === null)).toBe(true)
})
