import { union } from '../read/geometry.ts'
import type { Cell, Table } from './table.ts'

type Row = Table['rows'][number]

/** So many letters and numbers at the least: fewer may be groups of a test or codes. */
const LEAST = 3

const ownTexts = (row: Row): string[] =>
  [...new Set(row)].flatMap((cell) => (cell && cell.text !== '' ? [cell.text] : []))

/** 'A | B | C …' over the columns of a sheet */
const isLetters = (row: Row): boolean => {
  const own = ownTexts(row)
  return own.length >= LEAST && own.every((text, i) => text === String.fromCharCode(65 + i))
}

/** '4 | 5 | 6 …' before its rows, one after the other */
function isCounted(rows: readonly Row[]): boolean {
  const numbers = rows.map(([first]) =>
    /^\d{1,4}$/.test(first?.text ?? '') ? Number(first?.text) : Number.NaN,
  )
  return numbers.length >= LEAST && numbers.every((value, i) => value === (numbers[0] ?? Number.NaN) + i)
}

/**
 * The tables of a page that a spreadsheet was printed to with its frame: the letters of the columns and the numbers of
 * the rows are no part of what somebody wrote there.
 */
export function withoutSheetFrame(tables: readonly Table[]): Table[] {
  if (!tables.some(({ rows }) => rows.some(isLetters))) return [...tables]
  return tables.flatMap((table) => {
    const written = table.rows.filter((row) => !isLetters(row))
    const rows = isCounted(written) ? written.map((row) => row.slice(1)) : written
    const cells = [...new Set(rows.flat())].filter((cell): cell is Cell => cell !== null && cell.text !== '')
    if (cells.length === 0) return []
    return [{ ...table, x0: union(cells).x0, rows, columns: Math.max(...rows.map((row) => row.length)) }]
  })
}
