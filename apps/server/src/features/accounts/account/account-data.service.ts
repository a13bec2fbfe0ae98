import { type ActiveSession, problem } from '@ensaio/domain'
import type { Handle } from '../../../database/handle.ts'
import type { Reader, Wall } from '../../../database/wall.ts'
import { passwordMatches } from '../credentials/passwords.ts'
import { authError } from '../errors/auth-error.ts'
import { asProduct } from '../errors/auth-problem.ts'
import type { PostOffice } from '../letters/post-office.ts'
import type { Limits } from '../limits/limits.ts'
import { endSession, type LiveSession, sessionsOf } from '../sessions/sessions.repository.ts'
import { recordAudit } from '../users/audit.repository.ts'
import { lockAdmins, type UserRow, userById } from '../users/users.repository.ts'
import { wireUser } from '../users/wire-user.ts'
import { deleteUser, eventsOf, leaveRecords, recordsAlone } from './account-data.repository.ts'

const GUESS = 'current-password'

/** Asks for the password once more, where there is one. @throws AuthError current_password_invalid */
async function prove(
  limits: Limits,
  { password_hash, email }: Pick<UserRow, 'password_hash' | 'email'>,
  password: string | undefined,
  ip: string | null,
): Promise<void> {
  if (password_hash === null) return
  await limits.guess(GUESS, email, ip)
  if (!(await passwordMatches(password_hash, password ?? ''))) throw authError('current_password_invalid')
  await limits.rightGuess(GUESS, email, ip)
}

/** The same, for what other features do with a person's own word. @throws Problem auth.wrong_password */
export const confirmPassword =
  ({ handle, limits }: { handle: Handle; limits: Limits }) =>
  async (personId: string, password: string, ip: string | null): Promise<void> => {
    const user = await userById(handle, personId)
    if (!user) throw problem('auth.required')
    await asProduct(prove(limits, user, password, ip))
  }

/** What other features keep of a person. */
export interface OthersOfAPerson {
  /** For the export; what may be much comes one by one. */
  gather(reader: Reader): Promise<Record<string, unknown>>
  /** Removes what is nobody else's, in the caller's transaction; call the answer once that is committed. */
  forget(handle: Handle, userId: string): Promise<() => Promise<void>>
}

/** What a person may know of, take with them and erase of their account. */
export function createAccountData(input: {
  handle: Handle
  wall: Wall
  limits: Limits
  others: OthersOfAPerson
  post: PostOffice
}) {
  const { handle: pool, wall, limits, others, post } = input

  return {
    async sessions(userId: string, currentId: string): Promise<ActiveSession[]> {
      return (await sessionsOf(pool, userId)).map(({ created_at, refreshed_at, ...session }) => ({
        ...session,
        created_at: created_at.toISOString(),
        last_seen_at: refreshed_at.toISOString(),
        current: session.id === currentId,
      }))
    },

    async revoke(userId: string, sessionId: string): Promise<void> {
      if (!(await endSession(pool, userId, sessionId))) throw problem('request.not_found')
      await recordAudit(pool, { action: 'session.revoked', actorId: userId })
    },

    /** The text of one JSON object, piece by piece: what a person made may be more than memory holds. */
    async export(reader: Reader): Promise<AsyncGenerator<string>> {
      const userId = reader.id
      const user = await userById(pool, userId)
      if (!user) throw problem('user.not_found')
      return jsonOf({
        exportado_em: new Date().toISOString(),
        conta: wireUser(user),
        sessoes: await sessionsOf(pool, userId),
        eventos: await eventsOf(pool, userId),
        ...(await others.gather(reader)),
      })
    },

    /** Asks for the password, where there is one; the last administrator stays. */
    async erase(
      reader: Reader,
      { user }: LiveSession,
      {
        currentPassword,
        espaco,
        ip,
      }: {
        currentPassword?: string | undefined
        espaco?: { destino: string } | { excluir: true } | undefined
        ip: string | null
      },
    ): Promise<void> {
      await prove(limits, user, currentPassword, ip)
      const afterwards = await wall
        .for(reader)
        .transaction()
        .execute(async (transaction) => {
          const admins = await lockAdmins(transaction)
          if (admins.length === 1 && admins[0] === user.id) throw problem('auth.last_admin')
          const alone = await recordsAlone(transaction)
          if (alone > 0 && !espaco) throw problem('organization.keeps_records', { current: { n: alone } })
          const to = espaco && 'destino' in espaco ? espaco.destino : null
          if (!(await leaveRecords(transaction, to))) throw problem('organization.not_found')
          const addresses = [user.email, ...(user.new_email === null ? [] : [user.new_email])]
          const works = [await others.forget(transaction, user.id), await post.forget(transaction, addresses)]
          await deleteUser(transaction, user.id)
          await recordAudit(transaction, { action: 'user.erased', actorId: user.id })
          return works
        })
      // The account is gone; a file that cannot be removed now is swept later, and no reason to fail.
      for (const work of afterwards) await work().catch(() => undefined)
    },
  }
}

export type AccountData = ReturnType<typeof createAccountData>

async function* jsonOf(members: Record<string, unknown>): AsyncGenerator<string> {
  let before = '{'
  for (const [name, value] of Object.entries(members)) {
    yield `${before}${JSON.stringify(name)}:`
    before = ','
    if (isMany(value)) yield* listOf(value)
    else yield JSON.stringify(value)
  }
  yield '}'
}

async function* listOf(many: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '['
  for await (const one of many) {
    yield `${before}${JSON.stringify(one)}`
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

const isMany = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value
