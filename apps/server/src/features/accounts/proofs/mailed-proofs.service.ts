import { v7 as uuid } from 'uuid'
import type { Config } from '../../../config.ts'
import type { Handle } from '../../../database/handle.ts'
import type { Pkce } from '../credentials/credentials.ts'
import { authError } from '../errors/auth-error.ts'
import type { PostOffice } from '../letters/post-office.ts'
import { recordAudit } from '../users/audit.repository.ts'
import { type UserRow, updateUser, userByEmail, userByNewEmail } from '../users/users.repository.ts'
import { insertFlowState } from './flow-states.repository.ts'
import type { OneTimeKind } from './one-time.repository.ts'
import type { OneTimeCodes } from './one-time.ts'
import { type Redirects, withParameters } from './redirects.ts'

/** Our own page, which sends the token itself: a mail scanner that follows the link uses nothing up. */
const RESET_PAGE = '/reset-password'

const METHODS: Record<OneTimeKind, string> = {
  signup: 'email/signup',
  recovery: 'recovery',
  email_change_current: 'email_change',
  email_change_new: 'email_change',
  reauthentication: 'otp',
}

export interface Wanted {
  redirectTo: string | undefined
  pkce: Pkce | null
}

/** Letters that let their reader prove an address, and what the letters' links say. */
export function createMailedProofs(input: {
  handle: Handle
  config: Config
  codes: OneTimeCodes
  post: PostOffice
  redirects: Redirects
}) {
  const { handle: pool, config, codes, post, redirects } = input
  const base = `${config.siteUrl}/auth/v1`

  const tooSoon = (sentAt: Date | null) =>
    sentAt !== null && Date.now() - sentAt.getTime() < config.auth.mailIntervalMs

  /** Makes a code and a link for the purpose, and remembers where and how the link goes on. */
  const issue = async (handle: Handle, user: UserRow, kind: OneTimeKind, wanted: Wanted) => {
    let flowStateId: string | null = null
    if (wanted.pkce) {
      flowStateId = uuid()
      await insertFlowState(handle, {
        id: flowStateId,
        method: METHODS[kind],
        code_challenge: wanted.pkce.challenge,
        redirect_to: null,
      })
    }
    const { code, tokenHash } = await codes.issue(handle, { userId: user.id, kind, flowStateId })
    const sent = flowStateId === null ? tokenHash : `pkce_${tokenHash}`
    return { code, tokenHash: sent, link: linkFor(kind, { bare: tokenHash, sent }, wanted.redirectTo) }
  }

  const linkFor = (
    kind: OneTimeKind,
    token: { bare: string; sent: string },
    redirectTo: string | undefined,
  ) => {
    const target = redirects.safe(redirectTo)
    const type = kind.startsWith('email_change') ? 'email_change' : kind
    if (kind === 'recovery' && new URL(target).origin === new URL(config.siteUrl).origin) {
      const url = new URL(target)
      if (url.pathname === RESET_PAGE || redirectTo === undefined)
        return withParameters(new URL(RESET_PAGE, config.siteUrl).href, {
          query: { token_hash: token.bare, type },
        })
    }
    return withParameters(`${base}/verify`, { query: { token: token.sent, type, redirect_to: target } })
  }

  const sendConfirmation = async (handle: Handle, user: UserRow, wanted: Wanted) => {
    const { code, link, tokenHash } = await issue(handle, user, 'signup', wanted)
    await updateUser(handle, user.id, { confirmation_sent_at: new Date() })
    await post.send(handle, { email: user.email, user }, { kind: 'signup', code, link }, tokenHash)
  }

  const sendEmailChange = async (handle: Handle, user: UserRow, newEmail: string, wanted: Wanted) => {
    await updateUser(handle, user.id, { new_email: newEmail, email_change_sent_at: new Date() })
    for (const [kind, email] of [
      ['email_change_current', user.email],
      ['email_change_new', newEmail],
    ] as const) {
      const { code, link, tokenHash } = await issue(handle, user, kind, wanted)
      await post.send(handle, { email, user }, { kind: 'email_change', code, link, newEmail }, tokenHash)
    }
  }

  return {
    sendConfirmation,
    sendEmailChange,
    tooSoon,

    /** Answers nobody: whether there is such an account shows neither in the answer nor in its time. */
    recover(email: string, wanted: Wanted): void {
      post.later(async () => {
        await pool.transaction().execute(async (transaction) => {
          const user = await userByEmail(transaction, email)
          if (!user || user.blocked_at || tooSoon(user.recovery_sent_at)) return
          const { code, link, tokenHash } = await issue(transaction, user, 'recovery', wanted)
          await updateUser(transaction, user.id, { recovery_sent_at: new Date() })
          await recordAudit(transaction, { action: 'user.recovery_requested', subjectId: user.id })
          await post.send(transaction, { email, user }, { kind: 'recovery', code, link }, tokenHash)
        })
      })
    },

    resend(type: 'signup' | 'email_change', email: string, wanted: Wanted): void {
      post.later(async () => {
        await pool.transaction().execute(async (transaction) => {
          const user =
            (await userByEmail(transaction, email)) ??
            (type === 'email_change' ? await userByNewEmail(transaction, email) : null)
          if (!user || user.blocked_at) return
          if (type === 'signup' && !user.email_confirmed_at && !tooSoon(user.confirmation_sent_at))
            await sendConfirmation(transaction, user, wanted)
          if (type === 'email_change' && user.new_email && !tooSoon(user.email_change_sent_at))
            await sendEmailChange(transaction, user, user.new_email, wanted)
        })
      })
    },

    async reauthenticate(user: UserRow): Promise<void> {
      if (tooSoon(user.reauthentication_sent_at)) {
        const retryAfterS = config.auth.mailIntervalMs / 1000
        throw authError('over_email_send_rate_limit', { retryAfterS })
      }
      await pool.transaction().execute(async (transaction) => {
        const { code } = await codes.issue(transaction, {
          userId: user.id,
          kind: 'reauthentication',
          flowStateId: null,
        })
        await updateUser(transaction, user.id, { reauthentication_sent_at: new Date() })
        await post.send(transaction, { email: user.email, user }, { kind: 'reauthentication', code })
      })
      post.wake()
    },
  }
}

export type MailedProofs = ReturnType<typeof createMailedProofs>
