import { expect, test } from 'vitest'
import type { Word } from '../read/page.ts'
import { findFurniture } from './furniture.ts'
import { makeLines } from './lines.ts'

const linesOf = (rows: readonly (readonly [text: string, x: number][])[]) =>
  makeLines(
    rows.flatMap((row, at) =>
      row.map(([text, x]): Word => {
        const y0 = 100 + 20 * at
        return {
          text,
          x0: x,
          x1: x + 6 * text.length,
          y0,
          y1: y0 + 10,
          base: y0 + 8,
          size: 10,
          bold: false,
          page: 1,
        }
      }),
    ),
    [],
  )
const texts = (rows: Parameters<typeof linesOf>[0]) => {
  const lines = linesOf(rows)
  const found = findFurniture([{ lines, height: 842, body: 10 }])
  return lines.filter((line) => found.has(line)).map((line) => line.words.map(({ text }) => text).join(' '))
}

test('a table of contents is no text of the report', () => {
  const found = texts([
    [['Sumário', 100]],
    ...['Local', 'Solo', 'Tratamentos'].map((name, at): [string, number][] => [
      [String(at + 1), 60],
      [name, 80],
      [String(at + 3), 500],
    ]),
    [['Consultoria', 60]],
  ])
  expect(found).toEqual(['Sumário', '1 Local 3', '2 Solo 4', '3 Tratamentos 5'])
})

test('numbered treatments with a figure behind them are text, whatever stands above', () => {
  const rows = ['Testemunha', 'Nutrivia', 'Padrão'].map((name, at): [string, number][] => [
    [String(at + 1), 60],
    [name, 80],
    [String(90 - at), 500],
  ])
  expect(texts([[['Tratamentos', 100]], ...rows])).toEqual([])
  expect(texts([[['Sumário', 100]], ...rows])).toEqual([])
})
