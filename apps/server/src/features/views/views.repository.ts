import { MOST_VIEWS, searchable, type ViewInput, type ViewState } from '@ensaio/domain'
import { sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'

export interface StoredView {
  id: string
  nome: string
  /** Whose it is; null: of the organisation. */
  dono: string | null
  estado: ViewState
  pode_alterar: boolean
  updated_at: Date
}
const COLUMNS = sql`id, nome, dono, estado, updated_at,
  coalesce(dono = pessoa_atual(), organizacao_id = organizacao_gerida(), false) as pode_alterar`

/** What the asker sees: own ones first, each kind by name. */
export async function viewsOf(handle: Handle): Promise<StoredView[]> {
  const { rows } = await sql<StoredView>`
    select ${COLUMNS} from vistas order by dono is null, nome_busca, id limit ${2 * MOST_VIEWS}
  `.execute(handle)
  return rows
}

export async function viewById(handle: Handle, id: string): Promise<StoredView | null> {
  const { rows } = await sql<StoredView>`select ${COLUMNS} from vistas where id = ${id}`.execute(handle)
  return rows[0] ?? null
}

/** How many a person has made in the organisation. */
export async function countViews(handle: Handle, person: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from vistas where criada_por = ${person}
  `.execute(handle)
  return rows[0]?.n ?? 0
}

/** @returns null when another has the name */
export async function insertView(
  handle: Handle,
  given: ViewInput,
  person: string,
): Promise<StoredView | null> {
  const { rows } = await sql<StoredView>`
    insert into vistas (organizacao_id, dono, nome, nome_busca, estado, criada_por)
    values (organizacao_atual(), ${given.alcance === 'pessoal' ? person : null}, ${given.nome}, ${searchable(given.nome)},
      ${JSON.stringify(given.estado)}::jsonb, ${person})
    on conflict do nothing returning ${COLUMNS}
  `.execute(handle)
  return rows[0] ?? null
}

/** @returns 'taken' when another has the name, null when it may not be changed */
export async function updateView(
  handle: Handle,
  id: string,
  given: ViewInput,
  person: string,
): Promise<StoredView | 'taken' | null> {
  const owner = given.alcance === 'pessoal' ? person : null
  const { rows } = await sql<StoredView>`
    update vistas set dono = ${owner}, nome = ${given.nome}, nome_busca = ${searchable(given.nome)},
      estado = ${JSON.stringify(given.estado)}::jsonb, updated_at = now()
    where id = ${id} and not exists (
      select from vistas o where o.id <> ${id} and o.nome_busca = ${searchable(given.nome)}
        and o.dono is not distinct from ${owner}::uuid)
    returning ${COLUMNS}
  `.execute(handle)
  return rows[0] ?? ((await viewById(handle, id))?.pode_alterar ? 'taken' : null)
}

export async function deleteView(handle: Handle, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from vistas where id = ${id}`.execute(handle)
  return numAffectedRows === 1n
}

export interface Preferences {
  vista_padrao: string | null
  resumo_semanal: boolean
}

export async function preferencesOf(handle: Handle): Promise<Preferences> {
  const { rows } = await sql<Preferences>`
    select (select v.id from vistas v where v.id = p.vista_padrao) as vista_padrao, resumo_semanal from preferencias p
  `.execute(handle)
  return rows[0] ?? { vista_padrao: null, resumo_semanal: false }
}

export async function setPreferences(
  handle: Handle,
  person: string,
  { vista_padrao, resumo_semanal }: Partial<Preferences>,
): Promise<void> {
  await sql`
    insert into preferencias (organizacao_id, pessoa_id, vista_padrao, resumo_semanal, resumo_em)
    values (organizacao_atual(), ${person}, ${vista_padrao ?? null}, ${resumo_semanal ?? false}, now())
    on conflict (organizacao_id, pessoa_id) do update set
      vista_padrao = ${vista_padrao === undefined ? sql`preferencias.vista_padrao` : sql`excluded.vista_padrao`},
      resumo_em = case when ${resumo_semanal === undefined} or preferencias.resumo_semanal
        then preferencias.resumo_em else now() end,
      resumo_semanal = ${resumo_semanal === undefined ? sql`preferencias.resumo_semanal` : sql`excluded.resumo_semanal`}
  `.execute(handle)
}
