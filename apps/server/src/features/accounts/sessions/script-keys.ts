import { createHash, randomBytes } from 'node:crypto'
import { problem, type ScriptKey } from '@ensaio/domain'
import type { FastifyRequest } from 'fastify'
import type { Handle } from '../../../database/handle.ts'
import type { Actor } from '../../../http/contract-routes.ts'
import {
  actorOfKey,
  deleteKey,
  insertKey,
  keysOf,
  noteUse,
  type StoredKey,
} from './script-keys.repository.ts'
import type { Sessions } from './sessions.ts'

const MOST_KEYS = 20
/** 256 bits, behind what tells a key from a session's token. */
const KEY = /^bearer (ens_[\w-]{43})$/i
const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest()

const present = ({ criada_em, vale_ate, usada_em, ...key }: StoredKey): ScriptKey => ({
  ...key,
  criada_em: criada_em.toISOString(),
  vale_ate: vale_ate.toISOString(),
  usada_em: usada_em?.toISOString() ?? null,
})

/** Keys by which a person's scripts read and write plots, each of one organisation and for a while. */
export function scriptKeys({ handle, sessions }: { handle: Handle; sessions: Sessions }) {
  return {
    list: async ({ id, organization }: Actor): Promise<ScriptKey[]> =>
      (await keysOf(handle, id, organization)).map(present),

    /** The key itself is told this once. @throws key.too_many */
    async make(actor: Actor, { nome, dias, escrita }: { nome: string; dias: number; escrita: boolean }) {
      const key = `ens_${randomBytes(32).toString('base64url')}`
      const made = await insertKey(handle, {
        ...{ person: actor.id, organization: actor.organization, name: nome, hash: hashOf(key) },
        ...{ write: escrita, days: dias, most: MOST_KEYS },
      })
      if (!made) throw problem('key.too_many')
      return { chave: { ...present(made), texto: key } }
    },

    /** @throws key.not_found */
    async remove(actor: Actor, id: string): Promise<void> {
      if (!(await deleteKey(handle, actor.id, id))) throw problem('key.not_found')
    },

    /** Who asks by a key or by a session. @throws auth.required */
    async actor(request: FastifyRequest): Promise<Actor & { readOnly?: boolean }> {
      const key = KEY.exec(request.headers.authorization ?? '')?.[1]
      if (key === undefined) return sessions.actor(request)
      const live = await actorOfKey(handle, hashOf(key))
      if (!live?.organization || !live.papel) throw problem('auth.required')
      if (live.blocked) throw problem('auth.blocked')
      await noteUse(handle, live.key)
      const { id, name, role, organization, papel, closed, several, can_write } = live
      return {
        ...{ id, name, role, organization, papel, closed, several },
        sessionId: live.key,
        readOnly: !can_write,
      }
    },
  }
}
export type ScriptKeys = ReturnType<typeof scriptKeys>
