import { checkBounds } from './bounds.ts'
import { type Condition, noRelation, parseFilter, parseLogic, type Table } from './parse-filter.ts'
import { badRange, RestError, unknownColumn, unparsable } from './rest-error.ts'
import { splitOutside } from './text-list.ts'

export interface RestQuery {
  select: { column: string; alias: string }[]
  conditions: Condition[]
  order: { column: string; descending: boolean; nullsFirst: boolean | null }[]
  limit: number
  offset: number
}

const MOST_ROWS = 1000
/** Letters of a list of columns, and columns in it: several times what any table has. */
const LONGEST_LIST = 2000
const MOST_COLUMNS = 50
/** Meant for writes; they change nothing here. */
const IGNORED: ReadonlySet<string> = new Set(['columns', 'on_conflict'])

/** The raw query, where a key may come more than once. */
export function parseQuery(table: Table, raw: string, range: string | undefined): RestQuery {
  const query: RestQuery = {
    select: everything(table),
    conditions: [],
    order: [],
    limit: MOST_ROWS,
    offset: 0,
  }
  let bounded = false
  for (const [key, value] of pairs(raw)) {
    if (value.includes('\0') || key.includes('\0'))
      throw new RestError(400, '22021', 'invalid byte sequence for encoding "UTF8": 0x00')
    if (key === 'select') query.select = parseSelect(table, value)
    else if (key === 'order') query.order = parseOrder(table, value)
    else if (key === 'limit' || key === 'offset') {
      bounded = true
      if (!/^-?\d{1,9}$/.test(value)) throw unparsable(key, value)
      if (value.startsWith('-')) throw badRange(`${key} must not be negative`)
      if (key === 'limit') query.limit = Math.min(Number(value), MOST_ROWS)
      else query.offset = Number(value)
    } else if (/^(not\.)?(and|or)$/.test(key)) {
      const operator = key.endsWith('and') ? 'and' : 'or'
      query.conditions.push(parseLogic(table, { operator, negated: key.startsWith('not.'), text: value }))
    } else if (!IGNORED.has(key)) query.conditions.push(parseFilter(table, key, value))
  }
  checkBounds(query.conditions)
  return bounded ? query : { ...query, ...parseRange(range) }
}

function* pairs(raw: string): Generator<[string, string]> {
  for (const part of raw.split('&')) {
    if (part === '') continue
    const at = part.indexOf('=')
    const [key, value] = at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)]
    try {
      yield [decode(key), decode(value)]
    } catch {
      throw unparsable('query', part)
    }
  }
}

const decode = (text: string) => decodeURIComponent(text.replaceAll('+', ' '))

const everything = (table: Table) => Object.keys(table.columns).map((column) => ({ column, alias: column }))

/** The other table's name in front of an embedding's bracket: '...alias:name!hint'. */
const relationIn = (text: string) =>
  text
    .replace(/^\.\.\./, '')
    .replace(/^[^:]*:/, '')
    .split('!')[0] ?? ''

function parseSelect(table: Table, text: string): RestQuery['select'] {
  if (text.trim() === '') return everything(table)
  const items = text.length <= LONGEST_LIST ? splitOutside(text) : null
  if (!items || items.length > MOST_COLUMNS) throw unparsable('select parameter', text)
  return items.flatMap((item) => {
    const given = item.trim()
    if (given === '*') return everything(table)
    if (/\(\s*\)$/.test(given))
      throw new RestError(400, 'PGRST123', 'Use of aggregate functions is not allowed')
    const embedded = given.includes('(') ? relationIn(given.slice(0, given.indexOf('('))) : ''
    if (embedded) throw noRelation(table.name, embedded)
    const [, alias, column] = /^(?:([^:]+):)?([A-Za-z_]\w*)$/.exec(given) ?? []
    if (column === undefined) throw unparsable('select parameter', text)
    if (!Object.hasOwn(table.columns, column)) throw unknownColumn(table.name, column)
    return [{ column, alias: alias?.replace(/^"|"$/g, '') ?? column }]
  })
}

function parseOrder(table: Table, text: string): RestQuery['order'] {
  const items = text.length <= LONGEST_LIST ? text.split(',') : []
  if (items.length === 0 || items.length > MOST_COLUMNS) throw unparsable('order', text)
  return items.map((item) => {
    const [, column = '', direction, nulls] =
      /^\s*"?([A-Za-z_]\w*)"?(?:\.(asc|desc))?(?:\.(nullsfirst|nullslast))?\s*$/.exec(item) ?? []
    if (!column) throw unparsable('order', text)
    if (!Object.hasOwn(table.columns, column)) throw unknownColumn(table.name, column)
    return {
      column,
      descending: direction === 'desc',
      nullsFirst: nulls === undefined ? null : nulls === 'nullsfirst',
    }
  })
}

/** A Range header, 'from-to' in rows. */
function parseRange(range: string | undefined): { limit: number; offset: number } {
  const [, from, to = ''] = /^(?:items=)?(\d{1,9})-(\d{0,9})$/.exec(range?.trim() ?? '') ?? []
  if (from === undefined) return { limit: MOST_ROWS, offset: 0 }
  const offset = Number(from)
  if (to === '') return { limit: MOST_ROWS, offset }
  if (Number(to) < offset)
    throw badRange('The lower boundary must be lower than or equal to the upper boundary')
  return { limit: Math.min(Number(to) - offset + 1, MOST_ROWS), offset }
}
