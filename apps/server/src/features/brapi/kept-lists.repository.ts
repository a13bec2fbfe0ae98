import { sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'

export interface CollectionRow {
  id: string
  nome: string
  criada_em: Date
  /** Of the trials that it holds now. */
  experimentos: string[]
}

/** Collections of the acting organisation, to those who see them in the product, the oldest first. */
export async function collectionRows(handle: Handle): Promise<CollectionRow[]> {
  const { rows } = await sql<CollectionRow>`
    select c.chave as id, c.nome, c.created_at as criada_em, array(
      select e.id from experimentos e join acervos a on a.id = e.acervo_id
      where c.id = any (a.colecoes) and e.organizacao_id = organizacao_atual() and e.deleted_at is null
      order by e.created_at, e.id
    ) as experimentos
    from colecoes c where c.pronta order by c.created_at, c.id
  `.execute(handle)
  return rows
}

/** How many plots there are, of each trial that has any. */
export async function plotCounts(handle: Handle): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; n: number }>`
    select experimento_id as id, count(*)::integer as n from parcelas group by experimento_id
  `.execute(handle)
  return new Map(rows.map(({ id, n }) => [id, n]))
}

/** Ids of a trial's plots, in their order. */
export async function plotIds(handle: Handle, study: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from parcelas where experimento_id = ${study} order by ordem
  `.execute(handle)
  return rows.map(({ id }) => id)
}
