import type { ExperimentFilter, FilterOption, FilterOptions } from '@ensaio/domain'
import { sql } from 'kysely'
import { DIMENSIONS } from '../../catalogue/dimensions.ts'
import { countedCondition } from '../../catalogue/experiment-filter.ts'
import type { Handle } from '../../database/handle.ts'
import { grainOf, keptOptions } from './margins.repository.ts'

const MOST_OPTIONS = 500

/** The values of one filter that occur under the other filters, the most frequent first; years downwards. */
export async function optionsOf(
  handle: Handle,
  filter: ExperimentFilter,
  { of, whole }: { of: keyof FilterOptions; whole: boolean },
): Promise<FilterOption[]> {
  const others = { ...filter, [of]: undefined }
  if (whole && grainOf(others) !== 'counted') return keptOptions(handle, others, { of, limit: MOST_OPTIONS })
  if (of === 'produto') return productOptions(handle, others)
  const { column, nameOf } = DIMENSIONS[of]
  const { rows } = await sql<FilterOption>`
    select ${nameOf(sql`g.chave`)} as valor, g.n from (
      select ${sql.ref(`e.${column}`)} as chave, count(*) as n from contados e where ${countedCondition(others)} group by 1
    ) g order by ${of === 'ano' ? sql`g.chave desc` : sql`g.n desc, 1`} limit ${MOST_OPTIONS}
  `.execute(handle)
  return rows
}

async function productOptions(handle: Handle, filter: ExperimentFilter): Promise<FilterOption[]> {
  const { rows } = await sql<FilterOption>`
    select p.nome as valor, g.n from (
      select a.produto_id, count(*) as n
      from contados e join contados_produtos a on a.experimento_id = e.id
      where ${countedCondition(filter)} group by 1
    ) g join produtos p on p.id = g.produto_id order by g.n desc, 1 limit ${MOST_OPTIONS}
  `.execute(handle)
  return rows
}
