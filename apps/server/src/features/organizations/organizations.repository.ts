import type {
  Activity,
  ActivityEntry,
  Organization,
  OrganizationRole,
  OrganizationType,
  ReceivedInvitation,
} from '@ensaio/domain'
import { sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'

/** 'XXXX-XXXX-XXXX' of what is stored without the strokes. */
export const shownCode = (code: string): string => code.replace(/(.{4})(?=.)/g, '$1-')

/** Those that the person who asks is a member of, the oldest membership first; of one id, if it is given. */
export async function organizationsOf(
  handle: Handle,
  { person, id }: { person: string; id?: string },
): Promise<Organization[]> {
  const rows = await handle
    .selectFrom('organizacoes as o')
    .innerJoin('membros as m', 'm.organizacao_id', 'o.id')
    .where('m.pessoa_id', '=', person)
    .$if(id !== undefined, (all) => all.where('o.id', '=', id ?? ''))
    .select(['o.id', 'o.nome', 'o.tipo', 'm.papel', 'o.codigo', 'o.created_at', 'o.fecha_em'])
    .select(sql<number>`membros_de(o.id)`.as('membros'))
    .orderBy('m.desde')
    .orderBy('o.id')
    .execute()
  return rows.map(({ tipo, papel, codigo, created_at, fecha_em, ...row }) => ({
    ...row,
    tipo: tipo as OrganizationType,
    papel: papel as OrganizationRole,
    codigo: papel === 'dono' || papel === 'gestor' ? shownCode(codigo) : null,
    created_at: created_at.toISOString(),
    fecha_em: fecha_em?.toISOString() ?? null,
  }))
}

/** Answers whether it was the acting person's to change. */
export async function changeOrganization(
  handle: Handle,
  id: string,
  change: { nome?: string | undefined; tipo?: OrganizationType | undefined },
): Promise<boolean> {
  const { numUpdatedRows } = await handle
    .updateTable('organizacoes')
    .set({
      ...(change.nome !== undefined && { nome: change.nome }),
      ...(change.tipo !== undefined && { tipo: change.tipo }),
    })
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The id of the new one; null where there may be one organisation alone. */
export async function makeOrganization(
  handle: Handle,
  { nome, tipo }: { nome: string; tipo: OrganizationType },
): Promise<string | null> {
  const { rows } = await sql<{ id: string | null }>`
    select criar_organizacao(${nome}, ${tipo}) as id
  `.execute(handle)
  return rows[0]?.id ?? null
}

/** The new code; null when it was not the acting person's to change. */
export async function renewCode(handle: Handle, id: string): Promise<string | null> {
  const row = await handle
    .updateTable('organizacoes')
    .set({ codigo: sql`novo_codigo()` })
    .where('id', '=', id)
    .returning('codigo')
    .executeTakeFirst()
  return row ? shownCode(row.codigo) : null
}

/** Closes the acting organisation or opens it again; false when it was not the acting person's to do. */
export async function closeOrganization(handle: Handle, closes: boolean): Promise<boolean> {
  const { rows } = await sql<{ done: boolean }>`select fechar_organizacao(${closes}) as done`.execute(handle)
  return rows[0]?.done === true
}

/** Invitations that wait for the acting person. */
export async function ownInvitations(handle: Handle): Promise<ReceivedInvitation[]> {
  const { rows } = await sql<{
    id: string
    organizacao: string
    papel: OrganizationRole
    expira_em: Date
  }>`select * from meus_convites()`.execute(handle)
  return rows.map(({ expira_em, ...row }) => ({ ...row, expira_em: expira_em.toISOString() }))
}

/** Tells an organisation's owners what happened; ids and numbers only. */
export async function note(
  handle: Handle,
  organization: string,
  acao: Activity,
  detalhes: Record<string, unknown> = {},
): Promise<void> {
  await sql`
    select anotar(${organization}::uuid, ${acao}, ${JSON.stringify(detalhes)}::jsonb)
  `.execute(handle)
}

/** What happened in the acting organisation, the latest first, from below a number. */
export async function activities(
  handle: Handle,
  { below, limit }: { below: number | null; limit: number },
): Promise<{ events: ActivityEntry[]; next: number | null }> {
  const { rows } = await sql<{
    id: number
    quando: Date
    acao: string
    quem: string | null
    detalhes: Record<string, unknown>
  }>`
    select a.numero as id, a.quando, a.acao,
      a.detalhes || jsonb_strip_nulls(jsonb_build_object('sobre', coalesce(
        (select u.name from auth.users u where u.id = (a.detalhes ->> 'pessoa')::uuid),
        case when a.detalhes ->> 'pessoa' is not null then 'conta excluída' end,
        (select c.email from convites c where c.id = (a.detalhes ->> 'convite')::uuid),
        (select c.nome from colecoes c where c.chave = (a.detalhes ->> 'colecao')::uuid),
        (select s.nome || coalesce(' → ' || coalesce(nome_de(s.destino_id), s.email), '')
          from compartilhamentos s
          where s.id = (a.detalhes ->> 'compartilhamento')::uuid and s.organizacao_id = a.organizacao_id),
        (select 'de ' || nome_de(s.organizacao_id) from compartilhamentos s
          where s.id = (a.detalhes ->> 'compartilhamento')::uuid and s.organizacao_id <> a.organizacao_id),
        (select concat_ws(' - ', cu.nome_cultura, co.nome, e.ano)
          from experimentos e join culturas cu on cu.id = e.cultura_id
          join consultorias co on co.id = e.consultoria_id
          where e.id = (a.detalhes ->> 'experimento')::uuid)
      ))) as detalhes,
      case when a.em_nome_de is null or a.em_nome_de = a.organizacao_id
        then case when a.quem is not null then coalesce(
          (select coalesce(name, 'Usuário') from auth.users where id = a.quem), 'conta excluída') end
        else nome_de(a.em_nome_de) end as quem
    from atividades a
    where a.organizacao_id = organizacao_atual() and (${below}::integer is null or a.numero < ${below})
    order by a.numero desc limit ${limit + 1}
  `.execute(handle)
  const shown = rows.slice(0, limit)
  return {
    events: shown.map(({ quando, ...row }) => ({ ...row, quando: quando.toISOString() })),
    next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
  }
}

/** The organisation that the session acts for from now on, where a request names none. */
export async function keepWithSession(handle: Handle, sessionId: string, id: string): Promise<void> {
  await handle.updateTable('auth.sessions').set({ organizacao_id: id }).where('id', '=', sessionId).execute()
}

export async function installationMode(handle: Handle): Promise<'uma' | 'varias'> {
  const { organizacoes } = await handle
    .selectFrom('instalacao')
    .select('organizacoes')
    .executeTakeFirstOrThrow()
  return organizacoes === 'varias' ? 'varias' : 'uma'
}

/** As the acting administrator; false when there is no way back. */
export async function setMode(handle: Handle, mode: 'uma' | 'varias'): Promise<boolean> {
  const { rows } = await sql<{ done: boolean | null }>`select pedir_instalacao(${mode}) as done`.execute(
    handle,
  )
  return rows[0]?.done === true
}

/** How many organisations there are, and the first one's name, for an administrator. */
export async function countOrganizations(handle: Handle): Promise<{ total: number; nome: string }> {
  const { rows } = await sql<{ total: number; nome: string }>`select * from contar_organizacoes()`.execute(
    handle,
  )
  return rows[0] ?? { total: 0, nome: '' }
}
