import type { Cell } from '../tables/table.ts'
import { DOSES, isHeading } from '../values/headings.ts'
import { fold } from '../values/text.ts'
import { doseUnit } from '../values/units.ts'
import { productOfHeading } from './heading-product.ts'
import type { Row } from './orient.ts'
import { isTime } from './row-values.ts'

// What stands over rows or columns and is said of each of them.

/** 'Produtos, dose total em L/ha' over lines that each name a product: what stands over them is said of each. */
export function underSections(rows: readonly Row[]): Row[] {
  let section = ''
  return rows.map((row) => {
    const cells = [...new Set(row)].filter((cell): cell is Cell => cell !== null && cell.text !== '')
    const [first] = row
    const figures = cells.some((cell) => cell !== first && /\d/.test(cell.text))
    if (cells.length === 1 && first) section = DOSES.test(fold(first.text)) ? first.text : ''
    else if (section !== '' && first && ((isHeading(first.text) && !isDosed(first.text)) || !figures))
      section = ''
    if (section === '' || !first || cells.length < 2) return [...row]
    return [{ ...first, text: `${first.text} (${section.replace(/[()]/g, ' ')})` }, ...row.slice(1)]
  })
}

/** Headings over several times of evaluation, each caught over one of them: a new one begins where the times begin anew. */
export function underGroups(rows: Row[]): Row[] {
  const at = rows
    .slice(0, 5)
    .findIndex((row) => row.filter((cell) => cell && isTime(fold(cell.text))).length >= 3)
  const [over, row] = [rows[at - 1], rows[at]]
  if (!over || !row) return rows
  const days = row.map((cell) =>
    cell && isTime(fold(cell.text)) ? Number(/\d+/.exec(cell.text)?.[0]) : null,
  )
  const groups: number[] = []
  let group = -1
  let last = Infinity
  days.forEach((day, c) => {
    if (day !== null && day <= last) group++
    groups[c] = day === null ? -1 : group
    last = day ?? (group < 0 ? Infinity : last)
  })
  const heads = [...new Set(over.filter((cell, c) => cell && cell.text !== '' && days[c] !== null))]
  if (heads.length < 2 || heads.length !== group + 1) return rows
  return rows.map((own, r) =>
    r === at - 1
      ? own.map((cell, c) => ((groups[c] ?? -1) >= 0 ? (heads[groups[c] ?? 0] ?? cell) : cell))
      : own,
  )
}

/** 'Maxiflora K (kg/ha)' */
const isDosed = (text: string): boolean =>
  productOfHeading(text) !== null && doseUnit(/\(([^)]+)\)\s*$/.exec(text)?.[1] ?? '') !== null
