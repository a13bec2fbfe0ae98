import { sql } from 'kysely'
import type { Handle } from '../../../database/handle.ts'
import type { FactorRow } from '../users/users.repository.ts'

/** A stored WebAuthn credential, binary parts in base64url. */
export interface StoredCredential {
  id: string
  publicKey: string
  counter: number
  transports: string[]
}

export interface FactorSecrets extends Omit<FactorRow, 'created_at' | 'updated_at' | 'last_challenged_at'> {
  user_id: string
  secret_enc: Buffer | null
  last_step: number | null
  credential: StoredCredential | null
  fail_count: number
  locked_until: Date | null
}

export interface ChallengeRow {
  id: string
  factor_id: string
  session_id: string
  created_at: Date
  used_at: Date | null
  tries: number
  webauthn_challenge: string | null
}

/** False when the person has a factor of that name. */
export async function insertFactor(
  handle: Handle,
  factor: Pick<FactorSecrets, 'id' | 'user_id' | 'friendly_name' | 'factor_type' | 'secret_enc'>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into auth.factors (id, user_id, friendly_name, factor_type, secret_enc)
    values (${factor.id}, ${factor.user_id}, ${factor.friendly_name}, ${factor.factor_type}, ${factor.secret_enc})
    on conflict (user_id, friendly_name) do nothing
  `.execute(handle)
  return numAffectedRows === 1n
}

/** The person's own factor, locked. */
export async function lockFactor(handle: Handle, userId: string, id: string): Promise<FactorSecrets | null> {
  const { rows } = await sql<FactorSecrets>`
    select id, user_id, friendly_name, factor_type, status, secret_enc, last_step, credential, fail_count,
      locked_until
    from auth.factors where id = ${id} and user_id = ${userId} for update
  `.execute(handle)
  return rows[0] ?? null
}

export async function deleteStaleFactors(handle: Handle, userId: string): Promise<void> {
  await sql`
    delete from auth.factors
    where user_id = ${userId} and status = 'unverified' and created_at < now() - interval '5 minutes'
  `.execute(handle)
}

export async function deleteFactor(handle: Handle, id: string): Promise<void> {
  await sql`delete from auth.factors where id = ${id}`.execute(handle)
}

export async function deleteUnverifiedOfKind(handle: Handle, userId: string, kind: string): Promise<void> {
  await sql`
    delete from auth.factors where user_id = ${userId} and factor_type = ${kind} and status = 'unverified'
  `.execute(handle)
}

export async function markVerified(
  handle: Handle,
  id: string,
  proof: { lastStep: number | null; credential: StoredCredential | null },
): Promise<void> {
  await sql`
    update auth.factors set status = 'verified', updated_at = now(), fail_count = 0, fail_since = null,
      last_step = coalesce(${proof.lastStep}, last_step),
      credential = coalesce(${proof.credential ? JSON.stringify(proof.credential) : null}::jsonb, credential)
    where id = ${id}
  `.execute(handle)
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
  await sql`
    insert into auth.challenges (id, factor_id, session_id, webauthn_challenge)
    values (${challenge.id}, ${challenge.factor_id}, ${challenge.session_id}, ${challenge.webauthn_challenge})
  `.execute(handle)
  await sql`update auth.factors set last_challenged_at = now() where id = ${challenge.factor_id}`.execute(
    handle,
  )
}

export async function lockChallenge(
  handle: Handle,
  factorId: string,
  id: string,
): Promise<ChallengeRow | null> {
  const { rows } = await sql<ChallengeRow>`
    select id, factor_id, session_id, created_at, used_at, tries, webauthn_challenge
    from auth.challenges where id = ${id} and factor_id = ${factorId} for update
  `.execute(handle)
  return rows[0] ?? null
}

export async function useChallenge(handle: Handle, id: string): Promise<void> {
  await sql`update auth.challenges set used_at = now() where id = ${id}`.execute(handle)
}

export async function countChallengeTry(handle: Handle, id: string): Promise<void> {
  await sql`update auth.challenges set tries = tries + 1 where id = ${id}`.execute(handle)
}

/** The session is now proven twice; every refresh token given out before is dead. */
export async function raiseSession(
  handle: Handle,
  input: { sessionId: string; factorId: string; method: string },
): Promise<void> {
  await sql`
    update auth.sessions set aal = 'aal2', factor_id = ${input.factorId}, rt_counter = rt_counter + 2,
      rt_floor = rt_counter + 2, refreshed_at = now()
    where id = ${input.sessionId}
  `.execute(handle)
  await sql`
    insert into auth.amr (session_id, method) values (${input.sessionId}, ${input.method})
    on conflict (session_id, method) do update set at = now()
  `.execute(handle)
}

/** The person's other sessions that were proven only once end. */
export async function deleteWeakSessions(handle: Handle, userId: string, except: string): Promise<void> {
  await sql`
    delete from auth.sessions where user_id = ${userId} and id <> ${except} and aal = 'aal1'
  `.execute(handle)
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
