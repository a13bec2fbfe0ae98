import { sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'

/** Takes one token of a bucket that refills steadily. Returns the seconds to wait when it is empty, else 0. */
export async function takeToken(
  handle: Handle,
  { key, capacity, perSecond }: { key: string; capacity: number; perSecond: number },
): Promise<number> {
  // A clock that was set back takes nothing away.
  const refilled = sql`least(
    ${capacity}::float8,
    b.tokens + greatest(0, extract(epoch from now() - b.updated_at))::float8 * ${perSecond}::float8
  )`
  // A refused request takes nothing: the row then tells how much is still missing.
  const { rows } = await sql<{ taken: boolean; tokens: number }>`
    insert into auth.rate_limits as b (key, tokens, taken) values (${key}, ${capacity - 1}, true)
    on conflict (key) do update set
      taken = ${refilled} >= 1,
      tokens = ${refilled} - case when ${refilled} >= 1 then 1 else 0 end,
      updated_at = now()
    returning taken, tokens
  `.execute(handle)
  const [row] = rows
  return !row || row.taken ? 0 : (1 - row.tokens) / perSecond
}

/**
 * Seconds until another guess is allowed, 0 for now. Nobody waits longer than a quarter of an hour: a block
 * that ends later was made before the clock was set back.
 */
export async function waitAfterFailures(handle: Handle, key: string): Promise<number> {
  const { rows } = await sql<{ wait: number }>`
    select greatest(0, extract(epoch from blocked_until - now()))::float8 as wait
    from auth.failures where key = ${key} and blocked_until > now() and blocked_until <= now() + interval '15 minutes'
  `.execute(handle)
  return rows[0]?.wait ?? 0
}

/** Counts a wrong guess. From the fifth on each doubles the wait, from a second to at most fifteen minutes. */
export async function countFailure(handle: Handle, key: string): Promise<void> {
  await sql`
    insert into auth.failures as f (key, count) values (${key}, 1)
    on conflict (key) do update set
      count = case when f.updated_at < now() - interval '1 hour' then 1 else f.count + 1 end,
      blocked_until = case
        when f.updated_at < now() - interval '1 hour' or f.count + 1 < 5 then null
        else now() + least(900, power(2, least(f.count + 1 - 5, 10))) * interval '1 second'
      end,
      updated_at = now()
  `.execute(handle)
}

export async function forgetFailures(handle: Handle, key: string): Promise<void> {
  await sql`delete from auth.failures where key = ${key}`.execute(handle)
}

/** Counters that no longer limit anybody. */
export async function forgetOldLimits(handle: Handle): Promise<void> {
  await sql`delete from auth.rate_limits where updated_at < now() - interval '1 day'`.execute(handle)
  await sql`delete from auth.failures where updated_at < now() - interval '1 day'`.execute(handle)
}
