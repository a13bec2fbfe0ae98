import type { Cell } from '../tables/table.ts'
import { findModes, isControl } from '../values/lexicon.ts'
import { readCell } from '../values/number.ts'
import { fold } from '../values/text.ts'
import type { Column } from './columns.ts'
import type { Row } from './orient.ts'
import type { Entry } from './row-drafts.ts'

/** A name and where it stands: on a row, or half a row above it. */
interface Name {
  cell: Cell
  at: number
}

/**
 * One product in several doses, its name set once: above its rows, or in their middle where no border tells how far
 * it reaches. Each row with a dose and a code or results of its own is given the name that it shares.
 */
export function shareNames(entries: readonly Entry[], columns: readonly Column[]): Entry[] {
  const role = (name: Column['role']): number => columns.findIndex((column) => column.role === name)
  const at = Math.max(role('name'), role('product'))
  const [doses, results, codes] = [role('dose'), role('yield'), role('code')]
  const same = [...entries]
  if (at < 0 || doses < 0 || (results < 0 && codes < 0)) return same
  const text = (row: Row | undefined, c: number): string => row?.[c]?.text ?? ''
  const begins = (row: Row, r: number): boolean =>
    codes < 0
      ? readCell(text(row, results)) !== null
      : text(row, codes) !== '' && row[codes] !== entries[r - 1]?.row[codes]
  const treated = entries.flatMap(({ row }, r) =>
    begins(row, r) && /^\d/.test(text(row, doses)) && !isControl(text(row, at)) ? [r] : [],
  )
  if (!treated.some((r) => text(entries[r]?.row, at) === '')) return same
  const names = entries.flatMap(({ row, cell }, r): Name[] => {
    const label =
      cell && cell !== entries[r - 1]?.cell && findModes(fold(cell.text)).length === 0 ? cell : null
    const own = treated.includes(r) && row[at] !== entries[r - 1]?.row[at] ? row[at] : null
    return [
      ...(label ? [{ cell: label, at: r - 0.5 }] : []),
      ...(own && own.text !== '' ? [{ cell: own, at: r }] : []),
    ]
  })
  // A code may stand beside a name that was not found; only equal parts say that it is shared.
  const shared = inEqualParts(treated, names) ?? (codes < 0 ? fromAbove(treated, names) : new Map())
  for (const [r, cell] of shared) {
    const entry = entries[r]
    if (entry) same[r] = { ...entry, row: entry.row.map((own, c) => (c === at ? cell : own)) }
  }
  return same
}

/** A factorial has as many doses of each product: every name must stand among its own rows or right above them. */
function inEqualParts(treated: readonly number[], names: readonly Name[]): Map<number, Cell> | null {
  const size = treated.length / names.length
  if (!Number.isInteger(size)) return null
  const parts = names.map(({ cell, at }, i) => ({ cell, at, rows: treated.slice(i * size, (i + 1) * size) }))
  const fit = parts.every(({ at, rows }) => at >= (rows[0] ?? 0) - 0.5 && at <= (rows.at(-1) ?? 0))
  return fit ? new Map(parts.flatMap(({ cell, rows }) => rows.map((r): [number, Cell] => [r, cell]))) : null
}

/** The rows below each name, if none stands above the first. */
function fromAbove(treated: readonly number[], names: readonly Name[]): Map<number, Cell> {
  const shared = new Map<number, Cell>()
  for (const r of treated) {
    const name = names.findLast(({ at }) => at <= r)
    if (!name) return new Map()
    shared.set(r, name.cell)
  }
  return shared
}
