import { COLUMN_ROLES } from '@ensaio/domain/tables'
import type { Cell } from '../tables/table.ts'
import { looseYieldUnit, yieldUnit } from '../values/units.ts'
import { guessUnit } from './column-content.ts'
import type { Column } from './columns.ts'

/** The columns as a person says that they are. */
export function takeRoles(
  typed: readonly Column[],
  roles: readonly (string | null)[],
  columns: readonly (readonly Cell[])[],
  title: string,
): void {
  const several = roles.filter((role) => role === 'productCost').length > 1
  typed.forEach((column, c) => {
    const role = COLUMN_ROLES.find((known) => known === roles[c])
    if (!role) return
    if (role === 'yield' && column.yieldUnit === null) {
      const said = looseYieldUnit(column.header) ?? yieldUnit(title)
      column.guessed = said === null
      column.yieldUnit = said ?? guessUnit(columns[c] ?? [])
    }
    column.role = several && role === 'productCost' ? 'costPart' : role
    column.score = 1
  })
}
