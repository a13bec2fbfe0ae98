import { sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'
import { HOT } from '../../database/hot.ts'

export type ChangeKind = 'criado' | 'alterado' | 'excluído' | 'restaurado'

export async function recordChange(
  handle: Handle,
  change: {
    experimentId: string
    acao: ChangeKind
    quem: string
    antes?: Record<string, unknown>
    depois?: Record<string, unknown>
  },
): Promise<void> {
  await sql`
    ${HOT} insert into alteracoes (experimento_id, acao, quem, antes, depois)
    values (
      ${change.experimentId}, ${change.acao}, ${change.quem},
      ${change.antes ? JSON.stringify(change.antes) : null}::jsonb,
      ${change.depois ? JSON.stringify(change.depois) : null}::jsonb
    )
  `.execute(handle)
}

export interface ChangeRow {
  id: number
  acao: ChangeKind
  quem: string | null
  quando: Date
  antes: Record<string, unknown> | null
  depois: Record<string, unknown> | null
}

/** The latest first. */
export async function changesOf(handle: Handle, experimentId: string, limit: number): Promise<ChangeRow[]> {
  const { rows } = await sql<ChangeRow>`
    select id, acao, quem, quando, antes, depois from alteracoes
    where experimento_id = ${experimentId} order by id desc limit ${limit}
  `.execute(handle)
  return rows
}
