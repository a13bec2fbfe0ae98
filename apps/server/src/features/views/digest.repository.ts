import type { ViewQuestion, ViewState } from '@ensaio/domain'
import { type RawBuilder, sql } from 'kysely'
import { filterCondition, walkedBySearch } from '../../catalogue/experiment-filter.ts'
import type { Handle } from '../../database/handle.ts'
import { TOLD, TOLD_FROM, type Told } from './alerts.repository.ts'

/** A person whose weekly digest is due, and since when it tells. */
export interface DueDigest {
  pessoa_id: string
  organizacao_id: string
  desde: Date
}

/** Of the tables' owner: on Mondays from seven o'clock on, in Brasília. */
export async function dueDigests(handle: Handle, now: Date): Promise<DueDigest[]> {
  const { rows } = await sql<DueDigest>`
    select pessoa_id, organizacao_id, greatest(resumo_em, ${now}::timestamptz - interval '8 days') as desde
    from preferencias
    where resumo_semanal and resumo_em < (
      date_trunc('week', ${now}::timestamptz at time zone 'America/Sao_Paulo' - interval '7 hours') + interval '7 hours'
    ) at time zone 'America/Sao_Paulo'
    order by resumo_em limit 200
  `.execute(handle)
  return rows
}

/** Of the tables' owner. */
export async function digestQueued(
  handle: Handle,
  { person, organization, at }: { person: string; organization: string; at: Date },
): Promise<void> {
  await sql`
    update preferencias set resumo_em = ${at} where pessoa_id = ${person} and organizacao_id = ${organization}
  `.execute(handle)
}

/** Of the tables' owner: no digest any more, whoever asks. */
export async function endDigest(
  handle: Handle,
  { person, organization }: { person: string; organization: string },
): Promise<void> {
  await sql`
    update preferencias set resumo_semanal = false where pessoa_id = ${person} and organizacao_id = ${organization}
  `.execute(handle)
}

/** In the name of the person: whether they still want it. */
export async function wantsDigest(handle: Handle): Promise<boolean> {
  const { rows } = await sql`select from preferencias where resumo_semanal`.execute(handle)
  return rows.length > 0
}

export interface WeekOf {
  proprios: number
  recebidos: number
  importacoes: number
  ofertas: number
  convites: number
  avisos: number
}

/** Trials that shares opened which a digest looks at. */
export const MOST_OPENED = 10_000

/** A trial that is new to the person's organisation: made since then, or opened by a share accepted since then. */
const newSince = (since: Date): RawBuilder<boolean> => sql`(
  e.deleted_at is null and e.id in (
    select id from experimentos where created_at >= ${since} union select recebidos_desde(${since}, ${MOST_OPENED + 1})))`

/** In the name of the person: how many of each there are since then. */
export async function weekOf(handle: Handle, since: Date): Promise<WeekOf> {
  const { rows } = await sql<WeekOf>`
    select n.proprios, n.recebidos,
      (select count(*)::integer from importacoes where gravada_em >= ${since}) as importacoes,
      (select count(*)::integer from compartilhamentos
        where estado = 'pendente' and destino_id = organizacao_atual()) as ofertas,
      (select count(*)::integer from meus_convites()) as convites,
      (select count(*)::integer from avisos a join experimentos e on e.id = a.experimento_id and e.deleted_at is null
        where a.quando >= ${since}) as avisos
    from (
      select (count(*) filter (where organizacao_id = organizacao_atual()))::integer as proprios,
        (count(*) filter (where organizacao_id <> organizacao_atual()))::integer as recebidos
      from experimentos e where ${newSince(since)}
    ) n
  `.execute(handle)
  return rows[0] ?? { proprios: 0, recebidos: 0, importacoes: 0, ofertas: 0, convites: 0, avisos: 0 }
}

/** In the name of the person: the latest trials since then. */
export async function newestSince(handle: Handle, since: Date, most: number): Promise<Told[]> {
  const { rows } = await sql<Told>`
    select e.id, ${TOLD} from experimentos e ${TOLD_FROM}
    where ${newSince(since)} order by e.created_at desc, e.id limit ${most}
  `.execute(handle)
  return rows
}

/** In the name of the person: their own views, and the organisation's that they open the dashboard with or watch. */
export async function viewsFollowed(
  handle: Handle,
  most: number,
): Promise<{ id: string; nome: string; estado: ViewState }[]> {
  const { rows } = await sql<{ id: string; nome: string; estado: ViewState }>`
    select v.id, v.nome, v.estado from vistas v
    where v.dono is not null or exists (select from alertas a where a.vista_id = v.id)
      or exists (select from preferencias p where p.vista_padrao = v.id)
    order by v.nome_busca, v.id limit ${most}
  `.execute(handle)
  return rows
}

export interface ViewSum {
  total: number
  /** kg/ha */
  media: number | null
}

/** In the name of the person: how many trials pass, and their mean yield. */
export async function sumOf(handle: Handle, { filter, search }: ViewQuestion): Promise<ViewSum> {
  const { rows } = await sql<ViewSum>`
    select count(*)::integer as total, avg(e.produtividade_media)::float8 as media from visto.experimentos e
    where ${filterCondition(filter)} and ${search ? walkedBySearch(search, { beyond: true }) : sql`true`}
  `.execute(handle)
  return rows[0] ?? { total: 0, media: null }
}

/** Of the tables' owner: what was told of these views last. */
export async function lastSums(handle: Handle, person: string): Promise<(ViewSum & { vista_id: string })[]> {
  const { rows } = await sql<ViewSum & { vista_id: string }>`
    select vista_id, total, media from vista_semanas where pessoa_id = ${person}
  `.execute(handle)
  return rows
}

/** Of the tables' owner. */
export async function keepSums(
  handle: Handle,
  person: string,
  sums: readonly (ViewSum & { id: string })[],
): Promise<void> {
  await sql`
    insert into vista_semanas (vista_id, pessoa_id, total, media)
    select v.id, ${person}, n.total, n.media
    from unnest(${sums.map(({ id }) => id)}::uuid[], ${sums.map(({ total }) => total)}::integer[],
      ${sums.map(({ media }) => media)}::float8[]) n (id, total, media)
    join vistas v on v.id = n.id
    on conflict (vista_id, pessoa_id) do update set total = excluded.total, media = excluded.media
  `.execute(handle)
}
