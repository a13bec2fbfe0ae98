import { expect, test } from 'vitest'
import { makeRun } from '../layout/run.ts'
import type { Word } from '../read/page.ts'
import { readProducts } from './products.ts'

const run = (text: string) =>
  makeRun(
    text.split(' ').map(
      (word, at): Word => ({
        ...{
          text: word,
          x0: at * 30,
          x1: at * 30 + 28,
          y0: 0,
          y1: 10,
          base: 9,
          size: 10,
          bold: false,
          page: 0,
        },
      }),
    ),
  )
const read = (text: string) =>
  readProducts(run(text), 'prose').map(({ nome, dose, unidade }) => [nome.value, dose?.value, unidade])

test.each([
  ['80 kg/ha de superfosfato simples', [['superfosfato simples', 80, 'kg/ha']]],
  ['1,0 L/ha de Bacillus subtilis no sulco', [['Bacillus subtilis', 1, 'L/ha']]],
  ['300 kg/ha de NPK 08-28-16', [['NPK 08-28-16', 300, 'kg/ha']]],
  [
    'Rizofix + 75 mL/ha de Comolyx + 1 L/ha de Vigorfol',
    [
      ['Rizofix', undefined, null],
      ['Comolyx', 75, 'mL/ha'],
      ['Vigorfol', 1, 'L/ha'],
    ],
  ],
  [
    'Verdalga 0,2% + Cálcio-B 0,3%',
    [
      ['Verdalga', 0.2, '% v/v'],
      ['Cálcio-B', 0.3, '% v/v'],
    ],
  ],
  ['60 kg ha-1 de N, na forma de ureia, em cobertura', [['ureia', 60, 'kg/ha']]],
  [
    'aplicação foliar de 1,5 L/ha de NutriMn Plus no perfilhamento, seguida de 2,0 L/ha de Fosfokal',
    [
      ['NutriMn Plus', 1.5, 'L/ha'],
      ['Fosfokal', 2, 'L/ha'],
    ],
  ],
  [
    'trifloxistrobina + protioconazol, nas doses de 60 + 70 g i.a. ha-1',
    [
      ['trifloxistrobina', 60, 'g/ha'],
      ['protioconazol', 70, 'g/ha'],
    ],
  ],
])('%s', (text, products) => {
  expect(read(text)).toEqual(products)
})

// Read anew for every sign, each of these would take hours.
test.each([[`${'aplicae'.repeat(40)}. 1,0 L/ha`], [`X ${Array(60).fill('1.000').join('+')} x`]])(
  'a cell that is made to be slow tells of no dose',
  (text) => {
    expect(read(text).filter(([, dose]) => dose === 1000)).toEqual([])
  },
)
