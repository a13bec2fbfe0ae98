import { sql } from 'kysely'
import type { Handle } from '../../../database/handle.ts'

/** Ends one of the person's own sessions; false when there is none of that id. */
export async function deleteOwnSession(handle: Handle, userId: string, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from auth.sessions where id = ${id} and user_id = ${userId}
  `.execute(handle)
  return numAffectedRows === 1n
}

/** Security events by or about a person, for their own eyes. */
export async function eventsOf(
  handle: Handle,
  userId: string,
): Promise<{ at: Date; action: string; ip: string | null }[]> {
  const { rows } = await sql<{ at: Date; action: string; ip: string | null }>`
    select at, action, host(ip) as ip from auth.audit_log
    where actor_id = ${userId} or subject_id = ${userId} order by id desc limit 5000
  `.execute(handle)
  return rows
}

/** Everything of the account goes by cascade; what it made stays, without its name. */
export async function deleteUser(handle: Handle, id: string): Promise<void> {
  await sql`delete from auth.users where id = ${id}`.execute(handle)
}

/** What no longer serves anybody. */
export async function deleteExpired(handle: Handle): Promise<void> {
  await sql`delete from auth.sessions where not_after < now() or refreshed_at < now() - interval '8 days'`.execute(
    handle,
  )
  await sql`delete from auth.one_time_tokens where expires_at < now() - interval '1 day'`.execute(handle)
  await sql`delete from auth.challenges where created_at < now() - interval '1 day'`.execute(handle)
  await sql`delete from auth.saml_requests where created_at < now() - interval '1 day'`.execute(handle)
  // An address that nobody confirmed may be registered again, by its owner perhaps.
  await sql`
    delete from auth.users where email_confirmed_at is null and password_hash is not null
      and created_at < now() - interval '30 days'
      and not exists (select from auth.identities where user_id = users.id and provider <> 'email')
  `.execute(handle)
}
