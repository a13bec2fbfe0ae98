import { type CategoricalVariable, type Correlation, type ExperimentFilter, varies } from '@ensaio/domain'
import { type RawBuilder, sql } from 'kysely'
import { nameIn } from '../../catalogue/dimensions.ts'
import { countedCondition } from '../../catalogue/experiment-filter.ts'
import type { Handle } from '../../database/handle.ts'

const CATEGORIES: Record<CategoricalVariable, RawBuilder<unknown>> = {
  cultura: nameIn('e', 'cultura'),
  marca: nameIn('e', 'marca'),
  regional: nameIn('e', 'regional'),
  bu: nameIn('e', 'bu'),
  consultoria: nameIn('e', 'consultoria'),
  estado: sql`(select estado from cidades where id = e.cidade_id)`,
  tipo_estatistica: sql`e.tipo_estatistica`,
}
const MOST_GROUPS = 200

export type Pair = { x: RawBuilder<unknown>; y: RawBuilder<unknown> }

interface Moments {
  cultura: string
  n: number
  mx: number
  my: number
  sxx: number
  syy: number
  sxy: number
}

/**
 * Pearson over all rows that have both values, and within each crop. The database gives each crop's moments, which
 * its workers can share; the whole is put together from them (Chan, Golub and LeVeque 1979).
 */
export async function pearson(
  handle: Handle,
  filter: ExperimentFilter,
  { x, y }: Pair,
): Promise<Pick<Correlation, 'n' | 'r' | 'por_cultura'>> {
  const { rows } = await sql<Moments>`
    select c.nome_cultura as cultura, g.n, g.mx, g.my, g.sxx, g.syy, g.sxy from (
      select e.cultura_id, count(*) as n, avg(${x}) as mx, avg(${y}) as my, regr_sxx(${y}, ${x}) as sxx,
        regr_syy(${y}, ${x}) as syy, regr_sxy(${y}, ${x}) as sxy
      from visto.contados e
      where ${countedCondition(filter)} and ${x} is not null and ${y} is not null
      group by e.cultura_id
    ) g join culturas c on c.id = g.cultura_id order by g.n desc, 1
  `.execute(handle)
  const n = rows.reduce((sum, group) => sum + group.n, 0)
  // As steps from the first group's mean: a variable that does not vary keeps its mean to the last digit.
  const meanOf = (key: 'mx' | 'my') => {
    const first = rows[0]?.[key] ?? 0
    return rows.reduce((sum, group) => sum + (group.n / n) * (group[key] - first), first)
  }
  const mx = meanOf('mx')
  const my = meanOf('my')
  const whole = { n, mx, my, sxx: 0, syy: 0, sxy: 0 }
  for (const group of rows) {
    whole.sxx += group.sxx + group.n * (group.mx - mx) ** 2
    whole.syy += group.syy + group.n * (group.my - my) ** 2
    whole.sxy += group.sxy + group.n * (group.mx - mx) * (group.my - my)
  }
  return {
    n,
    r: coefficient(whole),
    por_cultura: rows.map((group) => ({ cultura: group.cultura, n: group.n, r: coefficient(group) })),
  }
}

/** Null below three pairs, or when one of the variables does not vary. */
function coefficient({ n, mx, my, sxx, syy, sxy }: Omit<Moments, 'cultura'>): number | null {
  if (n < 3 || !varies(sxx, n, mx) || !varies(syy, n, my)) return null
  return Math.max(-1, Math.min(1, sxy / Math.sqrt(sxx * syy)))
}

/** A number's mean within each category. */
export async function meansByCategory(
  handle: Handle,
  filter: ExperimentFilter,
  { category, number }: { category: CategoricalVariable; number: RawBuilder<unknown> },
): Promise<Correlation['grupos']> {
  const { rows } = await sql<Correlation['grupos'][number]>`
    select ${CATEGORIES[category]} as chave, count(*) as n, avg(${number}) as media, stddev_samp(${number}) as desvio
    from visto.contados e where ${countedCondition(filter)} and ${number} is not null
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
    select ${key} as chave, count(*) as n from visto.contados e where ${countedCondition(filter)}
    group by 1 order by 2 desc, 1 limit ${MOST_GROUPS}
  `.execute(handle)
  return rows.map((row) => ({ ...row, media: null, desvio: null }))
}
