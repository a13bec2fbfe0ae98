import type { ExtractionResult } from '@ensaio/domain'
import type { Handle } from '../../database/handle.ts'
import { ago } from '../../database/now.ts'

/** A file, by its bytes, as one version of the engine reads it. */
export interface Reading {
  sha256: string
  engine: string
}

export async function knownReading(handle: Handle, { sha256, engine }: Reading): Promise<unknown> {
  const row = await handle
    .selectFrom('leituras')
    .select('resultado')
    .where('sha256', '=', sha256)
    .where('motor', '=', engine)
    .executeTakeFirst()
  return row?.resultado ?? null
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
  await handle
    .insertInto('leituras')
    .values({ sha256, motor: engine, resultado: text })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function forgetOldReadings(handle: Handle, olderThanDays: number): Promise<void> {
  await handle
    .deleteFrom('leituras')
    .where('created_at', '<', ago(`${olderThanDays} days`))
    .execute()
}
