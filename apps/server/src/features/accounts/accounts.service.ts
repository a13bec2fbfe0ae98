import { DEFAULT_USER_NAME, ROLES, type Role } from '@ensaio/domain'
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import type { Handle } from '../../database/handle.ts'
import { recordAudit } from './audit.repository.ts'
import { authError, invalid } from './auth-error.ts'
import { checkPassword, readEmail } from './credentials.ts'
import { hashPassword, passwordMatches } from './passwords.ts'
import { deleteSessions, type LiveSession, type Origin } from './sessions.repository.ts'
import type { SessionAnswer, Sessions } from './sessions.ts'
import { mergeMetadata } from './user-metadata.ts'
import {
  insertIdentity,
  insertUser,
  lockUser,
  requestRole,
  updateUser,
  userByEmail,
  userById,
} from './users.repository.ts'
import { type WireUser, wireUser } from './wire-user.ts'

export interface SignUp {
  email: string | undefined
  password: string | undefined
  data: Record<string, unknown>
  origin: Origin
}

export interface UserUpdate {
  password: string | undefined
  data: Record<string, unknown>
  origin: Origin
}

/** The member of the sign-up's data that says what the person would like to be. */
const REQUESTED_ROLE = 'requestedRole'

export function createAccounts(input: { handle: Handle; config: Config; sessions: Sessions }) {
  const { handle: pool, config, sessions } = input

  return {
    async signUp({ email: given, password, data, origin }: SignUp): Promise<SessionAnswer> {
      if (!password) throw invalid('Signup requires a valid password')
      checkPassword(password)
      const email = readEmail(given)
      const { [REQUESTED_ROLE]: wished, ...metadata } = data
      const userMetadata = mergeMetadata({ name: DEFAULT_USER_NAME }, metadata)
      // Hashed whether or not the account exists, and outside the transaction.
      const passwordHash = await hashPassword(password)
      return pool.transaction().execute(async (transaction) => {
        const id = uuid()
        const created = await insertUser(transaction, {
          id,
          email,
          passwordHash,
          confirmed: config.auth.autoconfirm,
          userMetadata,
        })
        if (!created) throw authError('user_already_exists')
        await insertIdentity(transaction, {
          id: uuid(),
          userId: id,
          provider: 'email',
          providerId: id,
          data: { sub: id, email, email_verified: config.auth.autoconfirm, phone_verified: false },
          email,
        })
        const role = z.enum(ROLES).safeParse(wished)
        if (role.success && role.data !== 'user')
          await requestRole(transaction, { id: uuid(), userId: id, role: role.data })
        if (email === config.adminEmail && config.loopback)
          await updateUser(transaction, id, { app_role: 'admin' satisfies Role })
        await recordAudit(transaction, { action: 'user.sign_up', actorId: id, ip: origin.ip })
        return sessions.open(transaction, { userId: id, method: 'password', origin })
      })
    },

    async signIn(credentials: { email: string | undefined; password: string | undefined; origin: Origin }) {
      if (!credentials.email || !credentials.password) throw authError('invalid_credentials')
      const email = credentials.email.trim().toLowerCase()
      const user = await userByEmail(pool, email)
      const matches = await passwordMatches(user?.password_hash ?? null, credentials.password)
      if (!user || !matches) {
        await recordAudit(pool, {
          action: 'session.wrong_password',
          subjectId: user?.id ?? null,
          ip: credentials.origin.ip,
        })
        throw authError('invalid_credentials')
      }
      if (user.blocked_at) throw authError('user_banned', { status: 400 })
      if (!user.email_confirmed_at) throw authError('email_not_confirmed')
      return pool.transaction().execute(async (transaction) => {
        await recordAudit(transaction, {
          action: 'session.sign_in',
          actorId: user.id,
          ip: credentials.origin.ip,
        })
        return sessions.open(transaction, {
          userId: user.id,
          method: 'password',
          origin: credentials.origin,
        })
      })
    },

    async update({ user, session }: LiveSession, change: UserUpdate): Promise<WireUser> {
      let passwordHash: string | undefined
      if (change.password !== undefined) {
        checkPassword(change.password)
        if (await passwordMatches(user.password_hash, change.password)) throw authError('same_password')
        passwordHash = await hashPassword(change.password)
      }
      return pool.transaction().execute(async (transaction) => {
        await lockUser(transaction, user.id)
        const fresh = await userById(transaction, user.id)
        if (!fresh) throw authError('user_not_found')
        await updateUser(transaction, user.id, {
          user_metadata: mergeMetadata(fresh.user_metadata, change.data),
          ...(passwordHash !== undefined && { password_hash: passwordHash }),
        })
        if (passwordHash !== undefined) {
          await deleteSessions(transaction, user.id, session.id)
          await recordAudit(transaction, {
            action: 'user.password_changed',
            actorId: user.id,
            ip: change.origin.ip,
          })
        }
        return wireUser((await userById(transaction, user.id)) ?? fresh)
      })
    },
  }
}

export type Accounts = ReturnType<typeof createAccounts>
