import { COLUMN_ROLES, type ColumnRole, type RowLabel } from '@ensaio/domain/tables'
import type { Document } from '../document.ts'
import { contains } from '../read/geometry.ts'
import { hypotheses } from '../tables/hypotheses.ts'
import type { Cell, Table } from '../tables/table.ts'
import { headerText, type Row } from '../treatments/orient.ts'
import type { Anchor } from './anchors.ts'
import { phraseOf, printOf } from './fingerprint.ts'

/** How a table of a layout is to be read. It holds prints of headings, and no word of any report. */
export interface TableTemplate {
  /** Of each column: the print of its heading without figures, and what it holds. */
  columns: { heading: string; role: ColumnRole }[]
  /** How many rows are the heading. */
  heads: number
  /** Treatments stand beside each other. */
  turned: boolean
  /** Prints of the first words of rows that are no treatment. */
  out: string[]
  /** The column by which a row is known to go on with the treatment above; -1: each row is one. */
  key: number
  /** How such a row's key looks ('9a' for '2b'); where none is told, it is empty or as above. */
  shapes: string[]
  sections: boolean
  /** How many of the tables behind it, as they are caught, go on with it. */
  joined: number
}

/** What was learnt of a layout from one report that a person put right. */
export interface Template {
  tables: TableTemplate[]
  fields: Anchor[]
}

/** Share of a table's columns that must be headed as in the template. */
const ALIKE = 0.6
const MOST_OUT = 12
/** So many tables of a document are looked at, each from so many rows on: a report has a handful. */
const MOST_CAUGHT = 40
const MOST_STARTS = 40

/** Tables as a person described them, told without their values. */
export const learnTables = (tables: readonly Table[], document: Document): TableTemplate[] =>
  tables.flatMap((table) => {
    const { given } = table
    if (!given) return []
    const labels = given.labels
    const header = table.rows.filter((_, r) => labels[r] === 'heading')
    const columns = Array.from({ length: table.columns }, (_, c) => ({
      heading: printOf(phraseOf(headerText(header, c))),
      role: COLUMN_ROLES.find((role) => role === given.roles[c]) ?? 'ignore',
    }))
    const rowsOf = (label: RowLabel): Row[] => table.rows.filter((_, r) => labels[r] === label)
    return [
      {
        columns,
        heads: header.length,
        turned: isTurned(table),
        out: [...new Set(rowsOf('out').map(firstWords))].filter((text) => text !== '').slice(0, MOST_OUT),
        ...goingOn(rowsOf('more'), table.rows, labels),
        sections: labels.includes('section'),
        joined: Math.max(0, partsOf(table, document) - 1),
      },
    ]
  })

/** Over how many tables, as they are caught, its rows stand. */
const partsOf = (table: Table, document: Document): number =>
  document.pages
    .flatMap(({ tables }) => tables)
    .filter((caught) =>
      table.rows.some((row) =>
        row.some(
          (cell) =>
            cell !== null &&
            cell.page === caught.page &&
            contains(caught, (cell.x0 + cell.x1) / 2, (cell.y0 + cell.y1) / 2),
        ),
      ),
    ).length

/** By which column rows go on: it is empty or as above in all of them and in no other, or it looks otherwise. */
function goingOn(
  more: readonly Row[],
  rows: readonly Row[],
  labels: readonly RowLabel[],
): Pick<TableTemplate, 'key' | 'shapes'> {
  if (more.length === 0) return { key: -1, shapes: [] }
  const fresh = rows.filter((_, r) => labels[r] === 'treatment')
  const columns = Array.from({ length: Math.max(...rows.map((row) => row.length)) }, (_, c) => c)
  const above = (row: Row): Row | undefined => rows[rows.indexOf(row) - 1]
  const empty = columns.find(
    (c) => more.every((row) => goesOn(row, above(row), c)) && fresh.every((row) => row[c]?.text),
  )
  if (empty !== undefined) return { key: empty, shapes: [] }
  for (const key of columns) {
    const shapes = [...new Set(more.map((row) => shapeOf(row[key])))]
    if (fresh.every((row) => !shapes.includes(shapeOf(row[key])))) return { key, shapes }
  }
  return { key: 0, shapes: [] }
}

/** '9a' of '2b': which kinds of characters stand in it, and nothing of what they say. */
const shapeOf = (cell: Cell | null | undefined): string =>
  (cell?.text ?? '')
    .slice(0, 20)
    .replace(/\d+/g, '9')
    .replace(/\p{Lu}+/gu, 'A')
    .replace(/\p{Ll}+/gu, 'a')

const goesOn = (row: Row, above: Row | undefined, c: number): boolean =>
  !row[c] || row[c].text === '' || row[c] === above?.[c]

const firstWords = (row: Row): string =>
  printOf(phraseOf(row.find((cell) => cell !== null && cell.text !== '')?.text ?? '', 1))

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

interface Fit {
  template: TableTemplate
  /** The table as it was caught: what two templates find in it, they part. */
  source: Table
  table: Table
  /** Share of the headings that are where they should be, from row `at` on. */
  share: number
  at: number
  /** Null: the template knows no such column, it is what the reader takes it for. */
  roles: (ColumnRole | null)[]
}

/** The tables of another document of the layout, as the template reads them. */
export function applyTables(templates: readonly TableTemplate[], document: Document): Table[] {
  if (templates.length === 0) return []
  const caught = document.pages
    .flatMap(({ tables, page }) => tables.map((source) => ({ source, rulings: page.rulings })))
    .slice(0, MOST_CAUGHT)
    .map(({ source, rulings }) => ({ source, forms: [source, ...hypotheses(source, rulings).flat()] }))
  const chosen: Fit[] = []
  for (const template of templates) {
    const fits = caught.flatMap(({ source, forms }) =>
      forms.flatMap((form) => fitsOf(template, template.turned ? turned(form) : form, source)),
    )
    const free = fits.filter((fit) => !chosen.some((other) => startsAlike(fit, other)))
    const best = free.reduce<Fit | null>((a, b) => (a === null || b.share > a.share ? b : a), null)
    if (best && best.share >= ALIKE) chosen.push(best)
  }
  return chosen.map(({ template, source, table, at, roles }) => {
    const others = chosen.filter((other) => other.source === source).map(startOf)
    const top = topOf(table.rows[at])
    const end = Math.min(...others.filter((start) => start > top + 1))
    const own = table.rows.slice(at).filter((row) => topOf(row) < end)
    const from = caught.findIndex((each) => each.source === source) + 1
    const behind = caught
      .slice(from, from + template.joined)
      .filter((each) => !chosen.some((other) => other.source === each.source))
      .flatMap((each) => (template.turned ? turned(each.source) : each.source).rows)
    const rows = [...own, ...behind].map((row) => roles.map((_, c) => row[c] ?? null))
    return { ...table, rows, given: { roles, labels: labelsOf(template, rows) } }
  })
}

const topOf = (row: Row | undefined): number =>
  Math.min(...(row ?? []).flatMap((cell) => (cell ? [cell.y0] : [])))
const startOf = ({ table, at }: Fit): number => topOf(table.rows[at])
const startsAlike = (a: Fit, b: Fit): boolean =>
  a.source === b.source && Math.abs(startOf(a) - startOf(b)) <= 1

const turned = (table: Table): Table => ({
  ...table,
  rows: Array.from({ length: table.columns }, (_, c) => table.rows.map((row) => row[c] ?? null)),
  columns: table.rows.length,
})

/** From which rows on a table is headed as in the template. */
function fitsOf(template: TableTemplate, table: Table, source: Table): Fit[] {
  const headed = template.columns.filter(({ heading }) => heading !== '').length
  const starts = Math.min(MOST_STARTS, table.rows.length - template.heads)
  return table.rows.slice(0, Math.max(0, starts)).flatMap((_, at) => {
    const header = table.rows.slice(at, at + template.heads)
    const headings = Array.from({ length: table.columns }, (_, c) => printOf(phraseOf(headerText(header, c))))
    const { matched, roles } = alignedRoles(template.columns, headings)
    // A wider table that holds the headings among others is not the one.
    const most = Math.max(headed, headings.filter((heading) => heading !== '').length)
    return matched === 0 ? [] : [{ template, source, table, at, roles, share: matched / most }]
  })
}

/** Columns by their headings, in order. */
function alignedRoles(
  columns: TableTemplate['columns'],
  headings: readonly string[],
): { matched: number; roles: Fit['roles'] } {
  const roles: Fit['roles'] = []
  let next = 0
  let matched = 0
  for (const heading of headings) {
    const at = columns.findIndex((column, c) => c >= next && column.heading === heading)
    if (at >= 0) {
      roles.push(columns[at]?.role ?? null)
      if (heading !== '') matched++
      next = at + 1
    } else roles.push(null)
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
    const { key, shapes } = template
    if (key < 0 || r === template.heads) return 'treatment'
    const more = shapes.length > 0 ? shapes.includes(shapeOf(row[key])) : goesOn(row, rows[r - 1], key)
    return more ? 'more' : 'treatment'
  })
}
