import { contract } from '@ensaio/domain'
import compress from '@fastify/compress'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import type { Pool } from './database/pool.ts'
import { accessTokens } from './features/accounts/access-token.ts'
import { createAccounts } from './features/accounts/accounts.service.ts'
import { authV1 } from './features/accounts/auth-v1.routes.ts'
import { profileRoutes } from './features/accounts/product-accounts.routes.ts'
import { createProfiles } from './features/accounts/profiles.service.ts'
import { loadServerSecret } from './features/accounts/server-secret.ts'
import { createSessions } from './features/accounts/sessions.ts'
import { signingKeys } from './features/accounts/signing-keys.ts'
import { contractRoutes } from './http/contract-routes.ts'
import { healthRoutes } from './http/health.ts'
import { acceptJson } from './http/json-body.ts'
import { notFound } from './http/not-found.ts'
import { replyProblem } from './http/problem-reply.ts'
import { loggingOptions, logRequests } from './http/request-log.ts'
import { secure } from './http/security-headers.ts'
import { serveWebApp } from './http/web-app.ts'

const JSON_LIMIT = 1024 * 1024

/** The whole server, put together by hand: what each part gets is what stands here. */
export async function buildApp(input: {
  config: Config
  pool: Pool
  /** The built web application. */
  webFolder: string
}): Promise<FastifyInstance> {
  const { config, pool } = input
  const { handle } = pool

  const app = Fastify({
    ...loggingOptions(config),
    trustProxy: config.trustProxy,
    bodyLimit: JSON_LIMIT,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200 },
  })
  logRequests(app)
  acceptJson(app)
  app.setErrorHandler(replyProblem)
  await secure(app, config)
  await app.register(compress, { threshold: 1024, encodings: ['br', 'gzip'] })
  await app.register(multipart)

  const secret = await loadServerSecret(config, handle)
  const keys = signingKeys({ handle, secret, fixedJwk: config.auth.signingJwk })
  const tokens = accessTokens({ keys, issuer: `${config.siteUrl}/auth/v1` })
  const sessions = createSessions({
    handle,
    secret,
    tokens,
    reuseIntervalMs: config.auth.reuseIntervalMs,
  })
  const accounts = createAccounts({ handle, config, sessions })
  const profiles = createProfiles({ handle })

  await app.register(authV1({ config, accounts, sessions, keys }), { prefix: '/auth/v1' })

  const route = contractRoutes({ app, authenticate: sessions.actor })
  profileRoutes(route, { profiles })
  route(contract.settings, async () => ({
    tileUrl: config.tileUrl,
    tileAttribution: config.tileAttribution,
    autoconfirm: config.auth.autoconfirm,
  }))

  healthRoutes(app, { pool })
  const web = await serveWebApp(app, input.webFolder)
  app.setNotFoundHandler(notFound(web))
  return app
}
