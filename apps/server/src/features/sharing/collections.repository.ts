import type { Collection, ExperimentFilter } from '@ensaio/domain'
import { sql } from 'kysely'
import { contains, filterCondition } from '../../catalogue/experiment-filter.ts'
import type { Handle } from '../../database/handle.ts'
import { oneAtATime } from '../../database/one-at-a-time.ts'

/** A collection with its number, which sets of trials are named by. */
export type StoredCollection = Collection & { number: number }

/** Those of the acting organisation, by name; one of them, if its id is given. */
export async function collectionsOf(handle: Handle, id?: string): Promise<StoredCollection[]> {
  const { rows } = await sql<StoredCollection>`
    with counted as materialized (
      select acervo_id, count(*) as n from experimentos
      where organizacao_id = organizacao_atual() and deleted_at is null group by 1
    )
    select c.id as number, c.chave as id, c.nome, c.tipo, c.filtro,
      (
        select coalesce(sum(k.n), 0)::integer from counted k join acervos a on a.id = k.acervo_id
        where c.id = any (a.colecoes)
      ) as n,
      array(
        select distinct nome_de(s.destino_id) from compartilhamentos s
        where s.colecao_id = c.id and s.estado = 'aceito' and s.destino_id is not null
          and (s.ate is null or s.ate >= hoje()) order by 1
      ) as compartilhada_com
    from colecoes c where ${id ?? null}::uuid is null or c.chave = ${id ?? null}
    order by c.nome, c.id
  `.execute(handle)
  return rows
}

/** How many the acting organisation has; one maker at a time, until the transaction ends. */
export async function countCollections(handle: Handle, organization: string): Promise<number> {
  await oneAtATime(handle, 'colecoes', organization)
  const { n } = await handle
    .selectFrom('colecoes')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}

/** What of a filter counts; the product as `like` takes it. */
const stored = (filter: ExperimentFilter) => {
  const { origem: _, produto, ...exact } = filter
  return {
    filtro: JSON.stringify(produto ? { ...exact, produto } : exact),
    produto: produto ? contains(produto) : null,
  }
}

/** One by a filter is not ready before its trials are sorted. */
export async function insertCollection(
  handle: Handle,
  given: { organization: string; nome: string; filter: ExperimentFilter | null },
): Promise<{ id: string; number: number }> {
  const { chave, id } = await handle
    .insertInto('colecoes')
    .values({
      organizacao_id: given.organization,
      nome: given.nome,
      tipo: given.filter ? 'filtro' : 'lista',
      ...(given.filter && { ...stored(given.filter), pronta: false }),
    })
    .returning(['chave', 'id'])
    .executeTakeFirstOrThrow()
  return { id: chave, number: id }
}

export async function updateCollection(
  handle: Handle,
  number: number,
  change: { nome?: string | undefined; filter?: ExperimentFilter | undefined },
): Promise<void> {
  if (change.nome === undefined && change.filter === undefined) return
  await handle
    .updateTable('colecoes')
    .set({
      ...(change.nome !== undefined && { nome: change.nome }),
      ...(change.filter !== undefined && {
        ...stored(change.filter),
        pronta: false,
        versao: sql<number>`versao + 1`,
      }),
    })
    .where('id', '=', number)
    .execute()
}

export async function deleteCollection(handle: Handle, number: number): Promise<void> {
  await handle.deleteFrom('colecoes').where('id', '=', number).execute()
}

/** Puts trials into a list, or takes them out of it, and sorts them. */
export async function changeList(
  handle: Handle,
  number: number,
  { add = [], remove = [] }: { add?: readonly string[] | undefined; remove?: readonly string[] | undefined },
): Promise<void> {
  await sql`
    insert into colecao_experimentos (colecao_id, experimento_id)
    select ${number}, id from unnest(${[...add]}::uuid[]) id on conflict do nothing
  `.execute(handle)
  await sql`
    delete from colecao_experimentos where colecao_id = ${number} and experimento_id = any (${[...remove]}::uuid[])
  `.execute(handle)
  await sql`select classificar(id) from unnest(${[...add, ...remove]}::uuid[]) id`.execute(handle)
}

/** How many of its own trials a filter lets through, before they are sorted by it. */
export async function countThrough(handle: Handle, filter: ExperimentFilter): Promise<number> {
  const { origem: _, ...asked } = filter
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from experimentos e
    where e.organizacao_id = organizacao_atual() and ${filterCondition(asked)}
  `.execute(handle)
  return rows[0]?.n ?? 0
}

/** How many of these trials the acting organisation sees, and how many of them are its own. */
export async function ownAmong(
  handle: Handle,
  ids: readonly string[],
): Promise<{ seen: number; own: number }> {
  const { rows } = await sql<{ seen: number; own: number }>`
    select count(*) as seen, count(*) filter (where organizacao_id = organizacao_atual()) as own
    from experimentos where id = any (${[...ids]}::uuid[]) and deleted_at is null
  `.execute(handle)
  return rows[0] ?? { seen: 0, own: 0 }
}

/** The shares of a collection that hold or wait. */
export async function sharesOf(handle: Handle, number: number): Promise<string[]> {
  const rows = await handle
    .selectFrom('compartilhamentos')
    .select('id')
    .where('colecao_id', '=', number)
    .where('estado', 'in', ['pendente', 'aceito'])
    .execute()
  return rows.map(({ id }) => id)
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** Sorts the trials after the id, in order; answers the last, or null at the end. */
export async function sortNext(
  handle: Handle,
  number: number,
  { after = FIRST_ID, most }: { after?: string; most: number },
): Promise<string | null> {
  const { rows } = await sql<{ last: string | null }>`
    select classificar_lote(${number}, ${after}::uuid, ${most}) as last
  `.execute(handle)
  return rows[0]?.last ?? null
}

/** Sorts anew what was in a collection that is gone; answers how many trials. */
export async function sortWithout(handle: Handle, number: number, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select reclassificar_sem(${number}, ${most}) as n`.execute(handle)
  return rows[0]?.n ?? 0
}

/** The number of what a collection holds now; null when it is gone. */
export async function versionOf(handle: Handle, number: number): Promise<number | null> {
  const row = await handle.selectFrom('colecoes').select('versao').where('id', '=', number).executeTakeFirst()
  return row?.versao ?? null
}

/** Unless what it holds was changed since the sorting began. */
export async function markReady(handle: Handle, number: number, version: number): Promise<void> {
  await handle
    .updateTable('colecoes')
    .set({ pronta: true })
    .where('id', '=', number)
    .where('versao', '=', version)
    .execute()
}

/** Those whose trials are not sorted yet. */
export async function unsorted(handle: Handle): Promise<number[]> {
  const rows = await handle.selectFrom('colecoes').select('id').where('pronta', '=', false).execute()
  return rows.map(({ id }) => id)
}
