import { sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'
import type { View } from './fold.repository.ts'
import { KEPT_TABLES } from './kept-numbers.ts'

/** Sums of their own are kept for who sees more trials than these. */
const MUCH = 1_000
/** Sums over parts too, where the narrow rows of so many would keep somebody waiting. */
const VERY_MUCH = 20_000

/** A view whose sums are not over what they are to be over, and what that is. */
export interface StaleView {
  /** What the sums are over so far. */
  before: View
  /** What they are to be over. */
  after: View
}

/** Gives every organisation that sees much a view, empty at first; who sees very much, and others' trials, parts of it. */
export async function addViews(owner: Handle): Promise<void> {
  const seesMoreThan = (many: number) => sql`(select count(*) from (
    select from contados c where c.acervo_id = any(b.acervos) limit ${many + 1}
  ) k) > ${many}`
  await sql`
    insert into visoes (organizacao_id)
    select b.organizacao_id from visibilidade b
    where not exists (select from visoes v where v.organizacao_id = b.organizacao_id)
      and ${seesMoreThan(MUCH)}
    on conflict do nothing
  `.execute(owner)
  await sql`
    insert into visoes (organizacao_id, parte)
    select b.organizacao_id, 1 from visibilidade b
    where not exists (select from visoes v where v.organizacao_id = b.organizacao_id and v.parte > 0)
      and exists (select from acervos a where a.id = any(b.acervos) and a.organizacao_id <> b.organizacao_id)
      and ${seesMoreThan(VERY_MUCH)}
    on conflict do nothing
  `.execute(owner)
}

/** What has run out by now is not among what is seen. */
const STILL = sql`(b.valida_ate is null or b.valida_ate > now())`

/** One of those over all that is seen whose sums are to be made anew, if there is any. */
export async function staleView(owner: Handle): Promise<StaleView | null> {
  const { rows } = await sql<{
    id: number
    acervos: number[]
    com_custos: number[]
    old_acervos: number[]
    old_com_custos: number[]
  }>`
    select v.id, b.acervos, b.com_custos, v.acervos as old_acervos, v.com_custos as old_com_custos
    from visoes v join visibilidade b using (organizacao_id)
    where v.parte = 0 and (b.acervos <> v.acervos or b.com_custos <> v.com_custos) and ${STILL}
    order by v.id limit 1
  `.execute(owner)
  const [row] = rows
  if (!row) return null
  const { id, acervos, com_custos, old_acervos, old_com_custos } = row
  return {
    before: { id, parte: 0, acervos: old_acervos, com_custos: old_com_custos },
    after: { id, parte: 0, acervos, com_custos },
  }
}

/** From now on the view's sums are over these sets. */
export async function setView(transaction: Handle, { id, acervos, com_custos }: View): Promise<void> {
  await sql`
    update visoes set acervos = ${acervos}::integer[], com_custos = ${com_custos}::integer[] where id = ${id}
  `.execute(transaction)
}

/** An organisation whose parts do not hold exactly what it sees, if there is any. */
export async function staleParts(owner: Handle): Promise<string | null> {
  const held = (column: 'acervos' | 'com_custos') => sql`array(
    select unnest(v.${sql.ref(column)}) from visoes v
    where v.organizacao_id = b.organizacao_id and v.parte > 0 order by 1
  )`
  const { rows } = await sql<{ id: string }>`
    select b.organizacao_id as id from visibilidade b
    where exists (select from visoes v where v.organizacao_id = b.organizacao_id and v.parte > 0)
      and (${held('acervos')} <> b.acervos or ${held('com_custos')} <> b.com_custos) and ${STILL}
    order by 1 limit 1
  `.execute(owner)
  return rows[0]?.id ?? null
}

/** A set that an organisation sees: whose it is, how many trials it holds, and whether their costs are seen. */
export interface SeenSet {
  id: number
  owner: string
  n: number
  costs: boolean
}

/** How many trials each of these sets holds. */
export async function sizesOf(owner: Handle, sets: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; n: number }>`
    select acervo_id as id, count(*) as n from contados where acervo_id = any(${[...sets]}::integer[]) group by 1
  `.execute(owner)
  return new Map(rows.map(({ id, n }) => [id, n]))
}

export async function setsSeenBy(owner: Handle, organization: string): Promise<SeenSet[]> {
  const { rows } = await sql<SeenSet>`
    select a.id, a.organizacao_id as owner, a.id = any(b.com_custos) as costs,
      (select count(*) from contados c where c.acervo_id = a.id) as n
    from visibilidade b join acervos a on a.id = any(b.acervos)
    where b.organizacao_id = ${organization} order by a.id
  `.execute(owner)
  return rows
}

export async function partsOf(owner: Handle, organization: string): Promise<View[]> {
  const { rows } = await sql<View>`
    select id, parte, acervos, com_custos from visoes where organizacao_id = ${organization} and parte > 0 order by parte
  `.execute(owner)
  return rows
}

/** One more part, empty. */
export async function addPart(transaction: Handle, organization: string): Promise<View | null> {
  const { rows } = await sql<View>`
    insert into visoes (organizacao_id, parte)
    select ${organization}, max(parte) + 1 from visoes where organizacao_id = ${organization}
    returning id, parte, acervos, com_custos
  `.execute(transaction)
  return rows[0] ?? null
}

/** Work in the background takes the time that it takes. */
export async function takeTime(transaction: Handle): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(transaction)
}

/** Old rows of the figures leave their tables now, not when the database comes by; nobody waits for it. */
export async function tidyFigures(owner: Handle): Promise<void> {
  await owner.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    try {
      await sql`vacuum (analyze, skip_locked) ${sql.join(KEPT_TABLES.map((table) => sql.table(table)))}`.execute(
        connection,
      )
    } finally {
      await sql`reset statement_timeout`.execute(connection)
    }
  })
}
