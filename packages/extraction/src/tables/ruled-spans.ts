import { overlap } from '../read/geometry.ts'
import type { Ruling } from '../read/page.ts'
import type { Cell, Table } from './table.ts'

interface Span {
  x0: number
  x1: number
}

/** So many rules must leave a column out before it is one whose cells go over several rows. */
const LEAST_PARTIAL = 2
/** A table of a page has no more. */
const MOST_RULES = 300
/** A heading stands at most so far above the rule that it is over, in points. */
const NEAR = 16

/**
 * Tables with level rules only, some of which leave columns out: there a cell goes over all rows up to the next rule of
 * its column, and a heading over all columns of the rule below it. The rows change in place.
 */
export function spreadByRules(rows: Table['rows'], columns: readonly Span[], rules: readonly Ruling[]): void {
  const width = rows[0]?.length ?? 0
  if (width !== columns.length || rules.length < LEAST_PARTIAL || rules.length > MOST_RULES) return
  const covers = (rule: Ruling, column: Span): boolean =>
    overlap(rule.x0, rule.x1, column.x0, column.x1) > 0.5 * (column.x1 - column.x0)
  const partial = rules.filter((rule) => columns.some((column) => !covers(rule, column)))
  if (partial.length === 0 || partial.length === rules.length) return
  for (const rule of partial) {
    const under = columns.flatMap((column, c) => (covers(rule, column) ? [c] : []))
    const above = rows.findLast((row) => middle(row) < rule.y0)
    if (!above || under.length < 2 || rule.y0 - middle(above) > NEAR) continue
    const [only, more] = new Set(under.flatMap((c) => above[c] ?? []))
    if (only && !more && !/\d/.test(only.text)) for (const c of under) above[c] = only
  }
  columns.forEach((column, c) => {
    const own = rules.filter((rule) => covers(rule, column)).map((rule) => rule.y0)
    if (partial.filter((rule) => !covers(rule, column)).length < LEAST_PARTIAL) return
    const ys = [Number.NEGATIVE_INFINITY, ...new Set(own), Number.POSITIVE_INFINITY].sort((a, b) => a - b)
    for (const [i, from] of ys.entries()) {
      const to = ys[i + 1]
      if (to === undefined) break
      const within = rows.filter((row) => middle(row) > from && middle(row) < to)
      const [only, more] = new Set(within.flatMap((row) => row[c] ?? []))
      if (within.length > 1 && only && !more) for (const row of within) row[c] = only
    }
  })
  // Where only such a cell stood, halfway between two rows, is no row.
  for (let r = rows.length - 1; r >= 0; r--) {
    const cells = (rows[r] ?? []).filter((cell): cell is Cell => cell !== null)
    const shared = cells.every((cell) => rows[r - 1]?.includes(cell) || rows[r + 1]?.includes(cell))
    if (cells.length > 0 && shared) rows.splice(r, 1)
  }
}

/** The height at which the cells stand that are the row's own, not those that it shares. */
function middle(row: readonly (Cell | null)[]): number {
  const cells = row.filter((cell): cell is Cell => cell !== null && cell.text !== '')
  const lowest = cells.reduce((a, b) => (b.y1 - b.y0 < a.y1 - a.y0 ? b : a), cells[0] as Cell)
  return lowest ? (lowest.y0 + lowest.y1) / 2 : Number.NaN
}
