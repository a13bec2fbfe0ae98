import { searchable } from '@ensaio/domain'
import { type Selectable, sql } from 'kysely'
import type { Handle } from '../../../database/handle.ts'
import { NOW } from '../../../database/now.ts'
import type { DB } from '../../../database/schema.generated.ts'
import { USER_COLUMNS, type UserRow } from '../users/users.repository.ts'

const PLAIN = sql`lower(translate(
  coalesce(u.name, '') || ' ' || u.email || ' ' || coalesce(u.company, ''),
  'ÁÀÂÃÄáàâãäÉÈÊËéèêëÍÌÎÏíìîïÓÒÔÕÖóòôõöÚÙÛÜúùûüÇç', 'AAAAAaaaaaEEEEeeeeIIIIiiiiOOOOOoooooUUUUuuuuCc'))`

/** People by part of name, address or company, the newest first, `after` the last one seen. */
export async function findUsers(
  handle: Handle,
  { busca, after, limit }: { busca: string | undefined; after: string | null; limit: number },
): Promise<{ rows: UserRow[]; total: number }> {
  const like = `%${searchable(busca ?? '').replace(/[\\%_]/g, '\\$&')}%`
  const { rows } = await sql<UserRow>`
    select ${USER_COLUMNS} from auth.users u
    where ${PLAIN} like ${like} and (${after}::uuid is null or u.id < ${after}) order by u.id desc limit ${limit}
  `.execute(handle)
  const { rows: counted } = await sql<{ n: number }>`
    select count(*) as n from auth.users u where ${PLAIN} like ${like}
  `.execute(handle)
  return { rows, total: counted[0]?.n ?? 0 }
}

const REQUEST = ['id', 'user_id', 'role', 'created_at'] as const
export type RoleRequestRow = Pick<Selectable<DB['auth.role_requests']>, (typeof REQUEST)[number]>

export async function openRoleRequests(handle: Handle): Promise<RoleRequestRow[]> {
  return handle
    .selectFrom('auth.role_requests')
    .select(REQUEST)
    .where('decided_at', 'is', null)
    .orderBy('created_at')
    .limit(200)
    .execute()
}

/** Decides an open request; null when somebody else already has. */
export async function decideRequest(
  handle: Handle,
  { id, by, granted }: { id: string; by: string; granted: boolean },
): Promise<RoleRequestRow | null> {
  const row = await handle
    .updateTable('auth.role_requests')
    .set({ decided_at: NOW, decided_by: by, granted })
    .where('id', '=', id)
    .where('decided_at', 'is', null)
    .returning(REQUEST)
    .executeTakeFirst()
  return row ?? null
}

/** A role that was given otherwise answers an open request for it. */
export async function closeRequests(handle: Handle, userId: string, by: string | null): Promise<void> {
  await sql`
    update auth.role_requests q set decided_at = now(), decided_by = ${by}, granted = q.role = u.app_role
    from auth.users u where u.id = q.user_id and q.user_id = ${userId} and q.decided_at is null
  `.execute(handle)
}

export interface AuditRow extends Selectable<DB['auth.audit_log']> {
  details: Record<string, unknown>
}

export async function auditEvents(
  handle: Handle,
  { before, limit }: { before: number | null; limit: number },
): Promise<AuditRow[]> {
  const latest = handle
    .selectFrom('auth.audit_log')
    .select(['id', 'at', 'action', 'actor_id', 'subject_id', 'details'])
    .select(sql<string | null>`host(ip)`.as('ip'))
    .orderBy('id', 'desc')
    .limit(limit)
    .$narrowType<{ details: Record<string, unknown> }>()
  return (before === null ? latest : latest.where('id', '<', before)).execute()
}

export async function listAdmins(handle: Handle): Promise<{ email: string; name: string | null }[]> {
  return handle
    .selectFrom('auth.users')
    .select(['email', 'name'])
    .where('app_role', '=', 'admin')
    .orderBy('email')
    .execute()
}

/** One organisation or several, as the tables' owner; false when there is no way back. */
export async function changeMode(owner: Handle, mode: 'uma' | 'varias'): Promise<boolean> {
  const { rows } = await sql<{ done: boolean }>`select mudar_instalacao(${mode}) as done`.execute(owner)
  return rows[0]?.done === true
}
