import { type ExperimentFilter, searchable } from '@ensaio/domain'
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

/**
 * The search over consultancy, city, crop and brand, on a table `e` that has their numbers; and over products, where
 * `hasProduct` says which of its rows have one that is called so.
 */
export function searchCondition(
  text: string,
  hasProduct: ((text: string) => RawBuilder<unknown>) | null,
): RawBuilder<unknown> {
  const like = contains(text)
  const found = [
    ...SEARCHED.map(
      ([column, table]) =>
        sql`e.${sql.ref(column)} in (select id from ${sql.table(table)} where busca like ${like})`,
    ),
    ...(hasProduct ? [hasProduct(text)] : []),
  ]
  return sql`(${sql.join(found, sql` or `)})`
}

/** Column and table of names. */
const SEARCHED = [
  ['consultoria_id', 'consultorias'],
  ['cidade_id', 'cidades'],
  ['cultura_id', 'culturas'],
  ['fabricante_id', 'fabricantes'],
] as const

/** On `contados e`: looked up once for each set of products, not once for each experiment. */
export const countedProduct = (text: string): RawBuilder<unknown> =>
  sql`e.conjunto_id in (select unnest(${productSets(text)}))`

/** On `experimentos e` when few rows are expected: found by the sets that have it. */
export const foundProduct = (text: string): RawBuilder<unknown> =>
  sql`e.id in (select k.id from contados k where k.conjunto_id = any(${productSets(text)}))`

/** On `experimentos e`, row by row: for a walk that ends as soon as a page is full. */
export const appliedProduct = (text: string): RawBuilder<unknown> => sql`exists (
  select from produtos_aplicados a
  where a.experimento_id = e.id and a.produto_id in (select id from produtos where busca like ${contains(text)})
)`
