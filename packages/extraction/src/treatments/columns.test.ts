import { expect, test } from 'vitest'
import { arrange } from '../document.ts'
import { typed } from '../layout/test-typed.ts'
import { readLists } from './lists.ts'
import { fillWaysOfProducts } from './product-ways.ts'
import { readTreatments } from './treatments.ts'

const draftsOf = (text: string) => {
  const document = arrange([typed(text)])
  const drafts =
    readTreatments(document, { strictness: 'sure', listed: readLists(document) }).find((one) => one.drafts[0])
      ?.drafts ?? []
  fillWaysOfProducts(document, drafts)
  return drafts
}

const PROGRAMME = `
Trat.   Programa                  HumiSolum   RizoCafé    Forma de aplicação                    Custo
                                  (L/ha)      (L/ha)                                            (R$/ha)
T1      Testemunha                -           -           -                                     0,00
T2      HumiSolum 10              10          -           via solo (drench), saia do cafeeiro   185,00
T3      HumiSolum 20              20          -           via solo (drench), saia do cafeeiro   370,00
T4      HumiSolum 10 + RizoCafé   10          1,5         via solo (drench), saia do cafeeiro   329,00`

test('a product whose name has a capital within is one word, also as a heading', () => {
  const told = draftsOf(PROGRAMME).map(({ produtos }) => produtos.map(({ nome }) => nome.value))
  expect(told).toEqual([[], ['HumiSolum'], ['HumiSolum'], ['HumiSolum', 'RizoCafé']])
})

test('a way is told whatever is said of it behind', () => {
  const ways = draftsOf(PROGRAMME).map(({ modalidade }) => modalidade?.value)
  expect(ways).toEqual([undefined, 'Solo', 'Solo', 'Solo'])
})

test('what was applied in each treatment is no yield', () => {
  const drafts = draftsOf(`
Trat.   Descrição               Dose (mL/ha)   Aplicação   N em cobertura (kg/ha)
T1      Testemunha              -              -           90
T2      CerneAzo                300            Sulco       90
T3      CerneAzo                300            Sulco       60
T4      CerneAzo + CernePhos    300 + 500      Sulco       60`)
  expect(drafts.map(({ produtividade }) => produtividade)).toEqual([null, null, null, null])
})

test('a word of the language is not the product that is written like it', () => {
  const drafts = draftsOf(`
A dessecação foliar tem sido usada como complemento do solo. O Manganato entrou no sulco.

Trat.   Produto       Dose (L/ha)   Produtividade (kg/ha)
T1      Testemunha    -             3.612
T2      Como Vale     0,15          3.698
T3      Manganato     0,50          3.745`)
  expect(drafts[1]?.modalidade?.value).not.toBe('Foliar')
})
