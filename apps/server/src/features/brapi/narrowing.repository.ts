import { type RawBuilder, sql } from 'kysely'
import { nameIn } from '../../catalogue/dimensions.ts'
import type { Handle } from '../../database/handle.ts'

/** What trials have in common that are one project, each by its number. */
export interface Group {
  consultoria_id: number
  fabricante_id: number
  cultura_id: number
  ano: number
}

/** What is one record of a list, told apart by columns of its trials. */
export const KEYS = {
  programs: ['consultoria_id'],
  trials: ['consultoria_id', 'fabricante_id', 'cultura_id', 'ano'],
  commoncropnames: ['cultura_id'],
  seasons: ['ano'],
  germplasm: ['cultura_id', 'cultivar'],
  locations: ['cidade_id', 'latitude', 'longitude'],
  studies: ['id'],
} as const
export type FirstsOf = keyof typeof KEYS

const within = (groups: readonly Group[] | null): RawBuilder<unknown> =>
  groups === null
    ? sql`true`
    : sql`(e.consultoria_id, e.fabricante_id, e.cultura_id, e.ano) in (
        select * from unnest(${groups.map((one) => one.consultoria_id)}::integer[],
          ${groups.map((one) => one.fabricante_id)}::integer[], ${groups.map((one) => one.cultura_id)}::integer[],
          ${groups.map((one) => one.ano)}::integer[]))`

/** Projects that are seen, with the words that they are named by. */
export async function groupRows(
  handle: Handle,
): Promise<(Group & { consultoria: string; marca: string; cultura: string })[]> {
  const { rows } = await sql<Group & { consultoria: string; marca: string; cultura: string }>`
    select e.*, ${nameIn('e', 'consultoria')} as consultoria, ${nameIn('e', 'marca')} as marca,
      ${nameIn('e', 'cultura')} as cultura
    from (select distinct consultoria_id, fabricante_id, cultura_id, ano
      from visto.experimentos where deleted_at is null) e
  `.execute(handle)
  return rows
}

/** A page of the oldest trials of each record of a list, in the order of those, and how many records there are. */
export async function firstRows(
  handle: Handle,
  {
    list,
    groups,
    offset,
    limit,
  }: { list: FirstsOf; groups: readonly Group[] | null; offset: number; limit: number },
): Promise<{ total: number; ids: string[] }> {
  const key = sql.join(KEYS[list].map((column) => sql.ref(`e.${column}`)))
  const { rows } = await sql<{ total: number; ids: string[] }>`
    with firsts as materialized (
      select distinct on (${key}) e.id, e.created_at from visto.experimentos e
      where e.deleted_at is null and ${within(groups)} order by ${key}, e.created_at, e.id)
    select (select count(*)::integer from firsts) as total, array(
      select id from firsts order by created_at, id offset ${offset} limit ${limit}) as ids
  `.execute(handle)
  return rows[0] ?? { total: 0, ids: [] }
}

/** Trials of these projects, the oldest first, at most so many; of those with plots only, where they are wanted. */
export async function trialsOfGroups(
  handle: Handle,
  { groups, planted, limit }: { groups: readonly Group[] | null; planted: boolean; limit: number },
): Promise<string[]> {
  const plots = planted ? sql`exists (select from fichas f where f.experimento_id = e.id)` : sql`true`
  const { rows } = await sql<{ id: string }>`
    select e.id from visto.experimentos e where e.deleted_at is null and ${within(groups)} and ${plots}
    order by e.created_at, e.id limit ${limit}
  `.execute(handle)
  return rows.map(({ id }) => id)
}
