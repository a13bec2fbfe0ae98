import { contract } from '@ensaio/domain'
import { z } from 'zod'
import type { Route } from '../../../http/contract-routes.ts'
import type { Admin } from './admin.service.ts'

const PAGE = 50

export function adminRoutes(route: Route, { admin }: { admin: Admin }): void {
  route(contract.adminUsers, ({ query }) =>
    admin.users({
      busca: query.busca,
      after: z.uuid().safeParse(query.cursor).data ?? null,
      limit: query.limit ?? PAGE,
    }),
  )

  route(
    contract.adminSetRole,
    async ({ actor, params, body }) => ({ user: await admin.setRole(actor.id, params.id, body.role) }),
    { notFound: 'user.not_found' },
  )

  route(
    contract.adminSetBlocked,
    async ({ actor, params, body }) => ({ user: await admin.setBlocked(actor.id, params.id, body.blocked) }),
    { notFound: 'user.not_found' },
  )

  route(contract.adminRoleRequests, async () => ({ requests: await admin.roleRequests() }))

  route(contract.adminDecideRole, async ({ actor, params, body }) => ({
    user: await admin.decide(actor.id, params.id, body.granted),
  }))

  route(contract.adminAudit, ({ query }) =>
    admin.audit({
      before: z.coerce.number().int().positive().safeParse(query.cursor).data ?? null,
      limit: query.limit ?? PAGE,
    }),
  )
}
