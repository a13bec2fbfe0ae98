import { sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'
import { HOT } from '../../database/hot.ts'

/** 'cells' in ASCII, shortened to an integer: one at a time, whichever server does it. */
const FOLD_LOCK = 0x63656c6c

/**
 * Takes the right to fold, until the transaction's end. `patienceMs`: how long to wait for another to be done,
 * 0 for not at all, undefined for as long as a statement may take. Answers whether it got it.
 */
export async function foldLock(transaction: Handle, patienceMs?: number): Promise<boolean> {
  if (patienceMs === undefined) {
    await sql`select pg_advisory_xact_lock(${FOLD_LOCK})`.execute(transaction)
    return true
  }
  // Nobody is promised a fold: one that a crash loses is lost with its marks' going, and is done again.
  const waiting =
    patienceMs === 0
      ? sql`pg_try_advisory_xact_lock(${FOLD_LOCK})`
      : sql`set_config('lock_timeout', ${`${Math.ceil(patienceMs)}ms`}, true) <> '' and
          pg_advisory_xact_lock(${FOLD_LOCK}) is not null`
  const { rows } = await sql<{ held: boolean }>`
    select ${waiting} as held, set_config('synchronous_commit', 'off', true) as written
  `.execute(transaction)
  return rows[0]?.held === true
}

/** Whether something that the person wrote is not yet counted. */
export async function ownDirty(handle: Handle, userId: string): Promise<boolean> {
  const { rows } = await sql`
    ${HOT} select from (select experimento_id from sujos limit 10000) s
    join alteracoes a using (experimento_id) where a.quem = ${userId} limit 1
  `.execute(handle)
  return rows.length > 0
}

export async function anyDirty(handle: Handle): Promise<boolean> {
  const rows = await handle.selectFrom('sujos').select('experimento_id').limit(1).execute()
  return rows.length > 0
}

/** The experiments of up to `most` marks. */
export async function someDirty(handle: Handle, most: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct experimento_id as id from (select experimento_id from sujos limit ${most}) s
  `.execute(handle)
  return rows.map(({ id }) => id)
}

/** Sets the marks of an experiment aside, so that the others go on. */
export async function setMarksAside(handle: Handle, experiment: string, reason: string): Promise<void> {
  await sql`
    with gone as (delete from sujos where experimento_id = ${experiment})
    insert into sujos_falhos (experimento_id, motivo) values (${experiment}, ${reason})
    on conflict (experimento_id) do update set motivo = excluded.motivo, quando = now()
  `.execute(handle)
}

/** Puts what was set aside back into the line. */
export async function tryAgain(handle: Handle): Promise<void> {
  await sql`
    with back as (delete from sujos_falhos returning experimento_id)
    insert into sujos select experimento_id from back
  `.execute(handle)
}

/** A notice holds 8,000 bytes. */
const SETS_A_NOTICE = 500

/** Tells open dashboards, on every server, that the figures of all sets were counted anew. */
export const tellAllChanged = (transaction: Handle): Promise<unknown> =>
  sql`
    select pg_notify('experimentos', string_agg(id::text, ',')) from (
      select id, row_number() over (order by id) / ${sql.lit(SETS_A_NOTICE)} as part from acervos
    ) a group by part
  `.execute(transaction)
