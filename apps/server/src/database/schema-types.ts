import { sql } from 'kysely'
import type { Handle } from './handle.ts'

interface Column {
  table: string
  column: string
  type: string
  nullable: boolean
  /** 'always' where no statement may give a value, 'default' where none has to. */
  given: 'always' | 'default' | 'never'
  check: string | null
}

/** What the driver answers for a type, as database/pool.ts parses it. */
const DRIVEN: Readonly<Record<string, string>> = {
  _int4: 'number[]',
  _uuid: 'string[]',
  _text: 'string[]',
  bool: 'boolean',
  bytea: 'Buffer',
  bpchar: 'string',
  date: 'string',
  float8: 'number',
  inet: 'string',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  numeric: 'number',
  text: 'string',
  timestamptz: 'Date',
  uuid: 'string',
}

/**
 * TypeScript of the tables, as the database has them: the committed schema.generated.ts. A text whose values a
 * check lists is one of them.
 */
export async function schemaTypes(handle: Handle): Promise<string> {
  const { rows } = await sql<Column>`
    select case n.nspname when 'public' then c.relname else n.nspname || '.' || c.relname end as table,
      a.attname as column, t.typname as type, not a.attnotnull as nullable,
      case when a.attgenerated <> '' or a.attidentity = 'a' then 'always'
        when a.atthasdef or a.attidentity = 'd' then 'default' else 'never' end as given,
      (select pg_get_constraintdef(k.oid) from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
          and pg_get_constraintdef(k.oid) like '%= ANY (ARRAY[''%') as check
    from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      join pg_type t on t.oid = a.atttypid
    where n.nspname in ('public', 'auth') and c.relkind in ('r', 'p')
    order by n.nspname collate "C", c.relname collate "C", a.attname collate "C"
  `.execute(handle)
  const tables = Map.groupBy(rows, ({ table }) => table)
  const written = [...tables].map(
    ([table, columns]) =>
      `  ${/\W/.test(table) ? `'${table}'` : table}: {\n${columns.map((column) => `    ${lineOf(column)}\n`).join('')}  }\n`,
  )
  return `// Written by npm run types:database from the migrations.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

export interface DB {
${written.join('')}}
`
}

function lineOf(column: Column): string {
  const { type, nullable, given } = column
  const orNull = nullable ? ' | null' : ''
  if (type === 'json' || type === 'jsonb') {
    // Read as whatever it holds; written as text, which is what the driver makes of a list otherwise.
    const insert = `string${orNull}${given === 'default' ? ' | undefined' : ''}`
    return `${column.column}: ColumnType<unknown, ${insert}, string${orNull}>`
  }
  const plain = `${typeOf(column)}${orNull}`
  if (given === 'always') return `${column.column}: GeneratedAlways<${plain}>`
  return `${column.column}: ${given === 'default' ? `Generated<${plain}>` : plain}`
}

function typeOf({ table, column, type, check }: Column): string {
  const driven = DRIVEN[type]
  if (!driven) throw new Error(`${table}.${column}: how does the driver answer ${type}?`)
  const listed = check?.match(/'(?:[^']|'')*'/g)
  return listed ? listed.map((text) => `'${text.slice(1, -1).replaceAll("''", "\\'")}'`).join(' | ') : driven
}
