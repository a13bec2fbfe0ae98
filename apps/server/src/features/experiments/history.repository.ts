import { type RawBuilder, sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'
import { HOT } from '../../database/hot.ts'

export type ChangeKind = 'criado' | 'alterado' | 'excluído' | 'restaurado'

interface Change {
  acao: ChangeKind
  quem: string
  antes?: Record<string, unknown>
  depois?: Record<string, unknown>
}

export async function recordChange(handle: Handle, experimentId: string, change: Change): Promise<void> {
  await sql`
    ${HOT} ${changeInsert(sql`(select ${experimentId}::uuid as id)`, change)}
  `.execute(handle)
}

/** The same change of many. */
export async function recordChanges(handle: Handle, ids: readonly string[], change: Change): Promise<void> {
  await sql`${changeInsert(sql`(select unnest(${[...ids]}::uuid[]) as id)`, change)}`.execute(handle)
}

/** Tells of a change of each experiment whose `id` is in the source, and of the version that stands after it. */
export const changeInsert = (source: RawBuilder<unknown>, { acao, quem, antes, depois }: Change) => sql`
  insert into alteracoes (experimento_id, versao, acao, quem, antes, depois)
  select id, ${
    // One that is made by the same statement is not seen yet.
    acao === 'criado' ? sql`1` : sql`(select e.versao from experimentos e where e.id = experimento.id)`
  }, ${acao}::text, ${quem}::uuid, ${antes ? JSON.stringify(antes) : null}::jsonb,
    ${depois ? JSON.stringify(depois) : null}::jsonb
  from ${source} experimento`

export interface ChangeRow {
  /** Counted within its trial, from 1: a number over all trials would tell how much others write. */
  id: number
  acao: ChangeKind
  /** Null of a change from before versions were told. */
  versao: number | null
  quem: string | null
  /** The name of the organisation that it was before, if it has changed hands since. */
  em_nome_de: string | null
  quando: Date
  antes: Record<string, unknown> | null
  depois: Record<string, unknown> | null
}

/** The latest first: so many, and so many that what they tell is no longer than that, but always one. */
export async function changesOf(
  handle: Handle,
  experimentId: string,
  { entries, bytes }: { entries: number; bytes: number },
): Promise<ChangeRow[]> {
  const { rows } = await sql<ChangeRow>`
    select (select count(*) from alteracoes where experimento_id = ${experimentId}) - place + 1 as id,
      acao, versao, quem, case when em_nome_de is not null then coalesce(nome_de(em_nome_de), '') end as em_nome_de,
      quando, antes, depois
    from (
      select *, sum(octet_length(coalesce(antes::text, '')) + octet_length(coalesce(depois::text, '')))
        over (order by id desc) as told, row_number() over (order by id desc) as place
      from (
        select * from alteracoes where experimento_id = ${experimentId} order by id desc limit ${entries}
      ) latest
    ) a where told <= ${bytes} or place = 1 order by place
  `.execute(handle)
  return rows
}
