import type { OrganizationRole, Role } from '@ensaio/domain'
import { sql } from 'kysely'
import type { Handle } from '../../../database/handle.ts'
import { HOT } from '../../../database/hot.ts'

/** Of one person in one organisation: beyond them the one that has been idle for the longest ends. */
const MOST_GRANTS = 20

export interface NewGrant {
  id: string
  person: string
  organization: string
  client: string
  device: string
  redirectUri: string
  scope: string
  nonce: string | null
  codeHash: Buffer
  challenge: string
  codeUntil: Date
}

/** In the person's name. */
export async function insertGrant(handle: Handle, of: NewGrant): Promise<void> {
  await sql`
    with over as (
      delete from auth.application_grants where id in (
        select id from auth.application_grants
        where user_id = ${of.person} and organizacao_id = ${of.organization}
        order by coalesce(used_at, created_at) desc, id desc offset ${MOST_GRANTS - 1})
    )
    insert into auth.application_grants (id, user_id, organizacao_id, client_id, device, redirect_uri, scope, nonce,
      code_hash, code_challenge, code_until)
    values (${of.id}, ${of.person}, ${of.organization}, ${of.client}, ${of.device}, ${of.redirectUri}, ${of.scope},
      ${of.nonce}, ${of.codeHash}, ${of.challenge}, ${of.codeUntil})
  `.execute(handle)
}

export interface TakenCode {
  id: string
  client_id: string
  device: string
  redirect_uri: string
  scope: string
  nonce: string | null
  code_challenge: string
  code_until: Date
}

/** Takes a code that is good; null for any other. In the name of whom the code names. */
export async function takeCode(handle: Handle, codeHash: Buffer): Promise<TakenCode | null> {
  const { rows } = await sql<TakenCode>`
    update auth.application_grants set code_used_at = now()
    where code_hash = ${codeHash} and code_used_at is null and code_until > now()
    returning id, client_id, device, redirect_uri, scope, nonce, code_challenge, code_until
  `.execute(handle)
  return rows[0] ?? null
}

/** A code that is shown again is in other hands: what it gave ends. */
export async function endByCode(handle: Handle, codeHash: Buffer): Promise<void> {
  await sql`
    delete from auth.application_grants where code_hash = ${codeHash} and code_used_at is not null
  `.execute(handle)
}

/** @returns whether the grant was still there */
export async function beginGrant(handle: Handle, id: string, until: Date): Promise<boolean> {
  const { rows } = await sql`
    update auth.application_grants set not_after = ${until} where id = ${id} and not_after is null returning id
  `.execute(handle)
  return rows.length > 0
}

export interface GrantActor {
  name: string | null
  role: Role
  blocked: boolean
  organization: string | null
  papel: OrganizationRole | null
  closed: boolean
  several: boolean
}

/** Who asks by a grant's token; null when it is over, or its person is no member any more. In their name. */
export async function actorOfGrant(handle: Handle, id: string, client: string): Promise<GrantActor | null> {
  const { rows } = await sql<GrantActor>`
    ${HOT} select u.name, u.app_role as role, u.blocked_at is not null as blocked,
      f.organizacao_id as organization, f.papel, f.fechada as closed, f.varias as several
    from auth.application_grants g join auth.users u on u.id = g.user_id
    cross join lateral filiacao(u.id, g.organizacao_id, null) f
    where g.id = ${id} and g.client_id = ${client} and g.not_after > now()
  `.execute(handle)
  return rows[0] ?? null
}

/** When it was last used, to the minute. */
export async function noteGrantUse(handle: Handle, id: string): Promise<void> {
  await sql`
    update auth.application_grants set used_at = now()
    where id = ${id} and (used_at is null or used_at < now() - interval '1 minute')
  `.execute(handle)
}

export interface StoredGrant {
  id: string
  client_id: string
  device: string
  created_at: Date
  not_after: Date
  used_at: Date | null
}

/** Those of the acting person in the acting organisation, the newest first. */
export async function liveGrants(handle: Handle): Promise<StoredGrant[]> {
  const { rows } = await sql<StoredGrant>`
    select id, client_id, device, created_at, not_after, used_at from auth.application_grants
    where not_after > now() order by created_at desc, id
  `.execute(handle)
  return rows
}

/** @returns whether the acting person had such a grant */
export async function deleteGrant(handle: Handle, id: string): Promise<boolean> {
  const { rows } = await sql`delete from auth.application_grants where id = ${id} returning id`.execute(
    handle,
  )
  return rows.length > 0
}

/** Those that are over, and codes that nobody fetched anything by. */
export async function forgetGrants(owner: Handle): Promise<void> {
  await sql`
    delete from auth.application_grants
    where coalesce(not_after, code_until + interval '1 minute') <= now()
  `.execute(owner)
}
