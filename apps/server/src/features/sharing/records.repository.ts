import { randomUUID } from 'node:crypto'
import type { Comment, ExperimentFilter, Transfer } from '@ensaio/domain'
import { sql } from 'kysely'
import { filterCondition } from '../../catalogue/experiment-filter.ts'
import type { Handle } from '../../database/handle.ts'

/** The latest comments on a trial, the oldest of them first; one of them, if its id is given. */
export async function commentsOf(
  handle: Handle,
  { experimentId, id }: { experimentId?: string; id?: string },
): Promise<Comment[]> {
  const { rows } = await sql<Omit<Comment, 'quando'> & { quando: Date }>`
    select c.id, c.texto, c.quando,
      case when c.organizacao_id = organizacao_atual() then coalesce((
        select coalesce(u.name, 'Usuário') || case when exists (
          select from membros m where m.pessoa_id = u.id and m.organizacao_id = organizacao_atual()
        ) then '' else ' (ex-membro)' end from auth.users u where u.id = c.autor
      ), 'conta excluída') end as autor,
      coalesce(nome_de(c.organizacao_id), '') as organizacao,
      (c.autor = pessoa_atual() and c.organizacao_id = organizacao_atual())
        or exists (select from experimentos e where e.id = c.experimento_id and e.organizacao_id = organizacao_dona())
        as excluir
    from comentarios c
    where (${experimentId ?? null}::uuid is null or c.experimento_id = ${experimentId ?? null})
      and (${id ?? null}::uuid is null or c.id = ${id ?? null})
    order by c.quando desc, c.id desc limit 1000
  `.execute(handle)
  return rows.reverse().map(({ quando, ...row }) => ({
    ...row,
    excluir: row.excluir === true,
    quando: quando.toISOString(),
  }))
}

/** Of one organisation on one trial: nobody crowds out what others say of it. */
const MOST_COMMENTS = 500

/** @returns its id; null when the organisation has said as much of the trial as it may */
export async function insertComment(
  handle: Handle,
  comment: { experimentId: string; organization: string; by: string; texto: string },
): Promise<string | null> {
  const id = randomUUID()
  const { numAffectedRows } = await sql`
    insert into comentarios (id, experimento_id, organizacao_id, autor, texto)
    select ${id}, ${comment.experimentId}, ${comment.organization}, ${comment.by}, ${comment.texto}
    where (
      select count(*) from comentarios where experimento_id = ${comment.experimentId} and organizacao_id = ${comment.organization}
    ) < ${MOST_COMMENTS}
  `.execute(handle)
  return numAffectedRows === 1n ? id : null
}

/** False when it was not the acting person's to delete. */
export async function deleteComment(handle: Handle, id: string): Promise<boolean> {
  const { numDeletedRows } = await handle
    .deleteFrom('comentarios')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

/** How many trials one transfer moves. */
export const TRANSFER_MOST = 100_000

/** The acting organisation's own trials that a filter lets through. */
export async function idsByFilter(handle: Handle, filter: ExperimentFilter): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select e.id from experimentos e where e.organizacao_id = organizacao_atual() and ${filterCondition(filter)}
    order by e.id limit ${TRANSFER_MOST + 1}
  `.execute(handle)
  return rows.map(({ id }) => id)
}

/** Those that the acting organisation offers or is offered, those that wait first, then the latest; one of them, if its id is given. */
export async function transfersSeen(handle: Handle, id?: string): Promise<Transfer[]> {
  const { rows } = await sql<
    Omit<Transfer, 'organizacao' | 'expira_em' | 'created_at'> & {
      outra: string | null
      expira_em: Date
      created_at: Date
    }
  >`
    select t.id, case when t.organizacao_id = organizacao_atual() then 'enviada' else 'recebida' end as direcao,
      case when t.estado = 'pendente' and t.expira_em <= now() then 'vencida' else t.estado end as estado,
      cardinality(t.experimentos) as n,
      nome_de(case when t.organizacao_id = organizacao_atual() then t.destino_id else t.organizacao_id end) as outra,
      t.expira_em, t.created_at
    from (
      -- Nobody crowds out what others offer: of each sender the first ones before the others of any.
      select t.*, t.estado = 'pendente' and t.expira_em > now() as espera, row_number() over (
        partition by t.organizacao_id, t.estado = 'pendente' and t.expira_em > now()
        order by t.created_at desc, t.id) as vez
      from transferencias t where ${id ?? null}::uuid is null or t.id = ${id ?? null}
      order by espera desc, vez, t.created_at desc, t.id limit 200
    ) t
    order by t.espera desc, t.created_at desc, t.id
  `.execute(handle)
  return rows.map(({ outra, expira_em, created_at, ...row }) => ({
    ...row,
    organizacao: { nome: outra ?? '' },
    expira_em: expira_em.toISOString(),
    created_at: created_at.toISOString(),
  }))
}

/** How many of the acting organisation's transfers wait, and how many at this recipient. */
export async function waitingTransfers(handle: Handle, to: string): Promise<{ all: number; here: number }> {
  const { rows } = await sql<{ all: number; here: number }>`
    select count(*)::integer as all, count(*) filter (where destino_id = ${to})::integer as here
    from transferencias
    where organizacao_id = organizacao_atual() and estado = 'pendente' and expira_em > now()
  `.execute(handle)
  return rows[0] ?? { all: 0, here: 0 }
}

export async function insertTransfer(
  handle: Handle,
  transfer: { organization: string; to: string; by: string; experiments: readonly string[] },
): Promise<string> {
  const { id } = await handle
    .insertInto('transferencias')
    .values({
      organizacao_id: transfer.organization,
      destino_id: transfer.to,
      experimentos: [...transfer.experiments],
      quem: transfer.by,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** The trials that are the acting organisation's now; null when it was offered no such thing. */
export async function takeTransfer(handle: Handle, id: string): Promise<string[] | null> {
  const { rows } = await sql<{ moved: string[] | null }>`
    select aceitar_transferencia(${id}::uuid) as moved
  `.execute(handle)
  return rows[0]?.moved ?? null
}

/** Refuses or withdraws it; false when nothing was waiting. */
export async function endTransfer(handle: Handle, id: string): Promise<boolean> {
  const { numUpdatedRows } = await handle
    .updateTable('transferencias')
    .set({ estado: 'recusada' })
    .where('id', '=', id)
    .where('estado', '=', 'pendente')
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
