import { type ExperimentFilter, searchable, UNIQUE_FIELDS } from '@ensaio/domain'
import { type RawBuilder, sql } from 'kysely'
import { DIMENSION_KEYS, DIMENSIONS } from './dimensions.ts'

/** A literal for `like`, contained anywhere. */
export const contains = (text: string): string => `%${searchable(text).replace(/[\\%_]/g, '\\$&')}%`

/** The sets of products that have one whose name contains the text, whatever its case and accents. */
export const productSets = (text: string): RawBuilder<unknown> => sql`array(
  select c.id from conjuntos c
  where c.produtos && array(select p.id from produtos p where p.busca like ${contains(text)})
)`

/** The dashboard's filter as a condition on `experimentos e`. Names match exactly, a product by a part of its name. */
export const filterCondition = (filter: ExperimentFilter): RawBuilder<unknown> =>
  sql`e.deleted_at is null and ${condition(filter, appliedProduct)}`

/** The same on `contados e`, which holds live experiments only, a second behind. */
export const countedCondition = (filter: ExperimentFilter): RawBuilder<unknown> =>
  condition(filter, (text) => sql`e.conjunto_id = any(${productSets(text)})`)

function condition(
  filter: ExperimentFilter,
  hasProduct: (text: string) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const conditions = [sql`true`]
  for (const key of DIMENSION_KEYS) {
    const { column, keyOf } = DIMENSIONS[key]
    const value = filter[key]
    if (value) conditions.push(sql`${sql.ref(`e.${column}`)} = ${keyOf(value)}`)
  }
  if (filter.produto) conditions.push(hasProduct(filter.produto))
  return sql.join(conditions, sql` and `)
}

/** What a search looks at besides names, on a table `e`. */
export type Beyond = (text: string) => RawBuilder<unknown>[]

/** The search over consultancy, city, crop and brand, on a table `e` that has their numbers, and over more. */
export function searchCondition(text: string, beyond: Beyond | null): RawBuilder<unknown> {
  const like = contains(text)
  const names = SEARCHED.map(
    ([column, table]) =>
      sql`e.${sql.ref(column)} in (select id from ${sql.table(table)} where busca like ${like})`,
  )
  return sql`(${sql.join([...names, ...(beyond?.(text) ?? [])], sql` or `)})`
}

/** Column and table of names. */
const SEARCHED = [
  ['consultoria_id', 'consultorias'],
  ['cidade_id', 'cidades'],
  ['cultura_id', 'culturas'],
  ['fabricante_id', 'fabricantes'],
] as const

/** On `contados e`; products are looked up once for each set of them, not once for each experiment. */
export const beyondCounted: Beyond = (text) => [
  sql`e.conjunto_id in (select unnest(${productSets(text)}))`,
  ...holders(text),
]

/** On `experimentos e` when few rows are expected: products are found by the sets that have them. */
export const beyondFound: Beyond = (text) => [
  sql`e.id in (select k.id from contados k where k.conjunto_id = any(${productSets(text)}))`,
  ...holders(text),
]

/** On `experimentos e`, row by row: for a walk that ends as soon as a page is full. */
export const beyondWalked: Beyond = (text) => [
  appliedProduct(text),
  ...UNIQUE_FIELDS.map(({ key }) => sql`${sql.ref(`e.${key}_busca`)} like ${contains(text)}`),
]

/** Those whose own text has it, by its index. */
const holders: Beyond = (text) =>
  UNIQUE_FIELDS.map(
    ({ key }) => sql`e.id in (
      select id from experimentos where ${sql.ref(`${key}_busca`)} like ${contains(text)} and deleted_at is null
    )`,
  )

/** On `experimentos e`. */
const appliedProduct = (text: string): RawBuilder<unknown> => sql`exists (
  select from produtos_aplicados a
  where a.experimento_id = e.id and a.produto_id in (select id from produtos where busca like ${contains(text)})
)`
