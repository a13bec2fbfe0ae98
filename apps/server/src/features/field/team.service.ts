import { createHash, randomBytes } from 'node:crypto'
import { type FieldInvitation, INVITATION_MINUTES, problem } from '@ensaio/domain'
import type { FastifyRequest } from 'fastify'
import type { Handle } from '../../database/handle.ts'
import type { Wall } from '../../database/wall.ts'
import type { Actor } from '../../http/contract-routes.ts'
import type { Experiments } from '../experiments/experiments.service.ts'
import {
  addToTeam,
  guestByKey,
  insertInvitation,
  invitationsOf,
  membersFor,
  redeemInvitation,
  removeFromTeam,
  revokeInvitation,
  type StoredInvitation,
  trialsOfTeam,
} from './team.repository.ts'

const MOST_INVITATIONS = 100
/** 256 bits, behind what tells a phone's key from a session's token. */
const KEY = /^bearer enc_([\w-]{43})$/i
const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

const stateOf = ({ revogado, aberto, vencido, encerrado }: StoredInvitation): FieldInvitation['estado'] => {
  if (revogado) return 'revogado'
  if (aberto) return vencido ? 'vencido' : 'aberto'
  return encerrado ? 'encerrado' : 'usado'
}

/** Who records in a trial besides those who edit it: members of its team, and phones by invitation. */
export function createFieldTeam({
  wall,
  handle,
  experiments,
  authenticate,
  siteUrl,
}: {
  wall: Wall
  /** Of the role that requests run as, in nobody's name. */
  handle: Handle
  experiments: Pick<Experiments, 'authorise' | 'lockFor'>
  authenticate(request: FastifyRequest): Promise<Actor>
  siteUrl: string
}) {
  /** Inside the transaction that locked the trial for who edits it. */
  const changing = <T>(actor: Actor, id: string, work: (transaction: Handle) => Promise<T>): Promise<T> =>
    wall
      .for(actor)
      .transaction()
      .execute(async (transaction) => {
        await experiments.lockFor(transaction, actor, 'plots.edit', id)
        return work(transaction)
      })

  return {
    /** @throws experiment.not_found, permission.denied, share.received */
    async of(actor: Actor, id: string) {
      await experiments.authorise(actor, 'plots.edit', id)
      const members = await membersFor(wall.for(actor), id)
      const invitations = await invitationsOf(wall.for(actor), id)
      const told = ({ id, nome }: { id: string; nome: string }) => ({ id, nome })
      return {
        equipe: members.filter(({ na_equipe }) => na_equipe).map(told),
        outros: members.filter(({ na_equipe, pode }) => !na_equipe && !pode).map(told),
        convites: invitations.map((one) => ({
          ...{ id: one.id, nome: one.nome, quem: one.quem, estado: stateOf(one), pendentes: one.pendentes },
          ...{ ate: one.ate.toISOString(), contato_em: one.contato_em?.toISOString() ?? null },
        })),
      }
    },

    /** @throws validation.failed for who is no member of the trial's organisation */
    add: (actor: Actor, id: string, person: string): Promise<void> =>
      changing(actor, id, async (transaction) => {
        if (!(await addToTeam(transaction, id, person)))
          throw problem('validation.failed', {
            fields: [{ path: 'person', message: 'Escolha um membro da organização' }],
          })
      }),
    remove: (actor: Actor, id: string, person: string): Promise<void> =>
      changing(actor, id, (transaction) => removeFromTeam(transaction, id, person)),
    mine: (actor: Actor): Promise<string[]> => trialsOfTeam(wall.for(actor), actor.id),

    /** The code is told this once. @throws field_invitation.too_many */
    async invite(actor: Actor, id: string, days: number) {
      const code = randomBytes(32).toString('base64url')
      const made = await changing(actor, id, (transaction) =>
        insertInvitation(transaction, {
          ...{ experiment: id, person: actor.id, hash: hashOf(code) },
          ...{ minutes: INVITATION_MINUTES, days, most: MOST_INVITATIONS },
        }),
      )
      if (!made) throw problem('field_invitation.too_many')
      return {
        convite: {
          ...{ id: made.id, url: `${siteUrl}/campo/convite#${code}` },
          ...{ expira_em: made.expira_em.toISOString(), ate: made.ate.toISOString() },
        },
      }
    },
    revoke: (actor: Actor, id: string, invitation: string): Promise<void> =>
      changing(actor, id, (transaction) => revokeInvitation(transaction, id, invitation)),

    /** @throws field_invitation.not_found, whatever is wrong with the code */
    async redeem({ codigo, chave, nome }: { codigo: string; chave: string; nome: string }) {
      const taken = await redeemInvitation(handle, {
        ...{ code: hashOf(codigo), key: hashOf(chave), name: nome },
      })
      if (!taken) throw problem('field_invitation.not_found')
      return {
        ...{ id: taken.id, nome: taken.nome, experimento: taken.experimento_id, aparelho: taken.aparelho },
        ...{ organizacao: taken.varias ? taken.organizacao_id : '', convidou: taken.convidou ?? 'Usuário' },
        ate: taken.ate.toISOString(),
      }
    },

    /** Who asks by the key of an invitation or by a session. @throws auth.required, device.revoked */
    async authenticate(request: FastifyRequest): Promise<Actor> {
      const key = KEY.exec(request.headers.authorization ?? '')?.[1]
      if (key === undefined) return authenticate(request)
      const guest = await guestByKey(handle, hashOf(key))
      if (!guest) throw problem('auth.required')
      const { papel, fechada, varias } = guest
      // Known to the phone as revoked: what it has not sent stays in it.
      if (guest.encerrado || papel === null || fechada === null || varias === null)
        throw problem('device.revoked')
      return {
        ...{ id: guest.pessoa_id, name: guest.convidou, sessionId: guest.id },
        ...{ organization: guest.organizacao_id, closed: fechada, several: varias },
        ...{ role: guest.papel_conta, papel },
        guest: {
          ...{ id: guest.id, name: `${guest.nome} (convite de ${guest.convidou ?? 'Usuário'})` },
          ...{ experiment: guest.experimento_id, device: guest.aparelho },
        },
      }
    },
  }
}
export type FieldTeam = ReturnType<typeof createFieldTeam>
