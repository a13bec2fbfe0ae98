import { contract, type Organization, problem } from '@ensaio/domain'
import { validate as isUuid } from 'uuid'
import type { Handle } from '../../database/handle.ts'
import type { Wall } from '../../database/wall.ts'
import type { Actor, Route } from '../../http/contract-routes.ts'
import { newToken, tokenHash } from '../../secret/mailed-token.ts'
import type { AccountsFeature } from '../accounts/accounts.feature.ts'
import {
  answerInvitation,
  countInvitations,
  deleteMember,
  endInvitation,
  findInvitation,
  hasRecords,
  type InvitationKey,
  membersOf,
  openInvitations,
  putInvitation,
  setMemberRole,
} from './members.repository.ts'
import { keepWithSession, note } from './organizations.repository.ts'
import { MEMBERS_NOT_FOUND, type Organizations } from './organizations.service.ts'

const MOST_OPEN = 50
const MOST_A_DAY = 100
const OWN_SPACE = {
  path: 'email',
  message: 'O espaço pessoal é de uma pessoa só. Crie uma organização para convidar outras.',
}
const SENT = 'Convite enviado.'

/** Sends the letter of an invitation, in the caller's transaction. */
export type SendInvitation = (
  handle: Handle,
  letter: { email: string; from: string; organization: string; token: string; link: string },
) => Promise<void>

/** Who is in an organisation, and who is asked to be. */
export function memberRoutes(
  route: Route,
  {
    wall,
    handle,
    organizations,
    send,
    sent,
    perPerson,
    siteUrl,
    mails,
  }: {
    wall: Wall
    /** In nobody's name: what a token opens. */
    handle: Handle
    organizations: Organizations
    send: SendInvitation
    /** Once it is committed. */
    sent(): void
    perPerson: AccountsFeature['perPerson']
    siteUrl: string
    /** Letters leave this machine. */
    mails: boolean
  },
): void {
  const { one, inNameOf } = organizations

  route(
    contract.listMembers,
    async ({ actor, params: { id } }) => {
      await one(actor, id)
      return { membros: await membersOf(inNameOf(actor, id), id) }
    },
    MEMBERS_NOT_FOUND,
  )

  /** The member with what they are. @throws member.not_found */
  const member = async (actor: Actor, organization: string, person: string) => {
    const [found] = await membersOf(inNameOf(actor, organization), organization, person)
    if (!found) throw problem('member.not_found')
    return found
  }

  route(
    contract.changeMember,
    async ({ actor, params: { id, person }, body: { papel } }) => {
      const organization = await one(actor, id)
      organizations.permit(actor, organization, 'organization.own')
      organizations.open(organization)
      const before = await member(actor, id, person)
      await inNameOf(actor, id)
        .transaction()
        .execute(async (transaction) => {
          if (!(await setMemberRole(transaction, id, person, papel))) throw problem('permission.denied')
          if (before.papel !== papel)
            await note(transaction, id, 'member.role', { pessoa: person, de: before.papel, para: papel })
        })
      return { membro: await member(actor, id, person) }
    },
    MEMBERS_NOT_FOUND,
  )

  route(
    contract.removeMember,
    async ({ actor, params: { id, person } }) => {
      const organization = await one(actor, id)
      if (!actor.several) throw problem('permission.denied')
      const leaves = person === actor.id
      if (!leaves) {
        organizations.permit(actor, organization, 'organization.invite')
        const { papel } = await member(actor, id, person)
        if (papel === 'dono' || papel === 'gestor')
          organizations.permit(actor, organization, 'organization.own')
      }
      const named = inNameOf(actor, id)
      // What its only member entered would be nobody's.
      if (leaves && organization.membros === 1 && (await hasRecords(named, id)))
        throw problem('organization.last_owner')
      await named.transaction().execute(async (transaction) => {
        await note(transaction, id, leaves ? 'member.left' : 'member.removed', { pessoa: person })
        if (!(await deleteMember(transaction, id, person))) throw problem('permission.denied')
      })
      return undefined
    },
    MEMBERS_NOT_FOUND,
  )

  route(
    contract.listInvitations,
    async ({ actor, params: { id } }) => {
      const organization = await one(actor, id)
      organizations.permit(actor, organization, 'organization.invite')
      return { convites: await openInvitations(inNameOf(actor, id), id) }
    },
    MEMBERS_NOT_FOUND,
  )

  route(
    contract.invite,
    async ({ actor, params: { id }, body: { email, papel } }) => {
      const organization = await one(actor, id)
      organizations.permit(actor, organization, 'organization.invite')
      if (papel === 'dono' || papel === 'gestor')
        organizations.permit(actor, organization, 'organization.own')
      organizations.open(organization)
      if (organization.tipo === 'pessoal') throw problem('validation.failed', { fields: [OWN_SPACE] })
      await perPerson('letter', actor.id)
      const token = newToken()
      const link = new URL(`/convite/${token}`, siteUrl).href
      const convite = await inNameOf(actor, id)
        .transaction()
        .execute(async (transaction) => {
          const { open, today } = await countInvitations(transaction, id, email)
          if (open >= MOST_OPEN || today >= MOST_A_DAY) throw problem('invitation.too_many')
          const made = await putInvitation(transaction, {
            organization: id,
            email,
            papel,
            hash: tokenHash(token),
            by: actor.id,
          })
          await note(transaction, id, 'member.invited', { convite: made.id, papel })
          await send(transaction, {
            email,
            from: actor.name ?? 'Alguém',
            organization: organization.nome,
            token,
            link,
          })
          return made
        })
      sent()
      return { message: SENT, convite: { ...convite, ...(!mails && { url: link }) } }
    },
    MEMBERS_NOT_FOUND,
  )

  route(
    contract.revokeInvitation,
    async ({ actor, params: { id, invitation } }) => {
      const organization = await one(actor, id)
      organizations.permit(actor, organization, 'organization.invite')
      if (!(await endInvitation(inNameOf(actor, id), id, invitation))) throw problem('invitation.not_found')
      return undefined
    },
    { notFound: 'invitation.not_found' },
  )

  const keyOf = (token: string): InvitationKey => ({
    hash: tokenHash(token),
    id: isUuid(token) ? token : null,
  })

  route(
    contract.getInvitation,
    async ({ params: { token } }) => {
      const convite = await findInvitation(handle, { hash: tokenHash(token), id: null })
      if (!convite) throw problem('invitation.not_found')
      return { convite }
    },
    { notFound: 'invitation.not_found' },
  )

  const answer = async (actor: Actor, token: string, accepts: boolean): Promise<string> => {
    const named = wall.for(actor)
    const key = keyOf(token)
    if (!(await findInvitation(named, key))) throw problem('invitation.not_found')
    const organization = await answerInvitation(named, key, accepts)
    // It holds, and is another address's; or it was answered at the same time, and holds no more.
    if (organization === null)
      throw problem((await findInvitation(named, key)) ? 'invitation.other_address' : 'invitation.not_found')
    return organization
  }

  route(
    contract.acceptInvitation,
    async ({ actor, params: { token } }): Promise<{ organizacao: Organization }> => {
      const id = await answer(actor, token, true)
      await keepWithSession(wall.for(actor), actor.sessionId, id)
      return { organizacao: await one(actor, id) }
    },
    { notFound: 'invitation.not_found' },
  )

  route(
    contract.declineInvitation,
    async ({ actor, params: { token } }) => {
      await answer(actor, token, false)
      return undefined
    },
    { notFound: 'invitation.not_found' },
  )
}
