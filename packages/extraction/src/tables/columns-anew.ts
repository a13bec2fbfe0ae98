import { readCell } from '../values/number.ts'
import type { Cell, Table } from './table.ts'

type Row = Table['rows'][number]

const filled = (cell: Cell | null | undefined): cell is Cell => cell != null && cell.text !== ''

/** Columns of which no row fills two are one column, set to the left here and to the middle there. */
export function withoutParted(table: Table): Table {
  let { rows } = table
  for (let c = 0; c + 1 < (rows[0]?.length ?? 0); ) {
    const both = rows.filter((row) => filled(row[c]) && filled(row[c + 1]))
    const spanned = both.filter((row) => row[c] === row[c + 1]).length
    const own = [c, c + 1].map((at) => rows.filter((row) => filled(row[at])).length - spanned)
    if (both.length > spanned || own.some((count) => count === 0)) {
      c++
      continue
    }
    rows = rows.map(
      (row) =>
        [...row.slice(0, c), filled(row[c]) ? row[c] : (row[c + 1] ?? null), ...row.slice(c + 2)] as Row,
    )
  }
  return rows === table.rows ? table : { ...table, rows, columns: rows[0]?.length ?? 0 }
}

/** Wide headings over narrow figures, caught beside them: as many of each, so each heading belongs to its place's figures. */
export function withHeadingsInOrder(table: Table): Table {
  const isData = (row: Row): boolean =>
    row.filter((cell) => filled(cell) && readCell(cell.text) !== null).length >= 2
  const first = table.rows.findIndex(isData)
  const heads = table.rows[first - 1]
  if (first < 1 || !heads) return table
  const body = table.rows.slice(first).filter(isData)
  const used = heads.flatMap((_, c) =>
    body.filter((row) => filled(row[c])).length > 0.5 * body.length ? [c] : [],
  )
  const headings = [...new Set(heads)].filter(filled)
  const shifted = used.some((c) => !filled(heads[c]))
  if (!shifted || headings.length !== used.length || new Set(heads.filter(filled)).size !== headings.length)
    return table
  const rows = table.rows.map((row, r) => (r === first - 1 ? headings : used.map((c) => row[c] ?? null)))
  return { ...table, rows, columns: used.length, head: first }
}
