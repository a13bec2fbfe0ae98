import type { ExperimentListQuery, ExperimentSummary } from '@ensaio/domain'
import { type RawBuilder, sql } from 'kysely'
import { contains, filterCondition } from '../../database/experiment-filter.ts'
import type { Handle } from '../../database/handle.ts'
import { LIST, type SummaryRow } from './experiments.repository.ts'

type SortKey = NonNullable<ExperimentListQuery['ordem']>

/** Names sort without accents and case; what is unknown comes last in either direction. */
const SORTS: Record<SortKey, { type: string; expression(last: string): RawBuilder<unknown> }> = {
  created_at: { type: 'timestamptz', expression: () => sql`e.created_at` },
  consultoria: { type: 'text', expression: () => sql`k.busca` },
  regional: { type: 'text', expression: () => sql`r.busca` },
  cultura: { type: 'text', expression: () => sql`c.busca` },
  marca: { type: 'text', expression: () => sql`f.busca` },
  produtividade_media: { type: 'float8', expression: () => sql`e.produtividade_media` },
  roi: { type: 'float8', expression: (last) => sql`coalesce(e.roi, ${sql.lit(last)}::float8)` },
  ano: { type: 'int4', expression: () => sql`e.ano::int4` },
}

/** Where a page ended: the sort value, as PostgreSQL writes it, and the id. */
export interface Cursor {
  value: string
  id: string
}

export interface ListPage {
  rows: ExperimentSummary[]
  next: Cursor | null
}

export async function listExperiments(
  handle: Handle,
  query: ExperimentListQuery,
  { cursor, limit }: { cursor: Cursor | null; limit: number },
): Promise<ListPage> {
  const descending = (query.sentido ?? (query.ordem ? 'asc' : 'desc')) === 'desc'
  const { type, expression } = SORTS[query.ordem ?? 'created_at']
  const sort = expression(descending ? '-Infinity' : 'Infinity')
  const direction = descending ? sql`desc` : sql`asc`
  const after = cursor
    ? sql`and (${sort}, e.id) ${descending ? sql`<` : sql`>`} (${cursor.value}::${sql.raw(type)}, ${cursor.id}::uuid)`
    : sql``
  const { rows } = await sql<SummaryRow & { sort_value: string }>`
    select ${LIST.columns}, (${sort})::text as sort_value ${LIST.from}
    where ${condition(query)} ${after}
    order by ${sort} ${direction}, e.id ${direction}
    limit ${limit + 1}
  `.execute(handle)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    rows: page.map(({ sort_value: _, ...row }) => LIST.present(row)),
    next: rows.length > limit && last ? { value: last.sort_value, id: last.id } : null,
  }
}

export async function countExperiments(handle: Handle, query: ExperimentListQuery): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from experimentos e where ${condition(query)}
  `.execute(handle)
  return rows[0]?.n ?? 0
}

function condition(query: ExperimentListQuery): RawBuilder<unknown> {
  const conditions = [filterCondition(query)]
  if (query.com_documento === '1') conditions.push(sql`e.documento_id is not null`)
  if (query.com_documento === '0') conditions.push(sql`e.documento_id is null`)
  if (query.busca?.trim()) {
    const like = contains(query.busca)
    conditions.push(sql`(
      e.consultoria_id in (select id from consultorias where busca like ${like})
      or e.cidade_id in (select id from cidades where busca like ${like})
      or e.cultura_id in (select id from culturas where busca like ${like})
      or e.fabricante_id in (select id from fabricantes where busca like ${like})
    )`)
  }
  return sql.join(conditions, sql` and `)
}

export type DeletedRow = ExperimentSummary & { deleted_at: string; deleted_by: string | null }

/** Deleted less than `days` ago, the latest first. */
export async function listDeleted(handle: Handle, days: number): Promise<DeletedRow[]> {
  const { rows } = await sql<SummaryRow & { deleted_at: Date; deleted_by: string | null }>`
    select ${LIST.columns}, e.deleted_at, e.deleted_by ${LIST.from}
    where e.deleted_at > now() - ${days} * interval '1 day'
    order by e.deleted_at desc limit 200
  `.execute(handle)
  return rows.map((row) => ({ ...LIST.present(row), deleted_at: row.deleted_at.toISOString() }))
}
