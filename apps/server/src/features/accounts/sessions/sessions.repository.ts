import type { OrganizationRole, Role } from '@ensaio/domain'
import { type Selectable, sql } from 'kysely'
import type { Handle } from '../../../database/handle.ts'
import { HOT } from '../../../database/hot.ts'
import { NOW } from '../../../database/now.ts'
import type { DB } from '../../../database/schema.generated.ts'
import { USER_COLUMNS, type UserRow } from '../users/users.repository.ts'

type Stored = Selectable<DB['auth.sessions']>
export type SessionRow = Omit<
  Stored,
  'factor_id' | 'user_agent' | 'ip' | 'organizacao_id' | 'aparelho' | 'origem'
>

export interface Amr {
  method: string
  timestamp: number
  provider?: string
}

export interface Origin {
  ip: string | null
  userAgent: string | null
  /** It is the phone's application that asks. */
  field: boolean
}

/** Of one person: beyond them the one that has been idle for the longest ends. */
const MOST_SESSIONS = 100

export async function insertSession(
  handle: Handle,
  session: { id: string; userId: string; method: string; provider?: string; lifeMs: number } & Origin,
): Promise<void> {
  await sql`
    with session as (
      insert into auth.sessions (id, user_id, not_after, user_agent, ip, campo)
      values (
        ${session.id}, ${session.userId}, now() + ${session.lifeMs} * interval '1 millisecond',
        ${session.userAgent}, ${session.ip}, ${session.field}
      )
      returning id
    )
    insert into auth.amr (session_id, method, provider)
    select id, ${session.method}, ${session.provider ?? null} from session
  `.execute(handle)
  await handle
    .updateTable('auth.users')
    .set({ last_sign_in_at: NOW })
    .where('id', '=', session.userId)
    .execute()
  await endIdlest(handle, session)
}

/** A phone's session, proven as the one of the same browser was that it is made out of. */
export async function insertPhoneSession(
  handle: Handle,
  session: { id: string; from: string; userId: string; lifeMs: number } & Omit<Origin, 'field'>,
): Promise<void> {
  await sql`
    with session as (
      insert into auth.sessions (id, user_id, not_after, user_agent, ip, campo, aal, factor_id, origem)
      select ${session.id}, user_id, now() + ${session.lifeMs} * interval '1 millisecond',
        ${session.userAgent}, ${session.ip}, true, aal, factor_id, id
      from auth.sessions where id = ${session.from}
      returning id, origem
    )
    insert into auth.amr (session_id, method, provider, at)
    select s.id, a.method, a.provider, a.at from session s join auth.amr a on a.session_id = s.origem
  `.execute(handle)
  await endIdlest(handle, session)
}

async function endIdlest(handle: Handle, kept: { id: string; userId: string }): Promise<void> {
  await sql`
    delete from auth.sessions where id in (
      select id from auth.sessions where user_id = ${kept.userId} and id <> ${kept.id}
      order by refreshed_at desc, id desc offset ${MOST_SESSIONS - 1}
    )
  `.execute(handle)
}

/** The session, locked: refreshes of one session happen one after the other. */
export async function lockSession(handle: Handle, id: string): Promise<SessionRow | null> {
  const row = await handle
    .selectFrom('auth.sessions')
    .select([
      'id',
      'user_id',
      'aal',
      'rt_counter',
      'rt_floor',
      'created_at',
      'refreshed_at',
      'not_after',
      'campo',
      'revogada',
    ])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

/** @param lifeMs how long it lives from now on, where that is put off by each contact */
export async function advanceSession(
  handle: Handle,
  id: string,
  { counter, lifeMs }: { counter: number; lifeMs: number | null },
): Promise<void> {
  await sql`
    update auth.sessions set rt_counter = ${counter}, refreshed_at = now(),
      not_after = coalesce(now() + ${lifeMs}::float8 * interval '1 millisecond', not_after)
    where id = ${id}
  `.execute(handle)
}

/** How the session was proven, the newest first. */
export async function amrOf(handle: Handle, sessionId: string): Promise<Amr[]> {
  const rows = await handle
    .selectFrom('auth.amr')
    .select(['method', 'provider', 'at'])
    .where('session_id', '=', sessionId)
    .orderBy('at', 'desc')
    .orderBy('method')
    .execute()
  return rows.map(({ method, provider, at }) => ({
    method,
    timestamp: Math.floor(at.getTime() / 1000),
    ...(provider !== null && { provider }),
  }))
}

export interface LiveSession {
  session: SessionRow
  user: UserRow
}

/** The user of a token with the token's session, each null when it is gone. */
export async function liveSession(
  handle: Handle,
  ids: { userId: string; sessionId: string },
): Promise<{ user: UserRow | null; session: SessionRow | null }> {
  const { rows } = await sql<UserRow & { session: SessionRow | null }>`
    ${HOT} select ${USER_COLUMNS}, s.session from auth.users u
    left join lateral (
      select json_build_object(
        'id', id, 'user_id', user_id, 'aal', aal, 'rt_counter', rt_counter, 'rt_floor', rt_floor,
        'created_at', created_at, 'refreshed_at', refreshed_at, 'not_after', not_after, 'campo', campo,
        'revogada', revogada
      ) as session
      from auth.sessions where id = ${ids.sessionId} and user_id = u.id and not_after > now()
    ) s on true
    where u.id = ${ids.userId}
  `.execute(handle)
  const row = rows[0]
  if (!row) return { user: null, session: null }
  const { session, ...user } = row
  return {
    user,
    session: session && {
      ...session,
      created_at: new Date(session.created_at),
      refreshed_at: new Date(session.refreshed_at),
      not_after: new Date(session.not_after),
    },
  }
}

/** What a live session's every request asks of its person. */
export interface LiveActor {
  name: string | null
  role: Role
  blocked: boolean
  /** Whether a second factor is enrolled. */
  guarded: boolean
  /** It is a phone's that its person revoked. */
  revoked: boolean
  aal: SessionRow['aal']
  /** The organisation that they act for; null when they are not of the one that is asked for. */
  organization: string | null
  papel: OrganizationRole | null
  /** The organisation is closed to changes. */
  closed: boolean
  /** The installation is of several organisations. */
  several: boolean
}

/** Null when the person or the session is gone. `organization`: the one that the request asks for, if it does. */
export async function liveActor(
  handle: Handle,
  ids: { userId: string; sessionId: string },
  organization: string | null,
): Promise<LiveActor | null> {
  const { rows } = await sql<LiveActor>`
    ${HOT} select u.name, u.app_role as role, u.blocked_at is not null as blocked, s.aal, s.revogada as revoked,
      exists (select from auth.factors where user_id = u.id and status = 'verified') as guarded,
      f.organizacao_id as organization, f.papel, f.fechada as closed, f.varias as several
    from auth.users u join auth.sessions s on s.user_id = u.id
    left join lateral filiacao(u.id, ${organization}::uuid, s.organizacao_id) f on true
    where u.id = ${ids.userId} and s.id = ${ids.sessionId} and s.not_after > now()
  `.execute(handle)
  return rows[0] ?? null
}

export async function deleteSession(handle: Handle, id: string): Promise<void> {
  await handle.deleteFrom('auth.sessions').where('id', '=', id).execute()
}

/** Ends it on purpose, with the phone's of the same browser that came out of it; false when the person has none such. */
export async function endSession(handle: Handle, userId: string, id: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    with gone as (
      delete from auth.sessions where user_id = ${userId} and (id = ${id} or origem = ${id}) returning id
    )
    select id from gone where id = ${id}
  `.execute(handle)
  return rows.length === 1
}

/** Ends the user's sessions, all but one if named. */
export async function deleteSessions(handle: Handle, userId: string, except?: string): Promise<void> {
  const all = handle.deleteFrom('auth.sessions').where('user_id', '=', userId)
  await (except === undefined ? all : all.where('id', '<>', except)).execute()
}

export type SessionSummary = Pick<Stored, 'id' | 'created_at' | 'refreshed_at' | 'user_agent' | 'ip' | 'aal'>

export async function sessionsOf(handle: Handle, userId: string): Promise<SessionSummary[]> {
  return handle
    .selectFrom('auth.sessions')
    .select(['id', 'created_at', 'refreshed_at', 'user_agent', sql<string | null>`host(ip)`.as('ip'), 'aal'])
    .where('user_id', '=', userId)
    .where('not_after', '>', NOW)
    .orderBy('refreshed_at', 'desc')
    .execute()
}
