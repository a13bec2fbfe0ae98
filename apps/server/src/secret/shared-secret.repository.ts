import { sql } from 'kysely'
import type { Handle } from '../database/handle.ts'

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
