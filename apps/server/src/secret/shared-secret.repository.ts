import type { Handle } from '../database/handle.ts'

/** The root secret that servers on one database share; `fresh` is kept if there was none. */
export async function sharedSecret(handle: Handle, fresh: Buffer): Promise<Buffer> {
  await handle
    .insertInto('auth.secrets')
    .values({ name: 'root', value: fresh })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await handle
    .selectFrom('auth.secrets')
    .select('value')
    .where('name', '=', 'root')
    .executeTakeFirst()
  return row?.value ?? fresh
}
