import { sql } from 'kysely'
import type { Handle } from '../../../database/handle.ts'
import { ago } from '../../../database/now.ts'

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

/** From which guess on the next one waits, and how long at most. The wait doubles, from a second. */
export interface Patience {
  free: number
  longestS: number
}

/**
 * Counts a guess before anybody looks at it, so that many at once are no more than one after the other. Returns
 * the seconds to wait when earlier ones still delay this one, which then does not count, else 0. A block that
 * ends later than any can was made before the clock was set back.
 */
export async function countGuess(handle: Handle, key: string, { free, longestS }: Patience): Promise<number> {
  const count = sql`case when f.updated_at < now() - interval '1 hour' then 1 else f.count + 1 end`
  const { rows } = await sql`
    insert into auth.failures as f (key, count) values (${key}, 1)
    on conflict (key) do update set
      count = ${count},
      blocked_until = case when ${count} >= ${free}
        then now() + least(${longestS}::float8, power(2, least(${count} - ${free}, 20))) * interval '1 second' end,
      updated_at = now()
    where f.blocked_until is null or f.blocked_until <= now()
      or f.blocked_until > now() + ${longestS}::float8 * interval '1 second'
    returning key
  `.execute(handle)
  if (rows.length > 0) return 0
  const waiting = await handle
    .selectFrom('auth.failures')
    .select(sql<number | null>`extract(epoch from blocked_until - now())::float8`.as('wait'))
    .where('key', '=', key)
    .executeTakeFirst()
  return Math.max(1, waiting?.wait ?? 0)
}

/** Addresses that a person has signed in from, the latest first. */
export async function familiarAddresses(handle: Handle, email: string): Promise<string[]> {
  const { rows } = await sql<{ ip: string }>`
    select host(ip) as ip from auth.audit_log
    where actor_id = (select id from auth.users where email = ${email}) and ip is not null
      and action in ('session.sign_in', 'user.sign_up') and at > now() - interval '90 days'
    group by ip order by max(at) desc limit 100
  `.execute(handle)
  return rows.map(({ ip }) => ip)
}

export async function forgetFailures(handle: Handle, key: string): Promise<void> {
  await handle.deleteFrom('auth.failures').where('key', '=', key).execute()
}

/** Counters that no longer limit anybody. */
export async function forgetOldLimits(handle: Handle): Promise<void> {
  await handle.deleteFrom('auth.rate_limits').where('updated_at', '<', ago('1 day')).execute()
  await handle.deleteFrom('auth.failures').where('updated_at', '<', ago('1 day')).execute()
}
