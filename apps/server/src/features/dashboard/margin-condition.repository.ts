import { type ExperimentFilter, FILTER_KEYS, filterValues, MORE_FILTERS } from '@ensaio/domain'
import { type RawBuilder, sql } from 'kysely'
import { DIMENSIONS } from '../../catalogue/dimensions.ts'
import { productSets } from '../../catalogue/experiment-filter.ts'
import { KEPT as D, PER_SET } from './kept-numbers.ts'

/** The filter's exact dimensions, each with the number that its figures are kept under. */
export const EXACT = {
  cultura: { ...DIMENSIONS.cultura, dimension: D.cultura },
  ano: { ...DIMENSIONS.ano, dimension: D.ano },
  regional: { ...DIMENSIONS.regional, dimension: D.regional },
  marca: { ...DIMENSIONS.marca, dimension: D.marca },
  bu: { ...DIMENSIONS.bu, dimension: D.bu },
} as const
export const isExact = (key: string): key is keyof typeof EXACT => key in EXACT

export const setKeys = (filter: ExperimentFilter) => FILTER_KEYS.filter((key) => filter[key])

/** A crop and a product, which are asked for together more than any other two. */
const isPair = (keys: readonly string[]) =>
  keys.length === 2 && keys.includes('cultura') && keys.includes('produto')

/**
 * Where a filter is answered from: the margins hold every chart under one filter at most, and under a crop and a
 * product; the cells under any of the exact ones together; what is left, several with a consultancy or a product, is
 * selective.
 */
export type Grain = 'margins' | 'cells' | 'counted'
export function grainOf(filter: ExperimentFilter): Grain {
  if (filter.origem || filterValues(filter.nao).length > 0 || filter.com_roi) return 'counted'
  if (MORE_FILTERS.some((key) => filterValues(filter[key]).length > 0)) return 'counted'
  const keys = setKeys(filter)
  if (keys.length <= 1 || isPair(keys)) return 'margins'
  return keys.every(isExact) ? 'cells' : 'counted'
}

/**
 * Whether a filter is one key of its own, so that `contados` has an index of it in the order of the sample and its
 * places on the map are kept: none, or one that is not a union of product sets.
 */
export const isOneKey = (filter: ExperimentFilter): boolean =>
  grainOf(filter) === 'margins' && !filter.produto

/** The margins `k` of a filter that has some. */
export function marginCondition(filter: ExperimentFilter): RawBuilder<unknown> {
  const keys = setKeys(filter)
  if (isPair(keys))
    return sql`k.filtro = ${sql.lit(D.conjunto_cultura)} and k.chave = any(array(
      select s.id * ${sql.lit(PER_SET)}::bigint + ${EXACT.cultura.keyOf(filter.cultura ?? '')}
      from unnest(${productSets(filter.produto ?? '')}) s (id)
    ))`
  const [key] = keys
  const value = key && filter[key]
  if (!key || !value) return sql`k.filtro = ${sql.lit(D.whole)} and k.chave = 0`
  if (key === 'produto')
    return sql`k.filtro = ${sql.lit(D.conjunto)} and k.chave = any(${productSets(value)})`
  if (key === 'consultoria')
    return sql`k.filtro = ${sql.lit(D.consultoria)} and k.chave = ${DIMENSIONS.consultoria.keyOf(value)}`
  return sql`k.filtro = ${sql.lit(EXACT[key].dimension)} and k.chave = ${EXACT[key].keyOf(value)}`
}
