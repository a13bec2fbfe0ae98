import { DEFAULT_USER_NAME, ROLES } from '@ensaio/domain'
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { Config } from '../../../config.ts'
import type { Handle } from '../../../database/handle.ts'
import { checkPassword, readEmail } from '../credentials/credentials.ts'
import { hashPassword, passwordMatches } from '../credentials/passwords.ts'
import { AuthError, authError, invalid } from '../errors/auth-error.ts'
import type { PostOffice } from '../letters/post-office.ts'
import type { Limits } from '../limits/limits.ts'
import type { MailedProofs, Wanted } from '../proofs/mailed-proofs.service.ts'
import type { Origin } from '../sessions/sessions.repository.ts'
import type { SessionAnswer, Sessions } from '../sessions/sessions.ts'
import { grantToConfigured } from '../users/administrators.ts'
import { recordAudit } from '../users/audit.repository.ts'
import { mergeMetadata } from '../users/user-metadata.ts'
import {
  insertIdentity,
  insertUser,
  requestRole,
  type UserRow,
  updateUser,
  userByEmail,
  userById,
} from '../users/users.repository.ts'
import { type WireUser, wireUser } from '../users/wire-user.ts'

export interface SignUp {
  email: string | undefined
  password: string | undefined
  data: Record<string, unknown>
  wanted: Wanted
  origin: Origin
}

/** Invitations into organisations, as a sign-up meets them, in its transaction. */
export interface Invitations {
  isFor(handle: Handle, token: string, email: string): Promise<boolean>
  accept(handle: Handle, token: string, personId: string): Promise<void>
}

/** Says in a sign-up's data what the person would like to be. */
const REQUESTED_ROLE = 'requested_role'
/** Carries the token of an invitation. */
const INVITATION = 'convite'
const GUESS = 'password'

export function createAccounts(input: {
  handle: Handle
  config: Config
  sessions: Sessions
  limits: Limits
  proofs: MailedProofs
  post: PostOffice
  invitations: Invitations
}) {
  const { handle: pool, config, sessions, limits, proofs, post, invitations } = input

  const create = async (
    handle: Handle,
    given: {
      email: string
      passwordHash: string
      metadata: Record<string, unknown>
      wishedRole: unknown
      confirmed: boolean
    },
  ): Promise<UserRow | null> => {
    const id = uuid()
    const { confirmed } = given
    const created = await insertUser(handle, {
      id,
      email: given.email,
      passwordHash: given.passwordHash,
      confirmed,
      userMetadata: given.metadata,
    })
    if (!created) return null
    await insertIdentity(handle, {
      id: uuid(),
      userId: id,
      provider: 'email',
      providerId: id,
      data: { sub: id, email: given.email, email_verified: confirmed, phone_verified: false },
      email: given.email,
    })
    const role = z.enum(ROLES).safeParse(given.wishedRole)
    if (role.success && role.data !== 'user')
      await requestRole(handle, { id: uuid(), userId: id, role: role.data })
    const user = await userById(handle, id)
    if (user) await grantToConfigured(handle, user, config)
    return user
  }

  /** Somebody registers an address that has an account: its owner is told, and nobody else. */
  const remind = async (handle: Handle, email: string, wanted: Wanted) => {
    const user = await userByEmail(handle, email)
    if (!user || proofs.tooSoon(user.confirmation_sent_at)) return
    if (!user.email_confirmed_at) return proofs.sendConfirmation(handle, user, wanted)
    const link = new URL('/forgot-password', config.siteUrl).href
    await updateUser(handle, user.id, { confirmation_sent_at: new Date() })
    await post.send(handle, { email, user }, { kind: 'signup_attempt', link })
  }

  return {
    /** A session; or, when the address has to be confirmed first, only the user. */
    async signUp({
      email: given,
      password,
      data,
      wanted,
      origin,
    }: SignUp): Promise<SessionAnswer | WireUser> {
      if (!password) throw invalid('Signup requires a valid password')
      const email = readEmail(given)
      checkPassword(password)
      const { [REQUESTED_ROLE]: wishedRole, [INVITATION]: token, ...said } = data
      const metadata = mergeMetadata({ name: DEFAULT_USER_NAME }, said)
      // Hashed whether or not the account exists, and outside the transaction.
      const passwordHash = await hashPassword(password)
      const answer = await pool.transaction().execute(async (transaction) => {
        // A link that was mailed to the address proves it; no second letter is needed.
        const invited = typeof token === 'string' && (await invitations.isFor(transaction, token, email))
        const confirmed = config.auth.autoconfirm || invited
        const user = await create(transaction, { email, passwordHash, metadata, wishedRole, confirmed })
        if (user) await recordAudit(transaction, { action: 'user.sign_up', actorId: user.id, ip: origin.ip })
        if (user && invited) await invitations.accept(transaction, token, user.id)
        if (confirmed && user)
          return sessions.open(transaction, { userId: user.id, method: 'password', origin })
        if (user) await proofs.sendConfirmation(transaction, user, wanted)
        else await remind(transaction, email, wanted)
        // The letter to the owner is to be sent, hence returned and thrown outside.
        if (config.auth.autoconfirm) return authError('user_already_exists')
        const fresh = user && (await userById(transaction, user.id))
        return fresh ? wireUser(fresh) : pretended(email, metadata)
      })
      post.wake()
      if (answer instanceof AuthError) throw answer
      return answer
    },

    async signIn(given: {
      email: string | undefined
      password: string | undefined
      origin: Origin
    }): Promise<SessionAnswer> {
      if (!given.email || !given.password) throw authError('invalid_credentials')
      const email = given.email.trim().toLowerCase()
      await limits.guess(GUESS, email, given.origin.ip)
      const user = await userByEmail(pool, email)
      const matches = await passwordMatches(user?.password_hash ?? null, given.password)
      if (!user || !matches) {
        await recordAudit(pool, {
          action: 'session.wrong_password',
          subjectId: user?.id ?? null,
          ip: given.origin.ip,
        })
        throw authError('invalid_credentials')
      }
      await limits.rightGuess(GUESS, email, given.origin.ip)
      if (user.blocked_at) throw authError('user_banned', { status: 400 })
      if (!user.email_confirmed_at) throw authError('email_not_confirmed')
      return pool.transaction().execute(async (transaction) => {
        await recordAudit(transaction, { action: 'session.sign_in', actorId: user.id, ip: given.origin.ip })
        return sessions.open(transaction, { userId: user.id, method: 'password', origin: given.origin })
      })
    },
  }
}

export type Accounts = ReturnType<typeof createAccounts>

/** A user who does not exist, for a sign-up with an address that has an account: it looks like any new one. */
function pretended(email: string, metadata: Record<string, unknown>): WireUser {
  const id = uuid()
  const now = new Date()
  return wireUser({
    id,
    email,
    password_hash: null,
    email_confirmed_at: null,
    confirmation_sent_at: now,
    recovery_sent_at: null,
    email_change_sent_at: null,
    reauthentication_sent_at: null,
    invited_at: null,
    last_sign_in_at: null,
    new_email: null,
    app_role: 'user',
    blocked_at: null,
    app_metadata: {},
    user_metadata: metadata,
    created_at: now,
    updated_at: now,
    identities: [
      {
        id: uuid(),
        provider: 'email',
        provider_id: id,
        identity_data: { sub: id, email, email_verified: false, phone_verified: false },
        email,
        last_sign_in_at: now.toISOString(),
        created_at: now.toISOString(),
        updated_at: now.toISOString(),
      },
    ],
    factors: [],
    requested_role: null,
  })
}
