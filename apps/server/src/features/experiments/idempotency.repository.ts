import { sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'

export interface IdempotencyKey {
  userId: string
  key: string
  /** Of the request's content: the same key with other content is a mistake. */
  sha256: string
}

/** What the key already made. The same key waits here until the first request is done. */
export async function claimKey(
  handle: Handle,
  { userId, key }: IdempotencyKey,
): Promise<{ experimentId: string; sha256: string } | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${userId} ${key}`}, 0))`.execute(handle)
  const { rows } = await sql<{ experimento_id: string; pedido_sha256: string }>`
    select experimento_id, pedido_sha256 from idempotencia where user_id = ${userId} and chave = ${key}
  `.execute(handle)
  return rows[0] ? { experimentId: rows[0].experimento_id, sha256: rows[0].pedido_sha256 } : null
}

export async function keepKey(handle: Handle, key: IdempotencyKey, experimentId: string): Promise<void> {
  await sql`
    insert into idempotencia (user_id, chave, pedido_sha256, experimento_id)
    values (${key.userId}, ${key.key}, ${key.sha256}, ${experimentId})
  `.execute(handle)
}

export async function forgetOldKeys(handle: Handle, olderThanDays: number): Promise<void> {
  await sql`
    delete from idempotencia where created_at < now() - ${olderThanDays} * interval '1 day'
  `.execute(handle)
}
