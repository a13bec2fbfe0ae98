import type { AlertCondition, AlertFrequency, ViewState } from '@ensaio/domain'
import { sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'
import { oneAtATime } from '../../database/one-at-a-time.ts'

export interface StoredAlert {
  id: string
  vista_id: string
  vista: string
  estado: ViewState
  frequencia: AlertFrequency
  condicao: AlertCondition | null
  pausado: string | null
  created_at: Date
}
const SELECT = sql`
  select a.id, a.vista_id, v.nome as vista, v.estado, a.frequencia, a.condicao, a.pausado, a.created_at
  from alertas a join vistas v on v.id = a.vista_id`

export async function alertsOf(handle: Handle): Promise<StoredAlert[]> {
  const { rows } = await sql<StoredAlert>`${SELECT} order by a.created_at, a.id`.execute(handle)
  return rows
}

export async function alertById(handle: Handle, id: string): Promise<StoredAlert | null> {
  const { rows } = await sql<StoredAlert>`${SELECT} where a.id = ${id}`.execute(handle)
  return rows[0] ?? null
}

export interface AlertContent {
  frequencia: AlertFrequency
  condicao: AlertCondition | null
  pausado: string | null
}

/** @returns null when there are as many as there may be */
export async function insertAlert(
  handle: Handle,
  {
    person,
    view,
    marks,
    most,
    ...given
  }: Omit<AlertContent, 'pausado'> & { person: string; view: string; marks: readonly string[]; most: number },
): Promise<string | null> {
  await oneAtATime(handle, 'alertas', person)
  const { rows } = await sql<{ id: string }>`
    insert into alertas (organizacao_id, pessoa_id, vista_id, frequencia, condicao, exatos)
    select organizacao_atual(), ${person}, ${view}, ${given.frequencia},
      ${given.condicao === null ? null : JSON.stringify(given.condicao)}::jsonb, ${[...marks]}::text[]
    where meus_alertas() < ${most}
    returning id
  `.execute(handle)
  return rows[0]?.id ?? null
}

export async function updateAlert(
  handle: Handle,
  id: string,
  { frequencia, condicao, pausado }: AlertContent,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update alertas set frequencia = ${frequencia}, pausado = ${pausado},
      condicao = ${condicao === null ? null : JSON.stringify(condicao)}::jsonb,
      falhas = case when ${pausado}::text is null then 0 else falhas end
    where id = ${id}
  `.execute(handle)
  return numAffectedRows === 1n
}

export async function deleteAlert(handle: Handle, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from alertas where id = ${id}`.execute(handle)
  return numAffectedRows === 1n
}

/** A trial as a notice tells it. */
export interface Told {
  id: string
  nome: string
  cidade: string
  estado: string
  produtividade_media: number | null
  diferenca_percent: number | null
}

export interface StoredNotice extends Omit<Told, 'id'> {
  alerta_id: string
  vista_id: string
  vista: string
  experimento_id: string
  quando: Date
  lido: boolean
}

/** Trials as a notice tells them, from rows `e` of experiments that the asker sees. */
export const TOLD = sql`
  c.nome_cultura || ' - ' || k.nome || ' - ' || e.ano as nome, ci.nome as cidade, ci.estado, e.produtividade_media, (
    select 100 * (avg(t.produtividade) filter (where t.ordem > 1)
      / nullif(max(t.produtividade) filter (where t.ordem = 1), 0) - 1)
    from tratamentos t where t.experimento_id = e.id
  ) as diferenca_percent`
export const TOLD_FROM = sql`
  join culturas c on c.id = e.cultura_id join consultorias k on k.id = e.consultoria_id
  join cidades ci on ci.id = e.cidade_id`

/** The latest of what the asker still sees. */
export async function noticesOf(handle: Handle, most: number): Promise<StoredNotice[]> {
  const { rows } = await sql<StoredNotice>`
    select x.alerta_id, a.vista_id, v.nome as vista, x.experimento_id, ${TOLD}, x.quando, x.lido
    from avisos x join alertas a on a.id = x.alerta_id join vistas v on v.id = a.vista_id
    join experimentos e on e.id = x.experimento_id and e.deleted_at is null ${TOLD_FROM}
    order by x.quando desc, x.experimento_id limit ${most}
  `.execute(handle)
  return rows
}

/** Of what the asker still sees. */
export async function countUnread(handle: Handle): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from (
      select from avisos x join experimentos e on e.id = x.experimento_id and e.deleted_at is null
      where not x.lido limit 1000
    ) unread
  `.execute(handle)
  return rows[0]?.n ?? 0
}

/** @param only what one alert told of one trial; else all that came until then */
export async function markRead(
  handle: Handle,
  until: Date | null,
  only: { alerta: string; experimento: string } | null,
): Promise<void> {
  const chosen = only
    ? sql`alerta_id = ${only.alerta} and experimento_id = ${only.experimento}`
    : sql`quando < coalesce(${until}::timestamptz + interval '1 millisecond', 'infinity')`
  await sql`update avisos set lido = true where not lido and ${chosen}`.execute(handle)
}
