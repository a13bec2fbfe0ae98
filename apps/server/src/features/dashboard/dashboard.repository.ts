import type { ExperimentFilter, Group, ProductPerformance, ScatterPoint } from '@ensaio/domain'
import { type RawBuilder, sql } from 'kysely'
import { DIMENSIONS, type DimensionKey, nameIn } from '../../catalogue/dimensions.ts'
import { countedCondition, foundBySearch } from '../../catalogue/experiment-filter.ts'
import type { Handle } from '../../database/handle.ts'
import { HOT } from '../../database/hot.ts'
import { type FigureRow, type Figures, figuresOf } from './figures.ts'
import { GAIN, GAINS_COUNTED, GAINS_KEPT, PRODUCT_ORDERS, type ProductList } from './gains.repository.ts'

const CHARTED = ['cultura', 'marca', 'regional', 'bu', 'ano'] as const

/**
 * The cards' figures and every chart's groups by one scan. Grouped by the lookups' numbers and named
 * afterwards; the largest first, years and business units in their order.
 */
// `offset 0`: under grouping sets no condition on a view's column would be asked of an index.
export async function groups(handle: Handle, filter: ExperimentFilter): Promise<Figures> {
  const columns = CHARTED.map((key) => sql.ref(`e.${DIMENSIONS[key].column}`))
  const which = (value: (key: DimensionKey) => RawBuilder<unknown>, row: string) =>
    sql`case ${sql.join(
      CHARTED.map((key) => {
        const column = sql.ref(`${row}.${DIMENSIONS[key].column}`)
        return sql`when ${row === 'e' ? sql`grouping(${column}) = 0` : sql`g.por = ${sql.lit(key)}`} then ${value(key)}`
      }),
      sql` `,
    )} end`
  const { rows } = await sql<FigureRow>`
    select g.por, g.n, g.produtividade_media, g.desvio, g.roi_medio, g.com_argila, g.com_custos, ${GAIN} as ganho,
      coalesce(${which((key) => nameIn('g', key), 'g')}, '') as chave
    from (
      select ${which((key) => sql.lit(key), 'e')} as por, ${sql.join(columns)}, count(*) as n,
        avg(e.produtividade_media) as produtividade_media, stddev_samp(e.produtividade_media) as desvio,
        avg(e.roi) as roi_medio, count(e.teor_argila) as com_argila,
        count(*) filter (where e.ve_custos) as com_custos, ${GAINS_COUNTED}
      from (select * from visto.contados e where ${countedCondition(filter)} offset 0) e
      group by grouping sets ((), ${sql.join(columns.map((column) => sql`(${column})`))})
    ) g
    order by g.bu, g.ano, g.n desc, chave
  `.execute(handle)
  return figuresOf(rows)
}

export async function activeConsultancies(handle: Handle, filter: ExperimentFilter): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (
      select distinct e.consultoria_id from visto.contados e where ${countedCondition(filter)}
    ) k
  `.execute(handle)
  return rows[0]?.n ?? 0
}

/** How many experiments that the filter lets through show their costs. */
export async function countWithCosts(handle: Handle, filter: ExperimentFilter): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from visto.contados e
    where ${countedCondition(filter)} and e.acervo_id = any ((select com_custos from alcance_atual)::integer[])
  `.execute(handle)
  return rows[0]?.n ?? 0
}

/** How many experiments a list under a filter, a search or both holds. */
export async function countListed(
  handle: Handle,
  filter: ExperimentFilter,
  { busca, comDocumento }: { busca: string | undefined; comDocumento: boolean | null },
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from visto.contados e where ${countedCondition(filter)}
      and ${busca ? foundBySearch(busca, { beyond: comDocumento !== true }) : sql`true`}
      and ${comDocumento === null ? sql`true` : sql`e.com_documento = ${comDocumento}`}
  `.execute(handle)
  return rows[0]?.n ?? 0
}

/** By application modality, counted by treatment; the controls (first treatments) are left out. */
export async function modalityGroups(handle: Handle, filter: ExperimentFilter): Promise<Group[]> {
  const { rows } = await sql<Group>`
    select m.nome as chave, g.n, g.produtividade_media, g.desvio, g.roi_medio, ${GAIN} as ganho from (
      select e.modalidade_id, sum(e.n) as n, (sum(e.soma) / sum(e.n))::float8 as produtividade_media,
        case when sum(e.n) >= 2
          then sqrt(greatest(0, (sum(e.soma2) - sum(e.soma) ^ 2 / sum(e.n)) / (sum(e.n) - 1)))::float8 end as desvio,
        sum(x.roi * e.n) / nullif(sum(e.n) filter (where x.roi is not null), 0) as roi_medio, ${GAINS_COUNTED}
      from (select e.id, e.roi from visto.contados e where ${countedCondition(filter)}) x
      join contados_modalidades e on e.experimento_id = x.id group by 1
    ) g join modalidades m on m.id = g.modalidade_id order by g.n desc, 1
  `.execute(handle)
  return rows
}

/**
 * Products by their mean return, those without one last. A cost counts once per application, a return once per
 * experiment; the brand is that of most of the experiments.
 */
export async function topProducts(
  handle: Handle,
  filter: ExperimentFilter,
  { limit, order }: ProductList,
): Promise<ProductPerformance[]> {
  const { rows } = await sql<ProductPerformance>`
    select p.nome as produto, g.experimentos, g."custoMedio", g."roiMedio", g.marca, ${GAIN} as ganho
    from (
      select k.produto_id, sum(k.n) as experimentos,
        (sum(k.soma_custo) / nullif(sum(k.n_custo), 0))::float8 as "custoMedio",
        sum(k.soma_roi) / nullif(sum(k.n_roi), 0) as "roiMedio",
        (array_agg(f.nome order by k.n desc, f.nome))[1] as marca, ${GAINS_KEPT}
      from (
        select e.produto_id, x.fabricante_id, count(*) as n, sum(e.n_custo) as n_custo,
          sum(e.soma_custo) as soma_custo, count(x.roi) as n_roi, sum(x.roi) as soma_roi, ${GAINS_COUNTED}
        from (select e.id, e.fabricante_id, e.roi from visto.contados e where ${countedCondition(filter)}) x
        join visto.contados_produtos e on e.experimento_id = x.id group by 1, 2
      ) k join fabricantes f on f.id = k.fabricante_id group by 1
    ) g
    join produtos p on p.id = g.produto_id
    where ${PRODUCT_ORDERS[order].only} order by ${PRODUCT_ORDERS[order].by}, g.experimentos desc, p.nome limit ${limit}
  `.execute(handle)
  return rows
}

/** Numeric columns that a scatter chart or a correlation may use. */
export const NUMERIC_COLUMNS = {
  teor_argila: sql`e.teor_argila`,
  teor_materia_organica: sql`e.teor_materia_organica`,
  produtividade_media: sql`e.produtividade_media`,
  custo_protocolo: sql`e.custo_protocolo`,
  custo_total: sql`e.custo_total`,
  roi: sql`e.roi`,
  ganho_percent: sql`(100 * (exp(e.razao) - 1))`,
  ano: sql`e.ano::float8`,
} as const

/**
 * For who sees much: a sample is walked by the index that has its order. Among many sets the planner takes what is seen
 * for little, and would read and sort all that the filter finds.
 */
export const inOrder = <T>(handle: Handle, work: (handle: Handle) => Promise<T>): Promise<T> =>
  handle.transaction().execute(async (transaction) => {
    await sql`
      ${HOT} select set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true)
    `.execute(transaction)
    return await work(transaction)
  })

/**
 * The experiments with the lowest random numbers: the same points every time, and uniform. A filter without an
 * index in that order is either walked through, when it lets much through, or found first and then sorted:
 * `share` says how many of all experiments it lets through, where the database cannot guess.
 */
export async function scatterSample(
  handle: Handle,
  filter: ExperimentFilter,
  {
    x,
    y,
    limit,
    share,
  }: { x: RawBuilder<unknown>; y: RawBuilder<unknown>; limit: number; share?: { n: number; of: number } },
): Promise<ScatterPoint[]> {
  const condition = sql`${countedCondition(filter)} and ${x} is not null and ${y} is not null`
  const rowsWalked = share && (limit * share.of) / Math.max(1, share.n)
  const source =
    rowsWalked === undefined
      ? sql`visto.contados e where ${condition}`
      : rowsWalked < (share?.n ?? 0)
        ? sql`(select * from visto.contados order by amostra, id offset 0) e where ${condition}`
        : sql`(select * from visto.contados e where ${condition} offset 0) e`
  const { rows } = await sql<ScatterPoint>`
    select s.id, s.x, s.y, c.nome_cultura as cultura, f.nome as marca,
      c.nome_cultura || ' - ' || k.nome || ' - ' || s.ano as nome
    from (
      select e.id, ${x} as x, ${y} as y, e.ano, e.cultura_id, e.fabricante_id, e.consultoria_id
      from ${source} order by e.amostra, e.id limit ${limit}
    ) s
    join culturas c on c.id = s.cultura_id
    join fabricantes f on f.id = s.fabricante_id
    join consultorias k on k.id = s.consultoria_id
  `.execute(handle)
  return rows
}
