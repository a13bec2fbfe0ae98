import type { ExperimentFilter, ManyReport } from '@ensaio/domain'
import { sql } from 'kysely'
import { filterCondition } from '../../catalogue/experiment-filter.ts'
import type { Handle } from '../../database/handle.ts'

export type StoredReport = ManyReport & { nome: string }
const COLUMNS = sql`id, formato, n, progresso, nome,
  case when estado = 'fazendo' and vivo_em < now() - interval '2 minutes' then 'falhou' else estado end as estado`

/** Of the trials of a filter that the asker sees: the newest ids, so many, and how many there are. */
export async function trialsOfFilter(
  handle: Handle,
  filter: ExperimentFilter,
  most: number,
): Promise<{ total: number; ids: string[] }> {
  const { rows } = await sql<{ total: number; ids: string[] }>`
    with f as materialized (
      select e.id, e.created_at from experimentos e where ${filterCondition(filter)}
    )
    select (select count(*)::integer from f) as total,
      array(select id from f order by created_at desc, id desc limit ${most}) as ids
  `.execute(handle)
  return rows[0] ?? { total: 0, ids: [] }
}

/** Of these, the ones that the asker sees. */
export async function visibleOf(handle: Handle, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from experimentos where id = any(${[...ids]}::uuid[]) and deleted_at is null order by created_at desc, id desc
  `.execute(handle)
  return rows.map(({ id }) => id)
}

/** Places of the trials of a filter, each once: degrees of longitude and latitude. */
export async function placesOf(
  handle: Handle,
  filter: ExperimentFilter,
  most: number,
): Promise<[number, number][]> {
  const { rows } = await sql<{ lng: number; lat: number }>`
    select distinct round(coalesce(e.longitude, c.longitude)::numeric, 2)::float8 as lng,
      round(coalesce(e.latitude, c.latitude)::numeric, 2)::float8 as lat
    from experimentos e join cidades c on c.id = e.cidade_id
    where ${filterCondition(filter)} and coalesce(e.longitude, c.longitude) is not null
      and coalesce(e.latitude, c.latitude) is not null
    limit ${most}
  `.execute(handle)
  return rows.map(({ lng, lat }) => [lng, lat])
}

/** @returns null when the person has as many in the making as they may */
export async function insertReport(
  handle: Handle,
  given: {
    person: string
    formato: ManyReport['formato']
    pedido: unknown
    n: number
    nome: string
    most: number
  },
): Promise<StoredReport | null> {
  const { rows } = await sql<StoredReport>`
    insert into relatorios (organizacao_id, pessoa_id, formato, pedido, n, nome)
    select organizacao_atual(), ${given.person}, ${given.formato}, ${JSON.stringify(given.pedido)}::jsonb, ${given.n}, ${given.nome}
    where (select count(*) from relatorios where estado = 'fazendo' and vivo_em > now() - interval '2 minutes') < ${given.most}
    returning ${COLUMNS}
  `.execute(handle)
  return rows[0] ?? null
}

export async function reportById(handle: Handle, id: string): Promise<StoredReport | null> {
  const { rows } = await sql<StoredReport>`select ${COLUMNS} from relatorios where id = ${id}`.execute(handle)
  return rows[0] ?? null
}

export async function reportFile(handle: Handle, id: string): Promise<Buffer | null> {
  const { rows } = await sql<{ conteudo: Buffer | null }>`
    select conteudo from relatorios where id = ${id} and estado = 'pronto'
  `.execute(handle)
  return rows[0]?.conteudo ?? null
}

/** False when it was removed meanwhile. */
export async function noteProgress(handle: Handle, id: string, progresso: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update relatorios set progresso = ${progresso}, vivo_em = now() where id = ${id} and estado = 'fazendo'
  `.execute(handle)
  return numAffectedRows === 1n
}

export async function finishReport(handle: Handle, id: string, content: Buffer | null): Promise<void> {
  await sql`
    update relatorios set estado = ${content ? 'pronto' : 'falhou'}, progresso = ${content ? 1 : 0}, conteudo = ${content}
    where id = ${id} and estado = 'fazendo'
  `.execute(handle)
}

export async function removeReport(handle: Handle, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from relatorios where id = ${id}`.execute(handle)
  return numAffectedRows === 1n
}

/** Of the tables' owner. */
export async function forgetReports(handle: Handle, days: number): Promise<void> {
  await sql`delete from relatorios where created_at < now() - ${days} * interval '1 day'`.execute(handle)
}
