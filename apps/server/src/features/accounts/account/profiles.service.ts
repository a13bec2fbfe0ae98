import { type ProfileInput, problem, type Role, type User } from '@ensaio/domain'
import { v7 as uuid } from 'uuid'
import type { Handle } from '../../../database/handle.ts'
import { recordAudit } from '../users/audit.repository.ts'
import { mergeMetadata } from '../users/user-metadata.ts'
import {
  lockAdmins,
  lockUser,
  memberNames,
  requestRole,
  updateUser,
  userById,
  withdrawRoleRequest,
} from '../users/users.repository.ts'
import { productUser } from '../users/wire-user.ts'

const SAVED = 'Perfil atualizado com sucesso!'
const REQUESTED = 'Sua solicitação de mudança de papel foi enviada a um administrador.'

export function createProfiles({ handle: pool }: { handle: Handle }) {
  const load = async (handle: Handle, id: string) => {
    const user = await userById(handle, id)
    if (!user) throw problem('user.not_found')
    return user
  }

  return {
    get: async (id: string): Promise<User> => productUser(await load(pool, id)),

    /** Names to show beside what people did, as the handle's organisation may read them. */
    namesOf: memberNames,

    /**
     * What a person says about themselves. Another role is only a request, but an administrator may step down
     * while another one remains.
     */
    async update(actor: { id: string }, change: ProfileInput): Promise<{ user: User; message: string }> {
      return pool.transaction().execute(async (transaction) => {
        // Administrators before anybody else, as everywhere, so that two of them never wait for each other.
        const admins = change.role === undefined ? [] : await lockAdmins(transaction)
        await lockUser(transaction, actor.id)
        const user = await load(transaction, actor.id)
        await updateUser(transaction, user.id, {
          user_metadata: mergeMetadata(user.user_metadata, {
            name: change.name,
            ...(change.company !== undefined && { company: change.company }),
          }),
        })
        const message = await takeRole(transaction, {
          id: user.id,
          from: user.app_role,
          to: change.role,
          admins,
        })
        return { user: productUser(await load(transaction, actor.id)), message }
      })
    },
  }
}

export type Profiles = ReturnType<typeof createProfiles>

async function takeRole(
  handle: Handle,
  { id, from, to, admins }: { id: string; from: Role; to: Role | undefined; admins: readonly string[] },
): Promise<string> {
  if (to === undefined) return SAVED
  if (to === from) {
    await withdrawRoleRequest(handle, id)
    return SAVED
  }
  if (from === 'admin') {
    if (admins.length <= 1 && admins.includes(id)) throw problem('auth.last_admin')
    await stepDown(handle, id, to)
    return SAVED
  }
  await requestRole(handle, { id: uuid(), userId: id, role: to })
  await recordAudit(handle, { action: 'role.requested', actorId: id, subjectId: id, details: { role: to } })
  return REQUESTED
}

async function stepDown(handle: Handle, id: string, role: Role): Promise<void> {
  await updateUser(handle, id, { app_role: role })
  await recordAudit(handle, { action: 'role.changed', actorId: id, subjectId: id, details: { role } })
}
