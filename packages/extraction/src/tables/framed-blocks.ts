import { union } from '../read/geometry.ts'
import type { Cell, Table } from './table.ts'

type Row = Table['rows'][number]

/** So many rows with the same borders are a table; a line of a form has its own. */
const LEAST_ROWS = 3
const LEAST_BORDERS = 2

/** Between which columns a row has borders. */
const bordersOf = (row: Row): number[] =>
  row.flatMap((cell, c) => (c > 0 && (cell === null || cell !== row[c - 1]) ? [c] : []))

/**
 * One frame around a table and lines of boxes below or above it, whose borders stand elsewhere: apart, each with its own
 * columns. Titles over all of them stay with what they stand over.
 */
export function withBlocksApart(table: Table): Table[] {
  const borders = table.rows.map((row) => bordersOf(row))
  const alike = Map.groupBy(
    borders.flatMap((own, r) => (own.length >= LEAST_BORDERS ? [{ key: own.join(), r }] : [])),
    ({ key }) => key,
  )
  const [main] = [...alike.values()].sort((a, b) => b.length - a.length)
  if (!main || main.length < LEAST_ROWS) return [table]
  const own = new Set(borders[main[0]?.r ?? 0])
  const fits = (r: number): boolean => borders[r]?.every((c) => own.has(c)) === true
  let [first, last] = [main[0]?.r ?? 0, main.at(-1)?.r ?? 0]
  // Rows of other borders in its midst are its own: cells that span.
  const goesOn = (r: number): boolean =>
    table.rows[r]?.some((cell) => cell !== null && table.rows[r + 1]?.includes(cell)) === true
  while (first > 0 && (goesOn(first - 1) || (fits(first - 1) && (borders[first]?.length ?? 0) > 0))) first--
  while (
    last + 1 < borders.length &&
    (goesOn(last) || (fits(last + 1) && (borders[last + 1]?.length ?? 0) > 0))
  )
    last++
  if (first === 0 && last === table.rows.length - 1) return [table]
  const part = (from: number, to: number): Table[] =>
    from < to ? [blockOf(table, table.rows.slice(from, to))] : []
  return [
    ...part(0, first).flatMap(withBlocksApart),
    ...part(first, last + 1),
    ...part(last + 1, table.rows.length).flatMap(withBlocksApart),
  ]
}

function blockOf(table: Table, rows: readonly Row[]): Table {
  const borders = new Set(rows.flatMap((row) => bordersOf(row)))
  const used = Array.from({ length: table.columns }, (_, c) => c).filter((c) => c === 0 || borders.has(c))
  const cells = [...new Set(rows.flat())].filter((cell): cell is Cell => cell !== null)
  const { y0, y1 } = union(cells)
  return {
    ...table,
    y0: Math.max(table.y0, y0),
    y1: Math.min(table.y1, y1),
    rows: rows.map((row) => used.map((c) => row[c] ?? null)),
    columns: used.length,
  }
}
