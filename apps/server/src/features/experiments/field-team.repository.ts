import { sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'

export async function isInTeam(handle: Handle, experimentId: string, person: string): Promise<boolean> {
  const { rows } = await sql`
    select from equipe_campo where experimento_id = ${experimentId} and pessoa_id = ${person}
  `.execute(handle)
  return rows.length > 0
}

/** The same, and until the transaction ends a member of the team who else only reads may write. */
export async function enterTeam(handle: Handle, experimentId: string, person: string): Promise<boolean> {
  const { rows } = await sql`
    select set_config('ensaio.equipe', experimento_id::text, true) from equipe_campo
    where experimento_id = ${experimentId} and pessoa_id = ${person}
  `.execute(handle)
  return rows.length > 0
}
