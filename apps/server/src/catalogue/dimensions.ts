import { type RawBuilder, sql } from 'kysely'

/** A table of names that experiments share: (id, name, busca), `busca` as `searchable` makes it. */
export interface Names {
  table: string
  name: string
}

/** What experiments are filtered, grouped, compared and named by. */
export interface Dimension {
  /** Of experiments and of every table of figures. */
  column: string
  names: Names | null
  /** The key of a value that a person gave; null, which equals nothing, for one that nobody has used. */
  keyOf(value: string): RawBuilder<unknown>
  /** What a person reads for a key. */
  nameOf(key: RawBuilder<unknown>): RawBuilder<unknown>
}

const named = (column: string, table: string, name = 'nome') => ({
  column,
  names: { table, name },
  keyOf: (value: string) => sql`(select id from ${sql.table(table)} where ${sql.ref(name)} = ${value})`,
  nameOf: (key: RawBuilder<unknown>) =>
    sql`(select ${sql.ref(name)} from ${sql.table(table)} where id = ${key})`,
})

/** Stored as a number itself, which `pattern` finds in what a person gave. */
const numbered = (column: string, { pattern, nameOf }: { pattern: RegExp } & Pick<Dimension, 'nameOf'>) => ({
  column,
  names: null,
  keyOf: (value: string) => {
    const number = pattern.exec(value)?.[1]
    return number === undefined ? sql`null::integer` : sql`${Number(number)}::integer`
  },
  nameOf,
})

export const DIMENSIONS = {
  cultura: named('cultura_id', 'culturas', 'nome_cultura'),
  ano: numbered('ano', { pattern: /^(\d{4})$/, nameOf: (key) => sql`${key}::text` }),
  regional: named('regiao_id', 'regioes'),
  marca: named('fabricante_id', 'fabricantes'),
  bu: numbered('bu', { pattern: /^BU([1-3])$/, nameOf: (key) => sql`'BU' || ${key}` }),
  consultoria: named('consultoria_id', 'consultorias'),
} satisfies Readonly<Record<string, Dimension>>
export type DimensionKey = keyof typeof DIMENSIONS
export const DIMENSION_KEYS = Object.keys(DIMENSIONS) as DimensionKey[]

/** Names that stand in an experiment's treatments. */
export const PRODUCTS: Names = { table: 'produtos', name: 'nome' }
export const MODALITIES: Names = { table: 'modalidades', name: 'nome' }

/** What a person reads for the dimension's column in a row of `table`. */
export const nameIn = (table: string, key: DimensionKey): RawBuilder<unknown> =>
  DIMENSIONS[key].nameOf(sql.ref(`${table}.${DIMENSIONS[key].column}`))

/** What the numbers of an experiment `row` rest on besides means: 'parcelas', 'reconstruida', or null. */
export function dataOf(row: string): RawBuilder<unknown> {
  const told = sql.ref(`${row}.estatistica_informada`)
  return sql`case when ${sql.ref(`${row}.ficha_versao`)} is not null then 'parcelas'
    when ${told} ->> 'repeticoes' is not null and coalesce(${told} ->> 'cv', ${told} ->> 'dms') is not null
    then 'reconstruida' end`
}
