import { type Application, type AuthorizationRequest, problem } from '@ensaio/domain'
import type { FastifyRequest } from 'fastify'
import type { Handle } from '../../../database/handle.ts'
import type { Wall } from '../../../database/wall.ts'
import type { Actor } from '../../../http/contract-routes.ts'
import { drawQr } from '../factors/totp.ts'
import type { Limits } from '../limits/limits.ts'
import { amrOf } from '../sessions/sessions.repository.ts'
import { recordAudit } from '../users/audit.repository.ts'
import type { AuthorizationServer } from './authorization.ts'
import { type ApplicationClients, FIELD_BOOK } from './clients.ts'
import { type Granted, type GrantTokens, saysApplication } from './grant-tokens.ts'
import { actorOfGrant, deleteGrant, liveGrants, noteGrantUse } from './grants.repository.ts'
import { readAuthorization } from './refusals.ts'

/** How long ago a person may have signed in for an application that wants it done now. */
const FRESH_S = 10 * 60

/** What a person allows other applications, and who asks by it afterwards. */
export function createApplications(of: {
  handle: Handle
  wall: Wall
  limits: Limits
  clients: ApplicationClients
  tokens: GrantTokens
  server: AuthorizationServer
  siteUrl: string
}) {
  const { handle, wall, limits, clients, tokens, server, siteUrl } = of
  const nameOf = (id: string): string => clients.find(id)?.name ?? id

  const read = (query: unknown) => {
    const given = readAuthorization(query, clients)
    if ('refusal' in given) throw problem('application.refused', { detail: given.refusal })
    return given
  }
  const mustSignIn = async (
    { prompt = '' }: AuthorizationRequest,
    { sessionId }: Actor,
  ): Promise<boolean> => {
    if (!prompt.split(' ').includes('login')) return false
    const [newest] = await amrOf(handle, sessionId)
    return !newest || newest.timestamp < Date.now() / 1000 - FRESH_S
  }
  const end = async ({ person, organization, grant }: Pick<Granted, 'person' | 'organization' | 'grant'>) => {
    if (!(await deleteGrant(wall.for({ id: person, organization }), grant))) return false
    await recordAudit(handle, { action: 'application.revoked', actorId: person })
    return true
  }

  return {
    /** What an address of the protocol asks, for whoever opens it. @throws application.refused */
    look(query: unknown): { aplicativo: string; entrar: boolean } {
      const { asked, name } = read(query)
      return { aplicativo: name, entrar: (asked.prompt ?? '').split(' ').includes('login') }
    },

    /** @throws application.refused, application.sign_in */
    async answer(
      actor: Actor,
      { pedido, permitir }: { pedido: unknown; permitir: boolean },
      userAgent: string | null,
    ) {
      const { asked } = read(pedido)
      if (await mustSignIn(asked, actor)) throw problem('application.sign_in')
      await limits.perPerson('application', actor.id)
      const destino = await server.answer(asked, { reader: actor, allowed: permitir, userAgent })
      if (permitir)
        await recordAudit(handle, {
          ...{ action: 'application.allowed', actorId: actor.id, details: { aplicativo: asked.client_id } },
        })
      return { destino }
    },

    async list(
      actor: Actor,
    ): Promise<{ concessoes: Application[]; configuracao: { endereco: string; qr: string } }> {
      const grants = await liveGrants(wall.for(actor))
      const configuration = {
        ...{ url: siteUrl, name: 'Ensaio', version: 'v2', authFlow: 'code' },
        ...{ oidcUrl: `${siteUrl}/.well-known/openid-configuration`, clientId: FIELD_BOOK, scope: '' },
      }
      return {
        concessoes: grants.map(({ id, client_id, device, created_at, not_after, used_at }) => ({
          ...{ id, aplicativo: nameOf(client_id), aparelho: device, criada_em: created_at.toISOString() },
          ...{ vale_ate: not_after.toISOString(), usada_em: used_at?.toISOString() ?? null },
        })),
        configuracao: { endereco: siteUrl, qr: await drawQr(JSON.stringify(configuration)) },
      }
    },

    /** @throws application.not_found */
    async revoke(actor: Actor, id: string): Promise<void> {
      const ended = await end({ person: actor.id, organization: actor.organization, grant: id })
      if (!ended) throw problem('application.not_found')
    },

    /** The application's own end of it; nobody is told whether there was any. */
    async revokeToken(token: string, client: string): Promise<void> {
      const granted = await tokens.read(token)
      if (granted && granted.client === client) await end(granted)
    },

    /** The same by what told the application who signed in. @returns whether it was of ours */
    async logOut(identity: string): Promise<boolean> {
      const granted = await tokens.readIdentity(identity)
      return granted !== null && (await end(granted))
    },

    /** Who asks by an application's token; null when the request shows none. @throws auth.required */
    async actor(request: FastifyRequest): Promise<Actor | null> {
      const token = /^bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
      if (token === undefined || !saysApplication(token)) return null
      const granted = await tokens.read(token)
      if (!granted) throw problem('auth.required')
      const own = wall.for({ id: granted.person, organization: granted.organization })
      const live = await actorOfGrant(own, granted.grant, granted.client)
      if (!live?.organization || !live.papel) throw problem('auth.required')
      if (live.blocked) throw problem('auth.blocked')
      await noteGrantUse(own, granted.grant)
      const { name, role, organization, papel, closed, several } = live
      const sessionId = granted.grant
      return { id: granted.person, name, role, sessionId, organization, papel, closed, several }
    },
  }
}
export type Applications = ReturnType<typeof createApplications>
