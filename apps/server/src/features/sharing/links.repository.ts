import type { PublicLink } from '@ensaio/domain'
import { sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'

/** Those of a trial that are not revoked, the latest first. */
export async function linksOf(handle: Handle, experimentId: string): Promise<PublicLink[]> {
  const rows = await handle
    .selectFrom('links_publicos')
    .select(['id', 'ate', 'custos', 'documentos', 'aberturas', 'aberto_em', 'created_at'])
    .select(sql<boolean>`senha_hash is not null`.as('senha'))
    .where('experimento_id', '=', experimentId)
    .where('revogado_em', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(200)
    .execute()
  return rows.map(({ created_at, ...row }) => ({ ...row, created_at: created_at.toISOString() }))
}

export interface NewLink {
  experimentId: string
  organization: string
  by: string
  hash: Buffer
  ate: string
  custos: boolean
  documentos: boolean
  passwordHash: string | null
}

export async function insertLink(handle: Handle, link: NewLink): Promise<string> {
  const { id } = await handle
    .insertInto('links_publicos')
    .values({
      experimento_id: link.experimentId,
      organizacao_id: link.organization,
      token_hash: link.hash,
      ate: link.ate,
      custos: link.custos,
      documentos: link.documentos,
      senha_hash: link.passwordHash,
      quem: link.by,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** The trial of the revoked link; null when there is none to revoke. */
export async function revokeLink(handle: Handle, id: string): Promise<string | null> {
  const row = await handle
    .updateTable('links_publicos')
    .set({ revogado_em: sql`now()` })
    .where('id', '=', id)
    .where('revogado_em', 'is', null)
    .returning('experimento_id')
    .executeTakeFirst()
  return row?.experimento_id ?? null
}

/** What a link opens. */
export interface OpenLink {
  id: string
  experimento_id: string
  organizacao_id: string
  /** The organisation's name. */
  organizacao: string
  custos: boolean
  documentos: boolean
  senha_hash: string | null
}

/** Null when no such link holds. */
export async function openLink(handle: Handle, hash: Buffer): Promise<OpenLink | null> {
  const { rows } = await sql<OpenLink>`select * from link_aberto(${hash})`.execute(handle)
  return rows[0] ?? null
}

export async function countOpening(handle: Handle, id: string): Promise<void> {
  await sql`select contar_abertura(${id}::uuid)`.execute(handle)
}
