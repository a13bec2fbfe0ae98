import { PROBLEMS } from '@ensaio/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { toProblem } from '../../../http/problem-reply.ts'
import type { WebApp } from '../../../http/web-app.ts'
import { asProblem } from '../errors/auth-problem.ts'
import type { Limits } from '../limits/limits.ts'
import type { SigningKeys } from '../sessions/signing-keys.ts'
import type { Applications } from './applications.ts'
import type { AuthorizationServer } from './authorization.ts'
import type { ApplicationClients } from './clients.ts'
import { plainPage } from './pages.ts'
import { NOT_ALLOWED, readAuthorization } from './refusals.ts'

const BODY_LIMIT = 16 * 1024
const DISCOVERY = '/.well-known/openid-configuration'

/** The addresses by which other applications ask people for access. */
export function oauthRoutes(of: {
  applications: Applications
  server: AuthorizationServer
  clients: ApplicationClients
  keys: SigningKeys
  limits: Limits
  siteUrl: string
  /** Pages of other sites that may read the answers; null: every one. */
  origins: readonly string[] | null
  web: WebApp
}) {
  const { applications, server, clients, keys, limits, siteUrl, origins, web } = of
  const metadata = {
    issuer: siteUrl,
    authorization_endpoint: `${siteUrl}/oauth/authorize`,
    token_endpoint: `${siteUrl}/oauth/token`,
    jwks_uri: `${siteUrl}/oauth/jwks`,
    revocation_endpoint: `${siteUrl}/oauth/revoke`,
    end_session_endpoint: `${siteUrl}/oauth/logout`,
    scopes_supported: ['openid'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    prompt_values_supported: ['login', 'consent'],
    claims_supported: ['sub', 'iss', 'aud', 'exp', 'iat', 'nonce'],
  }

  /** No cookie ever counts here, so that any page may read what it got by its own code. */
  const letRead = (request: FastifyRequest, reply: FastifyReply) => {
    const { origin } = request.headers
    reply.header('vary', 'Origin')
    if (origin === undefined || (origins !== null && !origins.includes(origin))) return
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'content-type',
      'access-control-max-age': '600',
    })
  }
  const page = (reply: FastifyReply, status: number, title: string, text: string) =>
    reply
      .code(status)
      .type('text/html; charset=utf-8')
      .header('referrer-policy', 'no-referrer')
      .send(plainPage({ title, text }))

  return async (app: FastifyInstance): Promise<void> => {
    app.removeContentTypeParser('application/x-www-form-urlencoded')
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: BODY_LIMIT },
      (_request, body, done) => done(null, formOf(String(body))),
    )
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })
    app.setErrorHandler(replyOAuth)

    for (const path of [DISCOVERY, `/brapi/v2${DISCOVERY}`])
      app.get(path, async (request, reply) => {
        letRead(request, reply)
        return reply.send(metadata)
      })
    app.get('/oauth/jwks', async (request, reply) => {
      letRead(request, reply)
      return reply.header('cache-control', 'public, max-age=600').send(await keys.published())
    })

    app.get('/oauth/authorize', async (request, reply) => {
      const given = readAuthorization(request.query, clients)
      if ('refusal' in given) {
        const [title, text] =
          given.refusal === NOT_ALLOWED
            ? [NOT_ALLOWED, 'Volte ao aplicativo e confira o endereço configurado nele.']
            : ['A entrada não foi aberta', given.refusal]
        return page(reply, 400, title, text)
      }
      return web.page(reply.header('referrer-policy', 'no-referrer'), 200)
    })

    const before = limits.first('application')
    for (const url of ['/oauth/token', '/oauth/revoke']) {
      app.options(url, async (request, reply) => {
        letRead(request, reply)
        return reply.code(204).send()
      })
      // Field Book asks for the address itself before it asks it for anything.
      app.route({
        ...{ method: ['GET', 'PUT', 'DELETE', 'PATCH'], url },
        onRequest: async (request, reply) => {
          letRead(request, reply)
          return reply.code(405).header('allow', 'POST').send({ error: 'invalid_request' })
        },
        handler: async () => undefined,
      })
    }
    app.post('/oauth/token', { bodyLimit: BODY_LIMIT, onRequest: before }, async (request, reply) => {
      letRead(request, reply)
      const form = formIn(request)
      if (!form) return reply.code(400).send({ error: 'invalid_request' })
      const { status, body } = await server.exchange(plainHeaders(request), form)
      return reply.code(status).header('pragma', 'no-cache').send(body)
    })
    app.post('/oauth/revoke', { bodyLimit: BODY_LIMIT, onRequest: before }, async (request, reply) => {
      letRead(request, reply)
      const form = formIn(request)
      if (!form?.token || !form.client_id) return reply.code(400).send({ error: 'invalid_request' })
      await applications.revokeToken(form.token, form.client_id)
      return reply.code(200).send()
    })

    app.get('/oauth/logout', { onRequest: before }, async (request, reply) => {
      const { id_token_hint } = request.query as Record<string, unknown>
      const ended = typeof id_token_hint === 'string' && (await applications.logOut(id_token_hint))
      return ended
        ? page(
            reply,
            200,
            'Acesso encerrado',
            'O aplicativo não abre mais os seus ensaios. Você já pode fechar esta página.',
          )
        : page(
            reply,
            200,
            'Nada a encerrar',
            'Para encerrar o acesso de um aplicativo, abra Perfil → Aplicativos de campo.',
          )
    })
  }
}

/** Null when a name is given twice: which of them counts is nobody's to guess. */
function formOf(text: string): Record<string, string> | null {
  const given = [...new URLSearchParams(text)]
  const form = Object.fromEntries(given)
  return Object.keys(form).length === given.length ? form : null
}
const formIn = ({ body, headers }: FastifyRequest): Record<string, string> | null =>
  /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')
    ? (body as Record<string, string> | null)
    : null

/** The library reads the type and length of the body, and nobody's name and password. */
function plainHeaders({ headers }: FastifyRequest): Record<string, string> {
  const { 'content-type': type = '', 'content-length': length = '0' } = headers
  return { 'content-type': type, 'content-length': length }
}

/** A fault in the protocol's own words. */
function replyOAuth(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { code, extras } = toProblem(asProblem(error))
  const status = extras.status ?? PROBLEMS[code].status
  if (status >= 500 && status !== 503) request.log.error({ err: error }, code)
  if (extras.retryAfter !== undefined) reply.header('retry-after', String(Math.ceil(extras.retryAfter)))
  const word =
    status === 429 || status === 503
      ? 'temporarily_unavailable'
      : status >= 500
        ? 'server_error'
        : 'invalid_request'
  return reply.code(status).type('application/json; charset=utf-8').send({ error: word })
}
