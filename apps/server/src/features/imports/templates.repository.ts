import { type ImportForm, type ImportTemplate, searchable } from '@ensaio/domain'
import { sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'

export interface StoredTemplate {
  id: string
  nome: string
  forma: ImportForm
  mapa: ImportTemplate['mapa']
  padroes: ImportTemplate['padroes']
  created_at: Date
}
export const MOST_TEMPLATES = 200
const COLUMNS = sql`id, nome, forma, mapa, padroes, created_at`

/** Of the acting organisation, by name. */
export async function templatesOf(handle: Handle): Promise<StoredTemplate[]> {
  const { rows } = await sql<StoredTemplate>`
    select ${COLUMNS} from modelos_planilha where organizacao_id = (select organizacao_atual())
    order by nome_busca limit ${MOST_TEMPLATES}
  `.execute(handle)
  return rows
}

export async function templateById(handle: Handle, id: string): Promise<StoredTemplate | null> {
  const { rows } = await sql<StoredTemplate>`
    select ${COLUMNS} from modelos_planilha where id = ${id} and organizacao_id = (select organizacao_atual())
  `.execute(handle)
  return rows[0] ?? null
}

/** The latest with exactly these titles. */
export async function templateByTitles(
  handle: Handle,
  titles: readonly string[],
): Promise<StoredTemplate | null> {
  const asked = [...new Set(titles)].sort()
  const { rows } = await sql<StoredTemplate>`
    select ${COLUMNS} from modelos_planilha
    where organizacao_id = (select organizacao_atual())
      and (select array_agg(t order by t collate "C") from jsonb_object_keys(mapa) t)
        = (select array_agg(t order by t collate "C") from unnest(${asked}::text[]) t)
    order by created_at desc limit 1
  `.execute(handle)
  return rows[0] ?? null
}

type Content = Pick<StoredTemplate, 'nome' | 'forma' | 'mapa' | 'padroes'>

/** @returns null when another has the name, or there are as many as there may be */
export async function insertTemplate(
  handle: Handle,
  given: Content & { by: string },
): Promise<StoredTemplate | null> {
  const { rows } = await sql<StoredTemplate>`
    insert into modelos_planilha (organizacao_id, nome, nome_busca, forma, mapa, padroes, criado_por)
    select organizacao_atual(), ${given.nome}, ${searchable(given.nome)}, ${given.forma}, ${JSON.stringify(given.mapa)}::jsonb,
      ${JSON.stringify(given.padroes)}::jsonb, ${given.by}
    where (select count(*) from modelos_planilha where organizacao_id = organizacao_atual()) < ${MOST_TEMPLATES}
    on conflict (organizacao_id, nome_busca) do nothing returning ${COLUMNS}
  `.execute(handle)
  return rows[0] ?? null
}

/** @returns null when it is gone; throws the database's own refusal when another has the name */
export async function changeTemplate(
  handle: Handle,
  id: string,
  given: Content,
): Promise<StoredTemplate | null> {
  const { rows } = await sql<StoredTemplate>`
    update modelos_planilha set nome = ${given.nome}, nome_busca = ${searchable(given.nome)}, forma = ${given.forma},
      mapa = ${JSON.stringify(given.mapa)}::jsonb, padroes = ${JSON.stringify(given.padroes)}::jsonb
    where id = ${id} and organizacao_id = (select organizacao_atual())
      and not exists (select from modelos_planilha o
        where o.organizacao_id = (select organizacao_atual()) and o.nome_busca = ${searchable(given.nome)} and o.id <> ${id})
    returning ${COLUMNS}
  `.execute(handle)
  return rows[0] ?? null
}

export async function removeTemplate(handle: Handle, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from modelos_planilha where id = ${id} and organizacao_id = (select organizacao_atual()) returning id
  `.execute(handle)
  return rows.length > 0
}
