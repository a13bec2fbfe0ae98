import { RestError, unknownColumn, unparsable } from './rest-error.ts'
import type { ColumnType } from './tables.ts'
import { listItems, splitOutside, unquote } from './text-list.ts'

const COMPARISONS = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'isdistinct'] as const
const PATTERNS = ['like', 'ilike', 'match', 'imatch'] as const
export type Comparison = (typeof COMPARISONS)[number]
export type Pattern = (typeof PATTERNS)[number]
const IS_VALUES = ['null', 'not_null', 'true', 'false', 'unknown'] as const
export type IsValue = (typeof IS_VALUES)[number]

export type Condition =
  | { kind: 'compare'; column: string; operator: Comparison | Pattern; value: string; negated: boolean }
  | {
      kind: 'quantified'
      column: string
      operator: Comparison | Pattern
      quantifier: 'any' | 'all'
      values: string[]
      negated: boolean
    }
  | { kind: 'in'; column: string; values: string[]; negated: boolean }
  | { kind: 'is'; column: string; value: IsValue; negated: boolean }
  | { kind: 'logic'; operator: 'and' | 'or'; conditions: Condition[]; negated: boolean }

export interface Table {
  name: string
  columns: Readonly<Record<string, ColumnType>>
}

const DEEPEST = 10

/** `column=[not.]operator.value` */
export function parseFilter(table: Table, column: string, text: string): Condition {
  if (/->/.test(column)) throw unparsable('filter', column)
  if (!Object.hasOwn(table.columns, column)) {
    if (column.includes('.')) throw noRelation(table.name, column.split('.')[0] ?? '')
    throw unknownColumn(table.name, column)
  }
  const [, not, name = '', quantifier, value = ''] =
    /^(not\.)?([a-z]+)(?:\((any|all)\))?\.(.*)$/s.exec(text) ?? []
  const negated = not !== undefined
  const type = table.columns[column]
  if (name === 'in' && !quantifier) {
    const values = listItems(value, '(')
    if (!values) throw unparsable('filter', text)
    return { kind: 'in', column, values, negated }
  }
  if (name === 'is' && !quantifier) {
    const found = IS_VALUES.find((candidate) => candidate === value.toLowerCase())
    if (!found) throw unparsable('filter', text)
    if (found !== 'null' && found !== 'not_null' && type !== 'boolean')
      throw new RestError(
        400,
        '42804',
        `argument of IS ${found.toUpperCase()} must be type boolean, not type ${type}`,
      )
    return { kind: 'is', column, value: found, negated }
  }
  const pattern = PATTERNS.find((candidate) => candidate === name)
  const operator = pattern ?? COMPARISONS.find((candidate) => candidate === name)
  if (!operator) throw unparsable('filter', text)
  if (pattern && type !== 'text')
    throw new RestError(404, '42883', `operator does not exist: ${type} ~~ unknown`, {
      hint: 'No operator matches the given name and argument types.',
    })
  if (quantifier === undefined) return { kind: 'compare', column, operator, value, negated }
  const values = listItems(value, '{')
  if (!values || operator === 'isdistinct') throw unparsable('filter', text)
  return {
    kind: 'quantified',
    column,
    operator,
    quantifier: quantifier === 'any' ? 'any' : 'all',
    values,
    negated,
  }
}

/** `(a.eq.1,or(b.is.null,c.gt.2),not.and(…))` of the parameters and, or, not.and, not.or. */
export function parseLogic(
  table: Table,
  { operator, negated, text }: { operator: 'and' | 'or'; negated: boolean; text: string },
  depth = 0,
): Condition {
  const inner = /^\((.*)\)$/s.exec(text)?.[1]
  const items = inner ? splitOutside(inner) : null
  if (!items || depth > DEEPEST) throw unparsable('logic tree', text)
  const conditions = items.map((item) => {
    const nested = /^(not\.)?(and|or)(\(.*\))$/s.exec(item.trim())
    if (nested) {
      const [, not, name, rest = ''] = nested
      return parseLogic(
        table,
        { operator: name === 'and' ? 'and' : 'or', negated: not !== undefined, text: rest },
        depth + 1,
      )
    }
    const [, column = '', rest = ''] = /^("(?:[^"\\]|\\.)*"|[^.]+)\.(.*)$/s.exec(item.trim()) ?? []
    if (!column) throw unparsable('logic tree', text)
    const [, before = '', value = ''] = /^((?:not\.)?[a-z]+(?:\((?:any|all)\))?\.)(.*)$/s.exec(rest) ?? []
    return parseFilter(table, unquote(column), `${before}${unquote(value)}`)
  })
  return { kind: 'logic', operator, conditions, negated }
}

export const noRelation = (table: string, other: string): RestError =>
  new RestError(
    400,
    'PGRST200',
    `Could not find a relationship between '${table}' and '${other.slice(0, 80)}' in the schema cache`,
  )
