import type { OrganizationRole, Role } from '@ensaio/domain'
import { sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'

export interface TeamRow {
  id: string
  nome: string
  na_equipe: boolean
  /** Records there by what they are in the organisation, or because they made the trial. */
  pode: boolean
}
export interface StoredInvitation {
  id: string
  nome: string | null
  quem: string | null
  aberto: boolean
  vencido: boolean
  revogado: boolean
  encerrado: boolean
  ate: Date
  contato_em: Date | null
  pendentes: number
}
export interface Redeemed {
  id: string
  experimento_id: string
  organizacao_id: string
  varias: boolean
  convidou: string | null
  aparelho: string
  nome: string
  ate: Date
}
/** Who asks by the key of an invitation. */
export interface GuestRow {
  id: string
  experimento_id: string
  aparelho: string
  nome: string
  encerrado: boolean
  pessoa_id: string
  convidou: string | null
  papel_conta: Role
  organizacao_id: string
  papel: OrganizationRole | null
  fechada: boolean | null
  varias: boolean | null
}

/** Every member of the trial's organisation, and whether they are in its team. */
export async function membersFor(handle: Handle, experimentId: string): Promise<TeamRow[]> {
  const { rows } = await sql<TeamRow>`
    select u.id, coalesce(u.name, 'Usuário') as nome, q.pessoa_id is not null as na_equipe,
      m.papel in ('dono', 'gestor') or e.created_by is not distinct from u.id as pode
    from experimentos e join membros m on m.organizacao_id = e.organizacao_id join auth.users u on u.id = m.pessoa_id
    left join equipe_campo q on q.experimento_id = e.id and q.pessoa_id = u.id
    where e.id = ${experimentId} and u.blocked_at is null order by 2, 1 limit 2000
  `.execute(handle)
  return rows
}

/** Who is in a trial's team, by name. */
export async function teamNames(handle: Handle, experimentId: string): Promise<string[]> {
  const { rows } = await sql<{ nome: string }>`
    select coalesce(u.name, 'Usuário') as nome
    from equipe_campo q join auth.users u on u.id = q.pessoa_id
    where q.experimento_id = ${experimentId} and u.blocked_at is null order by 1, u.id limit 200
  `.execute(handle)
  return rows.map(({ nome }) => nome)
}

/** @returns whether the person is a member of the trial's organisation */
export async function addToTeam(handle: Handle, experimentId: string, person: string): Promise<boolean> {
  const { rows } = await sql`
    insert into equipe_campo (experimento_id, organizacao_id, pessoa_id)
    select e.id, e.organizacao_id, m.pessoa_id
    from experimentos e join membros m on m.organizacao_id = e.organizacao_id
    where e.id = ${experimentId} and m.pessoa_id = ${person}
    on conflict (experimento_id, pessoa_id) do update set organizacao_id = excluded.organizacao_id
    returning pessoa_id
  `.execute(handle)
  return rows.length > 0
}

export async function removeFromTeam(handle: Handle, experimentId: string, person: string): Promise<void> {
  await sql`delete from equipe_campo where experimento_id = ${experimentId} and pessoa_id = ${person}`.execute(
    handle,
  )
}

/** Trials of the acting organisation in whose team the person is. */
export async function trialsOfTeam(handle: Handle, person: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select experimento_id as id from equipe_campo where pessoa_id = ${person} order by desde desc limit 1000
  `.execute(handle)
  return rows.map(({ id }) => id)
}

/** One more, unless the trial has so many that hold. */
export async function insertInvitation(
  handle: Handle,
  of: { experiment: string; person: string; hash: Buffer; minutes: number; days: number; most: number },
): Promise<{ id: string; expira_em: Date; ate: Date } | null> {
  const { rows } = await sql<{ id: string; expira_em: Date; ate: Date }>`
    insert into convites_campo (experimento_id, organizacao_id, pessoa_id, codigo_hash, expira_em, ate)
    select e.id, e.organizacao_id, ${of.person}, ${of.hash}, now() + make_interval(mins => ${of.minutes}::integer),
      now() + make_interval(days => ${of.days}::integer)
    from experimentos e
    where e.id = ${of.experiment} and (
      select count(*) from convites_campo c
      where c.experimento_id = e.id and c.revogado_em is null and c.ate > now()
        and (c.usado_em is not null or c.expira_em > now())) < ${of.most}
    returning id, expira_em, ate
  `.execute(handle)
  return rows[0] ?? null
}

/** Those of a trial, the latest first; what nobody took in its time is left out after a day. */
export async function invitationsOf(handle: Handle, experimentId: string): Promise<StoredInvitation[]> {
  const { rows } = await sql<StoredInvitation>`
    select c.id, c.nome, u.name as quem, c.usado_em is null as aberto, c.expira_em <= now() as vencido,
      c.revogado_em is not null as revogado, c.ate <= now() as encerrado, c.ate, a.contato_em,
      coalesce(a.pendentes, 0) as pendentes
    from convites_campo c left join auth.users u on u.id = c.pessoa_id
    left join contatos_de_convites(${experimentId}) a on a.convite = c.id
    where c.experimento_id = ${experimentId} and (c.usado_em is not null or c.expira_em > now() - interval '1 day')
    order by c.criado_em desc, c.id limit 300
  `.execute(handle)
  return rows
}

/** Its code and its phone's key open nothing any more. */
export async function revokeInvitation(handle: Handle, experimentId: string, id: string): Promise<void> {
  await sql`
    update convites_campo set revogado_em = coalesce(revogado_em, now())
    where experimento_id = ${experimentId} and id = ${id}
  `.execute(handle)
}

/** Takes a code; null where it opens nothing. */
export async function redeemInvitation(
  handle: Handle,
  { code, key, name }: { code: Buffer; key: Buffer; name: string },
): Promise<Redeemed | null> {
  const { rows } = await sql<Redeemed>`select * from resgatar_convite(${code}, ${key}, ${name})`.execute(
    handle,
  )
  return rows[0] ?? null
}

/** Who asks by a key; null for one that nobody has. */
export async function guestByKey(handle: Handle, key: Buffer): Promise<GuestRow | null> {
  const { rows } = await sql<GuestRow>`select * from convidado(${key})`.execute(handle)
  return rows[0] ?? null
}
