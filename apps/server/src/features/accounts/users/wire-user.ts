import { DEFAULT_USER_NAME, type User } from '@ensaio/domain'
import type { UserRow } from './users.repository.ts'

const when = (name: string, at: Date | null) => (at === null ? {} : { [name]: at.toISOString() })

const iso = (at: string) => new Date(at).toISOString()

/** Whether a second factor is asked of them. */
export const isGuarded = ({ factors }: Pick<UserRow, 'factors'>): boolean =>
  factors.some(({ status }) => status === 'verified')

/** What a token and the User object say about how a person signs in and what the product lets them do. */
export function appMetadata(user: UserRow): Record<string, unknown> {
  const providers = [...new Set(user.identities.map((identity) => identity.provider))]
  return { ...user.app_metadata, provider: providers[0] ?? 'email', providers, role: user.app_role }
}

/** The User object of auth/v1; no secrets in it. */
export function wireUser(user: UserRow) {
  return {
    id: user.id,
    aud: 'authenticated',
    role: 'authenticated',
    email: user.email,
    phone: '',
    ...when('email_confirmed_at', user.email_confirmed_at),
    ...when('confirmed_at', user.email_confirmed_at),
    ...when('invited_at', user.invited_at),
    ...when('confirmation_sent_at', user.confirmation_sent_at),
    ...when('recovery_sent_at', user.recovery_sent_at),
    ...when('email_change_sent_at', user.email_change_sent_at),
    ...(user.new_email !== null && { new_email: user.new_email }),
    ...when('reauthentication_sent_at', user.reauthentication_sent_at),
    ...when('last_sign_in_at', user.last_sign_in_at),
    ...when('banned_until', user.blocked_at && BLOCKED_FOR_EVER),
    app_metadata: appMetadata(user),
    user_metadata: { ...user.user_metadata, email_verified: user.email_confirmed_at !== null },
    ...(user.factors.length > 0 && {
      factors: user.factors.map((factor) => ({
        ...factor,
        phone: '',
        last_challenged_at: factor.last_challenged_at && iso(factor.last_challenged_at),
        created_at: iso(factor.created_at),
        updated_at: iso(factor.updated_at),
      })),
    }),
    identities: user.identities.map((identity) => ({
      identity_id: identity.id,
      id: identity.provider_id,
      user_id: user.id,
      identity_data: identity.identity_data,
      provider: identity.provider,
      last_sign_in_at: identity.last_sign_in_at && iso(identity.last_sign_in_at),
      created_at: iso(identity.created_at),
      updated_at: iso(identity.updated_at),
      email: identity.email ?? '',
    })),
    created_at: user.created_at.toISOString(),
    updated_at: user.updated_at.toISOString(),
    is_anonymous: false,
  }
}

const BLOCKED_FOR_EVER = new Date(Date.UTC(9999, 0, 1))

export type WireUser = ReturnType<typeof wireUser>

/** The same person as the product API shows them. */
export function productUser(user: UserRow): User {
  const { name, company } = user.user_metadata
  return {
    id: user.id,
    name: typeof name === 'string' && name !== '' ? name : DEFAULT_USER_NAME,
    email: user.email,
    company: typeof company === 'string' && company !== '' ? company : null,
    role: user.app_role,
    requestedRole: user.requested_role,
    createdAt: user.created_at.toISOString(),
  }
}
