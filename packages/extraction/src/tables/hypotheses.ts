import { union } from '../read/geometry.ts'
import { isHeading } from '../values/headings.ts'
import { readCell } from '../values/number.ts'
import { hasLetters } from '../values/text.ts'
import { groupByKey } from './anchoring.ts'
import type { Cell, Table } from './table.ts'

type Row = Table['rows'][number]

/**
 * Other ways in which what was caught as one table may have been meant, each as the tables that it would be then.
 * None of them is preferred here: what the whole document makes of each decides (reading/choose.ts).
 */
export function hypotheses(table: Table): Table[][] {
  const out: Table[][] = []
  const bare = withoutIndex(table)
  const blocks = cutBlocks(bare)
  if (blocks.length > 1) out.push(blocks)
  else if (bare !== table) out.push([bare])
  for (const anchor of ['middle', 'bottom'] as const) {
    const grouped = (blocks.length > 0 ? blocks : [bare]).map((block) => groupByKey(block, anchor) ?? block)
    if (grouped.some((block, i) => block !== (blocks[i] ?? bare))) out.push(grouped)
  }
  return out
}

/** The distinct cells of a row that hold something. */
const cellsOf = (row: Row): Cell[] => [
  ...new Set(row.filter((cell): cell is Cell => cell !== null && cell.text !== '')),
]

/** A share of the rows of a sheet that must count on for its first column to be the sheet's own numbering. */
const COUNTED = 0.8
const LEAST_ROWS = 5

/** A sheet printed with its frame: letters over the columns, numbers before the rows. Neither is of the table. */
export function withoutIndex(table: Table): Table {
  let rows = table.rows
  const letters = rows[0] ? cellsOf(rows[0]) : []
  const lettered =
    letters.length >= 3 && letters.every((cell, i) => cell.text === String.fromCharCode(65 + i))
  if (lettered) rows = rows.slice(1)
  const numbers = rows.map((row) =>
    /^\d{1,3}$/.test(row[0]?.text ?? '') ? Number(row[0]?.text) : Number.NaN,
  )
  const on = numbers.filter((value, i) => i === 0 || value === (numbers[i - 1] ?? Number.NaN) + 1).length
  // Headings are numbered too, by a sheet only: codes begin below them.
  const heads = rows.findIndex(
    (row) => cellsOf(row.slice(1)).filter((cell) => isHeading(cell.text)).length >= 3,
  )
  const headed = heads >= 0 && Number.isFinite(numbers[heads] ?? Number.NaN)
  const numbered = rows.length >= LEAST_ROWS && on >= COUNTED * rows.length && (lettered || headed)
  if (numbered) rows = rows.map((row) => row.slice(1))
  if (rows === table.rows) return table
  return { ...table, rows, columns: numbered ? table.columns - 1 : table.columns }
}

/** What a row is by itself. */
type Kind = 'blank' | 'title' | 'headings' | 'form' | 'data'

function kindOf(row: Row): Kind {
  const cells = cellsOf(row)
  if (cells.length === 0) return 'blank'
  const numbers = cells.filter((cell) => readCell(cell.text) !== null).length
  if (cells.length === 1) return hasLetters(cells[0]?.text ?? '') && numbers === 0 ? 'title' : 'data'
  const headings = cells.filter((cell) => readCell(cell.text) === null && isHeading(cell.text)).length
  if (cells.length >= 3 && numbers === 0 && headings >= 0.6 * cells.length) return 'headings'
  if (cells.length <= 4 && cells.some((cell) => /\p{L}[^:]*:$/u.test(cell.text))) return 'form'
  return 'data'
}

/** One grid over several blocks: cut where nothing stands, where headings come anew, where only a title stands. */
export function cutBlocks(table: Table): Table[] {
  const kinds = table.rows.map(kindOf)
  const starts = new Set<number>()
  kinds.forEach((kind, r) => {
    const before = kinds[r - 1]
    if (kind === 'blank' && r + 1 < kinds.length) starts.add(r + 1)
    if (kind === 'headings' && r > 1 && before !== 'headings' && before !== 'title') starts.add(r)
    if (kind === 'title' && r > 1 && kinds[r + 1] === 'headings') starts.add(r)
  })
  const edges = [0, ...[...starts].sort((a, b) => a - b), table.rows.length]
  const parts = edges.slice(1).flatMap((end, i): Table[] => {
    const rows = table.rows.slice(edges[i], end).filter((row) => cellsOf(row).length > 0)
    const title =
      rows.length > 1 && rows[0] && kindOf(rows[0]) === 'title' ? (cellsOf(rows[0])[0]?.text ?? '') : ''
    const kept = title === '' ? rows : rows.slice(1)
    const part = partOf(table, kept, title || table.title)
    return part ? [part] : []
  })
  return parts
}

/** A table of some of a table's rows, without the columns in which nothing is left. */
export function partOf(table: Table, rows: readonly Row[], title: string): Table | null {
  const used = Array.from({ length: table.columns }, (_, c) => c).filter((c) =>
    rows.some((row) => row[c] && row[c].text !== ''),
  )
  const cells = rows.flatMap(cellsOf)
  if (cells.length < 2 || used.length < 2) return null
  return {
    ...table,
    ...union(cells),
    title,
    rows: rows.map((row) => used.map((c) => row[c] ?? null)),
    columns: used.length,
  }
}
