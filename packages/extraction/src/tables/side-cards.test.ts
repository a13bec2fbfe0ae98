import { expect, test } from 'vitest'
import type { PageLayout } from '../document.ts'
import type { Word } from '../read/page.ts'
import { sideCards } from './side-cards.ts'

function line(text: string, x: number, base: number, { size = 8, bold = false } = {}): Word[] {
  let at = x
  return text.split(' ').map((one) => {
    const word = {
      text: one,
      x0: at,
      x1: at + 0.5 * size * one.length,
      y0: base - size,
      y1: base,
      base,
      size,
    }
    at = word.x1 + 0.25 * size
    return { ...word, bold, page: 0 }
  })
}
const page = (words: Word[]) =>
  ({
    ...{ furniture: [], tables: [], lines: [], blocks: [] },
    page: {
      index: 0,
      width: 600,
      height: 800,
      scanned: false,
      words,
      rulings: [],
      checkBoxes: [],
      bullets: [],
    },
  }) as unknown as PageLayout
const textsOf = (layout: PageLayout) =>
  sideCards(layout)?.rows.map((row) => row.map((cell) => cell?.text ?? ''))

const card = (name: string, told: string, [kilos, size]: [string, string], x: number, y: number) => [
  ...line(name, x, y, { size: 11, bold: true }),
  ...line(told, x, y + 14),
  ...line(`${kilos} t/ha`, x, y + 30, { size: 11 }),
  ...line('produtividade', x, y + 40),
  ...line(`Diâmetro: ${size} mm`, x, y + 54),
]

test('cards side by side, in rows below one another, are one table', () => {
  const words = [
    ...line('Reguladores de crescimento em uva de mesa, na segunda safra do ano', 40, 40, { size: 14 }),
    ...card('Testemunha', 'sem regulador', ['21,8', '16,9'], 40, 100),
    ...card('GibraMax', '20 g/ha', ['25,1', '18,8'], 240, 100),
    ...card('Citoflor', '1,0 L/ha', ['24,3', '18,3'], 40, 190),
    ...card('Ambos', '20 g/ha + 1,0 L/ha', ['28,9', '20,4'], 240, 190),
  ]
  expect(textsOf(page(words))).toEqual([
    ['Tratamento', '', 'produtividade (t/ha)', 'Diâmetro (mm)'],
    ['Testemunha', 'sem regulador', '21,8', '16,9'],
    ['GibraMax', '20 g/ha', '25,1', '18,8'],
    ['Citoflor', '1,0 L/ha', '24,3', '18,3'],
    ['Ambos', '20 g/ha + 1,0 L/ha', '28,9', '20,4'],
  ])
})

test('without a control, or with nothing that they share, they are no treatments', () => {
  const two = (name: string) => [
    ...card(name, 'dose cheia', ['21,8', '16,9'], 40, 100),
    ...card('GibraMax', '20 g/ha', ['25,1', '18,8'], 240, 100),
    ...card('Citoflor', '1,0 L/ha', ['24,3', '18,3'], 440, 100),
  ]
  expect(textsOf(page(two('Testemunha')))).toHaveLength(4)
  expect(textsOf(page(two('Biomax')))).toBeUndefined()
  expect(textsOf(page(line('Testemunha', 40, 100, { bold: true })))).toBeUndefined()
})
