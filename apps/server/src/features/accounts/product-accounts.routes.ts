import { contract } from '@ensaio/domain'
import type { Route } from '../../http/contract-routes.ts'
import type { Profiles } from './profiles.service.ts'

/** Profile and sessions of the product API, over the same services as auth/v1. */
export function profileRoutes(route: Route, { profiles }: { profiles: Profiles }): void {
  route(contract.getProfile, async ({ actor }) => ({ user: await profiles.get(actor.id) }))

  route(contract.updateProfile, async ({ actor, body }) => profiles.update(actor, body))
}
