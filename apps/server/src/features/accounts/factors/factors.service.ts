import { v7 as uuid } from 'uuid'
import type { Handle } from '../../../database/handle.ts'
import type { ServerSecret } from '../../../secret/server-secret.ts'
import { AuthError, authError, invalid } from '../errors/auth-error.ts'
import type { PostOffice } from '../letters/post-office.ts'
import type { LiveSession } from '../sessions/sessions.repository.ts'
import type { SessionAnswer, Sessions } from '../sessions/sessions.ts'
import { recordAudit } from '../users/audit.repository.ts'
import { lockUser, userById } from '../users/users.repository.ts'
import { isGuarded, productUser } from '../users/wire-user.ts'
import {
  type ChallengeRow,
  countChallengeTry,
  countWrongCode,
  deleteFactor,
  deleteStaleFactors,
  deleteUnverifiedOfKind,
  deleteWeakSessions,
  type FactorSecrets,
  insertChallenge,
  insertFactor,
  lockChallenge,
  lockFactor,
  lowerSessions,
  markVerified,
  raiseSession,
  type StoredCredential,
  useChallenge,
} from './factors.repository.ts'
import type { Passkeys } from './passkeys.ts'
import { enrolTotp, totpStep } from './totp.ts'

const MOST_FACTORS = 10
const CHALLENGE_LIFE_MS = 300_000
const MOST_TRIES = 5
const PURPOSE = 'totp'
const METHODS = { totp: 'totp', webauthn: 'mfa/webauthn', phone: 'mfa/phone' } as const

export interface Enrolment {
  factorType: string
  friendlyName: string
  issuer: string | undefined
}

export type FactorProof = { code: string } | { credential: unknown }

/** Second factors: one-time codes of an authenticator app, and WebAuthn credentials. */
export function createFactors(input: {
  handle: Handle
  secret: ServerSecret
  sessions: Sessions
  passkeys: Passkeys
  post: PostOffice
  siteUrl: string
}) {
  const { handle: pool, secret, sessions, passkeys, post, siteUrl } = input

  const own = async (handle: Handle, { user }: LiveSession, id: string): Promise<FactorSecrets> => {
    const factor = await lockFactor(handle, user.id, id)
    if (!factor) throw authError('mfa_factor_not_found')
    return factor
  }

  /** What the answer proves, or null when it is wrong. */
  const prove = async (factor: FactorSecrets, challenge: ChallengeRow, proof: FactorProof) => {
    if ('code' in proof) {
      if (factor.factor_type !== 'totp' || !factor.secret_enc) return null
      const step = totpStep(secret.open(PURPOSE, factor.secret_enc), proof.code)
      const replayed = step !== null && factor.last_step !== null && step <= factor.last_step
      return step === null || replayed ? null : { lastStep: step, credential: null }
    }
    if (factor.factor_type !== 'webauthn' || challenge.webauthn_challenge === null) return null
    const credential: StoredCredential | null = factor.credential
      ? await passkeys.used(proof.credential, challenge.webauthn_challenge, factor.credential)
      : await passkeys.created(proof.credential, challenge.webauthn_challenge)
    return credential && { lastStep: null, credential }
  }

  const usable = (factor: FactorSecrets, challenge: ChallengeRow | null, sessionId: string): ChallengeRow => {
    if (!challenge)
      throw authError('mfa_factor_not_found', {
        status: 422,
        message: 'MFA factor with the provided challenge ID not found',
      })
    if (challenge.used_at || challenge.session_id !== sessionId) throw authError('mfa_ip_address_mismatch')
    if (Date.now() - challenge.created_at.getTime() > CHALLENGE_LIFE_MS || challenge.tries >= MOST_TRIES)
      throw authError('mfa_challenge_expired')
    if (factor.locked_until && factor.locked_until.getTime() > Date.now())
      throw authError('over_request_rate_limit', {
        retryAfterS: (factor.locked_until.getTime() - Date.now()) / 1000,
      })
    return challenge
  }

  return {
    async enrol(live: LiveSession, { factorType, friendlyName, issuer }: Enrolment) {
      if (factorType === 'phone') throw authError('mfa_phone_enroll_not_enabled')
      if (factorType !== 'totp' && factorType !== 'webauthn')
        throw invalid('factor_type needs to be totp, phone, or webauthn')
      const { user, session } = live
      if (isGuarded(user) && session.aal === 'aal1')
        throw authError('insufficient_aal', { message: 'AAL2 required to enroll a new factor' })
      const id = uuid()
      const totp =
        factorType === 'totp'
          ? await enrolTotp({ issuer: issuer || new URL(siteUrl).host, account: user.email })
          : null
      await pool.transaction().execute(async (transaction) => {
        await lockUser(transaction, user.id)
        await deleteStaleFactors(transaction, user.id)
        const count = (await userById(transaction, user.id))?.factors.length ?? 0
        if (count >= MOST_FACTORS) throw authError('too_many_enrolled_mfa_factors')
        const made = await insertFactor(transaction, {
          id,
          user_id: user.id,
          friendly_name: friendlyName,
          factor_type: factorType,
          secret_enc: totp && secret.seal(PURPOSE, totp.secret),
        })
        if (!made)
          throw authError('mfa_factor_name_conflict', {
            message: `A factor with the friendly name "${friendlyName}" for this user already exists`,
          })
        await recordAudit(transaction, {
          action: 'factor.enrolled',
          actorId: user.id,
          details: { factorType },
        })
      })
      return {
        id,
        type: factorType,
        friendly_name: friendlyName,
        ...(totp && { totp: { qr_code: totp.qrCode, secret: totp.secret, uri: totp.uri } }),
      }
    },

    async challenge(live: LiveSession, factorId: string) {
      return pool.transaction().execute(async (transaction) => {
        const factor = await own(transaction, live, factorId)
        const publicKey =
          factor.factor_type !== 'webauthn'
            ? null
            : factor.credential
              ? await passkeys.requestOptions(factor.credential)
              : await passkeys.creationOptions(
                  { id: live.user.id, email: live.user.email, name: productUser(live.user).name },
                  [],
                )
        const id = uuid()
        await insertChallenge(transaction, {
          id,
          factor_id: factor.id,
          session_id: live.session.id,
          webauthn_challenge: publicKey?.challenge ?? null,
        })
        return {
          id,
          type: factor.factor_type,
          expires_at: Math.floor((Date.now() + CHALLENGE_LIFE_MS) / 1000),
          ...(publicKey && {
            webauthn: {
              type: factor.credential ? ('request' as const) : ('create' as const),
              credential_options: { publicKey },
            },
          }),
        }
      })
    },

    /** Raises the session to aal2 and gives its new tokens. */
    async verify(
      live: LiveSession,
      factorId: string,
      { challengeId, proof }: { challengeId: string; proof: FactorProof },
    ): Promise<SessionAnswer> {
      const { user, session } = live
      // A wrong answer is counted, so its transaction commits before it is refused.
      const outcome = await pool.transaction().execute(async (transaction) => {
        const factor = await own(transaction, live, factorId)
        const challenge = usable(factor, await lockChallenge(transaction, factor.id, challengeId), session.id)
        const proven = await prove(factor, challenge, proof)
        if (!proven) {
          await countChallengeTry(transaction, challenge.id)
          await countWrongCode(transaction, factor.id)
          await recordAudit(transaction, { action: 'factor.wrong_code', actorId: user.id })
          return authError('mfa_verification_failed')
        }
        await useChallenge(transaction, challenge.id)
        await markVerified(transaction, factor.id, proven)
        await raiseSession(transaction, {
          sessionId: session.id,
          factorId: factor.id,
          method: METHODS[factor.factor_type],
        })
        await deleteWeakSessions(transaction, user.id, session.id)
        await deleteUnverifiedOfKind(transaction, user.id, factor.factor_type)
        await recordAudit(transaction, { action: 'factor.verified', actorId: user.id })
        if (factor.status === 'unverified')
          await post.send(transaction, { email: user.email, user }, { kind: 'factor_added' })
        return sessions.answer(transaction, session.id, user.id)
      })
      post.wake()
      if (outcome instanceof AuthError) throw outcome
      return outcome
    },

    async unenrol(live: LiveSession, factorId: string): Promise<{ id: string }> {
      const { user, session } = live
      await pool.transaction().execute(async (transaction) => {
        const factor = await own(transaction, live, factorId)
        if (factor.status === 'verified') {
          if (session.aal === 'aal1')
            throw authError('insufficient_aal', {
              status: 422,
              message: 'AAL2 required to unenroll verified factor',
            })
          await lowerSessions(transaction, factor.id, METHODS[factor.factor_type])
          await post.send(transaction, { email: user.email, user }, { kind: 'factor_removed' })
        }
        await deleteFactor(transaction, factor.id)
        await recordAudit(transaction, { action: 'factor.unenrolled', actorId: user.id })
      })
      post.wake()
      return { id: factorId }
    },
  }
}

export type Factors = ReturnType<typeof createFactors>
