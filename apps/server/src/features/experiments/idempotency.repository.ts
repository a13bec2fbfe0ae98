import { type RawBuilder, sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'

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
  on conflict (user_id, chave) do nothing returning chave`

/** What the key already made. */
export async function madeByKey(
  handle: Handle,
  { userId, key }: IdempotencyKey,
): Promise<{ experimentId: string; sha256: string } | null> {
  const { rows } = await sql<{ experimento_id: string; pedido_sha256: string }>`
    select experimento_id, pedido_sha256 from idempotencia where user_id = ${userId} and chave = ${key}
  `.execute(handle)
  return rows[0] ? { experimentId: rows[0].experimento_id, sha256: rows[0].pedido_sha256 } : null
}

export async function forgetOldKeys(handle: Handle, olderThanDays: number): Promise<void> {
  await sql`
    delete from idempotencia where created_at < now() - ${olderThanDays} * interval '1 day'
  `.execute(handle)
}
