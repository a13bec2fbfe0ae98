import {
  type ExperimentFilter,
  FILTER_KEYS,
  type FilterOption,
  type FilterOptions,
  type Group,
  type ProductPerformance,
} from '@ensaio/domain'
import { type RawBuilder, sql } from 'kysely'
import { productSets } from '../../database/experiment-filter.ts'
import type { Handle } from '../../database/handle.ts'
import { DIMENSION as D } from './dimensions.ts'
import { type FigureRow, type Figures, figuresOf } from './figures.ts'

/**
 * The filter's exact dimensions: the kept figures' column, its number, and the value's number as a query. A value
 * that nobody has used is null there, which equals nothing.
 */
const EXACT = {
  cultura: {
    dimension: D.cultura,
    column: 'cultura_id',
    id: (nome: string) => sql`(select id from culturas where nome_cultura = ${nome})`,
  },
  ano: {
    dimension: D.ano,
    column: 'ano',
    id: (ano: string) => (/^\d{4}$/.test(ano) ? sql`${Number(ano)}::integer` : sql`null::integer`),
  },
  regional: {
    dimension: D.regional,
    column: 'regiao_id',
    id: (nome: string) => sql`(select id from regioes where nome = ${nome})`,
  },
  marca: {
    dimension: D.marca,
    column: 'fabricante_id',
    id: (nome: string) => sql`(select id from fabricantes where nome = ${nome})`,
  },
  bu: {
    dimension: D.bu,
    column: 'bu',
    id: (bu: string) => (/^BU[1-3]$/.test(bu) ? sql`${Number(bu.slice(2))}::integer` : sql`null::integer`),
  },
} as const
const isExact = (key: string): key is keyof typeof EXACT => key in EXACT

const setKeys = (filter: ExperimentFilter) => FILTER_KEYS.filter((key) => filter[key])

/**
 * Where a filter is answered from: the margins hold every chart under one filter at most, the cells under any of
 * the exact ones together; what is left, several with a consultancy or a product, is selective.
 */
export type Grain = 'margins' | 'cells' | 'counted'
export function grainOf(filter: ExperimentFilter): Grain {
  const keys = setKeys(filter)
  if (keys.length <= 1) return 'margins'
  return keys.every(isExact) ? 'cells' : 'counted'
}

/**
 * Whether a filter is one key of its own, so that `contados` has an index of it in the order of the sample and its
 * places on the map are kept: none, or one that is not a union of product sets.
 */
export const isOneKey = (filter: ExperimentFilter): boolean =>
  grainOf(filter) === 'margins' && !filter.produto

/** The margins `k` of a filter with at most one member. */
export function marginCondition(filter: ExperimentFilter): RawBuilder<unknown> {
  const [key] = setKeys(filter)
  const value = key && filter[key]
  if (!key || !value) return sql`k.filtro = ${sql.lit(D.whole)} and k.chave = 0`
  if (key === 'produto')
    return sql`k.filtro = ${sql.lit(D.conjunto)} and k.chave = any(${productSets(value)})`
  if (key === 'consultoria')
    return sql`k.filtro = ${sql.lit(D.consultoria)} and k.chave = (select id from consultorias where nome = ${value})`
  return sql`k.filtro = ${sql.lit(EXACT[key].dimension)} and k.chave = ${EXACT[key].id(value)}`
}

/** The cells `k` of a filter with exact members only. */
function cellCondition(filter: ExperimentFilter): RawBuilder<unknown> {
  const conditions = setKeys(filter).flatMap((key) =>
    isExact(key) ? [sql`k.${sql.ref(EXACT[key].column)} = ${EXACT[key].id(filter[key] ?? '')}`] : [],
  )
  return sql.join([sql`k.n > 0`, ...conditions], sql` and `)
}

/** Rows (por, valor, sums) of every chart but the modalities', from margins or cells; the whole has por 0. */
function charts(filter: ExperimentFilter): RawBuilder<unknown> {
  if (grainOf(filter) === 'margins') {
    const sums = sql`sum(k.n) as n, sum(k.soma) as soma, sum(k.soma2) as soma2, sum(k.n_roi) as n_roi,
      sum(k.soma_roi) as soma_roi, sum(k.n_argila) as n_argila`
    return sql`
      select k.por, k.valor, ${sums} from margens k
      where ${marginCondition(filter)} and k.por between ${sql.lit(D.cultura)} and ${sql.lit(D.bu)} and k.n > 0
      group by 1, 2
      union all
      select 0, null, ${sums} from margens k
      where ${marginCondition(filter)} and k.por = ${sql.lit(D.bu)}`
  }
  const key = sql.join(Object.values(EXACT).map(({ column }) => sql.ref(`k.${column}`)))
  const por = sql.join(
    Object.values(EXACT).map(
      ({ column, dimension }) => sql`when grouping(k.${sql.ref(column)}) = 0 then ${sql.lit(dimension)}`,
    ),
    sql` `,
  )
  const sets = sql.join(Object.values(EXACT).map(({ column }) => sql`(k.${sql.ref(column)})`))
  return sql`
    select case ${por} else 0 end as por, coalesce(${key}) as valor, sum(k.n) as n, sum(k.soma) as soma,
      sum(k.soma2) as soma2, sum(k.n_roi) as n_roi, sum(k.soma_roi) as soma_roi, sum(k.n_argila) as n_argila
    from celulas k where ${cellCondition(filter)} group by grouping sets ((), ${sets})`
}

/** Mean and sample deviation out of exact sums. */
const MEAN = sql`(g.soma / nullif(g.n, 0))::float8`
const DEVIATION = sql`case when g.n >= 2 then sqrt(greatest(0, (g.soma2 - g.soma * g.soma / g.n) / (g.n - 1)))::float8 end`
const MEAN_RETURN = sql`(g.soma_roi / nullif(g.n_roi, 0))::float8`

/** Cards and groups: the largest first, years and business units in their order. */
export async function keptGroups(handle: Handle, filter: ExperimentFilter): Promise<Figures> {
  const { rows } = await sql<FigureRow>`
    select case g.por
        when ${sql.lit(D.cultura)} then 'cultura' when ${sql.lit(D.marca)} then 'marca'
        when ${sql.lit(D.regional)} then 'regional' when ${sql.lit(D.bu)} then 'bu' when ${sql.lit(D.ano)} then 'ano'
      end as por,
      coalesce(g.n, 0) as n, ${MEAN} as produtividade_media, ${DEVIATION} as desvio, ${MEAN_RETURN} as roi_medio,
      coalesce(g.n_argila, 0) as com_argila,
      coalesce(c.nome_cultura, f.nome, r.nome,
        case g.por when ${sql.lit(D.bu)} then 'BU' || g.valor when ${sql.lit(D.ano)} then g.valor::text else '' end
      ) as chave
    from (${charts(filter)}) g
    left join culturas c on g.por = ${sql.lit(D.cultura)} and c.id = g.valor
    left join fabricantes f on g.por = ${sql.lit(D.marca)} and f.id = g.valor
    left join regioes r on g.por = ${sql.lit(D.regional)} and r.id = g.valor
    order by case when g.por in (${sql.lit(D.bu)}, ${sql.lit(D.ano)}) then g.valor end, g.n desc, chave
  `.execute(handle)
  return figuresOf(rows)
}

export async function keptModalities(handle: Handle, filter: ExperimentFilter): Promise<Group[]> {
  const sums = sql`sum(k.n) as n, sum(k.soma) as soma, sum(k.soma2) as soma2, sum(k.n_roi) as n_roi,
    sum(k.soma_roi) as soma_roi`
  const source =
    grainOf(filter) === 'margins'
      ? sql`select k.valor as modalidade_id, ${sums} from margens k
          where ${marginCondition(filter)} and k.por = ${sql.lit(D.modalidade)} and k.n > 0 group by 1`
      : sql`select k.modalidade_id, ${sums} from celulas_modalidade k where ${cellCondition(filter)} group by 1`
  const { rows } = await sql<Group>`
    select m.nome as chave, g.n, ${MEAN} as produtividade_media, ${MEAN_RETURN} as roi_medio, ${DEVIATION} as desvio
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
  limit: number,
): Promise<ProductPerformance[]> {
  const source =
    grainOf(filter) === 'margins'
      ? sql`margens_produto k where ${marginCondition(filter)} and k.n > 0`
      : sql`celulas_produto k where ${cellCondition(filter)}`
  const { rows } = await sql<ProductPerformance>`
    with m as (
      select k.produto_id, k.fabricante_id, sum(k.n) as n, sum(k.n_custo) as n_custo, sum(k.soma_custo) as soma_custo,
        sum(k.n_roi) as n_roi, sum(k.soma_roi) as soma_roi
      from ${source} group by 1, 2
    ),
    g as (
      select m.produto_id, sum(m.n) as experimentos,
        (sum(m.soma_custo) / nullif(sum(m.n_custo), 0))::float8 as "custoMedio",
        (sum(m.soma_roi) / nullif(sum(m.n_roi), 0))::float8 as "roiMedio",
        (array_agg(f.nome order by m.n desc, f.nome))[1] as marca
      from m join fabricantes f on f.id = m.fabricante_id group by 1
    )
    select p.nome as produto, g.experimentos, g."custoMedio", g."roiMedio", g.marca
    from g join produtos p on p.id = g.produto_id
    order by g."roiMedio" desc nulls last, g.experimentos desc, p.nome limit ${limit}
  `.execute(handle)
  return rows
}

const OPTIONS: Record<keyof FilterOptions, { dimension: number; column: string; name: RawBuilder<unknown> }> =
  {
    regional: { ...EXACT.regional, name: sql`(select nome from regioes where id = g.valor)` },
    cultura: { ...EXACT.cultura, name: sql`(select nome_cultura from culturas where id = g.valor)` },
    marca: { ...EXACT.marca, name: sql`(select nome from fabricantes where id = g.valor)` },
    ano: { ...EXACT.ano, name: sql`g.valor::text` },
    consultoria: {
      dimension: D.consultoria,
      column: 'consultoria_id',
      name: sql`(select nome from consultorias where id = g.valor)`,
    },
    produto: {
      dimension: 0,
      column: 'produto_id',
      name: sql`(select nome from produtos where id = g.valor)`,
    },
  }

/** The values of one filter with their counts, under the others. */
export async function keptOptions(
  handle: Handle,
  others: ExperimentFilter,
  { of, limit }: { of: keyof FilterOptions; limit: number },
): Promise<FilterOption[]> {
  const { dimension, column, name } = OPTIONS[of]
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
    select ${name} as valor, g.n from (${source}) g
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
