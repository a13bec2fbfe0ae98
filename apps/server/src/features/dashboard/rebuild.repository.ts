import { sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'
import { COUNTED_TABLES, KEPT_TABLES } from './kept-numbers.ts'

/** Sets every figure aside, for comparing, and empties the tables, all within the transaction. */
export async function setAside(transaction: Handle): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(transaction)
  for (const table of KEPT_TABLES) {
    const aside = sql.table(`antes_${table}`)
    await sql`create temporary table ${aside} on commit drop as table ${sql.table(table)}`.execute(
      transaction,
    )
    await sql`delete from ${sql.table(table)}`.execute(transaction)
  }
  for (const table of ['sujos', 'sujos_falhos', ...COUNTED_TABLES])
    await sql`delete from ${sql.table(table)}`.execute(transaction)
}

/** How many kept figures there are, and how many differ from those set aside. */
export async function compareAside(transaction: Handle): Promise<{ figures: number; wrong: number }> {
  let figures = 0
  let wrong = 0
  for (const table of KEPT_TABLES) {
    const now = sql.table(table)
    const before = sql`(select * from ${sql.table(`antes_${table}`)} where n <> 0)`
    const { rows } = await sql<{ n: number; novas: number; velhas: number }>`
      select (select count(*) from ${now}) as n,
        (select count(*) from (table ${now} except ${before}) d) as novas,
        (select count(*) from (${before} except table ${now}) d) as velhas
    `.execute(transaction)
    figures += rows[0]?.n ?? 0
    wrong += Math.max(rows[0]?.novas ?? 0, rows[0]?.velhas ?? 0)
  }
  return { figures, wrong }
}
