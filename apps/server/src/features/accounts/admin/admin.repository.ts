import { type Role, searchable } from '@ensaio/domain'
import { sql } from 'kysely'
import type { Handle } from '../../../database/handle.ts'
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

export interface RoleRequestRow {
  id: string
  user_id: string
  role: Role
  created_at: Date
}

export async function openRoleRequests(handle: Handle): Promise<RoleRequestRow[]> {
  const { rows } = await sql<RoleRequestRow>`
    select id, user_id, role, created_at from auth.role_requests
    where decided_at is null order by created_at limit 200
  `.execute(handle)
  return rows
}

/** Decides an open request; null when somebody else already has. */
export async function decideRequest(
  handle: Handle,
  { id, by, granted }: { id: string; by: string; granted: boolean },
): Promise<RoleRequestRow | null> {
  const { rows } = await sql<RoleRequestRow>`
    update auth.role_requests set decided_at = now(), decided_by = ${by}, granted = ${granted}
    where id = ${id} and decided_at is null returning id, user_id, role, created_at
  `.execute(handle)
  return rows[0] ?? null
}

/** A role that was given otherwise answers an open request for it. */
export async function closeRequests(handle: Handle, userId: string, by: string | null): Promise<void> {
  await sql`
    update auth.role_requests q set decided_at = now(), decided_by = ${by}, granted = q.role = u.app_role
    from auth.users u where u.id = q.user_id and q.user_id = ${userId} and q.decided_at is null
  `.execute(handle)
}

export interface AuditRow {
  id: number
  at: Date
  action: string
  actor_id: string | null
  subject_id: string | null
  ip: string | null
  details: Record<string, unknown>
}

export async function auditEvents(
  handle: Handle,
  { before, limit }: { before: number | null; limit: number },
): Promise<AuditRow[]> {
  const { rows } = await sql<AuditRow>`
    select id, at, action, actor_id, subject_id, host(ip) as ip, details from auth.audit_log
    where ${before}::bigint is null or id < ${before} order by id desc limit ${limit}
  `.execute(handle)
  return rows
}

export async function listAdmins(handle: Handle): Promise<{ email: string; name: string | null }[]> {
  const { rows } = await sql<{ email: string; name: string | null }>`
    select email, name from auth.users where app_role = 'admin' order by email
  `.execute(handle)
  return rows
}
