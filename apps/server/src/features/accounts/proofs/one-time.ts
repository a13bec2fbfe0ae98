import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { Handle } from '../../../database/handle.ts'
import type { ServerSecret } from '../../../secret/server-secret.ts'
import {
  countTry,
  type OneTimeKind,
  type OneTimeRow,
  oneTimeByLink,
  oneTimeOf,
  putOneTime,
} from './one-time.repository.ts'

const LIFE_MS = 3_600_000
const MOST_TRIES = 5
const LINK_BYTES = 24
const PKCE_PREFIX = 'pkce_'

/** A code to type and a token for the link, both for one purpose of one person, used once. */
export function oneTimeCodes({ secret }: { secret: ServerSecret }) {
  const codeHash = (kind: OneTimeKind, userId: string, code: string) =>
    secret.mac('one-time-code', `${kind}|${userId}|${code}`)
  const linkHash = (token: string) => secret.mac('one-time-link', token)

  return {
    async issue(
      handle: Handle,
      { userId, kind, flowStateId }: { userId: string; kind: OneTimeKind; flowStateId: string | null },
    ): Promise<{ code: string; tokenHash: string }> {
      const code = String(randomInt(1_000_000)).padStart(6, '0')
      const token = randomBytes(LINK_BYTES).toString('hex')
      await putOneTime(handle, {
        user_id: userId,
        kind,
        code_hash: codeHash(kind, userId, code),
        link_hash: linkHash(token),
        flow_state_id: flowStateId,
        lifeMs: LIFE_MS,
      })
      return { code, tokenHash: token }
    },

    /**
     * The row that a typed code opens, or null. A wrong code is counted, and the fifth voids the codes; the link
     * of the same letter, which nobody guesses, stays good.
     */
    async byCode(
      handle: Handle,
      { userId, kinds, code }: { userId: string; kinds: readonly OneTimeKind[]; code: string },
    ): Promise<OneTimeRow | null> {
      const rows = (await oneTimeOf(handle, userId, kinds)).filter(
        (row) => alive(row) && row.tries < MOST_TRIES,
      )
      const found = rows.find((row) => timingSafeEqual(row.code_hash, codeHash(row.kind, userId, code)))
      if (found) return found
      for (const row of rows) await countTry(handle, row)
      return null
    },

    async byLink(handle: Handle, token: string): Promise<OneTimeRow | null> {
      const bare = token.startsWith(PKCE_PREFIX) ? token.slice(PKCE_PREFIX.length) : token
      const row = await oneTimeByLink(handle, linkHash(bare))
      return row && alive(row) ? row : null
    },
  }
}

export type OneTimeCodes = ReturnType<typeof oneTimeCodes>

const alive = (row: OneTimeRow) => row.expires_at.getTime() > Date.now()
