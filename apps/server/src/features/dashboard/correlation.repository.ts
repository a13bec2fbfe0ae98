import type { CategoricalVariable, Correlation, ExperimentFilter } from '@ensaio/domain'
import { type RawBuilder, sql } from 'kysely'
import { countedCondition } from '../../database/experiment-filter.ts'
import type { Handle } from '../../database/handle.ts'

const CATEGORIES: Record<CategoricalVariable, RawBuilder<unknown>> = {
  cultura: sql`(select nome_cultura from culturas where id = e.cultura_id)`,
  marca: sql`(select nome from fabricantes where id = e.fabricante_id)`,
  regional: sql`(select nome from regioes where id = e.regiao_id)`,
  bu: sql`'BU' || e.bu`,
  consultoria: sql`(select nome from consultorias where id = e.consultoria_id)`,
  estado: sql`(select estado from cidades where id = e.cidade_id)`,
  tipo_estatistica: sql`e.tipo_estatistica`,
}
const MOST_GROUPS = 200

type Pair = { x: RawBuilder<unknown>; y: RawBuilder<unknown> }

/** Pearson over all rows that have both values, and within each crop. */
export async function pearson(
  handle: Handle,
  filter: ExperimentFilter,
  { x, y }: Pair,
): Promise<Pick<Correlation, 'n' | 'r' | 'por_cultura'>> {
  const { rows } = await sql<{ cultura: string | null; n: number; r: number | null; todas: boolean }>`
    select c.nome_cultura as cultura, g.n, g.r, g.todas from (
      select e.cultura_id, grouping(e.cultura_id) = 1 as todas, count(*) as n,
        case when count(*) >= 3 then corr(${y}, ${x}) end as r
      from contados e
      where ${countedCondition(filter)} and ${x} is not null and ${y} is not null
      group by grouping sets ((), (e.cultura_id))
    ) g left join culturas c on c.id = g.cultura_id order by g.n desc, 1
  `.execute(handle)
  const whole = rows.find((row) => row.todas)
  return {
    n: whole?.n ?? 0,
    r: finite(whole?.r),
    por_cultura: rows.flatMap(({ cultura, n, r, todas }) =>
      todas || cultura === null ? [] : [{ cultura, n, r: finite(r) }],
    ),
  }
}

/** corr() is not a number when one of the variables does not vary. */
const finite = (value: number | null | undefined) =>
  value !== null && value !== undefined && Number.isFinite(value) ? value : null

/** A number's mean within each category. */
export async function meansByCategory(
  handle: Handle,
  filter: ExperimentFilter,
  { category, number }: { category: CategoricalVariable; number: RawBuilder<unknown> },
): Promise<Correlation['grupos']> {
  const { rows } = await sql<Correlation['grupos'][number]>`
    select ${CATEGORIES[category]} as chave, count(*) as n, avg(${number}) as media, stddev_samp(${number}) as desvio
    from contados e where ${countedCondition(filter)} and ${number} is not null
    group by 1 order by 2 desc, 1 limit ${MOST_GROUPS}
  `.execute(handle)
  return rows
}

/** How often two categories come together. */
export async function countsByCategories(
  handle: Handle,
  filter: ExperimentFilter,
  { x, y }: { x: CategoricalVariable; y: CategoricalVariable },
): Promise<Correlation['grupos']> {
  const key = x === y ? CATEGORIES[x] : sql`${CATEGORIES[x]} || ' · ' || ${CATEGORIES[y]}`
  const { rows } = await sql<{ chave: string; n: number }>`
    select ${key} as chave, count(*) as n from contados e where ${countedCondition(filter)}
    group by 1 order by 2 desc, 1 limit ${MOST_GROUPS}
  `.execute(handle)
  return rows.map((row) => ({ ...row, media: null, desvio: null }))
}
