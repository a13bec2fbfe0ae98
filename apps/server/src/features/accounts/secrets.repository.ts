import { sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'

export interface StoredKey {
  kid: string
  private_sealed: Buffer
  public_jwk: Record<string, unknown>
  signs_from: Date
  retires_at: Date | null
}

/** The root secret that servers on one database share; `fresh` is kept if there was none. */
export async function sharedSecret(handle: Handle, fresh: Buffer): Promise<Buffer> {
  await sql`insert into auth.secrets (name, value) values ('root', ${fresh}) on conflict do nothing`.execute(
    handle,
  )
  const { rows } = await sql<{ value: Buffer }>`select value from auth.secrets where name = 'root'`.execute(
    handle,
  )
  return rows[0]?.value ?? fresh
}

/** Keys that still sign or whose tokens may still live, the newest first. */
export async function currentKeys(handle: Handle): Promise<StoredKey[]> {
  const { rows } = await sql<StoredKey>`
    select kid, private_sealed, public_jwk, signs_from, retires_at from auth.signing_keys
    where retires_at is null or retires_at > now()
    order by signs_from desc
  `.execute(handle)
  return rows
}

/** Adds a key unless, on a first start, another server was faster. */
export async function addFirstKey(
  handle: Handle,
  key: Pick<StoredKey, 'kid' | 'private_sealed' | 'public_jwk'>,
): Promise<void> {
  await sql`
    with lock as (select pg_advisory_xact_lock(hashtext('auth.signing_keys')))
    insert into auth.signing_keys (kid, private_sealed, public_jwk, signs_from)
    select ${key.kid}, ${key.private_sealed}, ${JSON.stringify(key.public_jwk)}::jsonb, now()
    from lock where not exists (select from auth.signing_keys where retires_at is null or retires_at > now())
  `.execute(handle)
}

/** Adds a key that signs from `signsFrom` on; the others retire once the last token they signed is dead. */
export async function addNextKey(
  handle: Handle,
  key: Pick<StoredKey, 'kid' | 'private_sealed' | 'public_jwk'> & { signsFrom: Date; oldRetireAt: Date },
): Promise<void> {
  await sql`update auth.signing_keys set retires_at = ${key.oldRetireAt} where retires_at is null`.execute(
    handle,
  )
  await sql`
    insert into auth.signing_keys (kid, private_sealed, public_jwk, signs_from)
    values (${key.kid}, ${key.private_sealed}, ${JSON.stringify(key.public_jwk)}::jsonb, ${key.signsFrom})
  `.execute(handle)
}
