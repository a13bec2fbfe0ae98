import {
  COST_FIELDS,
  contract,
  type Experiment,
  LINK_DAYS,
  type PublicExperiment,
  problem,
} from '@ensaio/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Handle } from '../../database/handle.ts'
import { oneAtATime } from '../../database/one-at-a-time.ts'
import type { Wall } from '../../database/wall.ts'
import { type Actor, NOBODY, type Route } from '../../http/contract-routes.ts'
import { newToken, tokenHash } from '../../secret/mailed-token.ts'
import { sendFile } from '../documents/documents.routes.ts'
import type { Documents } from '../documents/documents.service.ts'
import type { Experiments } from '../experiments/experiments.service.ts'
import { note } from '../organizations/organizations.service.ts'
import { countOpening, insertLink, linksOf, type OpenLink, openLink, revokeLink } from './links.repository.ts'
import { today } from './shares.repository.ts'

const NOT_FOUND = { notFound: 'experiment.not_found' } as const
const LINK_GONE = { notFound: 'link.not_found' } as const
/** Not revoked, of a trial. */
const MOST_LINKS = 100
const PASSWORD_HEADER = 'x-link-password'

/** Links that open one trial to who has no account. */
export function linkRoutes(
  route: Route,
  {
    wall,
    handle,
    experiments,
    documents,
    siteUrl,
    hashPassword,
    checkPassword,
  }: {
    wall: Wall
    /** In nobody's name: what a token opens. */
    handle: Handle
    experiments: Experiments
    documents: Documents
    siteUrl: string
    hashPassword(password: string): Promise<string>
    /** Counts the guess. @throws request.too_many */
    checkPassword(given: { id: string; hash: string; password: string; ip: string }): Promise<boolean>
  },
): void {
  route(
    contract.listLinks,
    async ({ actor, params: { id } }) => {
      await experiments.authorise(actor, 'experiment.share', id)
      return { links: await linksOf(wall.for(actor), id) }
    },
    NOT_FOUND,
  )

  route(
    contract.createLink,
    async ({ actor, params: { id }, body }) => {
      await experiments.authorise(actor, 'experiment.share', id)
      const named = wall.for(actor)
      const days = daysBetween(await today(named), body.ate)
      if (days < LINK_DAYS.least || days > LINK_DAYS.most)
        throw problem('validation.failed', {
          fields: [
            { path: 'ate', message: `Escolha uma data de ${LINK_DAYS.least} a ${LINK_DAYS.most} dias` },
          ],
        })
      const token = newToken()
      const { ate, custos = false, documentos = false, senha } = body
      const passwordHash = senha ? await hashPassword(senha) : null
      const made = await named.transaction().execute(async (transaction) => {
        await oneAtATime(transaction, 'links', id)
        // One that the list does not show could not be revoked.
        if ((await linksOf(transaction, id)).length >= MOST_LINKS) throw problem('link.too_many')
        const inserted = await insertLink(transaction, {
          experimentId: id,
          organization: actor.organization,
          by: actor.id,
          hash: tokenHash(token),
          ...{ ate, custos, documentos, passwordHash },
        })
        await note(transaction, actor.organization, 'link.made', { link: inserted, experimento: id })
        return inserted
      })
      const url = new URL(`/p/${token}`, siteUrl).href
      return { link: { id: made, url, token, ate, custos, documentos } }
    },
    NOT_FOUND,
  )

  route(
    contract.revokeLink,
    async ({ actor, params: { id } }) => {
      experiments.permit(actor, 'experiment.share', { owner: null, organization: actor.organization })
      await wall
        .for(actor)
        .transaction()
        .execute(async (transaction) => {
          const experiment = await revokeLink(transaction, id)
          if (experiment === null) throw problem('link.not_found')
          await note(transaction, actor.organization, 'link.revoked', { link: id, experimento: experiment })
        })
      return undefined
    },
    LINK_GONE,
  )

  /** @throws link.not_found, or link.password when it asks for one */
  const opened = async (token: string, request: FastifyRequest, reply: FastifyReply): Promise<OpenLink> => {
    reply.header('x-robots-tag', 'noindex, nofollow').header('referrer-policy', 'no-referrer')
    const link = await openLink(handle, tokenHash(token))
    if (!link) throw problem('link.not_found')
    if (link.senha_hash === null) return link
    const given = request.headers[PASSWORD_HEADER]
    const password = typeof given === 'string' ? decoded(given) : ''
    if (
      password === '' ||
      !(await checkPassword({ id: link.id, hash: link.senha_hash, password, ip: request.ip }))
    )
      throw problem('link.password')
    return link
  }
  const asOwner = ({ organizacao_id: organization }: OpenLink): Actor => ({
    ...{ id: NOBODY, name: null, role: 'user', sessionId: NOBODY, organization },
    ...{ papel: 'leitor', closed: false, several: true },
  })

  route(
    contract.publicExperiment,
    async ({ params: { token }, request, reply }): Promise<{ experimento: PublicExperiment }> => {
      const link = await opened(token, request, reply)
      const experiment = await experiments.get(asOwner(link), link.experimento_id)
      await countOpening(handle, link.id)
      return { experimento: publicOf(experiment, link) }
    },
    LINK_GONE,
  )

  route(
    contract.publicDocument,
    async ({ params: { token }, request, reply }) => {
      const link = await opened(token, request, reply)
      const reader = asOwner(link)
      const [main] = link.documentos
        ? await documents.list(reader, { experimentId: link.experimento_id, sha256: undefined, limit: 1 })
        : []
      if (!main) throw problem('link.not_found')
      return sendFile(documents, await documents.find(main.id, reader), request, reply, 'no-store')
    },
    LINK_GONE,
  )
}

/** What the link shows of a trial: no person, no id, no neighbours. */
function publicOf(experiment: Experiment, { organizacao, custos, documentos }: OpenLink): PublicExperiment {
  const { id: _, created_by: _by, created_by_name: _name, versao: _version, ...rest } = experiment
  const { permissoes: _may, relacao: _relation, embargo_ate: _until, ...shown } = rest
  return {
    ...shown,
    ...(!custos && { custo_protocolo: null, custo_total: null, roi: null }),
    tratamentos: shown.tratamentos.map((treatment) => ({
      ...treatment,
      ...(!custos && { custo: null }),
      produtos_aplicados: treatment.produtos_aplicados.map((product) => ({
        ...product,
        ...(!custos && { custo: null }),
      })),
    })),
    // What is to be checked in it is for who works on it, and some of it is about costs.
    apontamentos: null,
    ocultos: custos ? [] : [...COST_FIELDS],
    pdf_filename: documentos ? shown.pdf_filename : null,
    documento: documentos && shown.pdf_filename !== null,
    organizacao: { nome: organizacao },
  }
}

const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000

/** A header holds Latin letters only: what a page sends is encoded as in an address. */
function decoded(given: string): string {
  try {
    return decodeURIComponent(given)
  } catch {
    return given
  }
}
