import { sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'
import type { View } from './fold.repository.ts'

/** Sums of their own are kept for who sees more trials than these. */
const MUCH = 1_000

/** A view whose sums are not over what its organisation sees now, and what that is. */
export interface StaleView {
  /** What the sums are over so far. */
  before: View
  /** What they are to be over. */
  after: View
}

/** Gives every organisation that sees much a view, empty at first. */
export async function addViews(owner: Handle): Promise<void> {
  await sql`
    insert into visoes (organizacao_id)
    select b.organizacao_id from visibilidade b
    where not exists (select from visoes v where v.organizacao_id = b.organizacao_id)
      and (select count(*) from (
        select from contados c where c.acervo_id = any(b.acervos) limit ${MUCH + 1}
      ) k) > ${MUCH}
    on conflict do nothing
  `.execute(owner)
}

/** One of those whose sums are to be made anew, if there is any; what has run out by now is not among what is seen. */
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
    where (b.acervos <> v.acervos or b.com_custos <> v.com_custos)
      and (b.valida_ate is null or b.valida_ate > now())
    order by v.id limit 1
  `.execute(owner)
  const [row] = rows
  if (!row) return null
  const { id, acervos, com_custos, old_acervos, old_com_custos } = row
  return {
    before: { id, acervos: old_acervos, com_custos: old_com_custos },
    after: { id, acervos, com_custos },
  }
}

/** From now on the view's sums are over these sets. */
export async function setView(transaction: Handle, { id, acervos, com_custos }: View): Promise<void> {
  await sql`
    update visoes set acervos = ${acervos}::integer[], com_custos = ${com_custos}::integer[] where id = ${id}
  `.execute(transaction)
}

/** Work in the background takes the time that it takes. */
export async function takeTime(transaction: Handle): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(transaction)
}
