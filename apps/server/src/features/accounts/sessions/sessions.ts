import { FIELD_HEADER, problem } from '@ensaio/domain'
import type { FastifyRequest } from 'fastify'
import { validate as isUuid, v7 as uuid } from 'uuid'
import type { Handle } from '../../../database/handle.ts'
import type { Actor } from '../../../http/contract-routes.ts'
import type { ServerSecret } from '../../../secret/server-secret.ts'
import { AuthError, authError } from '../errors/auth-error.ts'
import type { Limits } from '../limits/limits.ts'
import { recordAudit } from '../users/audit.repository.ts'
import { type UserRow, userById } from '../users/users.repository.ts'
import { appMetadata, isGuarded, type WireUser, wireUser } from '../users/wire-user.ts'
import type { AccessTokens } from './access-token.ts'
import { readRefreshToken, writeRefreshToken } from './refresh-token.ts'
import {
  advanceSession,
  amrOf,
  deleteSession,
  deleteSessions,
  endSession,
  insertPhoneSession,
  insertSession,
  type LiveSession,
  liveActor,
  liveSession,
  lockSession,
  type Origin,
  type SessionRow,
} from './sessions.repository.ts'

/** Section 9's "token lifetime 7d": how long an unused session lives. Used or not, it ends after 30 days. */
const IDLE_LIFE_MS = 7 * 86_400_000
const LONGEST_LIFE_MS = 30 * 86_400_000
/** Of a phone in the field, from its last contact on. */
const FIELD_LIFE_MS = 90 * 86_400_000
const LONGEST_USER_AGENT = 300

export interface SessionAnswer {
  access_token: string
  token_type: 'bearer'
  expires_in: number
  expires_at: number
  refresh_token: string
  user: WireUser
}

export type SignOutScope = 'global' | 'local' | 'others'

export interface Sessions {
  /** Opens a session inside the caller's transaction. */
  open(
    handle: Handle,
    input: { userId: string; method: string; provider?: string; origin: Origin },
  ): Promise<SessionAnswer>
  /** The token answer for a session as it now stands. */
  answer(handle: Handle, sessionId: string, userId: string): Promise<SessionAnswer>
  refresh(token: string): Promise<SessionAnswer>
  /** A phone's session beside the one that the token renews, which goes on; it ends with that one's sign-out. */
  openOnPhone(token: string, origin: Origin): Promise<SessionAnswer>
  /** The live session of a request's bearer token. @throws AuthError */
  required(request: FastifyRequest): Promise<LiveSession>
  /** The same for the product API. @throws Problem */
  actor(request: FastifyRequest): Promise<Actor>
  signOut(live: LiveSession, scope: SignOutScope): Promise<void>
}

export function createSessions(input: {
  handle: Handle
  secret: ServerSecret
  tokens: AccessTokens
  limits: Limits
  reuseIntervalMs: number
}): Sessions {
  const { handle: pool, secret, tokens, limits, reuseIntervalMs } = input

  const present = async (handle: Handle, user: UserRow, session: SessionRow): Promise<SessionAnswer> => {
    const { token, expiresAt } = await tokens.sign({
      userId: user.id,
      sessionId: session.id,
      email: user.email,
      appMetadata: appMetadata(user),
      userMetadata: user.user_metadata,
      aal: session.aal,
      amr: await amrOf(handle, session.id),
    })
    return {
      access_token: token,
      token_type: 'bearer',
      expires_in: expiresAt - Math.floor(Date.now() / 1000),
      expires_at: expiresAt,
      refresh_token: writeRefreshToken(secret, session.id, session.rt_counter),
      user: wireUser(user),
    }
  }

  const answer = async (handle: Handle, sessionId: string, userId: string) => {
    const { user, session } = await liveSession(handle, { userId, sessionId })
    if (!user) throw authError('user_not_found')
    if (!session) throw authError('session_not_found')
    return present(handle, user, session)
  }

  const claimsOf = (request: FastifyRequest) => {
    const bearer = /^bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    return bearer === undefined ? undefined : tokens.read(bearer)
  }

  const required = async (request: FastifyRequest): Promise<LiveSession> => {
    const claims = await claimsOf(request)
    if (claims === undefined) throw authError('no_authorization')
    if (!claims) throw authError('bad_jwt')
    const { user, session } = await liveSession(pool, claims)
    if (!user) throw authError('user_not_found')
    if (!session) throw authError('session_not_found')
    if (user.blocked_at) throw authError('user_banned')
    // A revoked phone's changes nothing of the account: neither password nor factors.
    if (session.revogada) throw authError('session_not_found')
    return { user, session }
  }

  /** What a refresh token is good for. @throws AuthError where it is not good, or what the work refuses with */
  const byRefreshToken = async (
    token: string,
    work: (
      transaction: Handle,
      held: { user: UserRow; session: SessionRow; counter: number },
    ) => Promise<SessionAnswer | AuthError>,
  ): Promise<SessionAnswer> => {
    const read = readRefreshToken(secret, token)
    if (read.kind === 'malformed')
      throw authError('validation_failed', { message: 'Refresh token is not valid' })
    if (read.kind === 'forged') throw authError('refresh_token_not_found')
    const { counter, sessionId } = read
    await limits.refresh(sessionId)
    // A refusal that also ends the session must be committed, hence returned and thrown outside.
    const outcome = await pool.transaction().execute(async (transaction) => {
      const session = await lockSession(transaction, sessionId)
      if (!session) return authError('refresh_token_not_found')
      const refusal = refusalOf(session, counter, reuseIntervalMs)
      if (refusal) {
        if (refusal.endsSession) await deleteSession(transaction, session.id)
        if (refusal.theft)
          await recordAudit(transaction, { action: 'session.token_reuse', subjectId: session.user_id })
        return refusal.error
      }
      const user = await userById(transaction, session.user_id)
      if (!user) return authError('refresh_token_not_found')
      if (user.blocked_at) return authError('user_banned', { status: 400 })
      return work(transaction, { user, session, counter })
    })
    if (outcome instanceof AuthError) throw outcome
    return outcome
  }

  return {
    answer,
    required,

    async open(handle, { userId, method, provider, origin }) {
      const id = uuid()
      await insertSession(handle, {
        id,
        userId,
        method,
        ...(provider !== undefined && { provider }),
        lifeMs: origin.field ? FIELD_LIFE_MS : LONGEST_LIFE_MS,
        ...{ ip: origin.ip, field: origin.field },
        userAgent: origin.userAgent?.slice(0, LONGEST_USER_AGENT) ?? null,
      })
      return answer(handle, id, userId)
    },

    refresh: (token) =>
      byRefreshToken(token, async (transaction, { user, session, counter }) => {
        if (counter < session.rt_counter) return present(transaction, user, session)
        const next = { ...session, rt_counter: session.rt_counter + 1 }
        await advanceSession(transaction, session.id, {
          counter: next.rt_counter,
          lifeMs: session.campo ? FIELD_LIFE_MS : null,
        })
        return present(transaction, user, next)
      }),

    openOnPhone: (token, { ip, userAgent }) =>
      byRefreshToken(token, async (transaction, { user, session }) => {
        if (session.campo || session.revogada) return authError('refresh_token_not_found')
        // The one that is made is as well proven as this one, and asks for no code later.
        if (session.aal === 'aal1' && isGuarded(user)) return authError('insufficient_aal')
        const id = uuid()
        await insertPhoneSession(transaction, {
          ...{ id, from: session.id, userId: user.id, lifeMs: FIELD_LIFE_MS, ip },
          userAgent: userAgent?.slice(0, LONGEST_USER_AGENT) ?? null,
        })
        await recordAudit(transaction, { action: 'session.phone_opened', actorId: user.id, ip })
        return answer(transaction, id, user.id)
      }),

    async actor(request) {
      const claims = await claimsOf(request)
      const asked = askedOrganization(request)
      const live = claims && (await liveActor(pool, claims, asked ?? null))
      if (!live) throw problem('auth.required')
      if (live.blocked) throw problem('auth.blocked')
      if (live.revoked) throw problem('device.revoked')
      if (live.guarded && live.aal === 'aal1') throw problem('auth.mfa_required')
      const { name, role, organization, papel, closed, several } = live
      if (asked === null || organization === null || papel === null) throw problem('organization.not_found')
      const { userId: id, sessionId } = claims
      return { id, name, role, sessionId, organization, papel, closed, several }
    },

    async signOut({ user, session }, scope) {
      await pool.transaction().execute(async (transaction) => {
        if (scope === 'local') await endSession(transaction, user.id, session.id)
        else await deleteSessions(transaction, user.id, scope === 'others' ? session.id : undefined)
        await recordAudit(transaction, { action: 'session.sign_out', actorId: user.id, details: { scope } })
      })
    },
  }
}

/** The organisation that a request asks to act for; undefined when it names none, null when no such can be. */
function askedOrganization(request: FastifyRequest): string | null | undefined {
  const given = request.headers['x-organization']
  if (given === undefined) return undefined
  return typeof given === 'string' && isUuid(given) ? given : null
}

export const originOf = (request: FastifyRequest): Origin => ({
  ip: request.ip,
  userAgent: request.headers['user-agent'] ?? null,
  field: request.headers[FIELD_HEADER] === '1',
})

/** Section 4 of the contract: the newest token and its parent are good, older ones only for a moment. */
function refusalOf(
  session: SessionRow,
  counter: number,
  reuseIntervalMs: number,
): { error: AuthError; endsSession?: true; theft?: true } | null {
  const now = Date.now()
  const idleMs = session.campo ? FIELD_LIFE_MS : IDLE_LIFE_MS
  if (session.not_after.getTime() <= now || session.refreshed_at.getTime() + idleMs <= now)
    return { error: authError('session_expired'), endsSession: true }
  if (counter > session.rt_counter) return { error: authError('refresh_token_not_found') }
  if (counter < session.rt_floor) return { error: authError('refresh_token_already_used') }
  const racing = now - session.refreshed_at.getTime() <= reuseIntervalMs
  if (session.rt_counter - counter <= 1 || racing) return null
  return { error: authError('refresh_token_already_used'), endsSession: true, theft: true }
}
