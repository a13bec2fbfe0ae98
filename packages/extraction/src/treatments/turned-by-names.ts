import type { Cell, Table } from '../tables/table.ts'
import { fold } from '../values/text.ts'
import type { Draft } from './draft.ts'
import { spansAll } from './name-lines.ts'

/** So many headings of a table are treatments, and this share of them. */
const LEAST = 3
const MOST_OF_THEM = 0.75
/** Within so many rows they stand. */
const HEADING_ROWS = 3
const SHORTEST = 2

const known = new WeakMap<Table, Map<string, Table | null>>()

/**
 * 'Bloco | SIL-0 | SIL-1 | PADRÃO' where another table has said what these are: a table whose headings are treatments by
 * the names that the report gives them, with a row a treatment. Null for any other.
 */
export function turnedByNames(table: Table, treatments: readonly Draft[]): Table | null {
  if (table.given) return null
  const names = new Set(
    treatments
      .flatMap(({ alias, nome }) => [alias, nome?.value])
      .flatMap((name) => (name !== undefined && name.length >= SHORTEST ? [fold(name)] : [])),
  )
  const key = [...names].sort().join('\n')
  const own = known.get(table) ?? new Map<string, Table | null>()
  known.set(table, own)
  const before = own.get(key)
  if (before !== undefined) return before
  const turned = turn(table, names)
  own.set(key, turned)
  return turned
}

function turn(table: Table, names: ReadonlySet<string>): Table | null {
  const { rows, columns } = table
  const at = rows.slice(0, HEADING_ROWS).findIndex((row) => {
    const cells = row.slice(1).filter((cell): cell is Cell => cell !== null && cell.text !== '')
    const own = new Set(cells.filter(({ text }) => names.has(fold(text))))
    return own.size >= LEAST && own.size >= MOST_OF_THEM * cells.length
  })
  const heading = rows[at]
  const corner = heading?.[0]
  if (!heading || rows.length - at < 2) return null
  const above = rows.slice(0, at).filter(spansAll)
  const title = [...above.map((row) => row[0]?.text ?? ''), table.title]
    .filter((text) => text !== '')
    .join(' ')
  const body = rows.slice(at + 1)
  const first: Cell[] = corner ? [{ ...corner, text: 'Tratamento' }] : []
  return {
    ...table,
    title,
    head: 1,
    columns: body.length + 1,
    rows: [
      [first[0] ?? null, ...body.map((row) => row[0] ?? null)],
      ...Array.from({ length: columns - 1 }, (_, c) => [heading, ...body].map((row) => row[c + 1] ?? null)),
    ],
  }
}
