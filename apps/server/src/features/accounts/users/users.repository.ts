import type { Role } from '@ensaio/domain'
import { type Selectable, sql } from 'kysely'
import type { Handle } from '../../../database/handle.ts'
import { HOT } from '../../../database/hot.ts'
import { NOW } from '../../../database/now.ts'
import type { DB } from '../../../database/schema.generated.ts'

export interface IdentityRow {
  id: string
  provider: string
  provider_id: string
  identity_data: Record<string, unknown>
  email: string | null
  last_sign_in_at: string | null
  created_at: string
  updated_at: string
}

export interface FactorRow {
  id: string
  friendly_name: string
  factor_type: 'totp' | 'phone' | 'webauthn'
  status: 'unverified' | 'verified'
  last_challenged_at: string | null
  created_at: string
  updated_at: string
}

export interface UserRow extends Omit<Selectable<DB['auth.users']>, 'name' | 'company'> {
  app_metadata: Record<string, unknown>
  user_metadata: Record<string, unknown>
  identities: IdentityRow[]
  factors: FactorRow[]
  /** The role asked for and not yet decided on. */
  requested_role: Role | null
}

/** A user with what is always shown of them. */
export const USER_COLUMNS = sql`
  u.id, u.email, u.password_hash, u.email_confirmed_at, u.confirmation_sent_at, u.recovery_sent_at,
  u.email_change_sent_at, u.reauthentication_sent_at, u.invited_at, u.last_sign_in_at, u.new_email,
  u.app_role, u.blocked_at, u.app_metadata, u.user_metadata, u.created_at, u.updated_at,
  (select coalesce(json_agg(i order by i.created_at, i.id), '[]')
   from auth.identities i where i.user_id = u.id) as identities,
  (select coalesce(json_agg(f order by f.created_at, f.id), '[]') from (
     select id, friendly_name, factor_type, status, last_challenged_at, created_at, updated_at
     from auth.factors where user_id = u.id
   ) f) as factors,
  (select q.role from auth.role_requests q where q.user_id = u.id and q.decided_at is null) as requested_role`

export async function userById(handle: Handle, id: string): Promise<UserRow | null> {
  const { rows } = await sql<UserRow>`
    ${HOT} select ${USER_COLUMNS} from auth.users u where u.id = ${id}
  `.execute(handle)
  return rows[0] ?? null
}

export async function userByEmail(handle: Handle, email: string): Promise<UserRow | null> {
  const { rows } = await sql<UserRow>`
    select ${USER_COLUMNS} from auth.users u where u.email = ${email}
  `.execute(handle)
  return rows[0] ?? null
}

/** Whoever is changing to that address. */
export async function userByNewEmail(handle: Handle, email: string): Promise<UserRow | null> {
  const { rows } = await sql<UserRow>`
    select ${USER_COLUMNS} from auth.users u where u.new_email = ${email} order by u.email_change_sent_at desc limit 1
  `.execute(handle)
  return rows[0] ?? null
}

export async function lockUser(handle: Handle, id: string): Promise<void> {
  await handle.selectFrom('auth.users').select('id').where('id', '=', id).forUpdate().execute()
}

/** False when the address is taken, also by a registration at the same moment. */
export async function insertUser(
  handle: Handle,
  user: {
    id: string
    email: string
    passwordHash: string | null
    confirmed: boolean
    userMetadata: Record<string, unknown>
  },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await handle
    .insertInto('auth.users')
    .values({
      id: user.id,
      email: user.email,
      password_hash: user.passwordHash,
      email_confirmed_at: user.confirmed ? NOW : null,
      user_metadata: JSON.stringify(user.userMetadata),
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export async function insertIdentity(
  handle: Handle,
  identity: {
    id: string
    userId: string
    provider: string
    providerId: string
    data: Record<string, unknown>
    email: string | null
  },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await handle
    .insertInto('auth.identities')
    .values({
      id: identity.id,
      user_id: identity.userId,
      provider: identity.provider,
      provider_id: identity.providerId,
      identity_data: JSON.stringify(identity.data),
      email: identity.email,
      last_sign_in_at: NOW,
    })
    .onConflict((conflict) => conflict.columns(['provider', 'provider_id']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Columns that a service may write; everything else of a user is derived. */
export type UserChange = Partial<
  Pick<
    UserRow,
    | 'email'
    | 'password_hash'
    | 'email_confirmed_at'
    | 'confirmation_sent_at'
    | 'recovery_sent_at'
    | 'email_change_sent_at'
    | 'reauthentication_sent_at'
    | 'last_sign_in_at'
    | 'new_email'
    | 'app_role'
    | 'blocked_at'
    | 'user_metadata'
  >
>

export async function updateUser(handle: Handle, id: string, change: UserChange): Promise<void> {
  const { user_metadata, ...plain } = change
  if (Object.keys(change).length === 0) return
  await handle
    .updateTable('auth.users')
    .set({
      ...plain,
      ...(user_metadata && { user_metadata: JSON.stringify(user_metadata) }),
      updated_at: NOW,
    })
    .where('id', '=', id)
    .execute()
}

/** Keeps the e-mail identity in step with the address. */
export async function updateEmailIdentity(
  handle: Handle,
  userId: string,
  identity: { email: string; verified: boolean },
): Promise<void> {
  const data = JSON.stringify({ email: identity.email, email_verified: identity.verified })
  await handle
    .updateTable('auth.identities')
    .set({
      email: identity.email,
      identity_data: sql<string>`identity_data || ${data}::jsonb`,
      updated_at: NOW,
    })
    .where('user_id', '=', userId)
    .where('provider', '=', 'email')
    .execute()
}

/** Files the person's wish for a role, in place of an earlier undecided one. */
export async function requestRole(
  handle: Handle,
  request: { id: string; userId: string; role: Role },
): Promise<void> {
  await handle
    .insertInto('auth.role_requests')
    .values({ id: request.id, user_id: request.userId, role: request.role })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .where('decided_at', 'is', null)
        .doUpdateSet({ role: request.role, created_at: NOW }),
    )
    .execute()
}

export async function withdrawRoleRequest(handle: Handle, userId: string): Promise<void> {
  await handle
    .deleteFrom('auth.role_requests')
    .where('user_id', '=', userId)
    .where('decided_at', 'is', null)
    .execute()
}

/** Administrators that can still sign in, locked so that two demotions cannot cross. */
export async function lockAdmins(handle: Handle): Promise<string[]> {
  // One after the other: a row that is an administrator's no longer stays locked by who waited for it, and two
  // that saw different lists would wait for each other.
  await sql`select pg_advisory_xact_lock(hashtext('auth.administrators'))`.execute(handle)
  const rows = await handle
    .selectFrom('auth.users')
    .select('id')
    .where('app_role', '=', 'admin')
    .where('blocked_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map((row) => row.id)
}

/** Names by id; an erased account has none. */
export async function namesOf(handle: Handle, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; name: string }>`
    ${HOT} select id, name from auth.users where id = any(${[...ids]}) and name is not null
  `.execute(handle)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The same of people who entered something for the acting organisation, told of those who are no longer of it. */
export async function memberNames(handle: Handle, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; name: string; member: boolean }>`
    ${HOT} select u.id, u.name, exists (
      select from membros m where m.pessoa_id = u.id and m.organizacao_id = organizacao_atual()
    ) as member from auth.users u where u.id = any(${[...ids]}) and u.name is not null
  `.execute(handle)
  return new Map(rows.map(({ id, name, member }) => [id, member ? name : `${name} (ex-membro)`]))
}
