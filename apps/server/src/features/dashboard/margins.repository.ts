import {
  type ExperimentFilter,
  FILTER_KEYS,
  type FilterOption,
  type FilterOptions,
  filterValues,
  type Group,
  MORE_FILTERS,
  type ProductPerformance,
} from '@ensaio/domain'
import { type RawBuilder, sql } from 'kysely'
import { DIMENSIONS, type Dimension } from '../../catalogue/dimensions.ts'
import { productSets } from '../../catalogue/experiment-filter.ts'
import type { Handle } from '../../database/handle.ts'
import { HOT } from '../../database/hot.ts'
import { type FigureRow, type Figures, figuresOf } from './figures.ts'
import { GAIN, GAINS_KEPT, PRODUCT_ORDERS, type ProductList } from './gains.repository.ts'
import { KEPT as D, PER_SET } from './kept-numbers.ts'

/** The filter's exact dimensions, each with the number that its figures are kept under. */
const EXACT = {
  cultura: { ...DIMENSIONS.cultura, dimension: D.cultura },
  ano: { ...DIMENSIONS.ano, dimension: D.ano },
  regional: { ...DIMENSIONS.regional, dimension: D.regional },
  marca: { ...DIMENSIONS.marca, dimension: D.marca },
  bu: { ...DIMENSIONS.bu, dimension: D.bu },
} as const
const EXACT_LIST = Object.entries(EXACT).map(([key, dimension]) => ({ key, ...dimension }))
const isExact = (key: string): key is keyof typeof EXACT => key in EXACT

const setKeys = (filter: ExperimentFilter) => FILTER_KEYS.filter((key) => filter[key])

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

/** The cells `k` of a filter with exact members only. */
function cellCondition(filter: ExperimentFilter): RawBuilder<unknown> {
  const conditions = setKeys(filter).flatMap((key) =>
    isExact(key) ? [sql`k.${sql.ref(EXACT[key].column)} = ${EXACT[key].keyOf(filter[key] ?? '')}`] : [],
  )
  return sql.join([sql`k.n > 0`, ...conditions], sql` and `)
}

/** Rows (por, valor, sums) of every chart but the modalities', from margins or cells; the whole has por 0. */
function charts(filter: ExperimentFilter): RawBuilder<unknown> {
  if (grainOf(filter) === 'margins') {
    const sums = sql`sum(k.n) as n, sum(k.soma) as soma, sum(k.soma2) as soma2, sum(k.n_roi) as n_roi,
      sum(k.soma_roi) as soma_roi, sum(k.n_argila) as n_argila, ${GAINS_KEPT}`
    return sql`
      select k.por, k.valor, ${sums} from margens k
      where ${marginCondition(filter)} and k.por between ${sql.lit(D.cultura)} and ${sql.lit(D.bu)} and k.n > 0
      group by 1, 2
      union all
      select 0, null, ${sums} from margens k
      where ${marginCondition(filter)} and k.por = ${sql.lit(D.bu)}`
  }
  const key = sql.join(EXACT_LIST.map(({ column }) => sql.ref(`k.${column}`)))
  const por = sql.join(
    EXACT_LIST.map(
      ({ column, dimension }) => sql`when grouping(k.${sql.ref(column)}) = 0 then ${sql.lit(dimension)}`,
    ),
    sql` `,
  )
  const sets = sql.join(EXACT_LIST.map(({ column }) => sql`(k.${sql.ref(column)})`))
  return sql`
    select case ${por} else 0 end as por, coalesce(${key}) as valor, sum(k.n) as n, sum(k.soma) as soma,
      sum(k.soma2) as soma2, sum(k.n_roi) as n_roi, sum(k.soma_roi) as soma_roi, sum(k.n_argila) as n_argila,
      ${GAINS_KEPT}
    from celulas k where ${cellCondition(filter)} group by grouping sets ((), ${sets})`
}

/** Mean and sample deviation out of exact sums. */
const MEAN = sql`(g.soma / nullif(g.n, 0))::float8`
const DEVIATION = sql`case when g.n >= 2 then sqrt(greatest(0, (g.soma2 - g.soma * g.soma / g.n) / (g.n - 1)))::float8 end`
const MEAN_RETURN = sql`(g.soma_roi / nullif(g.n_roi, 0))::float8`

/** By the dimension that a row of figures `g` is of; null for the whole. */
const whichOf = (value: (of: (typeof EXACT_LIST)[number]) => RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`case g.por ${sql.join(
    EXACT_LIST.map((of) => sql`when ${sql.lit(of.dimension)} then ${value(of)}`),
    sql` `,
  )} end`

/** Cards and groups: the largest first, years and business units in their order. */
export async function keptGroups(handle: Handle, filter: ExperimentFilter): Promise<Figures> {
  const { rows } = await sql<FigureRow>`
    select ${whichOf(({ key }) => sql.lit(key))} as por,
      coalesce(g.n, 0) as n, ${MEAN} as produtividade_media, ${DEVIATION} as desvio, ${MEAN_RETURN} as roi_medio,
      coalesce(g.n_argila, 0) as com_argila, coalesce(g.n, 0) as com_custos,
      ${GAIN} as ganho, coalesce(${whichOf(({ nameOf }) => nameOf(sql`g.valor`))}, '') as chave
    from (${charts(filter)}) g
    order by case when g.por in (${sql.lit(D.bu)}, ${sql.lit(D.ano)}) then g.valor end, g.n desc, chave
  `.execute(handle)
  return figuresOf(rows)
}

export async function keptModalities(handle: Handle, filter: ExperimentFilter): Promise<Group[]> {
  const sums = sql`sum(k.n) as n, sum(k.soma) as soma, sum(k.soma2) as soma2, sum(k.n_roi) as n_roi,
    sum(k.soma_roi) as soma_roi, ${GAINS_KEPT}`
  const source =
    grainOf(filter) === 'margins'
      ? sql`select k.valor as modalidade_id, ${sums} from margens k
          where ${marginCondition(filter)} and k.por = ${sql.lit(D.modalidade)} and k.n > 0 group by 1`
      : sql`select k.modalidade_id, ${sums} from celulas_modalidade k where ${cellCondition(filter)} group by 1`
  const { rows } = await sql<Group>`
    select m.nome as chave, g.n, ${MEAN} as produtividade_media, ${MEAN_RETURN} as roi_medio, ${DEVIATION} as desvio,
      ${GAIN} as ganho
    from (${source}) g join modalidades m on m.id = g.modalidade_id order by g.n desc, 1
  `.execute(handle)
  return rows
}

export async function keptConsultancies(handle: Handle, filter: ExperimentFilter): Promise<number> {
  const { rows } = await sql<{ n: number }>`${
    grainOf(filter) === 'margins'
      ? sql`select count(distinct k.valor) as n from margens k
          where ${marginCondition(filter)} and k.por = ${sql.lit(D.consultoria)} and k.n > 0`
      : sql`select count(distinct k.consultoria_id) as n from celulas_consultoria k where ${cellCondition(filter)}`
  }`.execute(handle)
  return rows[0]?.n ?? 0
}

export async function keptProducts(
  handle: Handle,
  filter: ExperimentFilter,
  { limit, order }: ProductList,
): Promise<ProductPerformance[]> {
  const source =
    grainOf(filter) === 'margins'
      ? sql`margens_produto k where ${marginCondition(filter)} and k.n > 0`
      : sql`celulas_produto k where ${cellCondition(filter)}`
  const { rows } = await sql<ProductPerformance>`
    with m as (
      select k.produto_id, k.fabricante_id, sum(k.n) as n, sum(k.n_custo) as n_custo, sum(k.soma_custo) as soma_custo,
        sum(k.n_roi) as n_roi, sum(k.soma_roi) as soma_roi, ${GAINS_KEPT}
      from ${source} group by 1, 2
    ),
    g as (
      select k.produto_id, sum(k.n) as experimentos,
        (sum(k.soma_custo) / nullif(sum(k.n_custo), 0))::float8 as "custoMedio",
        (sum(k.soma_roi) / nullif(sum(k.n_roi), 0))::float8 as "roiMedio",
        (array_agg(f.nome order by k.n desc, f.nome))[1] as marca, ${GAINS_KEPT}
      from m k join fabricantes f on f.id = k.fabricante_id group by 1
    )
    select p.nome as produto, g.experimentos, g."custoMedio", g."roiMedio", g.marca, ${GAIN} as ganho
    from g join produtos p on p.id = g.produto_id
    where ${PRODUCT_ORDERS[order].only} order by ${PRODUCT_ORDERS[order].by}, g.experimentos desc, p.nome limit ${limit}
  `.execute(handle)
  return rows
}

const OPTIONS: Record<
  Exclude<keyof FilterOptions, 'origem'>,
  Pick<Dimension, 'column' | 'nameOf'> & { dimension: number }
> = {
  regional: EXACT.regional,
  cultura: EXACT.cultura,
  marca: EXACT.marca,
  ano: EXACT.ano,
  consultoria: { ...DIMENSIONS.consultoria, dimension: D.consultoria },
  produto: {
    dimension: 0,
    column: 'produto_id',
    nameOf: (key) => sql`(select nome from produtos where id = ${key})`,
  },
}

/** The values of one filter with their counts, under the others. */
export async function keptOptions(
  handle: Handle,
  others: ExperimentFilter,
  { of, limit }: { of: keyof typeof OPTIONS; limit: number },
): Promise<FilterOption[]> {
  const { dimension, column, nameOf } = OPTIONS[of]
  const margins = grainOf(others) === 'margins'
  const table = of === 'produto' || of === 'consultoria' ? `celulas_${of}` : 'celulas'
  const source = margins
    ? of === 'produto'
      ? sql`select k.produto_id as valor, sum(k.n) as n from margens_produto k
          where ${marginCondition(others)} and k.n > 0 group by 1`
      : sql`select k.valor, sum(k.n) as n from margens k
          where ${marginCondition(others)} and k.por = ${sql.lit(dimension)} and k.n > 0 group by 1`
    : sql`select k.${sql.ref(column)} as valor, sum(k.n) as n from ${sql.table(table)} k
        where ${cellCondition(others)} group by 1`
  const { rows } = await sql<FilterOption>`
    select ${nameOf(sql`g.valor`)} as valor, g.n from (${source}) g
    order by ${of === 'ano' ? sql`g.valor desc` : sql`g.n desc, 1`} limit ${limit}
  `.execute(handle)
  return rows
}

/** How many experiments a filter lets through, of all or of those with or without a document; null when not kept. */
export async function keptCount(
  handle: Handle,
  filter: ExperimentFilter,
  comDocumento: boolean | null,
): Promise<number | null> {
  if (grainOf(filter) !== 'margins') return null
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(k.n), 0) as n from margens k
    where ${marginCondition(filter)} and k.por = ${sql.lit(D.documento)}
      and ${comDocumento === null ? sql`true` : sql`k.valor = ${Number(comDocumento)}`}
  `.execute(handle)
  return rows[0]?.n ?? 0
}

/** How many cities, in how many states. */
export async function keptExtent(
  handle: Handle,
  filter: ExperimentFilter,
): Promise<{ localizacoes: number; estados: number }> {
  const { rows } = await sql<{ localizacoes: number; estados: number }>`
    select count(*) as localizacoes, count(distinct ci.estado) as estados
    from margens k join cidades ci on ci.id = k.valor
    where ${marginCondition(filter)} and k.por = ${sql.lit(D.cidade)} and k.n > 0
  `.execute(handle)
  return rows[0] ?? { localizacoes: 0, estados: 0 }
}

/** Whether the reader sees a set of these numbers. */
export async function seesOneOf(handle: Handle, sets: readonly number[]): Promise<boolean> {
  const { rows } = await sql<{ sees: boolean }>`
    ${HOT} select coalesce(visiveis() && ${[...sets]}::integer[], false) as sees
  `.execute(handle)
  return rows[0]?.sees === true
}

/**
 * Whether figures are kept over exactly what the reader sees, and whether they see the costs of all of it. Where
 * none are, the policies show no others.
 */
export async function keptFor(handle: Handle): Promise<{ whole: boolean; everyCost: boolean }> {
  const { rows } = await sql<{ whole: boolean; everyCost: boolean }>`
    ${HOT} select visao_atual() is not null as whole, com_custos() @> visiveis() as "everyCost"
  `.execute(handle)
  return { whole: rows[0]?.whole === true, everyCost: rows[0]?.everyCost === true }
}
