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

/** The next letter that is due, kept from other servers until the transaction ends. */
export async function takeMail(handle: Handle): Promise<DueMail | null> {
  const { rows } = await sql<DueMail>`
    select id, recipient, message, attempts from auth.mails
    where next_attempt_at <= now() order by created_at, id limit 1 for update skip locked
  `.execute(handle)
  return rows[0] ?? null
}

export async function dropMail(handle: Handle, id: string): Promise<void> {
  await sql`delete from auth.mails where id = ${id}`.execute(handle)
}

export async function postponeMail(handle: Handle, id: string, delayS: number): Promise<void> {
  await sql`
    update auth.mails set attempts = attempts + 1, next_attempt_at = now() + ${delayS} * interval '1 second'
    where id = ${id}
  `.execute(handle)
}
