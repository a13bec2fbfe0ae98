import type { Organization, OrganizationRole, OrganizationType } from '@ensaio/domain'
import { sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'

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
    .select(['o.id', 'o.nome', 'o.tipo', 'm.papel', 'o.created_at', 'o.fecha_em'])
    .select(sql<number>`membros_de(o.id)`.as('membros'))
    .orderBy('m.desde')
    .orderBy('o.id')
    .execute()
  return rows.map(({ tipo, papel, created_at, fecha_em, ...row }) => ({
    ...row,
    tipo: tipo as OrganizationType,
    papel: papel as OrganizationRole,
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
