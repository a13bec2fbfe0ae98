import type { ExperimentFilter, FilterOption, FilterOptions, Group, ProductPerformance } from '@ensaio/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'
import { type FigureRow, type Figures, figuresOf } from './figures.ts'

/** Whether the cells can answer a filter: those by product or consultancy go to the base tables. */
export const cellsCanAnswer = ({ produto, consultoria }: ExperimentFilter): boolean =>
  !produto && !consultoria

/** The filter as a condition on cells `c`. */
function cellCondition(filter: ExperimentFilter): RawBuilder<unknown> {
  const conditions = [sql`true`]
  const add = (value: string | undefined, condition: (value: string) => RawBuilder<unknown>) => {
    if (value) conditions.push(condition(value))
  }
  add(filter.regional, (nome) => sql`c.regiao_id = (select id from regioes where nome = ${nome})`)
  add(filter.cultura, (nome) => sql`c.cultura_id = (select id from culturas where nome_cultura = ${nome})`)
  add(filter.marca, (nome) => sql`c.fabricante_id = (select id from fabricantes where nome = ${nome})`)
  add(filter.ano, (ano) => (/^\d{4}$/.test(ano) ? sql`c.ano = ${Number(ano)}` : sql`false`))
  add(filter.bu, (bu) => (/^BU[1-3]$/.test(bu) ? sql`c.bu = ${Number(bu.slice(2))}` : sql`false`))
  return sql.join(conditions, sql` and `)
}

/**
 * Cards and groups out of the cells. Two passes: the means first, then the squared deviations around them, so
 * that the deviation is as exact as over the base table.
 */
export async function cellGroups(handle: Handle, filter: ExperimentFilter): Promise<Figures> {
  const { rows } = await sql<FigureRow>`
    with c as materialized (select * from celulas c where ${cellCondition(filter)}),
    g as (
      select
        grouping(c.cultura_id) as g1, grouping(c.fabricante_id) as g2, grouping(c.regiao_id) as g3,
        grouping(c.bu) as g4, grouping(c.ano) as g5,
        c.cultura_id, c.fabricante_id, c.regiao_id, c.bu, c.ano, sum(c.n) as n,
        sum(c.n * c.media) / nullif(sum(c.n), 0) as media,
        sum(c.soma_roi) / nullif(sum(c.n_roi), 0) as roi_medio, coalesce(sum(c.n_argila), 0) as com_argila
      from c
      group by grouping sets ((), (c.cultura_id), (c.fabricante_id), (c.regiao_id), (c.bu), (c.ano))
    ),
    d as (
      select 'cultura' as por, cultura_id as chave, g.media, sum(desvios2 + c.n * (c.media - g.media) ^ 2) as m2
      from c join g using (cultura_id) where g1 = 0 group by 2, 3
      union all
      select 'marca', fabricante_id, g.media, sum(desvios2 + c.n * (c.media - g.media) ^ 2)
      from c join g using (fabricante_id) where g2 = 0 group by 2, 3
      union all
      select 'regional', regiao_id, g.media, sum(desvios2 + c.n * (c.media - g.media) ^ 2)
      from c join g using (regiao_id) where g3 = 0 group by 2, 3
      union all
      select 'bu', bu, g.media, sum(desvios2 + c.n * (c.media - g.media) ^ 2)
      from c join g using (bu) where g4 = 0 group by 2, 3
      union all
      select 'ano', ano, g.media, sum(desvios2 + c.n * (c.media - g.media) ^ 2)
      from c join g using (ano) where g5 = 0 group by 2, 3
    ),
    k as (
      select *, case
          when g1 = 0 then 'cultura' when g2 = 0 then 'marca' when g3 = 0 then 'regional'
          when g4 = 0 then 'bu' when g5 = 0 then 'ano'
        end as por
      from g
    )
    select k.por, coalesce(k.n, 0) as n, k.media as produtividade_media, k.roi_medio, k.com_argila,
      case when k.n >= 2 then sqrt(d.m2 / (k.n - 1)) end as desvio,
      coalesce(cu.nome_cultura, f.nome, r.nome, 'BU' || k.bu, k.ano::text, '') as chave
    from k
    left join d on d.por = k.por and d.chave = coalesce(k.cultura_id, k.fabricante_id, k.regiao_id, k.bu, k.ano)
    left join culturas cu on cu.id = k.cultura_id
    left join fabricantes f on f.id = k.fabricante_id
    left join regioes r on r.id = k.regiao_id
    order by k.bu, k.ano, k.n desc, chave
  `.execute(handle)
  return figuresOf(rows)
}

export async function cellConsultancies(handle: Handle, filter: ExperimentFilter): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select coalesce(bit_count(bit_or(c.consultorias)), 0) as n from celulas c where ${cellCondition(filter)}
  `.execute(handle)
  return rows[0]?.n ?? 0
}

export async function cellModalities(handle: Handle, filter: ExperimentFilter): Promise<Group[]> {
  const { rows } = await sql<Group>`
    with c as materialized (select * from celulas_modalidade c where ${cellCondition(filter)}),
    g as (
      select modalidade_id, sum(n) as n, sum(n * media) / sum(n) as media,
        sum(soma_roi) / nullif(sum(n_roi), 0) as roi_medio
      from c group by 1
    ),
    d as (
      select modalidade_id, sum(c.desvios2 + c.n * (c.media - g.media) ^ 2) as m2
      from c join g using (modalidade_id) group by 1
    )
    select m.nome as chave, g.n, g.media as produtividade_media, g.roi_medio,
      case when g.n >= 2 then sqrt(d.m2 / (g.n - 1)) end as desvio
    from g join d using (modalidade_id) join modalidades m on m.id = g.modalidade_id order by g.n desc, 1
  `.execute(handle)
  return rows
}

export async function cellProducts(
  handle: Handle,
  filter: ExperimentFilter,
  limit: number,
): Promise<ProductPerformance[]> {
  const { rows } = await sql<ProductPerformance>`
    with m as (
      select c.produto_id, c.fabricante_id, sum(c.experimentos) as experimentos, sum(c.n_custo) as n_custo,
        sum(c.soma_custo) as soma_custo, sum(c.n_roi) as n_roi, sum(c.soma_roi) as soma_roi
      from celulas_produto c where ${cellCondition(filter)} group by 1, 2
    ),
    g as (
      select m.produto_id, sum(m.experimentos) as experimentos,
        sum(m.soma_custo) / nullif(sum(m.n_custo), 0) as "custoMedio",
        sum(m.soma_roi) / nullif(sum(m.n_roi), 0) as "roiMedio",
        (array_agg(f.nome order by m.experimentos desc, f.nome))[1] as marca
      from m join fabricantes f on f.id = m.fabricante_id group by 1
    )
    select p.nome as produto, g.experimentos, g."custoMedio", g."roiMedio", g.marca
    from g join produtos p on p.id = g.produto_id
    order by g."roiMedio" desc nulls last, g.experimentos desc, p.nome limit ${limit}
  `.execute(handle)
  return rows
}

const OPTIONS: Record<Exclude<keyof FilterOptions, 'produto' | 'consultoria'>, RawBuilder<unknown>> = {
  regional: sql`(select nome from regioes where id = c.regiao_id)`,
  cultura: sql`(select nome_cultura from culturas where id = c.cultura_id)`,
  marca: sql`(select nome from fabricantes where id = c.fabricante_id)`,
  ano: sql`c.ano::text`,
}

/** The values of one filter with their counts, under a filter that the cells can answer. */
export async function cellOptions(
  handle: Handle,
  filter: ExperimentFilter,
  { of, limit }: { of: Exclude<keyof FilterOptions, 'consultoria'>; limit: number },
): Promise<FilterOption[]> {
  if (of === 'produto') {
    const { rows } = await sql<FilterOption>`
      select p.nome as valor, g.n from (
        select c.produto_id, sum(c.experimentos) as n from celulas_produto c
        where ${cellCondition(filter)} group by 1
      ) g join produtos p on p.id = g.produto_id order by g.n desc, 1 limit ${limit}
    `.execute(handle)
    return rows
  }
  const { rows } = await sql<FilterOption>`
    select g.valor, g.n from (
      select ${OPTIONS[of]} as valor, sum(c.n) as n from celulas c where ${cellCondition(filter)} group by 1
    ) g order by ${of === 'ano' ? sql`g.valor desc` : sql`g.n desc, g.valor`} limit ${limit}
  `.execute(handle)
  return rows
}
