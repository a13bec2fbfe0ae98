import type { Share, ShareState } from '@ensaio/domain'
import { sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'

/** A share as the acting organisation sees it, from one side or the other. */
export type StoredShare = Share & { sent: boolean; experimento_id: string | null; estado_guardado: string }

/** Standing ones of one organisation: each can be listed, and so be ended. */
export const MOST_SHARES = 500

const STANDS = sql<boolean>`(s.estado in ('pendente', 'aceito') and coalesce(s.ate >= hoje(), true))`

/**
 * Those that the acting organisation sent or received, those that stand before the others, the latest first; one of
 * them, if its id is given.
 */
export async function sharesSeen(
  handle: Handle,
  { sent, id }: { sent?: boolean; id?: string },
): Promise<StoredShare[]> {
  const { rows } = await sql<{
    id: string
    sent: boolean
    experimento_id: string | null
    alvo: 'colecao' | 'experimento' | 'tudo'
    nome: string
    n: number | null
    outra: string | null
    email: string | null
    custos: boolean
    documentos: boolean
    comentarios: boolean
    ate: string | null
    estado: ShareState
    estado_guardado: string
    created_at: Date
  }>`
    select s.id, s.organizacao_id = organizacao_atual() as sent, s.experimento_id, s.alvo,
      case when s.alvo = 'experimento' and s.organizacao_id <> organizacao_atual()
          and coalesce(tamanho_do_compartilhamento(s.id), 0) = 0
        then 'Um experimento' else s.nome end as nome,
      tamanho_do_compartilhamento(s.id) as n,
      nome_de(case when s.organizacao_id = organizacao_atual() then s.destino_id else s.organizacao_id end) as outra,
      s.email, s.custos, s.documentos, s.comentarios, s.ate,
      case when s.estado in ('pendente', 'aceito') and s.ate < hoje() then 'vencido' else s.estado end as estado,
      s.estado as estado_guardado, s.created_at
    from (
      -- Nobody crowds out what others offer: of each sender the first ones before the others of any.
      select s.*, ${STANDS} as em_vigor, row_number() over (
        partition by s.organizacao_id, ${STANDS} order by s.created_at desc, s.id) as vez
      from compartilhamentos s
      where (${id ?? null}::uuid is null or s.id = ${id ?? null})
        and (${sent ?? null}::boolean is null or (s.organizacao_id = organizacao_atual()) = ${sent ?? null})
      order by em_vigor desc, vez, s.created_at desc, s.id limit ${MOST_SHARES}
    ) s
    order by s.em_vigor desc, s.created_at desc, s.id
  `.execute(handle)
  return rows.map(({ alvo, nome, n, outra, email, created_at, ...row }) => ({
    ...row,
    alvo: { tipo: alvo, nome, n },
    organizacao: { nome: outra ?? email ?? '' },
    created_at: created_at.toISOString(),
  }))
}

/** How many of the acting organisation's shares stand, and how many wait at this recipient. */
export async function countShares(
  handle: Handle,
  to: NewShare['to'],
): Promise<{ standing: number; waiting: number }> {
  const { rows } = await sql<{ standing: number; waiting: number }>`
    select count(*)::integer as standing, count(*) filter (where s.estado = 'pendente'
      and (s.destino_id = ${to.organization}::uuid or s.email = ${to.email}))::integer as waiting
    from compartilhamentos s where s.organizacao_id = organizacao_atual() and ${STANDS}
  `.execute(handle)
  return rows[0] ?? { standing: 0, waiting: 0 }
}

export interface NewShare {
  organization: string
  by: string
  to: { organization: string | null; email: string | null }
  target: 'colecao' | 'experimento' | 'tudo'
  collection: number | null
  experiment: string | null
  nome: string
  custos: boolean
  documentos: boolean
  comentarios: boolean
  ate: string | null
}

export async function insertShare(handle: Handle, share: NewShare): Promise<string> {
  const { id } = await handle
    .insertInto('compartilhamentos')
    .values({
      organizacao_id: share.organization,
      destino_id: share.to.organization,
      email: share.to.email,
      alvo: share.target,
      colecao_id: share.collection,
      experimento_id: share.experiment,
      nome: share.nome,
      custos: share.custos,
      documentos: share.documentos,
      comentarios: share.comentarios,
      ate: share.ate,
      quem: share.by,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * The organisation of a code as it is stored, and whether the acting one has to do with it already; null when there
 * is none, or it is closed.
 */
export async function organizationOfCode(
  handle: Handle,
  code: string,
): Promise<{ id: string; known: boolean } | null> {
  const { rows } = await sql<{ id: string | null; known: boolean }>`
    select c.id, nome_de(c.id) is not null as known from (select organizacao_do_codigo(${code}) as id offset 0) c
  `.execute(handle)
  const [row] = rows
  return row?.id ? { id: row.id, known: row.known } : null
}

/** How many shares the acting organisation has offered by mail within a day. */
export async function mailedToday(handle: Handle): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from compartilhamentos
    where organizacao_id = organizacao_atual() and email is not null and created_at > now() - interval '1 day'
  `.execute(handle)
  return rows[0]?.n ?? 0
}

export interface ShareTerms {
  custos: boolean
  documentos: boolean
  comentarios: boolean
  ate: string | null
}

/** As its sender; a single trial moves to the list of those on the same terms. */
export async function updateShare(
  handle: Handle,
  { id, experimento_id }: Pick<StoredShare, 'id' | 'experimento_id'>,
  terms: { [K in keyof ShareTerms]?: ShareTerms[K] | undefined },
): Promise<void> {
  const given = Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== undefined))
  if (Object.keys(given).length > 0)
    await handle.updateTable('compartilhamentos').set(given).where('id', '=', id).execute()
  if (experimento_id) await sql`select assentar_avulsos(${experimento_id}::uuid)`.execute(handle)
}

/** The sender's id; null when the acting organisation is offered no such thing. */
export async function answerShare(handle: Handle, id: string, accepts: boolean): Promise<string | null> {
  const { rows } = await sql<{ from: string | null }>`
    select responder_compartilhamento(${id}::uuid, ${accepts}) as from
  `.execute(handle)
  return rows[0]?.from ?? null
}

/** The sender's id; null when there is nothing to end for the acting organisation. */
export async function endShare(handle: Handle, id: string): Promise<string | null> {
  const { rows } = await sql<{ from: string | null }>`
    select encerrar_compartilhamento(${id}::uuid) as from
  `.execute(handle)
  return rows[0]?.from ?? null
}

/** The name of a trial of the acting organisation's own; null when it is not its own or not there. */
export async function ownExperiment(
  handle: Handle,
  id: string,
): Promise<{ nome: string; own: boolean } | null> {
  const { rows } = await sql<{ nome: string; own: boolean }>`
    select c.nome_cultura || ' - ' || k.nome || ' - ' || e.ano as nome,
      e.organizacao_id = organizacao_atual() as own
    from experimentos e join culturas c on c.id = e.cultura_id join consultorias k on k.id = e.consultoria_id
    where e.id = ${id} and e.deleted_at is null
  `.execute(handle)
  return rows[0] ?? null
}

/** Ends what has run out; the tables' owner's to do. */
export async function endOverdue(owner: Handle): Promise<{ embargos: number; compartilhamentos: number }> {
  const { rows } = await sql<{ embargos: number; compartilhamentos: number }>`
    select * from encerrar_prazos()
  `.execute(owner)
  return rows[0] ?? { embargos: 0, compartilhamentos: 0 }
}

/** Destroys organisations that were closed so many days ago; answers how many. */
export async function destroyClosed(owner: Handle, days: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select destruir_organizacoes(${days}) as n`.execute(owner)
  return rows[0]?.n ?? 0
}

/** Today in Brasília, 'aaaa-mm-dd'. */
export async function today(handle: Handle): Promise<string> {
  const { rows } = await sql<{ day: string }>`select hoje()::text as day`.execute(handle)
  return rows[0]?.day ?? ''
}
