import type { Handle } from '../../../database/handle.ts'
import { ago, NOW } from '../../../database/now.ts'

/** Whose identity that is, or null. */
export async function identityOwner(
  handle: Handle,
  provider: string,
  subject: string,
): Promise<string | null> {
  const row = await handle
    .updateTable('auth.identities')
    .set({ last_sign_in_at: NOW })
    .where('provider', '=', provider)
    .where('provider_id', '=', subject)
    .returning('user_id')
    .executeTakeFirst()
  return row?.user_id ?? null
}

export async function deleteIdentity(handle: Handle, id: string): Promise<void> {
  await handle.deleteFrom('auth.identities').where('id', '=', id).execute()
}

/** Requests that went to the identity provider and wait for their one answer. */
export async function keepSamlRequest(handle: Handle, id: string, value: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await handle
    .insertInto('auth.saml_requests')
    .values({ id, value })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export async function samlRequest(handle: Handle, id: string): Promise<string | null> {
  const row = await handle
    .selectFrom('auth.saml_requests')
    .select('value')
    .where('id', '=', id)
    .where('created_at', '>', ago('10 minutes'))
    .executeTakeFirst()
  return row?.value ?? null
}

export async function dropSamlRequest(handle: Handle, id: string): Promise<boolean> {
  const { numDeletedRows } = await handle
    .deleteFrom('auth.saml_requests')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}
