import type {
  ExperimentFilter,
  ManyReport,
  ManyReportInput,
  ReportParts,
  ReportPartsInput,
} from '@ensaio/domain'
import { sql } from 'kysely'
import { filterCondition } from '../../catalogue/experiment-filter.ts'
import type { Handle } from '../../database/handle.ts'

export type StoredReport = ManyReport & { nome: string }
const COLUMNS = sql`id, formato, n, progresso, nome,
  case when estado = 'fazendo' and vivo_em < now() - interval '2 minutes' then 'falhou' else estado end as estado`

/** Still whole for who asks: of what others showed when it was made nothing has been taken back. */
const STANDS = sql<boolean>`(
  relatorios.acervos <@ coalesce((select visiveis()), '{}')
  and relatorios.acervos_com_custos <@ coalesce((select com_custos()), '{}')
  and cardinality(relatorios.recebidos) = (
    select count(*) from experimentos e where e.id = any(relatorios.recebidos) and e.deleted_at is null)
  and cardinality(relatorios.recebidos_com_custos) = (
    select count(*) from experimentos e where e.id = any(relatorios.recebidos_com_custos) and e.acervo_id = any((select com_custos())::integer[]))
)`

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

/**
 * Keeps with a report what of its trials others show, each by its id or, of more than `most`, by the sets that they are
 * in: asked before it is made and after, so that nothing that came or went meanwhile is missed.
 */
export async function noteReceived(
  handle: Handle,
  id: string,
  asked: Pick<ManyReportInput, 'filtro' | 'experimentos'>,
  most: number,
): Promise<void> {
  const condition = asked.filtro
    ? filterCondition(asked.filtro)
    : sql`e.id = any(${[...(asked.experimentos ?? [])]}::uuid[]) and e.deleted_at is null`
  await sql`
    with f as materialized (
      select e.id, e.acervo_id, e.acervo_id = any((select com_custos())::integer[]) as ve_custos from experimentos e
      where ${condition} and e.organizacao_id <> organizacao_atual()
    ), few as (select count(*) <= ${most} as few from f)
    update relatorios r set
      recebidos = array(select unnest(r.recebidos) union select f.id from f, few where few),
      recebidos_com_custos = array(
        select unnest(r.recebidos_com_custos) union select f.id from f, few where few and f.ve_custos),
      acervos = array(select unnest(r.acervos) union select f.acervo_id from f, few where not few),
      acervos_com_custos = array(
        select unnest(r.acervos_com_custos) union select f.acervo_id from f, few where not few and f.ve_custos)
    where r.id = ${id}
  `.execute(handle)
}

/** What a person has, in all of their organisations: in the making, kept, and the bytes of these. */
export async function ownReports(
  handle: Handle,
): Promise<{ fazendo: number; guardados: number; bytes: number }> {
  const { rows } = await sql<{ fazendo: number; guardados: number; bytes: number }>`
    select fazendo::integer, guardados::integer, bytes::float8 from meus_relatorios()
  `.execute(handle)
  return rows[0] ?? { fazendo: 0, guardados: 0, bytes: 0 }
}

/** @returns its id */
export async function insertReport(
  handle: Handle,
  given: { person: string; formato: ManyReport['formato']; pedido: unknown; n: number; nome: string },
): Promise<string> {
  const { person, pedido, ...rest } = given
  const { id } = await handle
    .insertInto('relatorios')
    .values({ ...rest, pessoa_id: person, pedido: JSON.stringify(pedido) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** One that does not stand any more is as one that is not there. */
export async function reportById(handle: Handle, id: string): Promise<StoredReport | null> {
  const { rows } = await sql<StoredReport>`
    select ${COLUMNS} from relatorios where id = ${id} and (estado <> 'pronto' or ${STANDS})
  `.execute(handle)
  return rows[0] ?? null
}

export async function reportFile(handle: Handle, id: string): Promise<Buffer | null> {
  const { rows } = await sql<{ conteudo: Buffer | null }>`
    select conteudo from relatorios where id = ${id} and estado = 'pronto' and ${STANDS}
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

/** In the name of the person: what they leave out of reports in the acting organisation. */
export async function partsLeftOut(handle: Handle): Promise<ReportParts> {
  const { rows } = await sql<ReportParts>`
    select relatorio_sem as experimento_sem, consolidado_sem from preferencias
  `.execute(handle)
  return rows[0] ?? { experimento_sem: [], consolidado_sem: [] }
}

export async function leaveOut(
  handle: Handle,
  person: string,
  { experimento_sem, consolidado_sem }: ReportPartsInput,
): Promise<ReportParts> {
  const { rows } = await sql<ReportParts>`
    insert into preferencias as p (organizacao_id, pessoa_id, relatorio_sem, consolidado_sem)
    values (organizacao_atual(), ${person}, ${experimento_sem ?? []}::text[], ${consolidado_sem ?? []}::text[])
    on conflict (organizacao_id, pessoa_id) do update set
      relatorio_sem = ${experimento_sem ? sql`excluded.relatorio_sem` : sql`p.relatorio_sem`},
      consolidado_sem = ${consolidado_sem ? sql`excluded.consolidado_sem` : sql`p.consolidado_sem`}
    returning relatorio_sem as experimento_sem, consolidado_sem
  `.execute(handle)
  return rows[0] ?? partsLeftOut(handle)
}
