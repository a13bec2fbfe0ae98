import { ExperimentFilter, type ExperimentListQuery } from '@ensaio/domain'
import { type RawBuilder, sql } from 'kysely'
import { DIMENSIONS, type Names } from '../../catalogue/dimensions.ts'
import { filterCondition, foundBySearch, walkedBySearch } from '../../catalogue/experiment-filter.ts'
import type { Handle } from '../../database/handle.ts'
import { LIST, type StoredSummary, type SummaryRow } from './experiments.repository.ts'

type SortKey = NonNullable<ExperimentListQuery['ordem']>

/**
 * A list as long as this, or of everything, is walked in its order until a page is full; a shorter one is found
 * first, then sorted.
 */
const LONG_LIST = 20_000
const NARROWING = [...ExperimentFilter.keyof().options, 'busca', 'com_documento'] as const

type Sort = { type: string; expression(last: string): RawBuilder<unknown> } | { column: string; names: Names }

/** Names sort without accents and case; what is unknown comes last in either direction. */
const SORTS: Record<SortKey, Sort> = {
  created_at: { type: 'timestamptz', expression: () => sql`e.created_at` },
  consultoria: DIMENSIONS.consultoria,
  regional: DIMENSIONS.regional,
  cultura: DIMENSIONS.cultura,
  marca: DIMENSIONS.marca,
  produtividade_media: { type: 'float8', expression: () => sql`e.produtividade_media` },
  roi: { type: 'float8', expression: (last) => sql`coalesce(e.roi, ${sql.lit(last)}::float8)` },
  ano: { type: 'int4', expression: () => sql`e.ano` },
}

/** Where a page ended: the sort value, as PostgreSQL writes it, and the id. */
export interface Cursor {
  value: string
  id: string
}

export interface ListPage {
  rows: StoredSummary[]
  next: Cursor | null
}

/** One page of a list that holds `total` experiments. */
export async function listExperiments(
  handle: Handle,
  query: ExperimentListQuery,
  { cursor, limit, total }: { cursor: Cursor | null; limit: number; total: number },
): Promise<ListPage> {
  const descending = (query.sentido ?? (query.ordem ? 'asc' : 'desc')) === 'desc'
  const sort = SORTS[query.ordem ?? 'created_at']
  const direction = descending ? sql`desc` : sql`asc`
  const long = total > LONG_LIST || NARROWING.every((key) => !query[key])
  // In the order of returns the index serves who sees the costs of all that they see.
  const table = sql.table(
    query.ordem === 'roi' && (await seesEveryCost(handle)) ? 'visto.custeados' : 'visto.experimentos',
  )
  const page = 'names' in sort ? pageByName(sort) : pageByValue(sort)
  const { rows } = await sql<SummaryRow & { sort_value: string }>`
    select ${LIST.columns}, e.sort_key::text as sort_value ${LIST.from(sql`(${page} limit ${limit + 1})`)}
    order by e.sort_key ${direction}, e.id ${direction}
  `.execute(handle)
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    rows: shown.map(({ sort_value: _, ...row }) => LIST.present(row)),
    next: rows.length > limit && last ? { value: last.sort_value, id: last.id } : null,
  }

  function pageByValue({ type, expression }: Exclude<Sort, { names: Names }>): RawBuilder<unknown> {
    const value = expression(descending ? '-Infinity' : 'Infinity')
    const after = cursor
      ? sql`and (${value}, e.id) ${descending ? sql`<` : sql`>`} (${cursor.value}::${sql.raw(type)}, ${cursor.id}::uuid)`
      : sql``
    return long
      ? sql`select e.*, ${value} as sort_key from ${table} e where ${condition(query, long)} ${after}
          order by ${value} ${direction}, e.id ${direction}`
      : sql`select e.*, ${value} as sort_key
          from (select * from ${table} e where ${condition(query, long)} offset 0) e where true ${after}
          order by ${value} ${direction}, e.id ${direction}`
  }

  function pageByName({ names, column }: Extract<Sort, { names: Names }>): RawBuilder<unknown> {
    const beyond = descending ? sql`<` : sql`>`
    if (long) {
      const from = cursor ? sql`where n.busca ${beyond}= ${cursor.value}` : sql``
      const after = cursor
        ? sql`and (n.busca <> ${cursor.value} or e.id ${beyond} ${cursor.id}::uuid)`
        : sql``
      return sql`
        select e.*, n.busca as sort_key
        from (select id, busca from ${sql.table(names.table)} n ${from} order by busca ${direction}) n
        cross join lateral (
          select * from ${table} e where e.${sql.ref(column)} = n.id and ${condition(query, long)} ${after}
          order by e.id ${direction} limit ${limit + 1}
        ) e order by n.busca ${direction}, e.id ${direction}`
    }
    const after = cursor ? sql`where (n.busca, e.id) ${beyond} (${cursor.value}, ${cursor.id}::uuid)` : sql``
    return sql`
      select e.*, n.busca as sort_key
      from (select * from ${table} e where ${condition(query, long)} offset 0) e
      join ${sql.table(names.table)} n on n.id = e.${sql.ref(column)} ${after}
      order by n.busca ${direction}, e.id ${direction}`
  }
}

/** Those of some experiments that are seen and live, in no order. */
export async function summariesOf(handle: Handle, ids: readonly string[]): Promise<StoredSummary[]> {
  const { rows } = await sql<SummaryRow>`
    select ${LIST.columns} ${LIST.from(sql`visto.experimentos`)}
    where e.id = any(${[...ids]}::uuid[]) and e.deleted_at is null
  `.execute(handle)
  return rows.map(LIST.present)
}

async function seesEveryCost(handle: Handle): Promise<boolean> {
  const { rows } = await sql<{ all: boolean }>`select com_custos() @> visiveis() as all`.execute(handle)
  return rows[0]?.all === true
}

function condition(query: ExperimentListQuery, long: boolean): RawBuilder<unknown> {
  const conditions = [filterCondition(query)]
  if (query.com_documento === '1') conditions.push(sql`e.documento_id is not null`)
  if (query.com_documento === '0') conditions.push(sql`e.documento_id is null`)
  // The search of documents is specified over names alone.
  const bySearch = long ? walkedBySearch : foundBySearch
  if (query.busca?.trim()) conditions.push(bySearch(query.busca, { beyond: query.com_documento !== '1' }))
  return sql.join(conditions, sql` and `)
}

export type DeletedRow = StoredSummary & { deleted_at: string; deleted_by: string | null }

/** Deleted less than `days` ago, the latest first. */
export async function listDeleted(handle: Handle, days: number): Promise<DeletedRow[]> {
  const { rows } = await sql<SummaryRow & { deleted_at: Date; deleted_by: string | null }>`
    select ${LIST.columns}, e.deleted_at, e.deleted_by ${LIST.from(sql`visto.experimentos`)}
    where e.deleted_at > now() - ${days} * interval '1 day'
    order by e.deleted_at desc limit 200
  `.execute(handle)
  return rows.map((row) => ({ ...LIST.present(row), deleted_at: row.deleted_at.toISOString() }))
}
