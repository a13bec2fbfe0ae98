import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { readPkce } from '../credentials/credentials.ts'
import { authError } from '../errors/auth-error.ts'
import type { External } from '../external/external.service.ts'
import type { Oidc } from '../external/oidc.ts'
import type { Saml } from '../external/saml.ts'
import type { Limits } from '../limits/limits.ts'
import { originOf, type Sessions } from '../sessions/sessions.ts'
import { Asked } from './auth-v1.bodies.ts'
import { BODY_LIMIT, seeOther } from './auth-v1.plugin.ts'

const Path = z.object({ id: z.string() })

/** Sign-in by outside providers, and their identities, within the conventions of auth/v1. */
export function externalRoutes(
  app: FastifyInstance,
  services: {
    external: External
    oidc: Oidc
    saml: Saml
    sessions: Sessions
    limits: Limits
    linking: boolean
  },
): void {
  const { external, oidc, saml, sessions, limits, linking } = services

  app.get(
    '/authorize',
    { exposeHeadRoute: false, onRequest: limits.first('sso') },
    async (request, reply) => {
      const query = Asked.authorize.parse(request.query)
      const address = await oidc.authorize({
        provider: query.provider,
        scopes: query.scopes,
        wanted: { redirectTo: query.redirect_to, pkce: readPkce(query) },
        extra: request.query as Record<string, unknown>,
      })
      return found(reply, address)
    },
  )

  app.get('/callback', { exposeHeadRoute: false, onRequest: limits.first('sso') }, async (request, reply) => {
    const query = new URLSearchParams(request.url.split('?')[1] ?? '')
    if (!z.uuid().safeParse(query.get('state')).success) throw authError('bad_oauth_state')
    return found(reply, await oidc.callback(query, originOf(request)))
  })

  app.get('/user/identities/authorize', { exposeHeadRoute: false }, async (request, reply) => {
    const { user } = await sessions.required(request)
    if (!linking) throw authError('manual_linking_disabled')
    const query = Asked.authorize.parse(request.query)
    const url = await oidc.authorize({
      provider: query.provider,
      scopes: query.scopes,
      wanted: { redirectTo: query.redirect_to, pkce: readPkce(query) },
      extra: request.query as Record<string, unknown>,
      linkingUserId: user.id,
    })
    return query.skip_http_redirect === 'true' ? { url } : found(reply, url)
  })

  app.delete('/user/identities/:id', async (request) => {
    const live = await sessions.required(request)
    if (!linking) throw authError('manual_linking_disabled')
    const id = z.uuid().safeParse(Path.parse(request.params).id)
    if (!id.success)
      throw authError('validation_failed', { status: 404, message: 'identity_id must be an UUID' })
    await external.unlink(live, id.data)
    return {}
  })

  app.post('/sso', { bodyLimit: BODY_LIMIT, onRequest: limits.first('sso') }, async (request, reply) => {
    const body = Asked.sso.parse(request.body ?? {})
    const url = await saml.begin({
      domain: body.domain,
      providerId: body.provider_id,
      wanted: { redirectTo: body.redirect_to, pkce: readPkce(body) },
    })
    return body.skip_http_redirect ? { url } : seeOther(reply, url)
  })

  app.get('/sso/saml/metadata', async (_request, reply) =>
    reply.type('application/samlmetadata+xml').send(saml.metadata()),
  )

  app.post(
    '/sso/saml/acs',
    { bodyLimit: BODY_LIMIT, onRequest: limits.first('sso') },
    async (request, reply) => {
      const { SAMLResponse: response, RelayState: relayState } = Asked.acs.parse(request.body ?? {})
      if (!response || !z.uuid().safeParse(relayState).success) throw authError('saml_relay_state_not_found')
      return seeOther(
        reply,
        await saml.answer({ response, relayState: relayState ?? '', origin: originOf(request) }),
      )
    },
  )
}

const found = (reply: FastifyReply, address: string): FastifyReply =>
  reply.code(302).header('location', address).header('referrer-policy', 'no-referrer').send()
