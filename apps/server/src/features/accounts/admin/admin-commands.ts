import { PROBLEMS, type Role } from '@ensaio/domain'
import type { Handle } from '../../../database/handle.ts'
import { mailQueue } from '../../../mail/mail-queue.ts'
import type { ServerSecret } from '../../../secret/server-secret.ts'
import { postOffice } from '../letters/post-office.ts'
import { oneTimeCodes } from '../proofs/one-time.ts'
import { withParameters } from '../proofs/redirects.ts'
import { rotateSigningKeys } from '../sessions/signing-keys.ts'
import { recordAudit } from '../users/audit.repository.ts'
import { userByEmail } from '../users/users.repository.ts'
import { changeMode, listAdmins } from './admin.repository.ts'
import { createAdmin } from './admin.service.ts'

export const USAGE = `Uso: npm run admin -- COMANDO
  list                      mostra os administradores
  grant EMAIL               dá o papel de administrador
  revoke EMAIL              volta ao papel padrão
  reset-password EMAIL      mostra um link para definir uma nova senha
  rotate-keys               troca a chave que assina as sessões, sem encerrá-las
  organizations MODO        uma organização para todos (one) ou várias que não se veem (several)`

const MODES: Readonly<Record<string, 'uma' | 'varias'>> = { one: 'uma', several: 'varias' }

/** A sentence for the person at the terminal. */
export class CommandError extends Error {}

/** What can be done from the server's own terminal. Answers with the lines to print. */
export async function runCommand(
  [command, email]: readonly (string | undefined)[],
  {
    handle,
    secret,
    siteUrl,
    tokenHours,
  }: { handle: Handle; secret: ServerSecret; siteUrl: string; tokenHours: number },
): Promise<string[]> {
  const person = async () => {
    const user = email ? await userByEmail(handle, email.trim().toLowerCase()) : null
    if (!user) throw new CommandError(email ? `Não há conta com o email ${email}.` : USAGE)
    return user
  }
  const setRole = async (role: Role) => {
    const { id } = await person()
    const queue = mailQueue({
      handle,
      // The running server, or the next one, delivers.
      deliver: () => Promise.reject(new Error('not delivered here')),
      seal: (text) => secret.seal('mail', text),
      open: (sealed) => secret.open('mail', sealed),
      log: console.error,
    })
    const post = { ...postOffice({ queue, testOutbox: false, log: console.error }), wake: () => {} }
    try {
      const { name } = await createAdmin({ handle, post }).setRole(null, id, role)
      return [`${name} agora tem o papel ${role}.`]
    } finally {
      await queue.stop()
    }
  }

  switch (command) {
    case 'list': {
      const admins = await listAdmins(handle)
      return admins.length > 0
        ? admins.map(({ email, name }) => `${email}  ${name ?? ''}`.trim())
        : ['Não há administradores.']
    }
    case 'grant':
      return setRole('admin')
    case 'revoke':
      return setRole('user')
    case 'reset-password': {
      const user = await person()
      const { tokenHash } = await oneTimeCodes({ secret }).issue(handle, {
        userId: user.id,
        kind: 'recovery',
        flowStateId: null,
      })
      await recordAudit(handle, { action: 'user.recovery_requested', subjectId: user.id })
      const query = { token_hash: tokenHash, type: 'recovery' }
      return [withParameters(new URL('/reset-password', siteUrl).href, { query })]
    }
    case 'rotate-keys': {
      const { signsFrom } = await rotateSigningKeys(handle, secret, tokenHours)
      return [`A nova chave assina a partir de ${signsFrom.toISOString()}.`]
    }
    case 'organizations': {
      const mode = MODES[email ?? '']
      if (!mode) throw new CommandError(USAGE)
      if (!(await changeMode(handle, mode))) throw new CommandError(PROBLEMS['installation.in_use'].detail)
      await recordAudit(handle, { action: 'installation.mode', details: { organizacoes: mode } })
      return [mode === 'uma' ? 'Há uma organização para todos.' : 'Várias organizações são permitidas.']
    }
    default:
      throw new CommandError(USAGE)
  }
}
