import { contract, type FieldProblem, problem, type Share } from '@ensaio/domain'
import type { Handle } from '../../database/handle.ts'
import { oneAtATime } from '../../database/one-at-a-time.ts'
import type { Wall } from '../../database/wall.ts'
import type { Actor, Route } from '../../http/contract-routes.ts'
import type { AccountsFeature } from '../accounts/accounts.feature.ts'
import { note, organizationsOf } from '../organizations/organizations.service.ts'
import { type Collections, mayShare } from './collections.service.ts'
import {
  answerShare,
  countShares,
  endShare,
  insertShare,
  MOST_SHARES,
  mailedToday,
  organizationOfCode,
  ownExperiment,
  type StoredShare,
  sharesSeen,
  today,
  updateShare,
} from './shares.repository.ts'

/** Offers by mail of one organisation. */
const MAILED_A_DAY = 100
/** Of one organisation at one recipient, unanswered. */
const MOST_WAITING = 200
const NOT_FOUND = { notFound: 'share.not_found' } as const
const PDF_SHOWS_COSTS: FieldProblem = {
  path: 'documentos',
  message: 'O PDF mostra os custos; para enviá-lo, mostre os custos.',
}

export interface SharingMail {
  /** Queues the letter that tells of an offer, in the caller's transaction. */
  send(handle: Handle, letter: { email: string; organization: string; link: string }): Promise<void>
  /** Once it is committed. */
  sent(): void
}

/** Collections, and opening trials to other organisations. */
export function shareRoutes(
  route: Route,
  {
    wall,
    collections,
    settled,
    mail,
    siteUrl,
    perPerson,
  }: {
    wall: Wall
    collections: Collections
    settled(): Promise<void>
    mail: SharingMail
    siteUrl: string
    perPerson: AccountsFeature['perPerson']
  },
): void {
  route(contract.listCollections, async ({ actor }) => ({ colecoes: await collections.list(actor) }))
  route(contract.createCollection, async ({ actor, body }) => ({
    colecao: await collections.create(actor, body),
  }))
  route(
    contract.changeCollection,
    async ({ actor, params, body }) => ({ colecao: await collections.change(actor, params.id, body) }),
    { notFound: 'collection.not_found' },
  )
  route(
    contract.removeCollection,
    async ({ actor, params }) => {
      await collections.remove(actor, params.id)
      return undefined
    },
    { notFound: 'collection.not_found' },
  )

  /** @throws share.not_found to who is of neither side */
  const one = async (handle: Handle, id: string): Promise<StoredShare> => {
    const [found] = await sharesSeen(handle, { id })
    if (!found) throw problem('share.not_found')
    return found
  }

  route(contract.listShares, async ({ actor, query }) => {
    mayShare(actor)
    const sent = (query.direcao ?? 'enviados') === 'enviados'
    return { compartilhamentos: await sharesSeen(wall.for(actor), { sent }) }
  })

  const targetOf = async (
    handle: Handle,
    target: { colecao: string } | { experimento: string } | { tudo: true },
  ): Promise<Pick<Parameters<typeof insertShare>[1], 'target' | 'collection' | 'experiment' | 'nome'>> => {
    if ('tudo' in target)
      return { target: 'tudo', collection: null, experiment: null, nome: 'Todos os experimentos' }
    if ('colecao' in target) {
      const { number, nome } = await collections.one(handle, target.colecao)
      return { target: 'colecao', collection: number, experiment: null, nome }
    }
    const trial = await ownExperiment(handle, target.experimento)
    if (!trial) throw problem('experiment.not_found')
    if (!trial.own) throw problem('share.received')
    return { target: 'experimento', collection: null, experiment: target.experimento, nome: trial.nome }
  }

  /** @throws share.code_unknown also for one's own */
  const recipient = async (actor: Actor, to: { codigo: string } | { email: string }) => {
    if ('email' in to) return { organization: null, email: to.email }
    const found = await organizationOfCode(wall.for(actor), to.codigo)
    // Whom one has to do with already is no guess.
    if (!found?.known) await perPerson('code', actor.id)
    if (!found || found.id === actor.organization) throw problem('share.code_unknown')
    return { organization: found.id, email: null }
  }

  const notPast = async (handle: Handle, day: string | null | undefined) => {
    if (day && day < (await today(handle)))
      throw problem('validation.failed', {
        fields: [{ path: 'ate', message: 'Escolha uma data de hoje em diante' }],
      })
  }

  route(contract.createShare, async ({ actor, body }): Promise<{ compartilhamento: Share }> => {
    mayShare(actor)
    const { alvo, para, ...terms } = body
    const handle = wall.for(actor)
    await notPast(handle, terms.ate)
    const target = await targetOf(handle, alvo)
    const to = await recipient(actor, para)
    await perPerson('offer', actor.id)
    if (to.email !== null) await perPerson('letter', actor.id)
    const id = await handle.transaction().execute(async (transaction) => {
      await oneAtATime(transaction, 'ofertas', actor.organization)
      const { standing, waiting } = await countShares(transaction, to)
      if (standing >= MOST_SHARES || waiting >= MOST_WAITING) throw problem('share.too_many')
      const made = await insertShare(transaction, {
        ...{ organization: actor.organization, by: actor.id, to },
        ...target,
        ...terms,
      })
      await note(transaction, actor.organization, 'share.sent', {
        compartilhamento: made,
        n: (await one(transaction, made)).alvo.n,
      })
      if (to.email !== null) {
        if ((await mailedToday(transaction)) > MAILED_A_DAY)
          throw problem('request.too_many', { retryAfter: 3_600 })
        const [own] = await organizationsOf(transaction, { person: actor.id, id: actor.organization })
        await mail.send(transaction, {
          email: to.email,
          organization: own?.nome ?? '',
          link: new URL('/compartilhamento', siteUrl).href,
        })
      }
      return made
    })
    mail.sent()
    return { compartilhamento: await one(handle, id) }
  })

  route(
    contract.changeShare,
    async ({ actor, params, body }) => {
      mayShare(actor)
      const handle = wall.for(actor)
      const share = await one(handle, params.id)
      if (!share.sent || !HOLDS.has(share.estado)) throw problem('share.not_found')
      await notPast(handle, body.ate)
      const terms = {
        custos: body.custos ?? share.custos,
        documentos: body.documentos ?? share.documentos,
        comentarios: body.comentarios ?? share.comentarios,
        ate: body.ate === undefined ? share.ate : body.ate,
      }
      if (terms.documentos && !terms.custos) throw problem('validation.failed', { fields: [PDF_SHOWS_COSTS] })
      await handle.transaction().execute(async (transaction) => {
        await updateShare(transaction, share, body)
        await note(transaction, actor.organization, 'share.changed', {
          compartilhamento: share.id,
          n: share.alvo.n,
        })
      })
      if (share.experimento_id) await settled()
      return { compartilhamento: await one(handle, share.id) }
    },
    NOT_FOUND,
  )

  /** Offers that the acting organisation, or the acting person's address, has received. */
  const received = async (actor: Actor, id: string) => {
    const handle = wall.for(actor)
    const share = await one(handle, id)
    if (share.sent) throw problem('share.not_found')
    mayShare(actor)
    return { handle, share }
  }

  route(
    contract.acceptShare,
    async ({ actor, params }) => {
      const { handle, share } = await received(actor, params.id)
      // Twice is once.
      if (share.estado !== 'aceito') {
        const from = await handle
          .transaction()
          .execute((transaction) => answerShare(transaction, share.id, true))
        if (from === null) throw problem('share.not_found')
        if (share.experimento_id) await settled()
      }
      return { compartilhamento: await one(handle, share.id) }
    },
    NOT_FOUND,
  )

  route(
    contract.declineShare,
    async ({ actor, params }) => {
      const { handle, share } = await received(actor, params.id)
      const from = await handle
        .transaction()
        .execute((transaction) => answerShare(transaction, share.id, false))
      if (from === null) throw problem('share.not_found')
      return undefined
    },
    NOT_FOUND,
  )

  route(
    contract.removeShare,
    async ({ actor, params }) => {
      const handle = wall.for(actor)
      const share = await one(handle, params.id)
      mayShare(actor)
      const from = await handle.transaction().execute((transaction) => endShare(transaction, share.id))
      if (from === null) throw problem('share.not_found')
      if (share.experimento_id) await settled()
      return undefined
    },
    NOT_FOUND,
  )
}

const HOLDS: ReadonlySet<string> = new Set(['pendente', 'aceito'])
