import { sql } from 'kysely'
import type { Handle } from '../../../database/handle.ts'
import { ago, NOW } from '../../../database/now.ts'

/** Security events by or about a person, for their own eyes. */
export async function eventsOf(
  handle: Handle,
  userId: string,
): Promise<{ at: Date; action: string; ip: string | null }[]> {
  return handle
    .selectFrom('auth.audit_log')
    .select(['at', 'action', sql<string | null>`host(ip)`.as('ip')])
    .where((eb) => eb.or([eb('actor_id', '=', userId), eb('subject_id', '=', userId)]))
    .orderBy('id', 'desc')
    .limit(5000)
    .execute()
}

/** Everything of the account goes by cascade; what it made stays, without its name. */
export async function deleteUser(handle: Handle, id: string): Promise<void> {
  await handle.deleteFrom('auth.users').where('id', '=', id).execute()
}

/** What no longer serves anybody. */
export async function deleteExpired(handle: Handle): Promise<void> {
  await handle
    .deleteFrom('auth.sessions')
    .where((eb) =>
      eb.or([
        eb('not_after', '<', NOW),
        eb.and([eb('refreshed_at', '<', ago('8 days')), eb('campo', '=', false)]),
      ]),
    )
    .execute()
  await handle.deleteFrom('auth.one_time_tokens').where('expires_at', '<', ago('1 day')).execute()
  await handle.deleteFrom('auth.challenges').where('created_at', '<', ago('1 day')).execute()
  await handle.deleteFrom('auth.saml_requests').where('created_at', '<', ago('1 day')).execute()
  // An address that nobody confirmed may be registered again, by its owner perhaps.
  await sql`
    delete from auth.users where email_confirmed_at is null and password_hash is not null
      and created_at < now() - interval '30 days'
      and not exists (select from auth.identities where user_id = users.id and provider <> 'email')
  `.execute(handle)
}

/** Trials of organisations that the acting person alone is a member of, where there are several. */
export async function recordsAlone(handle: Handle): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select case when organizacoes = 'varias' then registros_sem_outros() else 0 end as n from instalacao
  `.execute(handle)
  return rows[0]?.n ?? 0
}

/**
 * Gives them to an organisation, or with null destroys them, and ends those organisations; false when it is none
 * that the person may write for.
 */
export async function leaveRecords(handle: Handle, to: string | null): Promise<boolean> {
  const { rows } = await sql<{ done: boolean }>`select deixar_registros(${to}::uuid) as done`.execute(handle)
  return rows[0]?.done === true
}
