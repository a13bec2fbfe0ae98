import { COLUMN_ROLES, type ColumnRole, type RowLabel } from '@ensaio/domain/tables'
import { textOf } from '../layout/lines.ts'
import { applyTables, type Template } from '../layouts/template.ts'
import type { Box } from '../read/geometry.ts'
import { contains, union } from '../read/geometry.ts'
import type { Page } from '../read/page.ts'
import type { GivenTable, ReadTable, ReadTableCell } from '../result.ts'
import type { Cell, Table } from '../tables/table.ts'
import { headerText, type Row } from '../treatments/orient.ts'
import { readTreatmentTable, type TreatmentTable } from '../treatments/table-rows.ts'
import { isHeld, type Reading, readDocument } from './choose.ts'

/** The tables of a reading; those that gave no treatments as they would be read if they held some. */
export function understoodTables({ understood, document }: Reading, held = false): Understood[] {
  const all = understood.map(({ table, treatments }) => ({
    table,
    treatments: treatments ?? readTreatmentTable(table, 'table', -Infinity),
    used: treatments !== null && !held,
  }))
  if (document.given) return all
  // The same tables at the same places, held back or not: a person names them by their place.
  const tabular = all.filter(({ table }) => table.rows.length >= 3 && table.columns >= 2)
  const needed = new Set(understood.filter(({ treatments }) => treatments !== null).map(({ table }) => table))
  let others = MOST_TABLES - needed.size
  return tabular.filter(({ table }) => needed.has(table) || others-- > 0)
}

/** The tables that a person says hold the treatments, described in full. */
export function givenTables(
  reading: Reading,
  tables: readonly (number | GivenTable)[],
  pages: readonly Page[],
): Table[] {
  const shown = shownTables(understoodTables(reading), pages)
  return tables.flatMap((table) => {
    const described = typeof table === 'number' ? shown[table] : table
    return (described && givenTable(described, pages)) ?? []
  })
}

/** The document read again with the tables that a person says hold its treatments. */
export function readGiven(
  reading: Reading,
  tables: readonly (number | GivenTable)[],
  pages: readonly Page[],
): Reading {
  const own = understoodTables(reading)
  const given = tables.flatMap((table) => {
    const one = typeof table === 'number' ? own[table]?.table : givenTable(table, pages)
    return one ? [one] : []
  })
  return readDocument({ ...reading.document, given }, { compare: false })
}

/** What a template is worth beside what speaks for a reading, in log-odds: it once was right. */
export const LEARNT = 6

/** The document read by what was learnt of its layout, unless that says less than the page itself. */
export function readAsLearnt(reading: Reading, { tables }: Template): Reading {
  const known = applyTables(tables, reading.document)
  if (known.length === 0) return reading
  // In place of a table that is not found again, what else the page tells stays as it was understood.
  const others = reading.understood.flatMap(({ table, treatments }) =>
    treatments !== null && !known.some((one) => liesIn(table, one)) ? [table] : [],
  )
  const given = [...known, ...(known.length < tables.length ? others : [])]
  const learnt = readDocument({ ...reading.document, given }, { compare: false })
  const wanting = isHeld({ ...learnt, document: reading.document, score: learnt.score + LEARNT })
  return learnt.drafts.length >= 2 && !wanting && learnt.score + LEARNT > reading.score ? learnt : reading
}

const liesIn = (table: Table, other: Table): boolean =>
  table.page === other.page && contains(other, (table.x0 + table.x1) / 2, (table.y0 + table.y1) / 2)

/** A table as it was understood; `treatments` is null where none were read from it. */
export interface Understood {
  table: Table
  treatments: TreatmentTable | null
  /** Whether the treatments of the result are read from it. */
  used: boolean
}

/** What is shown of a document is bounded, whatever it holds. */
const MOST_TABLES = 30
const MOST_ROWS = 200
const MOST_COLUMNS = 40

/** The tables of a report that may hold treatments, upright, for a person to see and to put right. */
export const shownTables = (tables: readonly Understood[], pages: readonly Page[]): ReadTable[] =>
  tables.map((each) => shownTable(each, pages))

function shownTable({ table, treatments, used }: Understood, pages: readonly Page[]): ReadTable {
  const lines =
    treatments?.lines ??
    table.rows.map((row, r): TreatmentTable['lines'][number] => ({ row, label: r === 0 ? 'heading' : 'out' }))
  const shown = lines.slice(0, MOST_ROWS)
  const width = Math.min(MOST_COLUMNS, Math.max(0, ...shown.map(({ row }) => row.length)))
  const header = shown.filter(({ label }) => label === 'heading').map(({ row }) => row)
  return {
    ...placeOf(table, pages),
    title: table.title,
    used,
    columns: Array.from({ length: width }, (_, c) => ({
      heading: headerText(header, c),
      role: roleOf(treatments?.columns[c]?.role),
    })),
    rows: shown.map(({ row, label }) => ({
      label,
      cells: Array.from({ length: width }, (_, c) => shownCell(row[c] ?? null, pages)),
    })),
  }
}

const roleOf = (role: string | undefined): ColumnRole =>
  COLUMN_ROLES.find((known) => known === role) ?? (role === 'costPart' ? 'productCost' : 'ignore')

function shownCell(cell: Cell | null, pages: readonly Page[]): ReadTableCell | null {
  if (!cell || cell.words.length === 0) return null
  const page = cell.words[0]?.page ?? cell.page
  const own = cell.words.filter((word) => word.page === page)
  return { text: cell.text, ...placeOf({ ...union(own), page }, pages) }
}

const rounded = (value: number): number => Math.round(value * 100) / 100

function placeOf(box: Box & { page: number }, pages: readonly Page[]): Pick<ReadTableCell, 'page' | 'bbox'> {
  const page = pages.find(({ index }) => index === box.page)
  const { x0, y0, x1, y1 } = page ? page.project(box) : box
  return { page: box.page + 1, bbox: [rounded(x0), rounded(y0), rounded(x1), rounded(y1)] }
}

/** How far outside its cell's box a word's middle may lie, in points: boxes are told rounded. */
const SLACK = 0.6

/** The table that a person describes, out of the words of the pages: their boxes say which stand in a cell. */
export function givenTable(given: GivenTable, pages: readonly Page[]): Table | null {
  const known = new Map<string, Cell | null>()
  const cellAt = (place: GivenTable['rows'][number]['cells'][number]): Cell | null => {
    if (!place) return null
    const key = `${place.page} ${place.bbox.join(' ')}`
    const before = known.get(key)
    if (before !== undefined) return before
    const cell = cellOf(place, pages)
    known.set(key, cell)
    return cell
  }
  const rows = given.rows.map(({ cells }): Row => given.columns.map((_, c) => cellAt(cells[c] ?? null)))
  const cells = rows.flat().filter((cell): cell is Cell => cell !== null)
  const [first] = cells
  if (!first) return null
  return {
    ...union(cells.filter(({ page }) => page === first.page)),
    page: first.page,
    rows,
    columns: given.columns.length,
    ruled: true,
    title: given.title,
    given: {
      roles: given.columns.map(({ role }) => role ?? null),
      labels: given.rows.map(({ label }): RowLabel => label),
    },
  }
}

function cellOf(
  { page: number, bbox: [x0, y0, x1, y1] }: Pick<ReadTableCell, 'page' | 'bbox'>,
  pages: readonly Page[],
): Cell | null {
  const page = pages.find(({ index }) => index === number - 1)
  const words = page?.words.filter((word) => {
    const box = page.project(word)
    return contains({ x0, y0, x1, y1 }, (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2, SLACK)
  })
  if (!page || !words || words.length === 0) return null
  const ordered = [...words].sort((a, b) =>
    Math.abs(a.base - b.base) < 0.4 * a.size ? a.x0 - b.x0 : a.base - b.base,
  )
  return { ...union(ordered), page: page.index, words: ordered, text: textOf(ordered) }
}
