import { contract, problem } from '@ensaio/domain'
import { z } from 'zod'
import { oneAtATime } from '../../database/one-at-a-time.ts'
import type { Wall } from '../../database/wall.ts'
import type { Actor, Route } from '../../http/contract-routes.ts'
import type { AccountsFeature } from '../accounts/accounts.feature.ts'
import { membersOf } from './members.repository.ts'
import {
  activities,
  changeOrganization,
  closeOrganization,
  countOrganizations,
  keepWithSession,
  makeOrganization,
  note,
  organizationsOf,
  ownInvitations,
  renewCode,
  setMode,
} from './organizations.repository.ts'
import { MEMBERS_NOT_FOUND, type Organizations } from './organizations.service.ts'

const PAGE = 50
const MOST_OWNED = 20
const COMES_ALONE = {
  path: 'tipo',
  message: 'O espaço pessoal vem com a conta. Escolha outro tipo de organização.',
}

/** Organisations that a person is a member of; of any other nobody is told that it exists. */
export function organizationRoutes(
  route: Route,
  {
    wall,
    organizations,
    audit,
    confirmPassword,
    tellClosed,
  }: {
    wall: Wall
    organizations: Organizations
    audit: AccountsFeature['audit']
    confirmPassword: AccountsFeature['confirmPassword']
    tellClosed: AccountsFeature['tellClosed']
  },
): void {
  const { one, inNameOf, permit } = organizations

  route(contract.listOrganizations, async ({ actor }) => {
    const handle = wall.for(actor)
    return {
      organizacoes: await organizationsOf(handle, { person: actor.id }),
      convites: actor.several ? await ownInvitations(handle) : [],
      ativa: actor.organization,
    }
  })

  route(contract.createOrganization, async ({ actor, body }) => {
    if (body.tipo === 'pessoal') throw problem('validation.failed', { fields: [COMES_ALONE] })
    // What is bounded for an organisation, as letters a day, is so for a person by this. Closed ones count until they are gone.
    const id = await wall
      .for(actor)
      .transaction()
      .execute(async (transaction) => {
        await oneAtATime(transaction, 'organizacoes', actor.id)
        const own = await organizationsOf(transaction, { person: actor.id })
        if (own.filter(({ papel }) => papel === 'dono').length >= MOST_OWNED)
          throw problem('organization.too_many')
        return makeOrganization(transaction, body)
      })
    if (id === null) throw problem('permission.denied')
    return { organizacao: await one(actor, id) }
  })

  route(
    contract.getOrganization,
    async ({ actor, params }) => ({ organizacao: await one(actor, params.id) }),
    MEMBERS_NOT_FOUND,
  )

  route(
    contract.updateOrganization,
    async ({ actor, params: { id }, body }) => {
      const organization = await one(actor, id)
      const { papel, nome, tipo } = organization
      if (papel !== 'dono') throw problem('permission.denied')
      organizations.open(organization)
      if (body.tipo === 'pessoal' && tipo !== 'pessoal')
        throw problem('validation.failed', { fields: [COMES_ALONE] })
      const change = { nome: body.nome ?? nome, tipo: body.tipo ?? tipo }
      const changed = await inNameOf(actor, id)
        .transaction()
        .execute(async (transaction) => {
          if (!(await changeOrganization(transaction, id, change))) return false
          if (change.nome === nome) return true
          await note(transaction, id, 'organization.renamed')
          // Who administers several learns nothing of one.
          if (!actor.several)
            await audit(transaction, {
              action: 'organization.renamed',
              actorId: actor.id,
              details: { organization: id },
            })
          return true
        })
      if (!changed) throw problem('permission.denied')
      return { organizacao: await one(actor, id) }
    },
    MEMBERS_NOT_FOUND,
  )

  route(contract.setOrganization, async ({ actor, body }) => {
    const organizacao = await one(actor, body.id)
    await keepWithSession(wall.for(actor), actor.sessionId, body.id)
    return { organizacao }
  })

  route(
    contract.renewOrganizationCode,
    async ({ actor, params: { id } }) => {
      const organization = await one(actor, id)
      permit(actor, organization, 'organization.own')
      organizations.open(organization)
      const codigo = await inNameOf(actor, id)
        .transaction()
        .execute(async (transaction) => {
          const renewed = await renewCode(transaction, id)
          if (renewed !== null) await note(transaction, id, 'organization.code')
          return renewed
        })
      if (codigo === null) throw problem('permission.denied')
      return { codigo }
    },
    MEMBERS_NOT_FOUND,
  )

  /** Typed twice over: the name and the password. */
  const close = async (
    actor: Actor,
    id: string,
    confirmation: { nome: string; currentPassword: string; ip: string },
    closes: boolean,
  ) => {
    const organization = await one(actor, id)
    permit(actor, organization, 'organization.own')
    if (closes) organizations.open(organization)
    if (confirmation.nome.trim() !== organization.nome)
      throw problem('organization.wrong_name', {
        fields: [{ path: 'nome', message: 'O nome não é o da organização' }],
      })
    await confirmPassword(actor.id, confirmation.currentPassword, confirmation.ip)
    const handle = inNameOf(actor, id)
    await handle.transaction().execute(async (transaction) => {
      if (!(await closeOrganization(transaction, closes))) throw problem('permission.denied')
      if (closes) await tellClosed(transaction, await membersOf(transaction, id), organization.nome)
    })
    return { organizacao: await one(actor, id) }
  }

  route(
    contract.closeOrganization,
    ({ actor, params: { id }, body, request: { ip } }) => close(actor, id, { ...body, ip }, true),
    MEMBERS_NOT_FOUND,
  )
  route(
    contract.reopenOrganization,
    ({ actor, params: { id }, body, request: { ip } }) => close(actor, id, { ...body, ip }, false),
    MEMBERS_NOT_FOUND,
  )

  route(
    contract.organizationAudit,
    async ({ actor, params: { id }, query }) => {
      const organization = await one(actor, id)
      if (organization.papel !== 'dono') throw problem('permission.denied')
      const below = z.coerce.number().int().min(1).max(2_147_483_647).safeParse(query.cursor)
      const { events, next } = await activities(inNameOf(actor, id), {
        below: query.cursor === undefined ? null : below.success ? below.data : 1,
        limit: query.limit ?? PAGE,
      })
      return { eventos: events, next_cursor: next === null ? null : String(next) }
    },
    MEMBERS_NOT_FOUND,
  )

  route(contract.getInstallation, async ({ actor }) => ({
    instalacao: {
      organizacoes: actor.several ? ('varias' as const) : ('uma' as const),
      ...(await countOrganizations(wall.for(actor))),
    },
  }))

  route(contract.setInstallation, async ({ actor, body: { organizacoes } }) => {
    const done = await wall
      .for(actor)
      .transaction()
      .execute(async (transaction) => {
        if (!(await setMode(transaction, organizacoes))) return false
        await audit(transaction, {
          action: 'installation.mode',
          actorId: actor.id,
          details: { organizacoes },
        })
        return true
      })
    if (!done) throw problem('installation.in_use')
    const { total } = await countOrganizations(wall.for(actor))
    return { instalacao: { organizacoes, total } }
  })
}
