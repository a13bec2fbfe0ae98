import { type RawBuilder, sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'
import { ago } from '../../database/now.ts'

export interface IdempotencyKey {
  userId: string
  key: string
  /** Of the request's content: the same key with other content is a mistake. */
  sha256: string
}

/**
 * Takes the key for an experiment that the same statement inserts, if all its names have keys; no row when it is
 * taken. The same key waits here until the first request is done.
 */
export const claimKey = (
  { userId, key, sha256 }: IdempotencyKey,
  experimentId: string,
): RawBuilder<unknown> => sql`
  insert into idempotencia (user_id, chave, pedido_sha256, experimento_id)
  select ${userId}, ${key}, ${sha256}, ${experimentId} from keys
  on conflict (user_id, organizacao_id, chave) do nothing returning chave`

/** What the key already made. */
export async function madeByKey(
  handle: Handle,
  { userId, key }: IdempotencyKey,
): Promise<{ experimentId: string; sha256: string } | null> {
  const row = await handle
    .selectFrom('idempotencia')
    .select(['experimento_id as experimentId', 'pedido_sha256 as sha256'])
    .where('user_id', '=', userId)
    .where('chave', '=', key)
    .executeTakeFirst()
  return row ?? null
}

export async function forgetOldKeys(handle: Handle, olderThanDays: number): Promise<void> {
  await handle
    .deleteFrom('idempotencia')
    .where('created_at', '<', ago(`${olderThanDays} days`))
    .execute()
}
