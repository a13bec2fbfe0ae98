import { COLUMN_ROLES, type ColumnRole, type RowLabel } from '@ensaio/domain/tables'
import type { Document } from '../document.ts'
import { hypotheses } from '../tables/hypotheses.ts'
import type { Cell, Table } from '../tables/table.ts'
import { headerText, type Row } from '../treatments/orient.ts'
import type { Anchor } from './anchors.ts'
import { phraseOf } from './fingerprint.ts'

/** How a table of a layout is to be read. It holds words of headings, and no value of any report. */
export interface TableTemplate {
  /** Of each column: its heading without figures, and what it holds. */
  columns: { heading: string; role: ColumnRole }[]
  /** How many rows are the heading. */
  heads: number
  /** Treatments stand beside each other. */
  turned: boolean
  /** First words of rows that are no treatment. */
  out: string[]
  /** The column whose empty cells mean that a row goes on with the treatment above; -1: each row is one. */
  key: number
  sections: boolean
}

/** What was learnt of a layout from one report that a person put right. */
export interface Template {
  tables: TableTemplate[]
  fields: Anchor[]
}

/** Share of a table's columns that must be headed as in the template. */
const ALIKE = 0.6
const MOST_OUT = 12

/** Tables as a person described them, told without their values. */
export const learnTables = (tables: readonly Table[]): TableTemplate[] =>
  tables.flatMap((table) => {
    const { given } = table
    if (!given) return []
    const labels = given.labels
    const header = table.rows.filter((_, r) => labels[r] === 'heading')
    const columns = Array.from({ length: table.columns }, (_, c) => ({
      heading: phraseOf(headerText(header, c)),
      role: COLUMN_ROLES.find((role) => role === given.roles[c]) ?? 'ignore',
    }))
    const rowsOf = (label: RowLabel): Row[] => table.rows.filter((_, r) => labels[r] === label)
    const more = rowsOf('more')
    const key = more.length === 0 ? -1 : emptyIn(more, table.rows, labels)
    return [
      {
        columns,
        heads: header.length,
        turned: isTurned(table),
        out: [...new Set(rowsOf('out').map(firstWords))].filter((text) => text !== '').slice(0, MOST_OUT),
        key,
        sections: labels.includes('section'),
      },
    ]
  })

/** The first column that is empty, or as above, in all rows that go on, and filled where a treatment begins. */
function emptyIn(more: readonly Row[], rows: readonly Row[], labels: readonly RowLabel[]): number {
  const fresh = rows.filter((_, r) => labels[r] === 'treatment')
  const width = Math.max(0, ...rows.map((row) => row.length))
  for (let c = 0; c < width; c++) {
    const empty = more.every((row) => goesOn(row, rows[rows.indexOf(row) - 1], c))
    if (empty && fresh.every((row) => (row[c]?.text ?? '') !== '')) return c
  }
  return 0
}

const goesOn = (row: Row, above: Row | undefined, c: number): boolean =>
  !row[c] || row[c].text === '' || row[c] === above?.[c]

const firstWords = (row: Row): string =>
  phraseOf(row.find((cell) => cell !== null && cell.text !== '')?.text ?? '', 1)

/** Whether rows, as they stand upright, run across the page as it is printed. */
function isTurned({ rows }: Table): boolean {
  const place = (cell: Cell | null | undefined): [number, number] | null =>
    cell ? [(cell.x0 + cell.x1) / 2, (cell.y0 + cell.y1) / 2] : null
  let [across, down] = [0, 0]
  rows.forEach((row, r) => {
    row.forEach((cell, c) => {
      const [a, b] = [place(cell), place(rows[r + 1]?.[c])]
      if (!a || !b) return
      across += Math.abs(a[0] - b[0])
      down += Math.abs(a[1] - b[1])
    })
  })
  return across > down
}

/** The tables of another document of the layout, as the template reads them. */
export function applyTables(templates: readonly TableTemplate[], document: Document): Table[] {
  const taken = new Set<Table>()
  return templates.flatMap((template) => {
    const fits = document.pages
      .flatMap(({ tables, page }) =>
        tables.flatMap((table) => [
          { source: table, table },
          ...hypotheses(table, page.rulings).flatMap((others) =>
            others.map((other) => ({ source: table, table: other })),
          ),
        ]),
      )
      .filter(({ source }) => !taken.has(source))
      .map(({ source, table }) => ({ source, ...fitOf(template, template.turned ? turned(table) : table) }))
    const best = fits.reduce<(typeof fits)[number] | null>(
      (a, b) => (a === null || b.share > a.share ? b : a),
      null,
    )
    if (!best || best.share < ALIKE || !best.table) return []
    taken.add(best.source)
    return [best.table]
  })
}

const turned = (table: Table): Table => ({
  ...table,
  rows: Array.from({ length: table.columns }, (_, c) => table.rows.map((row) => row[c] ?? null)),
  columns: table.rows.length,
})

/** How much of a table is headed as in the template, from whichever row on that is most, and how it is read then. */
function fitOf(template: TableTemplate, table: Table): { share: number; table: Table | null } {
  const headed = template.columns.filter(({ heading }) => heading !== '')
  let best: { share: number; at: number; roles: ColumnRole[] } | null = null
  for (let at = 0; at + template.heads < table.rows.length; at++) {
    const header = table.rows.slice(at, at + template.heads)
    const { matched, roles } = alignedRoles(
      template.columns,
      Array.from({ length: table.columns }, (_, c) => phraseOf(headerText(header, c))),
    )
    const share = matched / Math.max(1, headed.length)
    if (!best || share > best.share) best = { share, at, roles }
    if (share === 1) break
  }
  if (!best) return { share: 0, table: null }
  const rows = table.rows.slice(best.at)
  return {
    share: best.share,
    table: { ...table, rows, given: { roles: best.roles, labels: labelsOf(template, rows) } },
  }
}

/** Columns by their headings, in order; one without a heading takes the place between those that have one. */
function alignedRoles(
  columns: TableTemplate['columns'],
  headings: readonly string[],
): { matched: number; roles: ColumnRole[] } {
  const roles: ColumnRole[] = []
  let next = 0
  let matched = 0
  for (const heading of headings) {
    const at = columns.findIndex((column, c) => c >= next && column.heading === heading)
    if (at >= 0) {
      roles.push(columns[at]?.role ?? 'ignore')
      if (heading !== '') matched++
      next = at + 1
    } else roles.push('ignore')
  }
  return { matched, roles }
}

function labelsOf(template: TableTemplate, rows: readonly Row[]): RowLabel[] {
  return rows.map((row, r): RowLabel => {
    if (r < template.heads) return 'heading'
    const cells = [...new Set(row)].filter((cell): cell is Cell => cell !== null && cell.text !== '')
    if (cells.length === 0 || template.out.includes(firstWords(row))) return 'out'
    if (cells.length === 1 && row.length > 2 && row[0] === cells[0])
      return template.sections ? 'section' : 'out'
    return template.key >= 0 && r > template.heads && goesOn(row, rows[r - 1], template.key)
      ? 'more'
      : 'treatment'
  })
}
