import { expect, test } from 'vitest'
import type { Word } from '../read/page.ts'
import { takenApart, withLinesApart, withStylesApart } from './apart.ts'
import { makeCell } from './lattice.ts'
import type { Cell, Table } from './table.ts'

/** Words side by side from `x` on, each as wide as its letters, a space of two points between them. */
function wordsAt(text: string, x: number, base: number): Word[] {
  let at = x
  return text.split(' ').map((one) => {
    const word = { text: one, x0: at, x1: at + 5 * one.length, y0: base - 8, y1: base, base, size: 8 }
    at = word.x1 + 2
    return { ...word, bold: false, page: 0 }
  })
}
const cell = (text: string, x: number, base: number): Cell | null =>
  text === '' ? null : makeCell(wordsAt(text, x, base), { x0: x, x1: x, y0: base, y1: base }, 0)
const table = (rows: (Cell | null)[][], ruled = false): Table => ({
  ...{ x0: 0, y0: 0, x1: 500, y1: 500, page: 0, ruled, title: 'Tabela 1' },
  ...{ rows, columns: rows[0]?.length ?? 0 },
})
const textsOf = ({ rows }: Table) => rows.map((row) => row.map((one) => one?.text ?? ''))

test('numbers that count on stand before names, and two figures under two headings are two', () => {
  const rows = [
    [cell('Trat', 0, 10), cell('Nome', 40, 10), cell('kg/ha', 200, 10), cell('sc/ha', 240, 10)],
    ...[
      ['1 Testemunha', '5240 87,3'],
      ['2 Atramax 500', '7685 128,1'],
      ['3 Mesozul', '7930 132,2'],
    ].map(([name = '', figures = ''], i) => {
      const spanned = cell(name, 0, 30 + 20 * i)
      return [spanned, spanned, cell(figures, 200, 30 + 20 * i), null]
    }),
  ]
  expect(textsOf(takenApart(table(rows)))).toEqual([
    ['Trat', 'Nome', 'kg/ha', 'sc/ha'],
    ['1', 'Testemunha', '5240', '87,3'],
    ['2', 'Atramax 500', '7685', '128,1'],
    ['3', 'Mesozul', '7930', '132,2'],
  ])
})

test('numbers that do not count on are no codes', () => {
  const rows = ['5 Raiz', '9 Folha', '2 Grão'].map((name, i) => [
    cell(name, 0, 20 * i),
    cell('10', 90, 20 * i),
  ])
  expect(textsOf(takenApart(table(rows)))).toEqual([
    ['5 Raiz', '10'],
    ['9 Folha', '10'],
    ['2 Grão', '10'],
  ])
})

test('rows that were drawn as one are as many as their figures; a name over two lines stays one', () => {
  const column = (texts: string[], x: number) =>
    makeCell(
      texts.flatMap((text, i) => wordsAt(text, x, 20 + 12 * i)),
      { x0: x, x1: x, y0: 0, y1: 0 },
      0,
    )
  const drawn = table(
    [[column(['Testemunha', 'CoMo 100', 'CoMo 150'], 0), column(['58', '60', '61'], 100)]],
    true,
  )
  expect(textsOf(withLinesApart(drawn))).toEqual([
    ['Testemunha', '58'],
    ['CoMo 100', '60'],
    ['CoMo 150', '61'],
  ])
  const wrapped = table([[column(['Glifozen', 'WG mais', 'Atramax'], 0), column(['97'], 100)]], true)
  expect(withLinesApart(wrapped)).toBe(wrapped)
})

test('a name in bold and what it consists of below it are two columns; names over two alike lines are one', () => {
  const named = (name: string, below: string, bold: boolean) =>
    makeCell(
      [...wordsAt(name, 0, 20).map((word) => ({ ...word, bold })), ...wordsAt(below, 0, 32)],
      { x0: 0, x1: 0, y0: 0, y1: 0 },
      0,
    )
  const sheet = (bold: boolean) =>
    table([
      [cell('Manejo', 0, 0), cell('kg/ha', 200, 0), cell('sc/ha', 250, 0)],
      ...['Padrão', 'Folha', 'Raiz'].map((name) => [
        named(name, `Boro ${name} 2 L/ha`, bold),
        cell('5240', 200, 20),
        cell('87,3', 250, 20),
      ]),
    ])
  expect(textsOf(withStylesApart(sheet(true)))).toEqual([
    ['Manejo', '', 'kg/ha', 'sc/ha'],
    ['Padrão', 'Boro Padrão 2 L/ha', '5240', '87,3'],
    ['Folha', 'Boro Folha 2 L/ha', '5240', '87,3'],
    ['Raiz', 'Boro Raiz 2 L/ha', '5240', '87,3'],
  ])
  const alike = sheet(false)
  expect(withStylesApart(alike)).toBe(alike)
})
