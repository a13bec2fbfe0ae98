import type { Role } from '@ensaio/domain'
import { sql } from 'kysely'
import type { Handle } from '../../../database/handle.ts'
import type { LiveActor } from './sessions.repository.ts'

export interface StoredKey {
  id: string
  nome: string
  escrita: boolean
  criada_em: Date
  vale_ate: Date
  usada_em: Date | null
}
export type KeyActor = Omit<LiveActor, 'aal' | 'guarded' | 'revoked'> & {
  id: string
  key: string
  can_write: boolean
  role: Role
}

const COLUMNS = sql`
  k.id, k.name as nome, k.can_write as escrita, k.created_at as criada_em, k.not_after as vale_ate, k.used_at as usada_em
`

/** Who asks by a key; null for one that is unknown, over or whose owner left the organisation it is of. */
export async function actorOfKey(handle: Handle, hash: Buffer): Promise<KeyActor | null> {
  const { rows } = await sql<KeyActor>`
    select u.id, k.id as key, k.can_write, u.name, u.app_role as role, u.blocked_at is not null as blocked,
      f.organizacao_id as organization, f.papel, f.fechada as closed, f.varias as several
    from auth.script_keys k join auth.users u on u.id = k.user_id
    cross join lateral filiacao(u.id, k.organizacao_id, null) f
    where k.hash = ${hash} and k.not_after > now()
  `.execute(handle)
  return rows[0] ?? null
}

/** When it was last used, to the minute. */
export async function noteUse(handle: Handle, key: string): Promise<void> {
  await sql`
    update auth.script_keys set used_at = now()
    where id = ${key} and (used_at is null or used_at < now() - interval '1 minute')
  `.execute(handle)
}

/** One more, unless the person has so many. */
export async function insertKey(
  handle: Handle,
  of: {
    person: string
    organization: string
    name: string
    hash: Buffer
    write: boolean
    days: number
    most: number
  },
): Promise<StoredKey | null> {
  const { rows } = await sql<StoredKey>`
    insert into auth.script_keys as k (user_id, organizacao_id, name, hash, can_write, not_after)
    select ${of.person}, ${of.organization}, ${of.name}, ${of.hash}, ${of.write}::boolean,
      now() + make_interval(days => ${of.days}::integer)
    where (select count(*) from auth.script_keys where user_id = ${of.person} and not_after > now()) < ${of.most}
    returning ${COLUMNS}
  `.execute(handle)
  return rows[0] ?? null
}

export async function keysOf(handle: Handle, person: string, organization: string): Promise<StoredKey[]> {
  const { rows } = await sql<StoredKey>`
    select ${COLUMNS} from auth.script_keys k
    where k.user_id = ${person} and k.organizacao_id = ${organization} and k.not_after > now()
    order by k.created_at desc
  `.execute(handle)
  return rows
}

/** @returns whether there was such a key of the person */
export async function deleteKey(handle: Handle, person: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from auth.script_keys where id = ${id} and user_id = ${person} returning id
  `.execute(handle)
  return rows.length > 0
}

export async function deleteKeys(handle: Handle, person: string): Promise<void> {
  await sql`delete from auth.script_keys where user_id = ${person}`.execute(handle)
}

/** Those that are over. */
export async function forgetKeys(handle: Handle): Promise<void> {
  await sql`delete from auth.script_keys where not_after <= now()`.execute(handle)
}
