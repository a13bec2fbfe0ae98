import { sql } from 'kysely'
import type { Handle } from '../../../database/handle.ts'

export type OneTimeKind =
  | 'signup'
  | 'recovery'
  | 'email_change_current'
  | 'email_change_new'
  | 'reauthentication'

export interface OneTimeRow {
  user_id: string
  kind: OneTimeKind
  code_hash: Buffer
  link_hash: Buffer | null
  flow_state_id: string | null
  tries: number
  expires_at: Date
}

/** A new code for the same purpose makes the old one void. */
export async function putOneTime(
  handle: Handle,
  token: Omit<OneTimeRow, 'tries' | 'expires_at'> & { lifeMs: number },
): Promise<void> {
  await sql`
    insert into auth.one_time_tokens (user_id, kind, code_hash, link_hash, flow_state_id, expires_at)
    values (
      ${token.user_id}, ${token.kind}, ${token.code_hash}, ${token.link_hash}, ${token.flow_state_id},
      now() + ${token.lifeMs} * interval '1 millisecond'
    )
    on conflict (user_id, kind) do update set
      code_hash = excluded.code_hash, link_hash = excluded.link_hash, flow_state_id = excluded.flow_state_id,
      expires_at = excluded.expires_at, tries = 0, created_at = now()
  `.execute(handle)
}

export async function oneTimeOf(
  handle: Handle,
  userId: string,
  kinds: readonly OneTimeKind[],
): Promise<OneTimeRow[]> {
  const { rows } = await sql<OneTimeRow>`
    select user_id, kind, code_hash, link_hash, flow_state_id, tries, expires_at from auth.one_time_tokens
    where user_id = ${userId} and kind = any(${[...kinds]}) for update
  `.execute(handle)
  return rows
}

export async function oneTimeByLink(handle: Handle, linkHash: Buffer): Promise<OneTimeRow | null> {
  const { rows } = await sql<OneTimeRow>`
    select user_id, kind, code_hash, link_hash, flow_state_id, tries, expires_at from auth.one_time_tokens
    where link_hash = ${linkHash} for update
  `.execute(handle)
  return rows[0] ?? null
}

export async function countTry(handle: Handle, { user_id, kind }: OneTimeRow): Promise<void> {
  await sql`
    update auth.one_time_tokens set tries = tries + 1 where user_id = ${user_id} and kind = ${kind}
  `.execute(handle)
}

export async function dropOneTime(handle: Handle, { user_id, kind }: OneTimeRow): Promise<void> {
  await sql`delete from auth.one_time_tokens where user_id = ${user_id} and kind = ${kind}`.execute(handle)
}

export async function dropAllOneTime(handle: Handle, userId: string): Promise<void> {
  await sql`delete from auth.one_time_tokens where user_id = ${userId}`.execute(handle)
}
