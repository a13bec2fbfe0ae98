import { sql } from 'kysely'
import type { Handle } from './handle.ts'

/**
 * Waits until no other transaction does the same for the same whom, and keeps others waiting until this one ends: what is
 * counted and then added to stays within its limit.
 */
export async function oneAtATime(transaction: Handle, what: string, whom: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${what} ${whom}`}, 0))`.execute(transaction)
}
