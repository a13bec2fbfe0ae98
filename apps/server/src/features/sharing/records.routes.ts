import { can, contract, EMBARGO_YEARS, problem } from '@ensaio/domain'
import { oneAtATime } from '../../database/one-at-a-time.ts'
import type { Wall } from '../../database/wall.ts'
import type { Actor, Route } from '../../http/contract-routes.ts'
import type { AccountsFeature } from '../accounts/accounts.feature.ts'
import type { Experiments } from '../experiments/experiments.service.ts'
import { note } from '../organizations/organizations.service.ts'
import type { Collections } from './collections.service.ts'
import {
  commentsOf,
  deleteComment,
  endTransfer,
  idsByFilter,
  insertComment,
  insertTransfer,
  TRANSFER_MOST,
  takeTransfer,
  transfersSeen,
  waitingTransfers,
} from './records.repository.ts'
import { organizationOfCode, today } from './shares.repository.ts'

/** Unanswered, of one organisation; the list shows each. */
const MOST_TRANSFERS = 200
/** Of these at one recipient. */
const MOST_WAITING = 100
const NOT_FOUND = { notFound: 'experiment.not_found' } as const

/** Embargo, comments, and giving trials to another organisation. */
export function recordRoutes(
  route: Route,
  {
    wall,
    experiments,
    collections,
    settled,
    perPerson,
  }: {
    wall: Wall
    experiments: Experiments
    collections: Collections
    settled(): Promise<void>
    perPerson: AccountsFeature['perPerson']
  },
): void {
  route(
    contract.setEmbargo,
    async ({ actor, params: { id }, body: { ate } }) => {
      const now = await today(wall.for(actor))
      if (ate !== null && (ate <= now || ate > yearsAfter(now, EMBARGO_YEARS)))
        throw problem('validation.failed', {
          fields: [
            { path: 'ate', message: `Escolha uma data depois de hoje e de até ${EMBARGO_YEARS} anos` },
          ],
        })
      const experimento = await experiments.embargo(actor, id, ate)
      // It hides: figures of others are right before the answer.
      await settled()
      return { experimento }
    },
    NOT_FOUND,
  )

  route(
    contract.listComments,
    async ({ actor, params: { id } }) => {
      await experiments.authorise(actor, 'experiment.comment', id)
      return { comentarios: await commentsOf(wall.for(actor), { experimentId: id }) }
    },
    NOT_FOUND,
  )

  route(
    contract.addComment,
    async ({ actor, params: { id }, body: { texto } }) => {
      await experiments.authorise(actor, 'experiment.comment', id)
      const handle = wall.for(actor)
      const { organization, id: by } = actor
      await perPerson('comment', by)
      const made = await insertComment(handle, { experimentId: id, organization, by, texto })
      if (made === null) throw problem('comment.too_many')
      const [comentario] = await commentsOf(handle, { id: made })
      if (!comentario) throw problem('experiment.not_found')
      return { comentario }
    },
    NOT_FOUND,
  )

  route(
    contract.removeComment,
    async ({ actor, params: { id } }) => {
      const handle = wall.for(actor)
      const [found] = await commentsOf(handle, { id })
      if (!found) throw problem('comment.not_found')
      if (!(await deleteComment(handle, id))) throw problem('permission.denied')
      return undefined
    },
    { notFound: 'comment.not_found' },
  )

  const mayTransfer = (actor: Actor) => {
    if (!actor.several || !can(actor, 'organization.own').allowed) throw problem('permission.denied')
  }

  route(contract.listTransfers, async ({ actor }) => {
    mayTransfer(actor)
    return { transferencias: await transfersSeen(wall.for(actor)) }
  })

  route(contract.offerTransfer, async ({ actor, body }) => {
    mayTransfer(actor)
    const handle = wall.for(actor)
    await collections.own(handle, body.experimentos)
    const found = body.experimentos
      ? [...new Set(body.experimentos)]
      : await idsByFilter(handle, body.filtro ?? {})
    if (found.length === 0 || found.length > TRANSFER_MOST)
      throw problem('validation.failed', {
        fields: [
          {
            path: 'experimentos',
            message:
              found.length === 0
                ? 'Nenhum experimento próprio passa por este filtro'
                : 'Transfira no máximo 100.000 experimentos de uma vez',
          },
        ],
      })
    const to = await organizationOfCode(handle, body.para.codigo)
    if (!to?.known) await perPerson('code', actor.id)
    if (!to || to.id === actor.organization) throw problem('share.code_unknown')
    await perPerson('offer', actor.id)
    const id = await handle.transaction().execute(async (transaction) => {
      await oneAtATime(transaction, 'ofertas', actor.organization)
      const { all, here } = await waitingTransfers(transaction, to.id)
      if (all >= MOST_TRANSFERS || here >= MOST_WAITING) throw problem('transfer.too_many')
      const made = await insertTransfer(transaction, {
        organization: actor.organization,
        to: to.id,
        by: actor.id,
        experiments: found,
      })
      await note(transaction, actor.organization, 'transfer.offered', {
        transferencia: made,
        n: found.length,
      })
      return made
    })
    return { transferencia: await one(actor, id) }
  })

  /** @throws transfer.not_found to who is of neither side */
  const one = async (actor: Actor, id: string) => {
    const [found] = await transfersSeen(wall.for(actor), id)
    if (!found) throw problem('transfer.not_found')
    return found
  }

  route(
    contract.acceptTransfer,
    async ({ actor, params: { id } }) => {
      mayTransfer(actor)
      const { direcao } = await one(actor, id)
      if (direcao !== 'recebida') throw problem('transfer.not_found')
      const moved = await wall
        .for(actor)
        .transaction()
        .execute((transaction) => takeTransfer(transaction, id))
      if (moved === null) throw problem('transfer.not_found')
      await settled()
      return { transferencia: await one(actor, id) }
    },
    { notFound: 'transfer.not_found' },
  )

  route(
    contract.removeTransfer,
    async ({ actor, params: { id } }) => {
      mayTransfer(actor)
      await one(actor, id)
      await wall
        .for(actor)
        .transaction()
        .execute(async (transaction) => {
          if (!(await endTransfer(transaction, id))) throw problem('transfer.not_found')
          await note(transaction, actor.organization, 'transfer.declined', { transferencia: id })
        })
      return undefined
    },
    { notFound: 'transfer.not_found' },
  )
}

/** The same day of a later year, 'aaaa-mm-dd'. */
const yearsAfter = (day: string, years: number): string => `${Number(day.slice(0, 4)) + years}${day.slice(4)}`
