import { overlap } from '../read/geometry.ts'
import type { Ruling } from '../read/page.ts'
import type { Cell, Table } from './table.ts'

type Row = Table['rows'][number]

/** So many lines over the whole width, below the heading, part the rows of a table rather than its parts. */
const LEAST_BANDS = 4
/** More rows between two lines are a part of a table. */
const MOST_ROWS = 4
/** The share of a table's width that a line must have. */
const WIDTH = 0.9

/**
 * A table with a line below each of its rows: what stands between two lines is of one row, wherever in its height. A code
 * and a name in the middle of several products stand beside the first of them then.
 */
export function withRuledBands(table: Table, rulings: readonly Ruling[]): Table {
  if (table.ruled) return table
  const lines = rulings
    .filter(
      ({ vertical, x0, x1, y0 }) =>
        !vertical &&
        y0 > table.y0 &&
        y0 < table.y1 &&
        overlap(x0, x1, table.x0, table.x1) > WIDTH * (table.x1 - table.x0),
    )
    .map(({ y0 }) => y0)
    .sort((a, b) => a - b)
  if (lines.length < LEAST_BANDS) return table
  const bands = [...Map.groupBy(table.rows, (row) => bandOf(row, lines)).values()]
  const inner = bands.slice(1)
  if (inner.length < LEAST_BANDS || inner.some((band) => band.length > MOST_ROWS)) return table
  const rows = bands.flatMap((band, b) => (b === 0 ? band : together(band)))
  return rows.length === table.rows.length && rows.every((row, r) => row === table.rows[r])
    ? table
    : { ...table, rows }
}

const isFilled = (cell: Cell | null): cell is Cell => cell !== null && cell.text !== ''

function bandOf(row: Row, lines: readonly number[]): number {
  const cells = row.filter(isFilled)
  const middle = cells.reduce((sum, { y0, y1 }) => sum + (y0 + y1) / 2, 0) / Math.max(1, cells.length)
  return lines.filter((y) => y < middle).length
}

/** Rows that only hold what the band has once give it to the first of those that hold more. */
function together(band: readonly Row[]): readonly Row[] {
  const counts = (band[0] ?? []).map((_, c) => band.filter((row) => isFilled(row[c] ?? null)).length)
  const most = Math.max(...counts)
  const holds = (row: Row): boolean => row.some((cell, c) => isFilled(cell) && counts[c] === most)
  const kept = band.filter(holds)
  const [first] = kept
  if (band.length === 1 || most < 2 || !first || kept.length !== most) return band
  // A key in the middle of its products is of all of them, and so is what else stands once.
  const keyed = counts[0] === 1 && !isFilled(first[0] ?? null)
  if (!keyed && kept.length === band.length) return band
  const single = counts.map((count, c) =>
    count === 1 ? (band.map((row) => row[c] ?? null).find(isFilled) ?? null) : null,
  )
  const spanning = new Set(band.filter((row) => !holds(row)).flat())
  const moves = (cell: Cell | null): cell is Cell => cell !== null && (keyed || spanning.has(cell))
  return kept.map((row, r) =>
    row.map((cell, c) => {
      const once = single[c] ?? null
      return moves(once) ? (r === 0 ? once : null) : cell
    }),
  )
}
