import type { Document } from '../document.ts'
import type { Cell, Table } from '../tables/table.ts'
import { YIELDS } from '../values/headings.ts'
import { readCell } from '../values/number.ts'
import { fold } from '../values/text.ts'
import { yieldUnit } from '../values/units.ts'
import { splitUnit } from '../values/variables.ts'
import { bare, takeYields } from './bars.ts'
import type { Draft } from './draft.ts'
import { captionVariable } from './row-values.ts'

/** Fewer places where a row and a column meet are no crossing. */
const LEAST_CELLS = 4
const MOST_LEVELS = 12
const LONGEST_NAME = 60
const LONGEST_TITLE = 300
/** 'sem adjuvante', 'ausência': the other name stands alone there. */
const NOTHING = /^(?:sem|ausencia|nenhum[ao]?|nao|0|-)(?![\p{L}\d])/u
const SUMMARY = /^(?:medias?|m[ée]dia geral|cv|c\.v|dms|d\.m\.s|total|teste|valor|erro)/

/** What tables tell that cross two names: 'Prisma SC' beside 'Oleovita' above is the treatment 'Prisma SC + Oleovita'. */
export function fillFromCrossings(document: Document, drafts: readonly Draft[]): void {
  const byName = new Map(
    drafts.flatMap((draft) => [...keysOf(draft)].map((key): [string, Draft | null] => [key, draft])),
  )
  for (const draft of drafts)
    for (const key of keysOf(draft)) if (byName.get(key) !== draft) byName.set(key, null)
  if (byName.size < LEAST_CELLS) return
  for (const table of document.given ?? document.pages.flatMap(({ tables }) => tables)) {
    const cells = crossing(table, byName)
    if (cells) take(drafts, cells, table.title)
  }
}

/** By what a treatment may be called: its parts in any order. */
function keysOf({ nome, produtos }: Draft): Set<string> {
  const named = nome && nome.value.length <= 2 * LONGEST_NAME ? nome.value.split(/\s\+\s|\se\s/) : []
  return new Set(
    [named, produtos.map((one) => one.nome.value)].filter((parts) => parts.length > 0).map(keyOf),
  )
}
const keyOf = (parts: readonly string[]): string => parts.map(bare).sort().join('+')

/** The figure of each treatment that a row and a column of names tell together; null where the table is another. */
function crossing(table: Table, byName: ReadonlyMap<string, Draft | null>): Map<Draft, Cell> | null {
  const rows = table.rows.slice(0, 3 * MOST_LEVELS)
  const at = rows.findIndex((row) => row.slice(1).filter((cell) => isName(cell)).length >= 2)
  const above = rows[at]
  if (!above) return null
  const columns = above.flatMap((cell, i) => (i > 0 && isName(cell) ? [{ name: cell.text, i }] : []))
  const beside = rows.slice(at + 1).flatMap((row) => (isName(row[0]) ? [{ name: row[0].text, row }] : []))
  if (columns.length > MOST_LEVELS || beside.length < 2 || columns.length < 2) return null
  const found = new Map<Draft, Cell>()
  for (const { name, row } of beside)
    for (const column of columns) {
      const parts = [name, column.name].filter((part) => !NOTHING.test(fold(part)))
      const draft = byName.get(keyOf(parts))
      const cell = row[column.i]
      // One that crosses to no treatment, or to one twice, makes it another table.
      if (!draft || found.has(draft) || !cell || readCell(cell.text) === null) return null
      found.set(draft, cell)
    }
  return found.size >= LEAST_CELLS ? found : null
}

const isName = (cell: Cell | null | undefined): cell is Cell =>
  cell != null &&
  cell.text.length <= LONGEST_NAME &&
  /\p{L}{2}/u.test(cell.text) &&
  !SUMMARY.test(fold(cell.text))

function take(drafts: readonly Draft[], cells: ReadonlyMap<Draft, Cell>, title: string): void {
  if (title.length > LONGEST_TITLE) return
  const variable = captionVariable(title.replace(/\.\s+\p{Lu}.*$/u, ''))
  const unit = YIELDS.test(fold(variable)) ? yieldUnit(variable) : null
  if (unit) {
    takeYields([...cells.keys()], [...cells.values()], unit)
    return
  }
  const { nome, unidade } = splitUnit(variable)
  if (!/\p{L}{2}/u.test(nome)) return
  for (const draft of drafts) {
    const cell = cells.get(draft)
    const value = cell && readCell(cell.text)
    if (!cell || value == null || draft.analises.some((one) => fold(one.nome) === fold(nome))) continue
    draft.analises.push({ nome, unidade, valor: { value, words: cell.words, score: 0.85, method: 'table' } })
  }
}
