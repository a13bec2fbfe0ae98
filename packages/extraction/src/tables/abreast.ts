import { union } from '../read/geometry.ts'
import { fold } from '../values/text.ts'
import type { Cell, Table } from './table.ts'

const HEADS_TREATMENTS = /^(?:trat(?:amentos?|s)?\.?|n[º°o]\.? ?trat\w*\.?)$/
const CODE = /^\(?(?:T\s?-?)?(?:\d{1,2}|[A-L])\)?$/

/** Tables that stand side by side and were caught as one: each further column of codes begins another. */
export function partAbreast(table: Table): Table[] {
  const starts: { column: number; row: number }[] = []
  table.rows.slice(0, 6).forEach((row, r) => {
    row.forEach((cell, c) => {
      if (c < 2 || !cell || cell === row[c - 1] || !HEADS_TREATMENTS.test(fold(cell.text))) return
      const first = table.rows.map((line) => fold(line[0]?.text ?? ''))
      const again = table.rows.slice(r + 1).filter((line) => {
        const text = fold(line[c]?.text ?? '')
        return text.length > 3 && first.some((name) => name.startsWith(text))
      })
      // The same heading over the same names begins another table.
      const repeats = first.includes(fold(cell.text)) && again.length >= 2
      const below = table.rows.slice(r + 1).map((next) => next[c]?.text ?? '')
      const codes = below.filter((text) => CODE.test(text))
      // Plots in the order of the field name their treatment again and again.
      const plots = new Set(codes).size <= 0.5 * codes.length
      if (plots && !repeats) return
      if (repeats || (codes.length >= 2 && codes.length >= 0.6 * below.filter((text) => text !== '').length))
        starts.push({ column: c, row: r })
    })
  })
  const beside = besideText(table)
  if (beside > 0 && starts.length === 0) {
    const part = slice(table, beside, table.columns, 0)
    return part ? [part] : [table]
  }
  if (starts.length === 0) return [table]
  const parts = [{ column: 0, row: 0 }, ...starts].map(({ column, row }, i) =>
    slice(table, column, starts[i]?.column ?? table.columns, row),
  )
  return parts.filter((part): part is Table => part !== null)
}

/** The column at which a table begins that was caught together with running text on its left; else 0. */
function besideText(table: Table): number {
  for (let c = 1; c < table.columns - 1; c++) {
    const codes = table.rows
      .flatMap((row) => /^T\s?(\d{1,2})$/.exec(row[c]?.text ?? '')?.[1] ?? [])
      .map(Number)
    const counts = codes.length >= 3 && codes.every((code, i) => i === 0 || code === (codes[i - 1] ?? 0) + 1)
    const left = [...new Set(table.rows.flatMap((row) => row.slice(0, c)))].filter(
      (cell): cell is Cell => cell !== null && cell.text !== '',
    )
    const words = left.reduce((sum, cell) => sum + cell.words.length, 0)
    if (counts && left.length > 0 && words > 4 * left.length) return c
  }
  return 0
}

function slice(table: Table, from: number, to: number, top: number): Table | null {
  const rows = table.rows
    .slice(top)
    .map((row) => row.slice(from, to))
    .filter((row) => row.some((cell) => cell && cell.text !== ''))
  const cells = rows.flat().filter((cell): cell is Cell => cell !== null && cell.text !== '')
  if (cells.length === 0 || to - from < 2) return null
  return { ...table, ...union(cells), rows, columns: to - from }
}
