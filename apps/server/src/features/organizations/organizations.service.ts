import { type Action, can, type Organization, problem } from '@ensaio/domain'
import type { Handle } from '../../database/handle.ts'
import type { Wall } from '../../database/wall.ts'
import type { Actor } from '../../http/contract-routes.ts'
import { note, organizationsOf } from './organizations.repository.ts'

/** What other features need of an organisation, within the statement or transaction of theirs. */
export { note, organizationsOf }

export const MEMBERS_NOT_FOUND = { notFound: 'organization.not_found' } as const

/** What every call about one organisation asks first. */
export function createOrganizations(wall: Wall) {
  return {
    /** @throws organization.not_found to who is no member */
    async one(actor: Actor, id: string): Promise<Organization> {
      const [organization] = await organizationsOf(wall.for(actor), { person: actor.id, id })
      if (!organization) throw problem('organization.not_found')
      return organization
    },

    /** In the name of the one that is meant, whichever the person acts for. */
    inNameOf: ({ id }: Actor, organization: string): Handle => wall.for({ id, organization }),

    /**
     * What the person may do in that organisation. Where there is one for everybody, roles in it follow those of
     * accounts.
     * @throws permission.denied
     */
    permit(actor: Actor, { id: organization, papel }: Organization, action: Action): void {
      if (!actor.several || !can({ ...actor, organization, papel }, action).allowed)
        throw problem('permission.denied')
    },

    /** @throws organization.closed */
    open({ fecha_em }: Organization): void {
      if (fecha_em !== null) throw problem('organization.closed')
    },
  }
}

export type Organizations = ReturnType<typeof createOrganizations>
