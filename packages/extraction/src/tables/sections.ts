import { fold, hasLetters } from '../values/text.ts'
import type { Cell, Table } from './table.ts'

/**
 * One variable after the other in one table, each under a line that names it and over the same rows again: a table
 * for each, which that line names.
 */
export function splitSections(table: Table): Table[] {
  const starts = table.rows.flatMap((row, r) => (r > 0 && headingOf(row) !== null ? [r] : []))
  const header = table.rows.slice(0, starts[0])
  const parts = starts.map((start, i) => table.rows.slice(start + 1, starts[i + 1]))
  const keys = parts.map((rows) => rows.slice(0, 2).map(keyOf).join('|'))
  if (parts.length < 2 || parts.some((rows) => rows.length < 2) || new Set(keys).size > 1) return [table]
  // How many rows head the whole does not hold for its parts.
  const { head: _, ...whole } = table
  return parts.map((rows, i) => {
    const cells = rows.flat().filter((cell): cell is Cell => cell !== null && cell.page === table.page)
    const title = headingOf(table.rows[starts[i] ?? 0] ?? [])?.text ?? ''
    const y0 = i === 0 || cells.length === 0 ? table.y0 : Math.min(...cells.map((cell) => cell.y0))
    return { ...whole, rows: [...header, ...rows], title, y0 }
  })
}

/** The only cell of a row, where it has words. */
function headingOf(row: readonly (Cell | null)[]): Cell | null {
  const cells = [...new Set(row)].filter((cell): cell is Cell => cell !== null && cell.text !== '')
  return cells.length === 1 && cells[0] && hasLetters(cells[0].text) ? cells[0] : null
}

const keyOf = (row: readonly (Cell | null)[]): string =>
  fold(row.find((cell) => cell !== null && cell.text !== '')?.text ?? '')
