import type { Invitation, Member, OrganizationRole } from '@ensaio/domain'
import { sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'
import { oneAtATime } from '../../database/one-at-a-time.ts'

const present = ({ desde, ...row }: Omit<Member, 'desde'> & { desde: Date }): Member => ({
  ...row,
  desde: desde.toISOString(),
})

/** Members of the acting organisation, the oldest first; one of them, if named. */
export async function membersOf(handle: Handle, organization: string, person?: string): Promise<Member[]> {
  const rows = await handle
    .selectFrom('membros as m')
    .innerJoin('auth.users as u', 'u.id', 'm.pessoa_id')
    .where('m.organizacao_id', '=', organization)
    .$if(person !== undefined, (all) => all.where('m.pessoa_id', '=', person ?? ''))
    .select(['u.id', sql<string>`coalesce(u.name, 'Usuário')`.as('name'), 'u.email', 'm.desde'])
    .select(sql<OrganizationRole>`m.papel`.as('papel'))
    .select(sql<boolean>`u.blocked_at is not null`.as('bloqueado'))
    .orderBy('m.desde')
    .orderBy('u.id')
    .execute()
  return rows.map(present)
}

/** False when it was not the acting person's to do. */
export async function setMemberRole(
  handle: Handle,
  organization: string,
  person: string,
  papel: OrganizationRole,
): Promise<boolean> {
  const { numUpdatedRows } = await handle
    .updateTable('membros')
    .set({ papel })
    .where('organizacao_id', '=', organization)
    .where('pessoa_id', '=', person)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** False when it was not the acting person's to do. */
export async function deleteMember(handle: Handle, organization: string, person: string): Promise<boolean> {
  const { numDeletedRows } = await handle
    .deleteFrom('membros')
    .where('organizacao_id', '=', organization)
    .where('pessoa_id', '=', person)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

/** Whether anything was entered in the organisation. */
export async function hasRecords(handle: Handle, organization: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`select tem_registros(${organization}::uuid) as has`.execute(
    handle,
  )
  return rows[0]?.has === true
}

type InvitationRow = Omit<Invitation, 'expira_em'> & { expira_em: Date }
const presentInvitation = ({ expira_em, ...row }: InvitationRow): Invitation => ({
  ...row,
  expira_em: expira_em.toISOString(),
})

const OPEN = sql<boolean>`encerrado_em is null and expira_em > now()`

/** Open ones of the acting organisation, the latest first. */
export async function openInvitations(handle: Handle, organization: string): Promise<Invitation[]> {
  const rows = await handle
    .selectFrom('convites')
    .select(['id', 'email', 'papel', 'expira_em'])
    .where('organizacao_id', '=', organization)
    .where(OPEN)
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map(presentInvitation)
}

/** How many are open, but for those to this address, and how many were sent within a day; one inviter at a time. */
export async function countInvitations(
  handle: Handle,
  organization: string,
  email: string,
): Promise<{ open: number; today: number }> {
  await oneAtATime(handle, 'convites', organization)
  const { rows } = await sql<{ open: number; today: number }>`
    select count(*) filter (where ${OPEN} and email <> ${email}) as open,
      count(*) filter (where created_at > now() - interval '1 day') as today
    from convites where organizacao_id = ${organization}
  `.execute(handle)
  return rows[0] ?? { open: 0, today: 0 }
}

/** A new one takes the place of an older one to the same address. */
export async function putInvitation(
  handle: Handle,
  given: { organization: string; email: string; papel: OrganizationRole; hash: Buffer; by: string },
): Promise<Invitation> {
  await handle
    .updateTable('convites')
    .set({ encerrado_em: sql`now()` })
    .where('organizacao_id', '=', given.organization)
    .where('email', '=', given.email)
    .where('encerrado_em', 'is', null)
    .execute()
  const row = await handle
    .insertInto('convites')
    .values({
      organizacao_id: given.organization,
      email: given.email,
      papel: given.papel,
      token_hash: given.hash,
      quem: given.by,
    })
    .returning(['id', 'email', 'papel', 'expira_em'])
    .executeTakeFirstOrThrow()
  return presentInvitation(row)
}

/** False when there is no such open one. */
export async function endInvitation(handle: Handle, organization: string, id: string): Promise<boolean> {
  const { numUpdatedRows } = await handle
    .updateTable('convites')
    .set({ encerrado_em: sql`now()` })
    .where('organizacao_id', '=', organization)
    .where('id', '=', id)
    .where(OPEN)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** What opens an invitation: the hash of its token, or its id for the signed-in owner of its address. */
export interface InvitationKey {
  hash: Buffer
  id: string | null
}

export interface OpenInvitation {
  organizacao: string
  papel: OrganizationRole
  email: string
  expira_em: string
}

export async function findInvitation(
  handle: Handle,
  { hash, id }: InvitationKey,
): Promise<OpenInvitation | null> {
  const { rows } = await sql<Omit<OpenInvitation, 'expira_em'> & { expira_em: Date }>`
    select nome_do_convite(${hash}, ${id}::uuid) as organizacao, c.papel, c.email, c.expira_em
    from convite_aberto(${hash}, ${id}::uuid) c
  `.execute(handle)
  const [row] = rows
  return row ? { ...row, expira_em: row.expira_em.toISOString() } : null
}

/** The organisation that the acting person is now of, or has declined; null when it holds no more. */
export async function answerInvitation(
  handle: Handle,
  { hash, id }: InvitationKey,
  accepts: boolean,
): Promise<string | null> {
  const { rows } = await sql<{ organization: string | null }>`
    select responder_convite(${hash}, ${id}::uuid, ${accepts}) as organization
  `.execute(handle)
  return rows[0]?.organization ?? null
}

/** Takes in who is just coming to be: in their name for this one statement of the transaction. */
export async function acceptAs(handle: Handle, person: string, hash: Buffer): Promise<void> {
  await sql`select set_config('ensaio.pessoa', ${person}, true)`.execute(handle)
  await answerInvitation(handle, { hash, id: null }, true)
  await sql`select set_config('ensaio.pessoa', '', true)`.execute(handle)
}
