import type { ExperimentFilter, FilterOption, FilterOptions, MoreFilterOptions } from '@ensaio/domain'
import { sql } from 'kysely'
import { DIMENSIONS } from '../../catalogue/dimensions.ts'
import { countedCondition } from '../../catalogue/experiment-filter.ts'
import type { Handle } from '../../database/handle.ts'
import type { Sums } from './kept-rows.repository.ts'
import { grainFor, keptOptions } from './margins.repository.ts'

const MOST_OPTIONS = 500
const MOST_MORE_OPTIONS = 200

/** The filters whose values are names in trials. */
export type OptionKey = Exclude<keyof FilterOptions, 'origem'>

/** The organisations whose trials occur under the other filters, the acting one first. */
export async function originOptions(
  handle: Handle,
  filter: ExperimentFilter,
): Promise<NonNullable<FilterOptions['origem']>> {
  const { rows } = await sql<{ valor: string; nome: string; n: number }>`
    select o.id as valor, coalesce(nome_de(o.id), '') as nome, o.n from (
      select a.organizacao_id as id, sum(g.n) as n from (
        select e.acervo_id, count(*) as n from visto.contados e
        where ${countedCondition({ ...filter, origem: undefined })} group by 1
      ) g join acervos a on a.id = g.acervo_id group by 1
    ) o order by o.id = organizacao_atual() desc, o.n desc, 2 limit ${MOST_OPTIONS}
  `.execute(handle)
  return rows
}

/** The values of one filter that occur under the other filters, the most frequent first; years downwards. */
export async function optionsOf(
  handle: Handle,
  filter: ExperimentFilter,
  { of, sums }: { of: OptionKey; sums: Sums | null },
): Promise<FilterOption[]> {
  const others = { ...filter, [of]: undefined }
  if (sums && grainFor(sums, others) !== 'counted')
    return keptOptions(handle, others, sums, { of, limit: MOST_OPTIONS })
  if (of === 'produto') return productOptions(handle, others)
  const { column, nameOf } = DIMENSIONS[of]
  const { rows } = await sql<FilterOption>`
    select ${nameOf(sql`g.chave`)} as valor, g.n from (
      select ${sql.ref(`e.${column}`)} as chave, count(*) as n from visto.contados e where ${countedCondition(others)} group by 1
    ) g order by ${of === 'ano' ? sql`g.chave desc` : sql`g.n desc, 1`} limit ${MOST_OPTIONS}
  `.execute(handle)
  return rows
}

async function productOptions(handle: Handle, filter: ExperimentFilter): Promise<FilterOption[]> {
  const { rows } = await sql<FilterOption>`
    select p.nome as valor, g.n from (
      select a.produto_id, count(*) as n
      from visto.contados e join visto.contados_produtos a on a.experimento_id = e.id
      where ${countedCondition(filter)} group by 1
    ) g join produtos p on p.id = g.produto_id order by g.n desc, 1 limit ${MOST_OPTIONS}
  `.execute(handle)
  return rows
}

/** The values of a filter that adds, with their counts under all the others, the most frequent first. */
export async function moreOptionsOf(
  handle: Handle,
  filter: ExperimentFilter,
  of: keyof MoreFilterOptions,
): Promise<FilterOption[]> {
  const seen = sql`(select e.id, e.cidade_id from visto.contados e where ${countedCondition({ ...filter, [of]: undefined })})`
  const values = {
    estado: sql`select ci.estado as valor, count(*) as n from ${seen} e join cidades ci on ci.id = e.cidade_id group by 1`,
    modalidade: sql`
      select m.nome as valor, g.n from (
        select t.modalidade_id, count(*) as n from ${seen} e
        join contados_modalidades t on t.experimento_id = e.id group by 1
      ) g join modalidades m on m.id = g.modalidade_id`,
    cultivar: sql`
      select x.cultivar as valor, count(*) as n from ${seen} e join experimentos x on x.id = e.id
      where x.cultivar <> '' group by 1`,
  }
  const { rows } = await sql<FilterOption>`
    select o.valor, o.n from (${values[of]}) o order by o.n desc, 1 limit ${MOST_MORE_OPTIONS}
  `.execute(handle)
  return rows
}
