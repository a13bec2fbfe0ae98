import type { Config } from '../../../config.ts'
import type { Handle } from '../../../database/handle.ts'
import { recordAudit } from './audit.repository.ts'
import { type UserRow, updateUser, userByEmail } from './users.repository.ts'

/**
 * Makes the person of ADMIN_EMAIL an administrator once the address is proven. Without mail nothing proves it:
 * then only on a machine that nobody else reaches, or at the next start, which is the operator's doing.
 */
export async function grantToConfigured(
  handle: Handle,
  user: Pick<UserRow, 'id' | 'email' | 'email_confirmed_at' | 'app_role'>,
  config: Pick<Config, 'adminEmail' | 'auth' | 'loopback'>,
  { starting = false }: { starting?: boolean } = {},
): Promise<void> {
  const named = config.adminEmail !== null && user.email === config.adminEmail
  const proven = user.email_confirmed_at !== null && (!config.auth.autoconfirm || config.loopback || starting)
  if (!named || !proven || user.app_role === 'admin') return
  await updateUser(handle, user.id, { app_role: 'admin' })
  await recordAudit(handle, { action: 'role.changed', subjectId: user.id, details: { role: 'admin' } })
}

/** At the start: the person of ADMIN_EMAIL, if there already is one. */
export async function grantAtStart(handle: Handle, config: Config): Promise<void> {
  const user = config.adminEmail ? await userByEmail(handle, config.adminEmail) : null
  if (user) await grantToConfigured(handle, user, config, { starting: true })
}
