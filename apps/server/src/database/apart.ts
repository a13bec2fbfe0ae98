import { sql } from 'kysely'
import type { Handle } from './handle.ts'

/** Work of a transaction that goes on without it where it fails. @throws why it did */
export async function apart<T>(transaction: Handle, work: () => Promise<T>): Promise<T> {
  await sql`savepoint apart`.execute(transaction)
  try {
    const done = await work()
    await sql`release savepoint apart`.execute(transaction)
    return done
  } catch (error) {
    await sql`rollback to savepoint apart`.execute(transaction)
    throw error
  }
}
