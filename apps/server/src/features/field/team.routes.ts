import { contract } from '@ensaio/domain'
import type { FastifyRequest } from 'fastify'
import type { Route } from '../../http/contract-routes.ts'
import type { FieldTeam } from './team.service.ts'

const NOT_FOUND = { notFound: 'experiment.not_found' } as const

/** The field team of a trial, and its invitations. */
export function fieldTeamRoutes(
  route: Route,
  {
    team,
    tryInvitation,
  }: {
    team: FieldTeam
    /** Counts a code that an address tries. @throws request.too_many */
    tryInvitation(request: FastifyRequest): Promise<void>
  },
): void {
  route(contract.fieldTeam, ({ actor, params }) => team.of(actor, params.id), NOT_FOUND)
  route(
    contract.addToFieldTeam,
    async ({ actor, params }) => {
      await team.add(actor, params.id, params.person)
      return undefined
    },
    NOT_FOUND,
  )
  route(
    contract.removeFromFieldTeam,
    async ({ actor, params }) => {
      await team.remove(actor, params.id, params.person)
      return undefined
    },
    NOT_FOUND,
  )
  route(
    contract.createFieldInvitation,
    ({ actor, params, body }) => team.invite(actor, params.id, body.dias),
    NOT_FOUND,
  )
  route(
    contract.revokeFieldInvitation,
    async ({ actor, params }) => {
      await team.revoke(actor, params.id, params.invitation)
      return undefined
    },
    NOT_FOUND,
  )
  route(contract.redeemFieldInvitation, ({ body }) => team.redeem(body), { before: tryInvitation })
  route(contract.myFieldTrials, async ({ actor }) => ({ experimentos: await team.mine(actor) }))
}
