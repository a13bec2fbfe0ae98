import { readCell } from '../values/number.ts'
import type { Row } from './orient.ts'

/** A row that a new page tore: its name stands alone, and below it the row without one. */
export function withoutTears(rows: readonly Row[]): readonly Row[] {
  const out: Row[] = []
  for (const row of rows) {
    const above = out.at(-1)
    const alone = above?.flatMap((cell, c) => (cell && cell.text !== '' ? [c] : [])) ?? []
    const [at] = alone
    const torn =
      above !== undefined &&
      alone.length === 1 &&
      at !== undefined &&
      (row[at]?.text ?? '') === '' &&
      row.some((cell) => cell !== null && cell.page !== above[at]?.page) &&
      row.filter((cell) => cell && readCell(cell.text) !== null).length >= 2
    if (torn) out[out.length - 1] = row.map((cell, c) => (c === at ? (above[at] ?? null) : cell))
    else out.push(row)
  }
  return out
}
