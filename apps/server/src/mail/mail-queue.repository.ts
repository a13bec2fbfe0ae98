import { type Selectable, sql } from 'kysely'
import type { Handle } from '../database/handle.ts'
import type { DB } from '../database/schema.generated.ts'

export async function addMail(
  handle: Handle,
  mail: { id: string; recipient: string; message: Buffer },
): Promise<void> {
  const { id, recipient, message } = mail
  await handle.insertInto('auth.mails').values({ id, recipient, message }).execute()
}

export type DueMail = Pick<Selectable<DB['auth.mails']>, 'id' | 'recipient' | 'message' | 'attempts'>

/**
 * Takes the next letter that is due. The attempt counts now, and nobody else takes the letter while the lease runs:
 * a server that dies over it has lost a moment and no letter.
 */
export async function takeMail(handle: Handle, leaseS: number): Promise<DueMail | null> {
  const { rows } = await sql<DueMail>`
    update auth.mails set attempts = attempts + 1, next_attempt_at = now() + ${leaseS} * interval '1 second'
    where id = (
      select id from auth.mails where next_attempt_at <= now()
      order by created_at, id limit 1 for update skip locked
    )
    returning id, recipient, message, attempts
  `.execute(handle)
  return rows[0] ?? null
}

/** Letters to these addresses that wait. */
export async function dropMailsTo(handle: Handle, recipients: readonly string[]): Promise<void> {
  await handle
    .deleteFrom('auth.mails')
    .where(({ eb, fn, val }) => eb('recipient', '=', fn.any(val([...recipients]))))
    .execute()
}

export async function dropMail(handle: Handle, id: string): Promise<void> {
  await handle.deleteFrom('auth.mails').where('id', '=', id).execute()
}

export async function postponeMail(handle: Handle, id: string, delayS: number): Promise<void> {
  await handle
    .updateTable('auth.mails')
    .set({ next_attempt_at: sql<Date>`now() + ${delayS} * interval '1 second'` })
    .where('id', '=', id)
    .execute()
}
