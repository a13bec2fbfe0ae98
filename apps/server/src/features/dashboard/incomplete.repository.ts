import { type ExperimentFilter, LACKS, type Lack } from '@ensaio/domain'
import { sql } from 'kysely'
import { countedCondition } from '../../catalogue/experiment-filter.ts'
import type { Handle } from '../../database/handle.ts'

export interface LackCounts {
  /** Experiments that lack something. */
  total: number
  contagens: Record<Lack, number>
}
export interface Lacking {
  id: string
  faltas: Lack[]
}
export interface LackingPage {
  /** Only those that lack this. */
  falta: Lack | undefined
  /** The last id of the page before. */
  after: string | null
  limit: number
}

const BITS = LACKS.map((lack, at) => ({ lack, bit: 2 ** at }))

/** How many experiments under the filter lack what, by one scan. */
export async function countLacking(handle: Handle, filter: ExperimentFilter): Promise<LackCounts> {
  const counts = BITS.map(
    ({ lack, bit }) => sql`count(*) filter (where e.falta & ${sql.lit(bit)} <> 0) as ${sql.ref(lack)}`,
  )
  const { rows } = await sql<Record<Lack | 'total', number>>`
    select count(*) as total, ${sql.join(counts)} from visto.contados e
    where ${countedCondition(filter)} and e.falta <> 0
  `.execute(handle)
  const counted = rows[0]
  return {
    total: counted?.total ?? 0,
    contagens: Object.fromEntries(LACKS.map((lack) => [lack, counted?.[lack] ?? 0])) as Record<Lack, number>,
  }
}

/** Those that lack something, the newest first. */
export async function listLacking(
  handle: Handle,
  filter: ExperimentFilter,
  { falta, after, limit }: LackingPage,
): Promise<Lacking[]> {
  const wanted = BITS.find(({ lack }) => lack === falta)?.bit
  const { rows } = await sql<{ id: string; falta: number }>`
    select e.id, e.falta from visto.contados e
    where ${countedCondition(filter)}
      and ${wanted === undefined ? sql`e.falta <> 0` : sql`e.falta & ${sql.lit(wanted)} <> 0`}
      and ${after === null ? sql`true` : sql`e.id < ${after}`}
    order by e.id desc limit ${limit}
  `.execute(handle)
  return rows.map(({ id, falta }) => ({
    id,
    faltas: BITS.flatMap(({ lack, bit }) => (falta & bit ? [lack] : [])),
  }))
}
