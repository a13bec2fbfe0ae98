import { sql } from 'kysely'
import type { Handle } from '../../../database/handle.ts'

/** Whose identity that is, or null. */
export async function identityOwner(
  handle: Handle,
  provider: string,
  subject: string,
): Promise<string | null> {
  const { rows } = await sql<{ user_id: string }>`
    update auth.identities set last_sign_in_at = now()
    where provider = ${provider} and provider_id = ${subject} returning user_id
  `.execute(handle)
  return rows[0]?.user_id ?? null
}

export async function deleteIdentity(handle: Handle, id: string): Promise<void> {
  await sql`delete from auth.identities where id = ${id}`.execute(handle)
}

/** Requests that went to the identity provider and wait for their one answer. */
export async function keepSamlRequest(handle: Handle, id: string, value: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into auth.saml_requests (id, value) values (${id}, ${value}) on conflict do nothing
  `.execute(handle)
  return numAffectedRows === 1n
}

export async function samlRequest(handle: Handle, id: string): Promise<string | null> {
  const { rows } = await sql<{ value: string }>`
    select value from auth.saml_requests where id = ${id} and created_at > now() - interval '10 minutes'
  `.execute(handle)
  return rows[0]?.value ?? null
}

export async function dropSamlRequest(handle: Handle, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from auth.saml_requests where id = ${id}`.execute(handle)
  return numAffectedRows === 1n
}
