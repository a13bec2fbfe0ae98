import { expect, test } from 'vitest'
import { withBlocksApart } from './framed-blocks.ts'
import { makeCell } from './lattice.ts'
import type { Cell, Table } from './table.ts'

function cell(text: string): Cell {
  const box = { x0: 0, x1: 10, y0: 0, y1: 10 }
  return makeCell([{ text, ...box, base: 9, size: 8, bold: false, page: 0 }], box, 0)
}
const table = (rows: Cell[][]): Table => ({
  ...{ x0: 0, y0: 0, x1: 500, y1: 500, page: 0, ruled: true, title: '' },
  ...{ rows, columns: rows[0]?.length ?? 0 },
})

test('boxes of a form in the frame of a table are apart, and its columns are its own', () => {
  const [title, cv, dms] = [cell('RESULTADOS'), cell('CV 5,2'), cell('DMS 4,9')]
  const body = ['Nº', '1', '2', '3'].map((text) => {
    const [name, value] = [cell(`${text}b`), cell(`${text}c`)]
    return [cell(text), name, name, value]
  })
  const [grid, boxes] = withBlocksApart(
    table([Array.from({ length: 4 }, () => title), ...body, [cv, cv, dms, dms]]),
  )
  expect([grid?.rows.length, grid?.columns]).toEqual([5, 3])
  expect(boxes?.rows.map((row) => row.map((one) => one?.text))).toEqual([['CV 5,2', 'DMS 4,9']])
})
