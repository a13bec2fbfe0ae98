import type { ExtractionResult } from '@ensaio/domain'
import { sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'

/** A file, by its bytes, as one version of the engine reads it. */
export interface Reading {
  sha256: string
  engine: string
}

export async function knownReading(handle: Handle, { sha256, engine }: Reading): Promise<unknown> {
  const { rows } = await sql<{ resultado: unknown }>`
    select resultado from leituras where sha256 = ${sha256} and motor = ${engine}
  `.execute(handle)
  return rows[0]?.resultado ?? null
}

/** What is larger is not worth keeping: no report of a trial is. */
const LARGEST_CHARACTERS = 4 * 2 ** 20

/** Keeps it for the next time; what the database cannot keep is read again then. */
export async function keepReading(
  handle: Handle,
  { sha256, engine }: Reading,
  result: ExtractionResult,
): Promise<void> {
  // JSON may hold a character that the database's text cannot.
  const text = JSON.stringify(result).replaceAll(/\\u0000/g, ' ')
  if (text.length > LARGEST_CHARACTERS) return
  await sql`
    insert into leituras (sha256, motor, resultado) values (${sha256}, ${engine}, ${text})
    on conflict do nothing
  `.execute(handle)
}

export async function forgetOldReadings(handle: Handle, olderThanDays: number): Promise<void> {
  await sql`
    delete from leituras where created_at < now() - ${olderThanDays} * interval '1 day'
  `.execute(handle)
}
