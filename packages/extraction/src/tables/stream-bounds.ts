import type { Line } from '../layout/lines.ts'
import type { Table } from './table.ts'

/** '3.2 Produtividade e rendimento': what comes next, and no row of the table above it. */
const SECTION = /^\d{1,2}(?:\.\d{1,2}){1,2}\.? \p{Lu}\p{L}[^\d|]*$/u
/** 'Tabela 2. Chuva mensal (mm)' */
const TITLE = /^(?:Tabela|TABELA|Quadro|QUADRO)\s?\d{1,2}\s?[.:–-]/

/** A table ends where the next section begins, and where the next table is named. */
export function partsOf(lines: readonly Line[]): Line[][] {
  const parts: Line[][] = [[]]
  for (const line of lines) {
    const text = line.segments.map((segment) => segment.text).join(' ')
    if (line.segments.length <= 2 && SECTION.test(text)) parts.push([])
    else if (line.segments.length === 1 && TITLE.test(text)) parts.push([line])
    else parts.at(-1)?.push(line)
  }
  return parts
}

/** A justified line below a table that begins left of all of its rows and says no figure is the next paragraph. */
export function withoutRunOn(table: Table): Table {
  const rows = table.rows.slice(0, -1)
  const last = table.rows.at(-1) ?? []
  const texts = last.flatMap((cell) => (cell ? [cell.text] : []))
  const runs =
    rows.length >= LEAST_ROWS &&
    (last[0]?.text ?? '') !== '' &&
    rows.every(([cell]) => (cell?.text ?? '') === '') &&
    !texts.some((text) => /\d/.test(text)) &&
    texts.filter((text) => /^\p{Ll}/u.test(text)).length >= 2
  if (!runs) return table
  const cells = rows.flatMap((row) => row.flatMap((cell) => (cell && cell.text !== '' ? [cell] : [])))
  const y1 = cells.reduce((most, cell) => Math.max(most, cell.y1), table.y0)
  return {
    ...{
      ...table,
      y1,
      x0: cells.reduce((least, { x0 }) => Math.min(least, x0), table.x1),
      columns: table.columns - 1,
    },
    rows: rows.map((row) => row.slice(1)),
    ...(table.lines && { lines: table.lines.filter(({ base }) => base <= y1 + 1) }),
  }
}
const LEAST_ROWS = 3
