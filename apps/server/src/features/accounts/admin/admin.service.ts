import { type AdminUser, type AuditEntry, problem, ROLE_NAMES, type Role } from '@ensaio/domain'
import type { Handle } from '../../../database/handle.ts'
import type { PostOffice } from '../letters/post-office.ts'
import { deleteSessions } from '../sessions/sessions.repository.ts'
import { recordAudit } from '../users/audit.repository.ts'
import {
  lockAdmins,
  lockUser,
  namesOf,
  type UserRow,
  updateUser,
  userById,
} from '../users/users.repository.ts'
import { productUser } from '../users/wire-user.ts'
import { auditEvents, closeRequests, decideRequest, findUsers, openRoleRequests } from './admin.repository.ts'

/** What administrators do to accounts. */
export function createAdmin({ handle: pool, post }: { handle: Handle; post: PostOffice }) {
  /** Locked, administrators before anybody else, so that two of them never wait for each other. */
  const load = async (handle: Handle, id: string): Promise<UserRow> => {
    await lockUser(handle, id)
    const user = await userById(handle, id)
    if (!user) throw problem('user.not_found')
    return user
  }

  /** Somebody must remain who can administer. */
  const keepOneAdmin = (admins: readonly string[], id: string) => {
    if (admins.length === 1 && admins[0] === id) throw problem('auth.last_admin')
  }

  const giveRole = async (
    handle: Handle,
    { user, role, by, admins }: { user: UserRow; role: Role; by: string | null; admins: readonly string[] },
  ) => {
    if (user.app_role === role) return
    if (user.app_role === 'admin') keepOneAdmin(admins, user.id)
    await updateUser(handle, user.id, { app_role: role })
    await recordAudit(handle, { action: 'role.changed', actorId: by, subjectId: user.id, details: { role } })
    await post.send(handle, { email: user.email, user }, { kind: 'role_changed', role: ROLE_NAMES[role] })
  }

  return {
    async users(find: { busca: string | undefined; after: string | null; limit: number }) {
      const { rows, total } = await findUsers(pool, { ...find, limit: find.limit + 1 })
      const page = rows.slice(0, find.limit)
      return {
        users: page.map(adminUser),
        total,
        next_cursor: rows.length > find.limit ? (page.at(-1)?.id ?? null) : null,
      }
    },

    /** `by` is null for a command on the server itself. */
    async setRole(by: string | null, id: string, role: Role): Promise<AdminUser> {
      const user = await pool.transaction().execute(async (transaction) => {
        const admins = await lockAdmins(transaction)
        await giveRole(transaction, { user: await load(transaction, id), role, by, admins })
        await closeRequests(transaction, id, by)
        return load(transaction, id)
      })
      post.wake()
      return adminUser(user)
    },

    async setBlocked(by: string, id: string, blocked: boolean): Promise<AdminUser> {
      const user = await pool.transaction().execute(async (transaction) => {
        const admins = await lockAdmins(transaction)
        const before = await load(transaction, id)
        if (blocked && before.app_role === 'admin') keepOneAdmin(admins, id)
        await updateUser(transaction, id, { blocked_at: blocked ? new Date() : null })
        if (blocked) await deleteSessions(transaction, id)
        await recordAudit(transaction, {
          action: blocked ? 'user.blocked' : 'user.unblocked',
          actorId: by,
          subjectId: id,
        })
        return load(transaction, id)
      })
      return adminUser(user)
    },

    async roleRequests() {
      const requests = []
      for (const { id, user_id, role, created_at } of await openRoleRequests(pool)) {
        const user = await userById(pool, user_id)
        if (user) requests.push({ id, role, created_at: created_at.toISOString(), user: adminUser(user) })
      }
      return requests
    },

    async decide(by: string, id: string, granted: boolean): Promise<AdminUser> {
      const user = await pool.transaction().execute(async (transaction) => {
        const admins = await lockAdmins(transaction)
        const request = await decideRequest(transaction, { id, by, granted })
        if (!request) throw problem('request.not_found')
        const asking = await load(transaction, request.user_id)
        if (granted) await giveRole(transaction, { user: asking, role: request.role, by, admins })
        else await recordAudit(transaction, { action: 'role.refused', actorId: by, subjectId: asking.id })
        return load(transaction, request.user_id)
      })
      post.wake()
      return adminUser(user)
    },

    async audit(page: { before: number | null; limit: number }) {
      const rows = await auditEvents(pool, page)
      const names = await namesOf(
        pool,
        rows.flatMap(({ actor_id, subject_id }) => [actor_id ?? [], subject_id ?? []].flat()),
      )
      const events: AuditEntry[] = rows.map(({ id, at, action, actor_id, subject_id, ip, details }) => ({
        id,
        at: at.toISOString(),
        action,
        actor: names.get(actor_id ?? '') ?? null,
        subject: names.get(subject_id ?? '') ?? null,
        ip,
        details,
      }))
      return { events, next_cursor: rows.length === page.limit ? String(rows.at(-1)?.id ?? '') : null }
    },
  }
}

export type Admin = ReturnType<typeof createAdmin>

const adminUser = (user: UserRow): AdminUser => ({
  ...productUser(user),
  blocked: user.blocked_at !== null,
  confirmed: user.email_confirmed_at !== null,
  lastSignInAt: user.last_sign_in_at?.toISOString() ?? null,
})
