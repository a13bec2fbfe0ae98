import type { ExperimentFilter, FilterOption, FilterOptions, Group, ProductPerformance } from '@ensaio/domain'
import { type RawBuilder, sql } from 'kysely'
import { DIMENSIONS, type Dimension } from '../../catalogue/dimensions.ts'
import type { Handle } from '../../database/handle.ts'
import { HOT } from '../../database/hot.ts'
import { type FigureRow, type Figures, figuresOf } from './figures.ts'
import { GAIN, GAINS_KEPT, PRODUCT_ORDERS, type ProductList } from './gains.repository.ts'
import { KEPT as D } from './kept-numbers.ts'
import {
  type Dimension as Kept,
  marginRows,
  modalityRows,
  ofView,
  productRows,
  type Sums,
} from './kept-rows.repository.ts'
import { EXACT, type Grain, grainOf, isExact, isOneKey, setKeys } from './margin-condition.repository.ts'

const EXACT_LIST = Object.entries(EXACT).map(([key, dimension]) => ({ key, ...dimension }))

/** Where a filter is answered from with these sums, if any: of parts less is kept than over all that is seen. */
export function grainFor(sums: Sums | null, filter: ExperimentFilter): Grain {
  if (sums === null) return 'counted'
  if (sums === 'parts') return isOneKey(filter) ? 'margins' : 'counted'
  return grainOf(filter)
}

/** The cells `k` of a filter with exact members only. */
function cellCondition(filter: ExperimentFilter, sums: Sums): RawBuilder<unknown> {
  const conditions = setKeys(filter).flatMap((key) =>
    isExact(key) ? [sql`k.${sql.ref(EXACT[key].column)} = ${EXACT[key].keyOf(filter[key] ?? '')}`] : [],
  )
  return sql.join([ofView(sums), sql`k.n > 0`, ...conditions], sql` and `)
}

/** Rows (por, valor, sums) of every chart but the modalities', from margins or cells; the whole has por 0. */
function charts(filter: ExperimentFilter, sums: Sums): RawBuilder<unknown> {
  if (grainOf(filter) === 'margins') {
    const by = EXACT_LIST.map(({ dimension }) => dimension)
    const added = sql`sum(k.n) as n, sum(k.soma) as soma, sum(k.soma2) as soma2, sum(k.n_roi) as n_roi,
      sum(k.soma_roi) as soma_roi, sum(k.n_argila) as n_argila, ${GAINS_KEPT}`
    return sql`
      with c as (select k.por, k.valor, ${added} from ${marginRows(filter, by, sums)} group by 1, 2)
      select * from c
      union all
      select 0, null, ${added} from c k where k.por = ${sql.lit(D.bu)}`
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
    from celulas k where ${cellCondition(filter, sums)} group by grouping sets ((), ${sets})`
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
export async function keptGroups(handle: Handle, filter: ExperimentFilter, sums: Sums): Promise<Figures> {
  const { rows } = await sql<FigureRow>`
    select ${whichOf(({ key }) => sql.lit(key))} as por,
      coalesce(g.n, 0) as n, ${MEAN} as produtividade_media, ${DEVIATION} as desvio, ${MEAN_RETURN} as roi_medio,
      coalesce(g.n_argila, 0) as com_argila, coalesce(g.n, 0) as com_custos,
      ${GAIN} as ganho, coalesce(${whichOf(({ nameOf }) => nameOf(sql`g.valor`))}, '') as chave
    from (${charts(filter, sums)}) g
    order by case when g.por in (${sql.lit(D.bu)}, ${sql.lit(D.ano)}) then g.valor end, g.n desc, chave
  `.execute(handle)
  return figuresOf(rows)
}

export async function keptModalities(handle: Handle, filter: ExperimentFilter, sums: Sums): Promise<Group[]> {
  const added = sql`sum(k.n) as n, sum(k.soma) as soma, sum(k.soma2) as soma2, sum(k.n_roi) as n_roi,
    sum(k.soma_roi) as soma_roi, ${GAINS_KEPT}`
  const source =
    grainOf(filter) === 'margins'
      ? sql`select k.valor as modalidade_id, ${added} from ${modalityRows(filter, sums)} group by 1`
      : sql`select k.modalidade_id, ${added} from celulas_modalidade k where ${cellCondition(filter, sums)} group by 1`
  const { rows } = await sql<Group>`
    select m.nome as chave, g.n, ${MEAN} as produtividade_media, ${MEAN_RETURN} as roi_medio, ${DEVIATION} as desvio,
      ${GAIN} as ganho
    from (${source}) g join modalidades m on m.id = g.modalidade_id order by g.n desc, 1
  `.execute(handle)
  return rows
}

export async function keptConsultancies(
  handle: Handle,
  filter: ExperimentFilter,
  sums: Sums,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`${
    grainOf(filter) === 'margins'
      ? sql`select count(distinct k.valor) as n from ${marginRows(filter, [D.consultoria], sums)}`
      : sql`select count(distinct k.consultoria_id) as n from celulas_consultoria k where ${cellCondition(filter, sums)}`
  }`.execute(handle)
  return rows[0]?.n ?? 0
}

export async function keptProducts(
  handle: Handle,
  filter: ExperimentFilter,
  sums: Sums,
  { limit, order }: ProductList,
): Promise<ProductPerformance[]> {
  const source =
    grainOf(filter) === 'margins'
      ? productRows(filter, sums)
      : sql`celulas_produto k where ${cellCondition(filter, sums)}`
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
  Pick<Dimension, 'column' | 'nameOf'> & { dimension: Kept | null }
> = {
  regional: EXACT.regional,
  cultura: EXACT.cultura,
  marca: EXACT.marca,
  ano: EXACT.ano,
  consultoria: { ...DIMENSIONS.consultoria, dimension: D.consultoria },
  produto: {
    // In rows of their own.
    dimension: null,
    column: 'produto_id',
    nameOf: (key) => sql`(select nome from produtos where id = ${key})`,
  },
}

/** The values of one filter with their counts, under the others. */
export async function keptOptions(
  handle: Handle,
  others: ExperimentFilter,
  sums: Sums,
  { of, limit }: { of: keyof typeof OPTIONS; limit: number },
): Promise<FilterOption[]> {
  const { dimension, column, nameOf } = OPTIONS[of]
  const margins = grainOf(others) === 'margins'
  const table = of === 'produto' || of === 'consultoria' ? `celulas_${of}` : 'celulas'
  const source = margins
    ? dimension === null
      ? sql`select k.produto_id as valor, sum(k.n) as n from ${productRows(others, sums)} group by 1`
      : sql`select k.valor, sum(k.n) as n from ${marginRows(others, [dimension], sums)} group by 1`
    : sql`select k.${sql.ref(column)} as valor, sum(k.n) as n from ${sql.table(table)} k
        where ${cellCondition(others, sums)} group by 1`
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
  sums: Sums,
  comDocumento: boolean | null,
): Promise<number | null> {
  if (grainFor(sums, filter) !== 'margins') return null
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(k.n), 0) as n from ${marginRows(filter, [D.documento], sums)}
      and ${comDocumento === null ? sql`true` : sql`k.valor = ${Number(comDocumento)}`}
  `.execute(handle)
  return rows[0]?.n ?? 0
}

/** How many of them show their costs; the same holds. */
export async function keptWithCosts(
  handle: Handle,
  filter: ExperimentFilter,
  sums: Sums,
): Promise<number | null> {
  if (grainFor(sums, filter) !== 'margins') return null
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(k.n), 0) as n from ${marginRows(filter, [D.custos], sums)} and k.valor = 1
  `.execute(handle)
  return rows[0]?.n ?? 0
}

/** How many cities, in how many states. */
export async function keptExtent(
  handle: Handle,
  filter: ExperimentFilter,
  sums: Sums,
): Promise<{ localizacoes: number; estados: number }> {
  const { rows } = await sql<{ localizacoes: number; estados: number }>`
    select count(*) as localizacoes, count(distinct ci.estado) as estados
    from (select distinct k.valor from ${marginRows(filter, [D.cidade], sums)}) k join cidades ci on ci.id = k.valor
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

/** What is kept for a reader. */
export interface KeptFor {
  /** Right sums over what they see, or over some of it; null where every figure is made of narrow rows. */
  sums: Sums | null
  everyCost: boolean
  everyDocument: boolean
}

/** The sums that the policies show to the reader, and whether they see the costs and the documents of all. */
export async function keptFor(handle: Handle): Promise<KeptFor> {
  const { rows } = await sql<{
    view: number | null
    parts: boolean
    everyCost: boolean
    everyDocument: boolean
  }>`
    ${HOT} select v.view, v.view is null and visoes_atuais() <> '{}' as parts,
      com_custos() @> visiveis() as "everyCost", com_documentos() @> visiveis() as "everyDocument"
    from visao_atual() v (view)
  `.execute(handle)
  const [row] = rows
  const view = row?.view ?? null
  return {
    sums: view !== null ? { view } : row?.parts ? 'parts' : null,
    everyCost: row?.everyCost === true,
    everyDocument: row?.everyDocument === true,
  }
}
