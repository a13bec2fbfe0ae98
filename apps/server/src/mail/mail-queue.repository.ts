import { sql } from 'kysely'
import type { Handle } from '../database/handle.ts'

export async function addMail(
  handle: Handle,
  mail: { id: string; recipient: string; message: Buffer },
): Promise<void> {
  await sql`
    insert into auth.mails (id, recipient, message) values (${mail.id}, ${mail.recipient}, ${mail.message})
  `.execute(handle)
}

export interface DueMail {
  id: string
  recipient: string
  message: Buffer
  attempts: number
}

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
  await sql`delete from auth.mails where recipient = any(${[...recipients]})`.execute(handle)
}

export async function dropMail(handle: Handle, id: string): Promise<void> {
  await sql`delete from auth.mails where id = ${id}`.execute(handle)
}

export async function postponeMail(handle: Handle, id: string, delayS: number): Promise<void> {
  await sql`
    update auth.mails set next_attempt_at = now() + ${delayS} * interval '1 second' where id = ${id}
  `.execute(handle)
}
