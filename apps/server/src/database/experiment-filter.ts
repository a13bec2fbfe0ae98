import { type ExperimentFilter, searchable } from '@ensaio/domain'
import { type RawBuilder, sql } from 'kysely'

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
  const add = (value: string | undefined, condition: (value: string) => RawBuilder<unknown>) => {
    if (value) conditions.push(condition(value))
  }
  add(filter.regional, (nome) => sql`e.regiao_id = (select id from regioes where nome = ${nome})`)
  add(filter.cultura, (nome) => sql`e.cultura_id = (select id from culturas where nome_cultura = ${nome})`)
  add(filter.marca, (nome) => sql`e.fabricante_id = (select id from fabricantes where nome = ${nome})`)
  add(
    filter.consultoria,
    (nome) => sql`e.consultoria_id = (select id from consultorias where nome = ${nome})`,
  )
  add(filter.ano, (ano) => (/^\d{4}$/.test(ano) ? sql`e.ano = ${Number(ano)}` : sql`false`))
  add(filter.bu, (bu) => (/^BU[1-3]$/.test(bu) ? sql`e.bu = ${Number(bu.slice(2))}` : sql`false`))
  add(filter.produto, hasProduct)
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
  return sql`(
    e.consultoria_id in (select id from consultorias where busca like ${like})
    or e.cidade_id in (select id from cidades where busca like ${like})
    or e.cultura_id in (select id from culturas where busca like ${like})
    or e.fabricante_id in (select id from fabricantes where busca like ${like})
    ${hasProduct ? sql`or ${hasProduct(text)}` : sql``}
  )`
}

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
