import type { Handle } from '../../../database/handle.ts'
import { checkPassword, type Pkce, readEmail } from '../credentials/credentials.ts'
import { hashPassword, passwordMatches } from '../credentials/passwords.ts'
import { authError } from '../errors/auth-error.ts'
import type { PostOffice } from '../letters/post-office.ts'
import type { Limits } from '../limits/limits.ts'
import type { MailedProofs } from '../proofs/mailed-proofs.service.ts'
import { dropAllOneTime } from '../proofs/one-time.repository.ts'
import type { OneTimeCodes } from '../proofs/one-time.ts'
import type { Proof, Verification } from '../proofs/verification.service.ts'
import { deleteKeys } from '../sessions/script-keys.repository.ts'
import { amrOf, deleteSessions, type LiveSession, type Origin } from '../sessions/sessions.repository.ts'
import { recordAudit } from '../users/audit.repository.ts'
import { mergeMetadata } from '../users/user-metadata.ts'
import { lockUser, type UserRow, updateUser, userByEmail, userById } from '../users/users.repository.ts'
import { isGuarded, type WireUser, wireUser } from '../users/wire-user.ts'

export interface OwnChange {
  email: string | undefined
  password: string | undefined
  currentPassword: string | undefined
  nonce: string | undefined
  data: Record<string, unknown>
  redirectTo: string | undefined
  pkce: Pkce | null
  origin: Origin
}

/** Sign-ins by a mailed proof: who has just come by one may set a password without knowing the old one. */
const BY_MAIL_LIFE_S = 15 * 60
const BY_MAIL: readonly string[] = ['otp', 'recovery']
const GUESS = 'current-password'

/** What a signed-in person changes about their own account. */
export function createOwnAccount(input: {
  handle: Handle
  limits: Limits
  codes: OneTimeCodes
  proofs: MailedProofs
  verification: Verification
  post: PostOffice
}) {
  const { handle: pool, limits, codes, proofs, verification, post } = input

  /** The old password, a mailed code, or a session that itself came by mail. */
  const proveForPassword = async ({ user, session }: LiveSession, change: OwnChange) => {
    if (user.password_hash === null) return
    if (change.currentPassword !== undefined) {
      await limits.guess(GUESS, user.email, change.origin.ip)
      if (await passwordMatches(user.password_hash, change.currentPassword)) {
        return limits.rightGuess(GUESS, user.email, change.origin.ip)
      }
      throw authError('current_password_invalid')
    }
    if (change.nonce !== undefined) {
      const { nonce } = change
      // A wrong code is counted, so its transaction commits before it is refused.
      const row = await pool
        .transaction()
        .execute((transaction) =>
          codes.byCode(transaction, { userId: user.id, kinds: ['reauthentication'], code: nonce }),
        )
      if (!row) throw authError('reauthentication_not_valid')
      return
    }
    const amr = await amrOf(pool, session.id)
    const since = Date.now() / 1000 - BY_MAIL_LIFE_S
    if (!amr.some(({ method, timestamp }) => BY_MAIL.includes(method) && timestamp > since))
      throw authError('current_password_required')
  }

  const newPassword = async (live: LiveSession, change: OwnChange): Promise<string | undefined> => {
    if (change.password === undefined) return undefined
    checkPassword(change.password)
    await proveForPassword(live, change)
    if (await passwordMatches(live.user.password_hash, change.password)) throw authError('same_password')
    return hashPassword(change.password)
  }

  const requestEmail = async (handle: Handle, user: UserRow, email: string, change: OwnChange) => {
    if (await userByEmail(handle, email)) throw authError('email_exists')
    if (proofs.tooSoon(user.email_change_sent_at)) throw authError('over_email_send_rate_limit')
    await proofs.sendEmailChange(handle, user, email, change)
  }

  return {
    async update(live: LiveSession, change: OwnChange): Promise<WireUser> {
      const { user, session } = live
      const given = change.email === undefined ? undefined : readEmail(change.email)
      const email = given === user.email ? undefined : given
      const managed = user.identities.every(({ provider }) => provider.startsWith('sso:'))
      if (managed && (email !== undefined || change.password !== undefined))
        throw authError('user_sso_managed')
      if (isGuarded(user) && session.aal === 'aal1' && (email !== undefined || change.password !== undefined))
        throw authError('insufficient_aal', { status: 401 })
      const passwordHash = await newPassword(live, change)
      if (email !== undefined) await limits.perPerson('letter', user.id)
      const updated = await pool.transaction().execute(async (transaction) => {
        await lockUser(transaction, user.id)
        const fresh = await userById(transaction, user.id)
        if (!fresh) throw authError('user_not_found')
        await updateUser(transaction, user.id, {
          user_metadata: mergeMetadata(fresh.user_metadata, change.data),
          ...(passwordHash !== undefined && { password_hash: passwordHash }),
        })
        if (passwordHash !== undefined) {
          await dropAllOneTime(transaction, user.id)
          await deleteSessions(transaction, user.id, session.id)
          await deleteKeys(transaction, user.id)
          await recordAudit(transaction, {
            action: 'user.password_changed',
            actorId: user.id,
            ip: change.origin.ip,
          })
          await post.send(transaction, { email: user.email, user }, { kind: 'password_changed' })
        }
        if (email !== undefined) await requestEmail(transaction, fresh, email, change)
        return wireUser((await userById(transaction, user.id)) ?? fresh)
      })
      post.wake()
      return updated
    },

    /** A new password by a mailed proof; every session and script's key ends, whoever holds it. */
    async reset(given: Proof & { password: string; origin: Origin }): Promise<void> {
      checkPassword(given.password)
      const { user } = await verification.prove('recovery', given)
      const passwordHash = await hashPassword(given.password)
      await pool.transaction().execute(async (transaction) => {
        await updateUser(transaction, user.id, { password_hash: passwordHash })
        await dropAllOneTime(transaction, user.id)
        await deleteSessions(transaction, user.id)
        await deleteKeys(transaction, user.id)
        await recordAudit(transaction, {
          action: 'user.password_reset',
          actorId: user.id,
          ip: given.origin.ip,
        })
        await post.send(transaction, { email: user.email, user }, { kind: 'password_changed' })
      })
      post.wake()
    },

    async reauthenticate({ user }: LiveSession): Promise<void> {
      if (!user.email_confirmed_at) throw authError('email_not_confirmed', { status: 422 })
      await proofs.reauthenticate(user)
    },
  }
}

export type OwnAccount = ReturnType<typeof createOwnAccount>
