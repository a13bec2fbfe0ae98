import { sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'

export async function isInTeam(handle: Handle, experimentId: string, person: string): Promise<boolean> {
  const { rows } = await sql`
    select from equipe_campo where experimento_id = ${experimentId} and pessoa_id = ${person}
  `.execute(handle)
  return rows.length > 0
}

/** Entries that phones which took the trial along have said are waiting there. */
export async function unsentOn(handle: Handle, experimentId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select registros_por_enviar(${experimentId}) as n`.execute(handle)
  return rows[0]?.n ?? 0
}

/** Those for which phones have said that entries are waiting there. */
export async function waitedFor(handle: Handle, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${[...ids]}::uuid[]) as t (id) where registros_por_enviar(id) > 0
  `.execute(handle)
  return new Set(rows.map(({ id }) => id))
}

/** Whether a person is in the team; if so, until the transaction ends a member of the team who else only reads may write. */
export async function enterTeam(handle: Handle, experimentId: string, person: string): Promise<boolean> {
  const { rows } = await sql`
    select set_config('ensaio.equipe', experimento_id::text, true) from equipe_campo
    where experimento_id = ${experimentId} and pessoa_id = ${person}
  `.execute(handle)
  return rows.length > 0
}
