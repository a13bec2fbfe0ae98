import { type Selectable, sql } from 'kysely'
import type { Handle } from '../../../database/handle.ts'
import { ago, NOW } from '../../../database/now.ts'
import type { DB } from '../../../database/schema.generated.ts'

/** A stored WebAuthn credential, binary parts in base64url. */
export interface StoredCredential {
  id: string
  publicKey: string
  counter: number
  transports: string[]
}

const SECRETS = [
  'id',
  'user_id',
  'friendly_name',
  'factor_type',
  'status',
  'secret_enc',
  'last_step',
  'credential',
  'fail_count',
  'locked_until',
] as const
export interface FactorSecrets extends Pick<Selectable<DB['auth.factors']>, (typeof SECRETS)[number]> {
  credential: StoredCredential | null
}

export type ChallengeRow = Selectable<DB['auth.challenges']>

/** False when the person has a factor of that name. */
export async function insertFactor(
  handle: Handle,
  factor: Pick<FactorSecrets, 'id' | 'user_id' | 'friendly_name' | 'factor_type' | 'secret_enc'>,
): Promise<boolean> {
  const { id, user_id, friendly_name, factor_type, secret_enc } = factor
  const { numInsertedOrUpdatedRows } = await handle
    .insertInto('auth.factors')
    .values({ id, user_id, friendly_name, factor_type, secret_enc })
    .onConflict((conflict) => conflict.columns(['user_id', 'friendly_name']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** The person's own factor, locked. */
export async function lockFactor(handle: Handle, userId: string, id: string): Promise<FactorSecrets | null> {
  const row = await handle
    .selectFrom('auth.factors')
    .select(SECRETS)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .forUpdate()
    .$narrowType<{ credential: StoredCredential | null }>()
    .executeTakeFirst()
  return row ?? null
}

export async function deleteStaleFactors(handle: Handle, userId: string): Promise<void> {
  await handle
    .deleteFrom('auth.factors')
    .where('user_id', '=', userId)
    .where('status', '=', 'unverified')
    .where('created_at', '<', ago('5 minutes'))
    .execute()
}

export async function deleteFactor(handle: Handle, id: string): Promise<void> {
  await handle.deleteFrom('auth.factors').where('id', '=', id).execute()
}

export async function deleteUnverifiedOfKind(
  handle: Handle,
  userId: string,
  kind: FactorSecrets['factor_type'],
): Promise<void> {
  await handle
    .deleteFrom('auth.factors')
    .where('user_id', '=', userId)
    .where('factor_type', '=', kind)
    .where('status', '=', 'unverified')
    .execute()
}

export async function markVerified(
  handle: Handle,
  id: string,
  proof: { lastStep: number | null; credential: StoredCredential | null },
): Promise<void> {
  await handle
    .updateTable('auth.factors')
    .set({
      status: 'verified',
      updated_at: NOW,
      fail_count: 0,
      fail_since: null,
      ...(proof.lastStep !== null && { last_step: proof.lastStep }),
      ...(proof.credential && { credential: JSON.stringify(proof.credential) }),
    })
    .where('id', '=', id)
    .execute()
}

/** The tenth wrong code within an hour locks the factor for a quarter of an hour. */
export async function countWrongCode(handle: Handle, id: string): Promise<void> {
  await sql`
    update auth.factors set
      fail_count = case when fail_since > now() - interval '1 hour' then fail_count + 1 else 1 end,
      fail_since = case when fail_since > now() - interval '1 hour' then fail_since else now() end,
      locked_until = case
        when fail_since > now() - interval '1 hour' and fail_count + 1 >= 10 then now() + interval '15 minutes'
        else locked_until
      end
    where id = ${id}
  `.execute(handle)
}

export async function insertChallenge(
  handle: Handle,
  challenge: Pick<ChallengeRow, 'id' | 'factor_id' | 'session_id' | 'webauthn_challenge'>,
): Promise<void> {
  const { id, factor_id, session_id, webauthn_challenge } = challenge
  await handle
    .insertInto('auth.challenges')
    .values({ id, factor_id, session_id, webauthn_challenge })
    .execute()
  await handle
    .updateTable('auth.factors')
    .set({ last_challenged_at: NOW })
    .where('id', '=', factor_id)
    .execute()
}

export async function lockChallenge(
  handle: Handle,
  factorId: string,
  id: string,
): Promise<ChallengeRow | null> {
  const row = await handle
    .selectFrom('auth.challenges')
    .selectAll()
    .where('id', '=', id)
    .where('factor_id', '=', factorId)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

export async function useChallenge(handle: Handle, id: string): Promise<void> {
  await handle.updateTable('auth.challenges').set({ used_at: NOW }).where('id', '=', id).execute()
}

export async function countChallengeTry(handle: Handle, id: string): Promise<void> {
  await handle
    .updateTable('auth.challenges')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** The session is now proven twice; every refresh token given out before is dead. */
export async function raiseSession(
  handle: Handle,
  input: { sessionId: string; factorId: string; method: string },
): Promise<void> {
  await handle
    .updateTable('auth.sessions')
    .set((eb) => ({
      aal: 'aal2',
      factor_id: input.factorId,
      rt_counter: eb('rt_counter', '+', 2),
      rt_floor: eb('rt_counter', '+', 2),
      refreshed_at: NOW,
    }))
    .where('id', '=', input.sessionId)
    .execute()
  await handle
    .insertInto('auth.amr')
    .values({ session_id: input.sessionId, method: input.method })
    .onConflict((conflict) => conflict.columns(['session_id', 'method']).doUpdateSet({ at: NOW }))
    .execute()
}

/** The person's other sessions that were proven only once end. */
export async function deleteWeakSessions(handle: Handle, userId: string, except: string): Promise<void> {
  await handle
    .deleteFrom('auth.sessions')
    .where('user_id', '=', userId)
    .where('id', '<>', except)
    .where('aal', '=', 'aal1')
    .execute()
}

/** Sessions that rest on a factor fall back to one proof. */
export async function lowerSessions(handle: Handle, factorId: string, method: string): Promise<void> {
  await sql`
    with lowered as (
      update auth.sessions set aal = 'aal1', factor_id = null where factor_id = ${factorId} returning id
    )
    delete from auth.amr where session_id in (select id from lowered) and method = ${method}
  `.execute(handle)
}
