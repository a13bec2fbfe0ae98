import { sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'

export interface StoredDevice {
  id: string
  criado_em: Date
  contato_em: Date
  pendentes: number
  ensaios: number
  revogado_em: Date | null
}

/**
 * A device spoke: it is known from now on, what it brings today, and what waits there. Null: the person has too many of
 * their own; those of people whom they invited are bounded by the invitations.
 */
export async function touchDevice(
  handle: Handle,
  {
    person,
    session,
    device,
    waiting,
    brings,
    most,
  }: {
    person: string
    session: string
    device: string
    waiting: number | null
    brings: number
    most: number | null
  },
): Promise<{ revoked: boolean; today: number } | null> {
  const { rows } = await sql<{ revoked: boolean; today: number }>`
    with held as (
      update auth.sessions set aparelho = ${device}
      where id = ${session} and campo and aparelho is distinct from ${device}
    )
    insert into aparelhos as a (pessoa_id, id, pendentes, no_dia)
    select ${person}, ${device}, coalesce(${waiting}::integer, 0), ${brings}
    where exists (select from aparelhos x where x.pessoa_id = ${person} and x.id = ${device})
      or ${most}::integer is null
      or (select count(*) from aparelhos x where x.pessoa_id = ${person}
        and not exists (select from convites_campo c where c.aparelho = x.id)) < ${most}
    on conflict (pessoa_id, id) do update set contato_em = clock_timestamp(),
      pendentes = coalesce(${waiting}::integer, a.pendentes), dia = current_date,
      no_dia = case when a.dia = current_date then a.no_dia else 0 end + ${brings}
    returning revogado_em is not null as revoked, no_dia as today
  `.execute(handle)
  return rows[0] ?? null
}

/** The device has the trial with it from now on. */
export async function noteTaken(
  handle: Handle,
  { person, device, experiment }: { person: string; device: string; experiment: string },
): Promise<void> {
  await sql`
    insert into pacotes_campo (pessoa_id, aparelho, experimento_id) values (${person}, ${device}, ${experiment})
    on conflict (pessoa_id, aparelho, experimento_id) do update set levado_em = clock_timestamp()
  `.execute(handle)
}

export async function devicesOf(handle: Handle, person: string): Promise<StoredDevice[]> {
  const { rows } = await sql<StoredDevice>`
    select a.id, a.criado_em, a.contato_em, a.pendentes, a.revogado_em,
      (select count(*)::integer from pacotes_campo p where p.pessoa_id = a.pessoa_id and p.aparelho = a.id) as ensaios
    from aparelhos a where a.pessoa_id = ${person} order by a.contato_em desc limit 500
  `.execute(handle)
  return rows
}

/**
 * With its session, which is told so and does nothing else, and with the browser's that this one came out of: who has
 * the phone has both.
 * @param by the session that asks, which stays
 * @returns whether there was such a device of the person
 */
export async function markRevoked(
  handle: Handle,
  { person, device, by }: { person: string; device: string; by: string },
): Promise<boolean> {
  const { rows } = await sql`
    with told as (
      update auth.sessions set revogada = true where user_id = ${person} and aparelho = ${device}
      returning origem
    ), ended as (
      delete from auth.sessions s using told
      where s.user_id = ${person} and s.id = told.origem and s.id <> ${by}
    )
    update aparelhos set revogado_em = coalesce(revogado_em, clock_timestamp())
    where pessoa_id = ${person} and id = ${device} returning id
  `.execute(handle)
  return rows.length > 0
}

/** Of what the person sees. */
export async function plotOfLabel(
  handle: Handle,
  code: string,
): Promise<{ experimento: string; parcela: string; numero: number } | null> {
  const { rows } = await sql<{ experimento: string; parcela: string; numero: number }>`
    select experimento_id as experimento, id as parcela, numero from parcelas where codigo = ${code}
  `.execute(handle)
  return rows[0] ?? null
}
