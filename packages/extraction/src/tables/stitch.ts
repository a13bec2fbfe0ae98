import { overlap } from '../read/geometry.ts'
import { fold } from '../values/text.ts'
import type { Cell, Table } from './table.ts'

/** Tables that go on over a page break come back as one; repeated headers are dropped. */
export function stitchTables(tables: readonly Table[]): Table[] {
  const stitched: Table[] = []
  for (const table of tables) {
    const host = nearest(
      stitched,
      table,
      stitched.findLast((candidate) => goesOn(candidate, table)),
    )
    if (!host) {
      // A table that stands alone stays the same object: what is read of it is kept.
      stitched.push(table)
      continue
    }
    const repeated = sharedHeader(host, table)
    const rows = [...host.rows, ...table.rows.slice(repeated)]
    const whole = { ...host, rows, page: Math.min(host.page, table.page) }
    stitched[stitched.indexOf(host)] = whole
    // The host's place stays that of its last part, so that the next page can join it.
    lastPart.set(whole, table)
  }
  return stitched
}

const lastPart = new WeakMap<Table, Table>()

/** Rows without headings go on with what stands last on the page before, though its columns may be set otherwise. */
function nearest(stitched: readonly Table[], table: Table, host: Table | undefined): Table | undefined {
  if (!host || sharedHeader(host, table) > 0) return host
  const last = stitched.findLast(
    (candidate) => candidate.columns === table.columns && follows(lastPart.get(candidate), candidate, table),
  )
  return last && overlap(last.x0, last.x1, table.x0, table.x1) > MOSTLY * (table.x1 - table.x0) ? last : host
}
/** On the next page, or below the row of this one that a missing border tore off. */
const follows = (part: Table | undefined, host: Table, table: Table): boolean =>
  table.page === (part ?? host).page + 1 ||
  (part !== undefined && table.page === part.page && Math.abs(table.y0 - part.y1) < NEAR)
/** In points. */
const NEAR = 12
/** The share of a table's width that must stand under what it goes on with. */
const MOSTLY = 0.8

function goesOn(host: Table, table: Table): boolean {
  const last = lastPart.get(host) ?? host
  if (!follows(lastPart.get(host), host, table) || host.columns !== table.columns) return false
  if (table.columns < 2 || table.analysed !== last.analysed) return false
  const width = Math.max(1, host.x1 - host.x0)
  // What a program of statistics prints of one variable goes on; letters of the last groups may be missing there.
  if (table.analysed !== undefined && startsWithData(table) && Math.abs(host.x0 - table.x0) < 0.08 * width)
    return true
  if (countsOn(host, table)) return true
  if (Math.abs(host.x0 - table.x0) > 0.08 * width || Math.abs(host.x1 - table.x1) > 0.08 * width) return false
  const [own, its] = [numberOf(table), numberOf(host)]
  // 'Tabela 4' has the headings of 'Tabela 1', and is another.
  if (own !== null && its !== null && own !== its) return false
  if (sharedHeader(host, table) > 0) return true
  return (
    /\bcontinua/.test(fold(table.title)) ||
    (!/^(?:tabela|quadro)\b/.test(fold(table.title)) && startsWithData(table))
  )
}

/** '06' on one page, '07' first on the next: without its headings, which are broader than figures, a table may be narrower. */
function countsOn(host: Table, table: Table): boolean {
  const number = (cell: Cell | null | undefined): number =>
    Number(/^0?(\d{1,2})$/.exec(cell?.text ?? '')?.[1])
  const [next, last] = [number(table.rows[0]?.[0]), number(host.rows.at(-1)?.[0])]
  return (
    last > 1 &&
    next === last + 1 &&
    overlap(host.x0, host.x1, table.x0, table.x1) > MOSTLY * (table.x1 - table.x0)
  )
}

/** Of 'Tabela 4 – Produtividade'. */
export const numberOf = ({ title }: Table): string | null =>
  /^(?:tabela|quadro|table) ?([a-z]?\.?\d+(?:\.\d+)*)/.exec(fold(title))?.[1] ?? null

const rowText = (row: readonly (Cell | null)[]): string => row.map((cell) => fold(cell?.text ?? '')).join('|')

function sharedHeader(host: Table, table: Table): number {
  let n = 0
  while (n < 3 && n < table.rows.length && rowText(host.rows[n] ?? []) === rowText(table.rows[n] ?? [])) n++
  return n
}

/** '26-Apr-2023' beside who signed, '7 dias após a 5ª aplicação' over figures: nothing that goes on. */
const DAY = /^\d{1,2}[-/. ](?:\d{1,2}|\p{L}{3,10})[-/. ]\d{2,4}$|^\d{1,3}\s?(?:dias\b|d\.?a\.?[aeps]\b)/iu

function startsWithData(table: Table): boolean {
  const [one = [], next = []] = table.rows
  // A line that names what follows may come first.
  const named = new Set(one.filter((cell) => cell !== null && cell.text !== '')).size === 1
  return (named ? next : one).some(
    (cell) => cell !== null && /^\(?[-+]?\d[\d.,]*/.test(cell.text) && !DAY.test(cell.text),
  )
}
