import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Config } from '../../../config.ts'
import type { Handle } from '../../../database/handle.ts'
import { AuthError, authError } from '../errors/auth-error.ts'
import type { PostOffice } from '../letters/post-office.ts'
import type { Limits } from '../limits/limits.ts'
import type { Origin } from '../sessions/sessions.repository.ts'
import type { SessionAnswer, Sessions } from '../sessions/sessions.ts'
import { grantToConfigured } from '../users/administrators.ts'
import { recordAudit } from '../users/audit.repository.ts'
import {
  lockUser,
  type UserRow,
  updateEmailIdentity,
  updateUser,
  userByEmail,
  userById,
  userByNewEmail,
} from '../users/users.repository.ts'
import { type FlowState, flowState, issueAuthCode, takeAuthCode } from './flow-states.repository.ts'
import {
  dropAllOneTime,
  dropOneTime,
  type OneTimeKind,
  type OneTimeRow,
  oneTimeOf,
} from './one-time.repository.ts'
import type { OneTimeCodes } from './one-time.ts'
import { type Redirects, withParameters } from './redirects.ts'

/** An auth code is exchanged by the page that the link opened. */
const CODE_LIFE_MS = 300_000
const GUESS = 'code'
const KINDS: Readonly<Record<string, readonly OneTimeKind[]>> = {
  signup: ['signup'],
  invite: ['signup'],
  email: ['signup'],
  magiclink: ['signup'],
  recovery: ['recovery'],
  email_change: ['email_change_current', 'email_change_new'],
  sms: [],
  phone_change: [],
}

/** Half of a secure e-mail change: the other address has yet to confirm. */
export const HALF_CHANGED = {
  msg: 'Confirmation link accepted. Please proceed to confirm link sent to the other email',
  code: '200',
}

/** A typed code with its address, or what a link carries. */
export type Proof = { email: string; token: string } | { tokenHash: string }

type Verified = { user: UserRow; flow: FlowState | null } | 'half'

export function createVerification(input: {
  handle: Handle
  config: Config
  codes: OneTimeCodes
  limits: Limits
  sessions: Sessions
  post: PostOffice
  redirects: Redirects
}) {
  const { handle: pool, config, codes, limits, sessions, post, redirects } = input

  /** What a proven code or link brings about, inside the transaction that found it. */
  const complete = async (handle: Handle, row: OneTimeRow): Promise<Verified> => {
    await lockUser(handle, row.user_id)
    const user = await userById(handle, row.user_id)
    if (!user) throw authError('otp_expired')
    if (user.blocked_at) throw authError('user_banned')
    const flow = row.flow_state_id ? await flowState(handle, row.flow_state_id) : null
    if (row.kind.startsWith('email_change')) {
      await dropOneTime(handle, row)
      const other = await oneTimeOf(handle, user.id, ['email_change_current', 'email_change_new'])
      if (other.length > 0) return 'half'
      await applyEmailChange(handle, user)
    } else if (!user.email_confirmed_at) {
      await updateUser(handle, user.id, { email_confirmed_at: new Date() })
      await updateEmailIdentity(handle, user.id, { email: user.email, verified: true })
      await grantToConfigured(handle, { ...user, email_confirmed_at: new Date() }, config)
    }
    await dropAllOneTime(handle, user.id)
    await recordAudit(handle, { action: `user.verified`, actorId: user.id, details: { kind: row.kind } })
    return { user: (await userById(handle, user.id)) ?? user, flow }
  }

  const applyEmailChange = async (handle: Handle, user: UserRow) => {
    if (!user.new_email || (await userByEmail(handle, user.new_email))) throw authError('otp_expired')
    await updateUser(handle, user.id, {
      email: user.new_email,
      new_email: null,
      email_confirmed_at: new Date(),
    })
    await updateEmailIdentity(handle, user.id, { email: user.new_email, verified: true })
    await recordAudit(handle, { action: 'user.email_changed', actorId: user.id })
    await post.send(handle, { email: user.email, user }, { kind: 'email_changed', newEmail: user.new_email })
  }

  const findRow = async (handle: Handle, kinds: readonly OneTimeKind[], given: Proof) => {
    const row =
      'tokenHash' in given
        ? await codes.byLink(handle, given.tokenHash)
        : await findByCode(handle, kinds, given.email, given.token)
    return row && kinds.includes(row.kind) ? row : null
  }

  const findByCode = async (handle: Handle, kinds: readonly OneTimeKind[], email: string, code: string) => {
    const user = (await userByEmail(handle, email)) ?? (await userByNewEmail(handle, email))
    return user ? codes.byCode(handle, { userId: user.id, kinds, code }) : null
  }

  /** Guesses at a typed code are counted; nobody guesses what a link carries. */
  const countGuess = async (given: Proof & { origin: Origin }) => {
    if ('token' in given) await limits.guess(GUESS, given.email, given.origin.ip)
  }
  const countRight = async (given: Proof & { origin: Origin }) => {
    if ('token' in given) await limits.rightGuess(GUESS, given.email, given.origin.ip)
  }

  return {
    /** Whether a link would still be accepted; using it is for another call. */
    async isGood(type: string, tokenHash: string): Promise<boolean> {
      const row = await codes.byLink(pool, tokenHash)
      if (!row || !(KINDS[type] ?? []).includes(row.kind)) return false
      return (await userById(pool, row.user_id))?.blocked_at === null
    },

    /** A typed code or a link's token, sent by a page. */
    async verify(
      given: Proof & { type: string; origin: Origin },
    ): Promise<SessionAnswer | typeof HALF_CHANGED> {
      await countGuess(given)
      const kinds = KINDS[given.type] ?? []
      // A wrong guess is counted, so its transaction commits before it is refused.
      const outcome = await pool.transaction().execute(async (transaction) => {
        const row = await findRow(transaction, kinds, given)
        if (!row) return authError('otp_expired')
        const verified = await complete(transaction, row)
        if (verified === 'half') return HALF_CHANGED
        return sessions.open(transaction, { userId: verified.user.id, method: 'otp', origin: given.origin })
      })
      post.wake()
      if (outcome instanceof AuthError) throw outcome
      await countRight(given)
      return outcome
    },

    /** The person whom a code or a link proves, without a session. @throws AuthError otp_expired */
    async prove(type: 'recovery', given: Proof & { origin: Origin }): Promise<{ user: UserRow }> {
      await countGuess(given)
      const outcome = await pool.transaction().execute(async (transaction) => {
        const row = await findRow(transaction, KINDS[type] ?? [], given)
        const verified = row && (await complete(transaction, row))
        return !verified || verified === 'half' ? authError('otp_expired') : { user: verified.user }
      })
      if (outcome instanceof AuthError) throw outcome
      await countRight(given)
      return outcome
    },

    /** A followed link: the address to go on to, with a session, a code for one, or the reason why not. */
    async follow(given: {
      type: string
      token: string
      redirectTo: string | undefined
      origin: Origin
    }): Promise<string> {
      const target = redirects.safe(given.redirectTo)
      const kinds = KINDS[given.type] ?? []
      try {
        const address = await pool.transaction().execute(async (transaction) => {
          const row = await findRow(transaction, kinds, { tokenHash: given.token })
          if (!row) throw authError('otp_expired', { message: 'Email link is invalid or has expired' })
          const verified = await complete(transaction, row)
          if (verified === 'half')
            return withParameters(target, { fragment: { message: HALF_CHANGED.msg, sb: '' } })
          const { user, flow } = verified
          if (flow) {
            const code = randomUUID()
            await issueAuthCode(transaction, { id: flow.id, userId: user.id, code })
            return withParameters(target, { query: { code } })
          }
          const session = await sessions.open(transaction, {
            userId: user.id,
            method: 'otp',
            origin: given.origin,
          })
          return withParameters(target, { fragment: { ...sessionFragment(session), type: given.type } })
        })
        post.wake()
        return address
      } catch (error) {
        if (!(error instanceof AuthError)) throw error
        return withParameters(target, failureParameters(error, given.token.startsWith('pkce_')))
      }
    },

    /** The code of a followed link for a session, by whoever holds the verifier. */
    async exchange(given: { authCode: string; verifier: string; origin: Origin }): Promise<SessionAnswer> {
      const flow = await takeAuthCode(pool, given.authCode)
      if (!flow?.user_id || !flow.code_challenge) throw authError('flow_state_not_found')
      if (Date.now() - (flow.code_issued_at?.getTime() ?? 0) > CODE_LIFE_MS)
        throw authError('flow_state_expired')
      const presented = createHash('sha256').update(given.verifier).digest('base64url')
      const same =
        presented.length === flow.code_challenge.length &&
        timingSafeEqual(Buffer.from(presented), Buffer.from(flow.code_challenge))
      if (!same) throw authError('bad_code_verifier')
      const { user_id: userId, method, provider } = flow
      return pool.transaction().execute(async (transaction) => {
        const user = await userById(transaction, userId)
        if (!user) throw authError('user_not_found')
        if (user.blocked_at) throw authError('user_banned')
        return sessions.open(transaction, {
          userId,
          method,
          ...(provider !== null && { provider }),
          origin: given.origin,
        })
      })
    },
  }
}

export type Verification = ReturnType<typeof createVerification>

/** A session as a fragment, which no server ever sees. */
export const sessionFragment = (session: SessionAnswer): Record<string, string> => ({
  access_token: session.access_token,
  expires_at: String(session.expires_at),
  expires_in: String(session.expires_in),
  refresh_token: session.refresh_token,
  sb: '',
  token_type: session.token_type,
})

const OAUTH_ERRORS: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'unauthorized_client',
  403: 'access_denied',
}

/** A failure where a browser was sent: in the fragment, and in the query too for the code flow. */
export function failureParameters(error: AuthError, both: boolean) {
  const parameters = {
    error: OAUTH_ERRORS[error.status] ?? (error.status >= 500 ? 'server_error' : 'invalid_request'),
    error_code: error.code,
    error_description: error.message,
  }
  return { fragment: { ...parameters, sb: '' }, ...(both && { query: parameters }) }
}
