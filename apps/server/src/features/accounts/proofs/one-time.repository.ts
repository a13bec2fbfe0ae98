import { type Selectable, sql } from 'kysely'
import type { Handle } from '../../../database/handle.ts'
import { NOW } from '../../../database/now.ts'
import type { DB } from '../../../database/schema.generated.ts'

export type OneTimeRow = Omit<Selectable<DB['auth.one_time_tokens']>, 'created_at'>
export type OneTimeKind = OneTimeRow['kind']

const COLUMNS = [
  'user_id',
  'kind',
  'code_hash',
  'link_hash',
  'flow_state_id',
  'tries',
  'expires_at',
] as const satisfies (keyof OneTimeRow)[]

/** A new code for the same purpose makes the old one void. */
export async function putOneTime(
  handle: Handle,
  { lifeMs, ...token }: Omit<OneTimeRow, 'tries' | 'expires_at'> & { lifeMs: number },
): Promise<void> {
  await handle
    .insertInto('auth.one_time_tokens')
    .values({
      user_id: token.user_id,
      kind: token.kind,
      code_hash: token.code_hash,
      link_hash: token.link_hash,
      flow_state_id: token.flow_state_id,
      expires_at: sql<Date>`now() + ${lifeMs} * interval '1 millisecond'`,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'kind']).doUpdateSet(({ ref }) => ({
        code_hash: ref('excluded.code_hash'),
        link_hash: ref('excluded.link_hash'),
        flow_state_id: ref('excluded.flow_state_id'),
        expires_at: ref('excluded.expires_at'),
        tries: 0,
        created_at: NOW,
      })),
    )
    .execute()
}

export async function oneTimeOf(
  handle: Handle,
  userId: string,
  kinds: readonly OneTimeKind[],
): Promise<OneTimeRow[]> {
  return handle
    .selectFrom('auth.one_time_tokens')
    .select(COLUMNS)
    .where('user_id', '=', userId)
    .where(({ eb, fn, val }) => eb('kind', '=', fn.any(val([...kinds]))))
    .forUpdate()
    .execute()
}

export async function oneTimeByLink(handle: Handle, linkHash: Buffer): Promise<OneTimeRow | null> {
  const row = await handle
    .selectFrom('auth.one_time_tokens')
    .select(COLUMNS)
    .where('link_hash', '=', linkHash)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

export async function countTry(handle: Handle, { user_id, kind }: OneTimeRow): Promise<void> {
  await handle
    .updateTable('auth.one_time_tokens')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('user_id', '=', user_id)
    .where('kind', '=', kind)
    .execute()
}

export async function dropOneTime(handle: Handle, { user_id, kind }: OneTimeRow): Promise<void> {
  await handle
    .deleteFrom('auth.one_time_tokens')
    .where('user_id', '=', user_id)
    .where('kind', '=', kind)
    .execute()
}

export async function dropAllOneTime(handle: Handle, userId: string): Promise<void> {
  await handle.deleteFrom('auth.one_time_tokens').where('user_id', '=', userId).execute()
}
