import { contract, type LookupItem, type LookupKind, problem } from '@ensaio/domain'
import type { Handle } from '../../database/handle.ts'
import type { Wall } from '../../database/wall.ts'
import type { Route } from '../../http/contract-routes.ts'
import { addLookup, changeLookup, lookupItems } from './admin-lookups.repository.ts'

/** Administrators decide which names the forms offer. */
export function adminLookupRoutes(route: Route, { wall }: { wall: Wall }): void {
  const one = async (
    handle: Handle,
    kind: LookupKind,
    of: { id: number; several: boolean },
  ): Promise<LookupItem> => {
    const [item] = await lookupItems(handle, kind, of)
    if (!item) throw problem('request.not_found')
    return item
  }

  route(contract.adminLookups, async ({ actor, params }) => ({
    items: await lookupItems(wall.for(actor), params.kind, { several: actor.several }),
  }))

  route(contract.adminAddLookup, async ({ actor, params, body }) => {
    const handle = wall.for(actor)
    const { several } = actor
    const id = await handle
      .transaction()
      .execute((transaction) => addLookup(transaction, params.kind, body, { several }))
    if (id === null) throw problem('lookup.in_use')
    return { item: await one(handle, params.kind, { id, several }) }
  })

  route(contract.adminChangeLookup, async ({ actor, params, body }) => {
    const handle = wall.for(actor)
    const of = { id: params.id, several: actor.several }
    await one(handle, params.kind, of)
    const changed = await handle
      .transaction()
      .execute((transaction) => changeLookup(transaction, params.kind, params.id, body))
    if (!changed) throw problem('lookup.in_use')
    return { item: await one(handle, params.kind, of) }
  })
}
