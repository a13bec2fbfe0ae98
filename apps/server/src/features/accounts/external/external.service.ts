import { randomUUID } from 'node:crypto'
import { DEFAULT_USER_NAME } from '@ensaio/domain'
import { v7 as uuid } from 'uuid'
import type { Config } from '../../../config.ts'
import type { Handle } from '../../../database/handle.ts'
import { readEmail } from '../credentials/credentials.ts'
import { AuthError, authError } from '../errors/auth-error.ts'
import {
  type FlowState,
  flowState,
  insertFlowState,
  issueAuthCode,
  useFlowState,
} from '../proofs/flow-states.repository.ts'
import type { Wanted } from '../proofs/mailed-proofs.service.ts'
import { type Redirects, withParameters } from '../proofs/redirects.ts'
import { failureParameters, sessionFragment } from '../proofs/verification.service.ts'
import type { LiveSession, Origin } from '../sessions/sessions.repository.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { grantToConfigured } from '../users/administrators.ts'
import { recordAudit } from '../users/audit.repository.ts'
import { mergeMetadata } from '../users/user-metadata.ts'
import {
  insertIdentity,
  insertUser,
  lockUser,
  type UserRow,
  updateEmailIdentity,
  updateUser,
  userByEmail,
  userById,
} from '../users/users.repository.ts'
import { deleteIdentity, identityOwner } from './identities.repository.ts'

const LONGEST_SUBJECT = 255
const FLOW_LIFE_MS = 300_000

/** What an outside provider says about a person. */
export interface ExternalPerson {
  provider: string
  /** The provider's own name for the person. */
  subject: string
  email: string | null
  emailVerified: boolean
  name: string | null
  /** The provider's tokens, for the client that asked. */
  providerToken?: string | undefined
}

/** Sign-in by providers outside: the flow's state, and which account a person is. */
export function createExternal(input: {
  handle: Handle
  config: Config
  sessions: Sessions
  redirects: Redirects
}) {
  const { handle: pool, config, sessions, redirects } = input

  /** An account for a person whom nobody here knows yet. */
  const create = async (handle: Handle, person: ExternalPerson, email: string): Promise<UserRow> => {
    const id = uuid()
    const created = await insertUser(handle, {
      id,
      email,
      passwordHash: null,
      confirmed: person.emailVerified,
      userMetadata: mergeMetadata({}, { name: person.name ?? DEFAULT_USER_NAME }),
    })
    const user = created ? await userById(handle, id) : null
    if (!user) throw authError('email_exists')
    await grantToConfigured(handle, user, config)
    return user
  }

  /** The account with the same address, when the provider vouches for it. */
  const matching = async (handle: Handle, person: ExternalPerson, email: string): Promise<UserRow | null> => {
    const user = await userByEmail(handle, email)
    if (!user) return null
    if (!person.emailVerified) throw authError('email_exists')
    if (!user.email_confirmed_at) {
      // Somebody may have registered the address before its owner: that password opens nothing any more.
      await updateUser(handle, user.id, { password_hash: null, email_confirmed_at: new Date() })
      await updateEmailIdentity(handle, user.id, { email, verified: true })
    }
    return user
  }

  const admit = async (handle: Handle, person: ExternalPerson, linkTo: string | null): Promise<UserRow> => {
    // It is a key here, and OpenID Connect allows no longer one.
    if (person.subject.length > LONGEST_SUBJECT) throw authError('bad_oauth_callback')
    const owner = await identityOwner(handle, person.provider, person.subject)
    if (owner) {
      if (linkTo !== null && linkTo !== owner) throw authError('identity_already_exists')
      const user = await userById(handle, owner)
      if (!user) throw authError('user_not_found')
      return user
    }
    const email = person.email === null ? null : readEmail(person.email)
    let user: UserRow | null
    if (linkTo !== null) user = await userById(handle, linkTo)
    else {
      if (email === null)
        throw authError('bad_oauth_callback', { message: 'Error getting user email from external provider' })
      user = (await matching(handle, person, email)) ?? (await create(handle, person, email))
    }
    if (!user) throw authError('user_not_found')
    await insertIdentity(handle, {
      id: uuid(),
      userId: user.id,
      provider: person.provider,
      providerId: person.subject,
      data: {
        sub: person.subject,
        email: email ?? '',
        email_verified: person.emailVerified,
        phone_verified: false,
        ...(person.name !== null && {
          name: person.name.slice(0, LONGEST_SUBJECT),
          full_name: person.name.slice(0, LONGEST_SUBJECT),
        }),
      },
      email,
    })
    await recordAudit(handle, {
      action: 'identity.linked',
      actorId: user.id,
      details: { provider: person.provider },
    })
    return user
  }

  /** Where the browser goes with a session, or a code for one. */
  const landing = async (
    handle: Handle,
    flow: FlowState,
    user: UserRow,
    person: ExternalPerson,
    origin: Origin,
  ): Promise<string> => {
    const target = redirects.safe(flow.redirect_to ?? undefined)
    if (flow.code_challenge) {
      const code = randomUUID()
      await issueAuthCode(handle, { id: flow.id, userId: user.id, code })
      return withParameters(target, { query: { code } })
    }
    const session = await sessions.open(handle, {
      userId: user.id,
      method: flow.method,
      provider: person.provider,
      origin,
    })
    const providerToken = person.providerToken ? { provider_token: person.providerToken } : {}
    return withParameters(target, { fragment: { ...sessionFragment(session), ...providerToken } })
  }

  return {
    /** Remembers where the flow began; its id is the state that the provider gives back. */
    async begin(flow: {
      method: 'oauth' | 'sso/saml'
      provider: string
      wanted: Wanted
      verifier?: string
      nonce?: string
      linkingUserId?: string
    }): Promise<string> {
      const id = randomUUID()
      await insertFlowState(pool, {
        id,
        method: flow.method,
        provider: flow.provider,
        code_challenge: flow.wanted.pkce?.challenge ?? null,
        redirect_to: redirects.safe(flow.wanted.redirectTo),
        provider_verifier: flow.verifier ?? null,
        nonce: flow.nonce ?? null,
        linking_user_id: flow.linkingUserId ?? null,
      })
      return id
    },

    /** Takes the state out of use. @throws AuthError when it is unknown, old or used */
    async take(state: string): Promise<FlowState> {
      return pool.transaction().execute(async (transaction) => {
        const flow = await flowState(transaction, state)
        if (!flow || Date.now() - flow.created_at.getTime() > FLOW_LIFE_MS) throw authError('bad_oauth_state')
        if (flow.used_at) throw authError('flow_state_already_used')
        await useFlowState(transaction, state)
        return flow
      })
    },

    /** The address to send the browser to once the provider has vouched for the person, or has not. */
    async finish(flow: FlowState, learn: () => Promise<ExternalPerson>, origin: Origin): Promise<string> {
      try {
        const person = await learn()
        return await pool.transaction().execute(async (transaction) => {
          const user = await admit(transaction, person, flow.linking_user_id)
          if (user.blocked_at) throw authError('user_banned')
          await recordAudit(transaction, {
            action: 'session.sign_in',
            actorId: user.id,
            ip: origin.ip,
            details: { provider: person.provider },
          })
          return landing(transaction, flow, user, person, origin)
        })
      } catch (error) {
        if (!(error instanceof AuthError)) throw error
        const target = redirects.safe(flow.redirect_to ?? undefined)
        return withParameters(target, failureParameters(error, true))
      }
    },

    async unlink({ user }: LiveSession, identityId: string): Promise<void> {
      await pool.transaction().execute(async (transaction) => {
        await lockUser(transaction, user.id)
        const fresh = await userById(transaction, user.id)
        if (!fresh?.identities.some((identity) => identity.id === identityId))
          throw authError('identity_not_found')
        if (fresh.identities.length === 1) throw authError('single_identity_not_deletable')
        await deleteIdentity(transaction, identityId)
        await recordAudit(transaction, { action: 'identity.unlinked', actorId: user.id })
      })
    },
  }
}

export type External = ReturnType<typeof createExternal>
