import { type RawBuilder, sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'
import type { Comparison, Condition, IsValue, Pattern, Table } from './parse-filter.ts'
import type { RestQuery } from './parse-query.ts'
import type { ColumnType } from './tables.ts'

export type RestRole = 'anon' | 'authenticated'

export interface RestRows {
  /** A JSON array, written by the database so that no value changes its form on the way. */
  body: string
  count: number
  /** Of all rows that match, when it was asked for. */
  total: number | null
}

/** A visitor's lists are short. */
const STATEMENT_TIMEOUT_MS: Record<RestRole, number> = { anon: 1_000, authenticated: 3_000 }

/** Reads in a read-only transaction, under the role that sees nothing but the published views. */
export async function readRows(
  handle: Handle,
  { table, query, role, counted }: { table: Table; query: RestQuery; role: RestRole; counted: boolean },
): Promise<RestRows> {
  const where = query.conditions.length > 0 ? sql`where ${all(table, query.conditions)}` : sql``
  const from = sql`from ${sql.table(`publicado.${table.name}`)} t`
  return handle
    .transaction()
    .setAccessMode('read only')
    .execute(async (transaction) => {
      await enter(transaction, role)
      const columns = query.select.map(({ column, alias }) => sql`t.${sql.ref(column)} as ${sql.id(alias)}`)
      const { rows } = await sql<{ body: string; count: number }>`
        select coalesce(json_agg(r), '[]')::text as body, count(*) as count from (
          select ${sql.join(columns)} ${from} ${where} ${orderOf(query)}
          limit ${query.limit} offset ${query.offset}
        ) r
      `.execute(transaction)
      const page = rows[0] ?? { body: '[]', count: 0 }
      if (!counted) return { ...page, total: null }
      const { rows: totals } = await sql<{ n: number }>`select count(*) as n ${from} ${where}`.execute(
        transaction,
      )
      return { ...page, total: totals[0]?.n ?? 0 }
    })
}

async function enter(transaction: Handle, role: RestRole): Promise<void> {
  await sql`
    select set_config('statement_timeout', ${String(STATEMENT_TIMEOUT_MS[role])}, true),
      set_config('ensaio.papel', ${role}, true),
      set_config('role', 'ensaio_rest', true) from pg_roles where rolname = 'ensaio_rest'
      and pg_has_role(current_user, oid, 'member')
    union all
    select set_config('statement_timeout', ${String(STATEMENT_TIMEOUT_MS[role])}, true),
      set_config('ensaio.papel', ${role}, true), ''
    limit 1
  `.execute(transaction)
}

function orderOf({ order }: RestQuery): RawBuilder<unknown> {
  if (order.length === 0) return sql``
  const terms = order.map(({ column, descending, nullsFirst }) => {
    const nulls = nullsFirst === null ? sql`` : nullsFirst ? sql`nulls first` : sql`nulls last`
    return sql`t.${sql.ref(column)} ${descending ? sql`desc` : sql`asc`} ${nulls}`
  })
  return sql`order by ${sql.join(terms)}`
}

const all = (table: Table, conditions: readonly Condition[]): RawBuilder<unknown> =>
  sql.join(
    conditions.map((condition) => conditionSql(table, condition)),
    sql` and `,
  )

const OPERATORS: Record<Comparison | Pattern, RawBuilder<unknown>> = {
  eq: sql`=`,
  neq: sql`<>`,
  gt: sql`>`,
  gte: sql`>=`,
  lt: sql`<`,
  lte: sql`<=`,
  isdistinct: sql`is distinct from`,
  like: sql`like`,
  ilike: sql`ilike`,
  match: sql`~`,
  imatch: sql`~*`,
}
const IS: Record<IsValue, RawBuilder<unknown>> = {
  null: sql`is null`,
  not_null: sql`is not null`,
  true: sql`is true`,
  false: sql`is false`,
  unknown: sql`is unknown`,
}
const TYPES: Record<ColumnType, RawBuilder<unknown>> = {
  uuid: sql`uuid`,
  text: sql`text`,
  integer: sql`integer`,
  'double precision': sql`double precision`,
  boolean: sql`boolean`,
  date: sql`date`,
  timestamptz: sql`timestamptz`,
}

/** `*` stands for `%`, which would have to be escaped in an address. */
const operand = (operator: Comparison | Pattern, value: string) =>
  operator === 'like' || operator === 'ilike' ? value.replaceAll('*', '%') : value

function conditionSql(table: Table, condition: Condition): RawBuilder<unknown> {
  const positive = positiveSql(table, condition)
  return condition.negated ? sql`not (${positive})` : sql`(${positive})`
}

function positiveSql(table: Table, condition: Condition): RawBuilder<unknown> {
  if (condition.kind === 'logic') {
    const parts = condition.conditions.map((part) => conditionSql(table, part))
    return sql.join(parts, condition.operator === 'and' ? sql` and ` : sql` or `)
  }
  const column = sql`t.${sql.ref(condition.column)}`
  const type = TYPES[table.columns[condition.column] ?? 'text']
  // Every value is a parameter; the cast is a constant of the column's type.
  const typed = (value: string) => sql`${value}::text::${type}`
  switch (condition.kind) {
    case 'compare':
      return sql`${column} ${OPERATORS[condition.operator]} ${typed(operand(condition.operator, condition.value))}`
    case 'quantified': {
      const values = condition.values.map((value) => typed(operand(condition.operator, value)))
      const list = sql`array[${values.length > 0 ? sql.join(values) : sql``}]::${type}[]`
      const quantifier = condition.quantifier === 'any' ? sql`any` : sql`all`
      return sql`${column} ${OPERATORS[condition.operator]} ${quantifier}(${list})`
    }
    case 'in':
      return condition.values.length === 0
        ? sql`false`
        : sql`${column} in (${sql.join(condition.values.map(typed))})`
    case 'is':
      return sql`${column} ${IS[condition.value]}`
  }
}
