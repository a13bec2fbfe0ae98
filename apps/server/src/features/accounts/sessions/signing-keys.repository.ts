import { type Selectable, sql } from 'kysely'
import type { Handle } from '../../../database/handle.ts'
import { NOW } from '../../../database/now.ts'
import type { DB } from '../../../database/schema.generated.ts'

export interface StoredKey extends Omit<Selectable<DB['auth.signing_keys']>, 'created_at'> {
  public_jwk: Record<string, unknown>
}

/** Keys that still sign or whose tokens may still live, the newest first. */
export async function currentKeys(handle: Handle): Promise<StoredKey[]> {
  return handle
    .selectFrom('auth.signing_keys')
    .select(['kid', 'private_sealed', 'public_jwk', 'signs_from', 'retires_at'])
    .where((eb) => eb.or([eb('retires_at', 'is', null), eb('retires_at', '>', NOW)]))
    .orderBy('signs_from', 'desc')
    .$narrowType<{ public_jwk: Record<string, unknown> }>()
    .execute()
}

type NewKey = Pick<StoredKey, 'kid' | 'private_sealed' | 'public_jwk'>

/** Adds a key unless, on a first start, another server was faster. */
export const addFirstKey = (handle: Handle, key: NewKey): Promise<void> =>
  oneAtATime(handle, async (transaction) => {
    await sql`
      insert into auth.signing_keys (kid, private_sealed, public_jwk, signs_from)
      select ${key.kid}, ${key.private_sealed}, ${JSON.stringify(key.public_jwk)}::jsonb, now()
      where not exists (select from auth.signing_keys where retires_at is null or retires_at > now())
    `.execute(transaction)
  })

/** Adds a key that signs from `signsFrom` on; the others retire once the last token they signed is dead. */
export const addNextKey = (
  handle: Handle,
  key: NewKey & { signsFrom: Date; oldRetireAt: Date },
): Promise<void> =>
  oneAtATime(handle, async (transaction) => {
    await transaction
      .updateTable('auth.signing_keys')
      .set({ retires_at: key.oldRetireAt })
      .where('retires_at', 'is', null)
      .execute()
    await transaction
      .insertInto('auth.signing_keys')
      .values({
        kid: key.kid,
        private_sealed: key.private_sealed,
        public_jwk: JSON.stringify(key.public_jwk),
        signs_from: key.signsFrom,
      })
      .execute()
  })

/**
 * The lock is a statement of its own: what follows it sees what was committed before it was got. In one statement
 * with a lock, both of two servers see the table as it was before either wrote.
 */
const oneAtATime = (handle: Handle, work: (transaction: Handle) => Promise<void>): Promise<void> =>
  handle.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtext('auth.signing_keys'))`.execute(transaction)
    await work(transaction)
  })
