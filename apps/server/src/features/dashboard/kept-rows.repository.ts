import type { ExperimentFilter } from '@ensaio/domain'
import { type RawBuilder, sql } from 'kysely'
import { countedCondition } from '../../catalogue/experiment-filter.ts'
import { GAIN_TERMS } from './gains.repository.ts'
import { KEPT as D, SUMS } from './kept-numbers.ts'
import { marginCondition } from './margin-condition.repository.ts'
import { PLACE } from './place.repository.ts'

/**
 * Which sums answer: those of the one view over all that the reader sees, by its number; or those of `parts` of it,
 * together with the narrow rows of what none of them holds.
 */
export type Sums = { view: number } | 'parts'

/** One that ceases to be over what is seen shows nothing; the parts of it are not taken for the whole. */
export const ofView = (sums: Sums): RawBuilder<unknown> =>
  sums === 'parts' ? sql`true` : sql`k.visao_id = ${sums.view}`

const names = (columns: readonly string[], row?: string) =>
  sql.join(columns.map((column) => sql.ref(row ? `${row}.${column}` : column)))

/** What the filter finds in the sets that no right sums hold; which they are, the same statement asks. */
const loose = (filter: ExperimentFilter) => sql`(
  select e.*, 1 as sinal from visto.contados e
  where ${countedCondition(filter)} and e.acervo_id = any ((select acervos_avulsos())::integer[])
)`

/** The kept rows, or these and what narrow rows would add to them. */
const withLoose = (
  kept: RawBuilder<unknown>,
  sums: Sums,
  { columns, narrow }: { columns: readonly string[]; narrow: RawBuilder<unknown> },
) =>
  sums === 'parts'
    ? sql`(select ${names(columns, 'k')} from ${kept} union all ${narrow}) k where true`
    : sql`${kept} and ${ofView(sums)}`

/** What margens are made by, and the column that it is in a narrow row; modalities are in rows of their own. */
const COLUMN_OF = {
  [D.cultura]: sql`m.cultura_id`,
  [D.ano]: sql`m.ano`,
  [D.regional]: sql`m.regiao_id`,
  [D.marca]: sql`m.fabricante_id`,
  [D.bu]: sql`m.bu`,
  [D.consultoria]: sql`m.consultoria_id`,
  [D.cidade]: sql`m.cidade_id`,
  [D.documento]: sql`m.com_documento::integer`,
  [D.custos]: sql`m.ve_custos::integer`,
}
export type Dimension = keyof typeof COLUMN_OF

/** Rows `k` (por, valor, sums) of margins under a filter that has some, by dimensions that follow each other. */
export function marginRows(
  filter: ExperimentFilter,
  by: readonly Dimension[],
  sums: Sums,
): RawBuilder<unknown> {
  const { sums: columns } = SUMS.margens
  const values = by.map((dimension) => sql`(${sql.lit(dimension)}, ${COLUMN_OF[dimension]})`)
  return withLoose(
    sql`margens k where ${marginCondition(filter)}
      and k.por between ${sql.lit(Math.min(...by))} and ${sql.lit(Math.max(...by))} and k.n > 0`,
    sums,
    {
      columns: ['por', 'valor', ...columns],
      // `offset 0`: computed once for each experiment, not once for each dimension.
      narrow: sql`
        select d.por, d.valor, ${names(columns, 'm')} from (
          select *, 1 as n, p as soma, p * p as soma2, (roi is not null)::integer as n_roi,
            coalesce(roi, 0)::numeric as soma_roi, (teor_argila is not null)::integer as n_argila, ${GAIN_TERMS}
          from (select *, produtividade_media::numeric as p from ${loose(filter)} e offset 0) x offset 0
        ) m cross join lateral (values ${sql.join(values)}) d (por, valor)`,
    },
  )
}

/** The same by modality, counted by treatment. */
export function modalityRows(filter: ExperimentFilter, sums: Sums): RawBuilder<unknown> {
  const columns = SUMS.celulas_modalidade.sums
  return withLoose(
    sql`margens k where ${marginCondition(filter)} and k.por = ${sql.lit(D.modalidade)} and k.n > 0`,
    sums,
    {
      columns: ['valor', ...columns],
      narrow: sql`
        select modalidade_id, ${names(columns)} from (
          select *, n * (roi is not null)::integer as n_roi, n * coalesce(roi, 0)::numeric as soma_roi, ${GAIN_TERMS}
          from (
            select t.modalidade_id, t.n, t.soma, t.soma2, t.ganho, t.razao, m.roi, m.sinal
            from ${loose(filter)} m join contados_modalidades t on t.experimento_id = m.id
          ) x
        ) m`,
    },
  )
}

/** Rows `k` (produto_id, fabricante_id, sums). */
export function productRows(filter: ExperimentFilter, sums: Sums): RawBuilder<unknown> {
  const columns = ['produto_id', 'fabricante_id', ...SUMS.margens_produto.sums]
  return withLoose(sql`margens_produto k where ${marginCondition(filter)} and k.n > 0`, sums, {
    columns,
    narrow: sql`
      select ${names(columns)} from (
        select *, 1 as n, (roi is not null)::integer as n_roi, coalesce(roi, 0)::numeric as soma_roi, ${GAIN_TERMS}
        from (
          select p.produto_id, p.n_custo, p.soma_custo, p.ganho, p.razao, m.fabricante_id, m.roi, m.sinal
          from ${loose(filter)} m join visto.contados_produtos p on p.experimento_id = m.id
        ) x
      ) m`,
  })
}

/** Rows `k` (lugar, cidade_id, sums). */
export function placeRows(filter: ExperimentFilter, sums: Sums): RawBuilder<unknown> {
  const columns = ['lugar', 'cidade_id', ...SUMS.margens_lugar.sums]
  return withLoose(sql`margens_lugar k where ${marginCondition(filter)} and k.n > 0`, sums, {
    columns,
    narrow: sql`
      select ${names(columns)} from (
        select e.cidade_id, 1 as n, ${PLACE.square} as lugar, (${PLACE.latitude})::numeric as soma_latitude,
          (${PLACE.longitude})::numeric as soma_longitude, (e.razao is not null)::integer as n_razao,
          coalesce(e.razao, 0)::numeric as soma_razao
        from ${loose(filter)} e
      ) m`,
  })
}
