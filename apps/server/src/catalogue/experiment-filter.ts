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

/** The sets of trials from where a person says: of the acting organisation, received, or of one organisation. */
function setsFrom(origem: string): RawBuilder<unknown> {
  const of =
    origem === 'proprios'
      ? sql`a.organizacao_id = organizacao_atual()`
      : origem === 'recebidos'
        ? sql`a.organizacao_id <> organizacao_atual()`
        : sql`a.organizacao_id::text = ${origem}`
  return sql`array(select a.id from acervos a where ${of})`
}

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
  if (filter.origem) conditions.push(sql`e.acervo_id = any(${setsFrom(filter.origem)})`)
  return sql.join(conditions, sql` and `)
}

/** Column and table of the names that are searched. */
const SEARCHED = [
  ['consultoria_id', 'consultorias'],
  ['cidade_id', 'cidades'],
  ['cultura_id', 'culturas'],
  ['fabricante_id', 'fabricantes'],
] as const

interface Search {
  /** Whether products, and what tells experiments apart, are searched besides names. */
  beyond: boolean
}

/**
 * The search on a table `e` of experiments, when few rows are expected: each thing that is searched finds its own by
 * its index. As one condition of them all, every row would be looked at.
 */
export function foundBySearch(text: string, { beyond }: Search): RawBuilder<unknown> {
  const like = contains(text)
  const names = SEARCHED.map(
    ([column, table]) => sql`
      select id from experimentos where deleted_at is null
        and ${sql.ref(column)} = any(array(select id from ${sql.table(table)} where busca like ${like}))`,
  )
  const more = [
    sql`select id from contados where conjunto_id = any(${productSets(text)})`,
    ...UNIQUE_FIELDS.map(
      ({ key }) => sql`
      select id from experimentos where deleted_at is null and ${sql.ref(`${key}_busca`)} like ${like}`,
    ),
  ]
  // As a list made beforehand: how many it holds cannot be foreseen, and a join would read the whole table.
  return sql`e.id = any(array(${sql.join([...names, ...(beyond ? more : [])], sql` union `)}))`
}

/** The same on `experimentos e`, row by row: for a walk that ends as soon as a page is full. */
export function walkedBySearch(text: string, { beyond }: Search): RawBuilder<unknown> {
  const like = contains(text)
  const names = SEARCHED.map(
    ([column, table]) =>
      sql`e.${sql.ref(column)} in (select id from ${sql.table(table)} where busca like ${like})`,
  )
  const more = [
    appliedProduct(text),
    ...UNIQUE_FIELDS.map(({ key }) => sql`${sql.ref(`e.${key}_busca`)} like ${like}`),
  ]
  return sql`(${sql.join([...names, ...(beyond ? more : [])], sql` or `)})`
}

/** On `experimentos e`. */
const appliedProduct = (text: string): RawBuilder<unknown> => sql`exists (
  select from produtos_aplicados a
  where a.experimento_id = e.id and a.produto_id in (select id from produtos where busca like ${contains(text)})
)`
