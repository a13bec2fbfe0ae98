import { contract, type Organization, problem } from '@ensaio/domain'
import type { Wall } from '../../database/wall.ts'
import type { Actor, Route } from '../../http/contract-routes.ts'
import type { AccountsFeature } from '../accounts/accounts.feature.ts'
import { changeOrganization, keepWithSession, organizationsOf } from './organizations.repository.ts'

const NOT_FOUND = { notFound: 'organization.not_found' } as const

/** Organisations that a person is a member of; of any other nobody is told that it exists. */
export function organizationRoutes(
  route: Route,
  { wall, audit }: { wall: Wall; audit: AccountsFeature['audit'] },
): void {
  /** @throws organization.not_found to who is no member */
  const one = async (actor: Actor, id: string): Promise<Organization> => {
    const [organization] = await organizationsOf(wall.for(actor), { person: actor.id, id })
    if (!organization) throw problem('organization.not_found')
    return organization
  }

  route(contract.listOrganizations, async ({ actor }) => ({
    organizacoes: await organizationsOf(wall.for(actor), { person: actor.id }),
    ativa: actor.organization,
  }))

  route(
    contract.getOrganization,
    async ({ actor, params }) => ({ organizacao: await one(actor, params.id) }),
    NOT_FOUND,
  )

  route(
    contract.updateOrganization,
    async ({ actor, params, body }) => {
      const { papel, nome, tipo, fecha_em } = await one(actor, params.id)
      if (papel !== 'dono') throw problem('permission.denied')
      if (fecha_em !== null) throw problem('organization.closed')
      const change = { nome: body.nome ?? nome, tipo: body.tipo ?? tipo }
      // In the name of the one that is changed, whichever the person acts for.
      const changed = await wall
        .for({ id: actor.id, organization: params.id })
        .transaction()
        .execute(async (transaction) => {
          if (!(await changeOrganization(transaction, params.id, change))) return false
          await audit(transaction, {
            action: 'organization.renamed',
            actorId: actor.id,
            details: { organization: params.id },
          })
          return true
        })
      if (!changed) throw problem('permission.denied')
      return { organizacao: await one(actor, params.id) }
    },
    NOT_FOUND,
  )

  route(contract.setOrganization, async ({ actor, body }) => {
    const organizacao = await one(actor, body.id)
    await keepWithSession(wall.for(actor), actor.sessionId, body.id)
    return { organizacao }
  })
}
