import type { ExperimentFilter, FilterOption, FilterOptions } from '@ensaio/domain'
import { type RawBuilder, sql } from 'kysely'
import { countedCondition } from '../../database/experiment-filter.ts'
import type { Handle } from '../../database/handle.ts'
import { grainOf, keptOptions } from './margins.repository.ts'

const MOST_OPTIONS = 500

const OPTIONS: Record<
  Exclude<keyof FilterOptions, 'produto'>,
  { key: RawBuilder<unknown>; name: RawBuilder<unknown> }
> = {
  regional: { key: sql`e.regiao_id`, name: sql`(select nome from regioes where id = g.chave)` },
  cultura: { key: sql`e.cultura_id`, name: sql`(select nome_cultura from culturas where id = g.chave)` },
  marca: { key: sql`e.fabricante_id`, name: sql`(select nome from fabricantes where id = g.chave)` },
  ano: { key: sql`e.ano`, name: sql`g.chave::text` },
  consultoria: { key: sql`e.consultoria_id`, name: sql`(select nome from consultorias where id = g.chave)` },
}

/** The values of one filter that occur under the other filters, the most frequent first; years downwards. */
export async function optionsOf(
  handle: Handle,
  filter: ExperimentFilter,
  of: keyof FilterOptions,
): Promise<FilterOption[]> {
  const others = { ...filter, [of]: undefined }
  if (grainOf(others) !== 'counted') return keptOptions(handle, others, { of, limit: MOST_OPTIONS })
  if (of === 'produto') return productOptions(handle, others)
  const { key, name } = OPTIONS[of]
  const { rows } = await sql<FilterOption>`
    select ${name} as valor, g.n from (
      select ${key} as chave, count(*) as n from contados e where ${countedCondition(others)} group by 1
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
