import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import type { Handle } from '../../database/handle.ts'
import type { Wall } from '../../database/wall.ts'
import type { Route } from '../../http/contract-routes.ts'
import type { WebApp } from '../../http/web-app.ts'
import { mailQueue } from '../../mail/mail-queue.ts'
import type { Deliver } from '../../mail/transport.ts'
import { loadServerSecret } from '../../secret/server-secret.ts'
import { deleteExpired } from './account/account-data.repository.ts'
import { confirmPassword, createAccountData, type OthersOfAPerson } from './account/account-data.service.ts'
import { createAccounts, type Invitations } from './account/accounts.service.ts'
import { createOwnAccount } from './account/own-account.service.ts'
import { createProfiles } from './account/profiles.service.ts'
import { adminRoutes } from './admin/admin.routes.ts'
import { createAdmin } from './admin/admin.service.ts'
import { createApplications } from './applications/applications.ts'
import { authorizationServer } from './applications/authorization.ts'
import { applicationClients } from './applications/clients.ts'
import { grantTokens } from './applications/grant-tokens.ts'
import { forgetGrants } from './applications/grants.repository.ts'
import { oauthRoutes } from './applications/oauth.routes.ts'
import { authV1 } from './auth-v1/auth-v1.routes.ts'
import { hashPassword, passwordMatches } from './credentials/passwords.ts'
import { asProduct } from './errors/auth-problem.ts'
import { createExternal } from './external/external.service.ts'
import { oidcProviders } from './external/oidc.ts'
import { samlProvider } from './external/saml.ts'
import { createFactors } from './factors/factors.service.ts'
import { passkeys } from './factors/passkeys.ts'
import { type Told, writeLetter } from './letters/letters.ts'
import { outboxRoute } from './letters/outbox.routes.ts'
import { postOffice } from './letters/post-office.ts'
import { forgetOldLimits } from './limits/limits.repository.ts'
import { createLimits, type Deed } from './limits/limits.ts'
import { accountRoutes } from './product/product-accounts.routes.ts'
import { forgetOldFlows } from './proofs/flow-states.repository.ts'
import { createMailedProofs } from './proofs/mailed-proofs.service.ts'
import { oneTimeCodes } from './proofs/one-time.ts'
import { redirects } from './proofs/redirects.ts'
import { createVerification } from './proofs/verification.service.ts'
import { accessTokens } from './sessions/access-token.ts'
import { forgetKeys } from './sessions/script-keys.repository.ts'
import { scriptKeys } from './sessions/script-keys.ts'
import { createSessions } from './sessions/sessions.ts'
import { signingKeys } from './sessions/signing-keys.ts'
import { grantAtStart } from './users/administrators.ts'
import { recordAudit } from './users/audit.repository.ts'
import { userById } from './users/users.repository.ts'
import { productUser } from './users/wire-user.ts'

/**
 * Accounts, put together by hand, with auth/v1 and what ends with the server already at the application. Answers
 * what the rest of the server needs of them.
 */
export async function createAccountsFeature(input: {
  app: FastifyInstance
  config: Config
  /** Of the role that requests run as. */
  handle: Handle
  /** To what other features keep of a person. */
  wall: Wall
  /** Of the tables' owner: it loads the keys. */
  owner: Handle
  deliver: Deliver
  invitations: Invitations
}) {
  const { app, config, handle, wall, owner, invitations } = input

  const secret = await loadServerSecret(config, owner)
  const keys = signingKeys({ handle: owner, secret, fixedJwk: config.auth.signingJwk })
  await keys.published()
  const issuer = `${config.siteUrl}/auth/v1`
  const limits = createLimits({ handle, secret, enabled: config.limits })
  const sessions = createSessions({
    handle,
    secret,
    tokens: accessTokens({ keys, issuer }),
    limits,
    reuseIntervalMs: config.auth.reuseIntervalMs,
  })
  const ownKeys = scriptKeys({ handle, sessions })
  const clients = applicationClients(config.brapiClients)
  const applicationTokens = grantTokens({ keys, issuer: config.siteUrl })
  const authorization = authorizationServer({
    ...{ wall, clients, tokens: applicationTokens, tokenHours: config.brapiTokenHours },
  })
  const applications = createApplications({
    ...{ handle, wall, limits, clients, tokens: applicationTokens, server: authorization },
    siteUrl: config.siteUrl,
  })
  const codes = oneTimeCodes({ secret })
  const log = (error: unknown) => app.log.error({ err: error }, 'e-mail')
  const queue = mailQueue({
    handle,
    deliver: input.deliver,
    seal: (text) => secret.seal('mail', text),
    open: (sealed) => secret.open('mail', sealed),
    log,
  })
  const post = postOffice({ queue, testOutbox: config.testOutbox, log })
  app.addHook('onClose', async () => {
    await post.settled()
    await queue.stop()
  })
  const allowed = redirects({ siteUrl: config.siteUrl, allowed: config.auth.redirects })
  const proofs = createMailedProofs({ handle, config, codes, post, redirects: allowed })
  const verification = createVerification({
    handle,
    config,
    codes,
    limits,
    sessions,
    post,
    redirects: allowed,
  })
  const accounts = createAccounts({ handle, config, sessions, limits, proofs, post, invitations })
  const ownAccount = createOwnAccount({ handle, limits, codes, proofs, verification, post })
  const profiles = createProfiles({ handle })
  const factors = createFactors({
    handle,
    secret,
    sessions,
    passkeys: passkeys({ siteUrl: config.siteUrl }),
    post,
    siteUrl: config.siteUrl,
  })
  const external = createExternal({ handle, config, sessions, redirects: allowed })
  const oidc = oidcProviders({ providers: config.auth.oidc, external, callback: `${issuer}/callback` })
  const saml = samlProvider({ settings: config.auth.saml, handle, external, base: issuer })
  await grantAtStart(handle, config)

  await app.register(
    authV1({
      config,
      accounts,
      ownAccount,
      sessions,
      proofs,
      verification,
      limits,
      keys,
      factors,
      external,
      oidc,
      saml,
    }),
    { prefix: '/auth/v1' },
  )
  if (config.testOutbox) outboxRoute(app, { post })

  return {
    authenticate: sessions.actor,
    /** The same, by a script's key or an application's token too: for what other applications ask alone. */
    authenticateApplication: async (request: FastifyRequest) =>
      (await applications.actor(request)) ?? ownKeys.actor(request),
    /** The addresses of OAuth 2, which have a page of the web application. */
    oauth: (web: WebApp) =>
      oauthRoutes({
        ...{ applications, server: authorization, clients, keys, limits, web },
        ...{ siteUrl: config.siteUrl, origins: config.brapiOrigins },
      }),
    namesOf: profiles.namesOf,
    audit: recordAudit,
    confirmPassword: confirmPassword({ handle, limits }),

    hashPassword,
    /** Counts the guess at a link's password. @throws request.too_many */
    async checkLinkPassword({
      id,
      hash,
      password,
      ip,
    }: {
      id: string
      hash: string
      password: string
      ip: string
    }) {
      await asProduct(limits.guess('link', id, ip))
      const right = await passwordMatches(hash, password)
      if (right) await limits.rightGuess('link', id, ip)
      return right
    },
    /** Codes of field invitations that an address may try. @throws request.too_many */
    tryInvitation: (request: FastifyRequest) => asProduct(limits.perAddress('field_invitation', request.ip)),
    /** Counts what a person does that reaches others. @throws request.too_many */
    perPerson: (deed: Deed, personId: string) => asProduct(limits.perPerson(deed, personId)),

    /** Queues the letter of an invitation, in the caller's transaction. */
    sendInvitation: (
      transaction: Handle,
      {
        email,
        token,
        ...content
      }: { email: string; token: string; from: string; organization: string; link: string },
    ) => post.send(transaction, { email, user: null }, { kind: 'invitation', ...content }, token),
    sendOffer: (
      transaction: Handle,
      { email, ...content }: { email: string; organization: string; link: string },
    ) => post.send(transaction, { email, user: null }, { kind: 'share_offered', ...content }),
    /** Tells the members of an organisation that it was closed, in the caller's transaction. */
    async tellClosed(transaction: Handle, members: readonly { email: string }[], organization: string) {
      for (const { email } of members)
        await post.send(transaction, { email, user: null }, { kind: 'organization_closed', organization })
    },
    /**
     * Queues what a person asked to be told, in the caller's transaction; it is written when it leaves. Nobody is told
     * who has no confirmed address or is blocked.
     */
    async tell(transaction: Handle, person: string, reference: string) {
      const user = await userById(transaction, person)
      if (user?.email && user.email_confirmed_at && !user.blocked_at)
        await post.sendLater(transaction, user.email, reference)
    },
    /** Writes the letters of `tell`; `told` answers null where there is nothing to tell any more. */
    tellBy(of: {
      told(reference: string): Promise<(Told & { person: string }) | null>
      sent(reference: string): Promise<void>
      failed(reference: string): Promise<void>
    }) {
      post.composeWith({
        ...of,
        async compose(reference, to) {
          const told = await of.told(reference)
          if (!told) return null
          const user = await userById(owner, told.person)
          return user && writeLetter(to, productUser(user).name, { kind: 'told', ...told })
        },
      })
    },
    mac: secret.mac,
    /** Letters queued in a transaction that is now committed go out. */
    wakePost: () => post.wake(),

    /** The product API's part. */
    routes(route: Route, others: OthersOfAPerson): void {
      const accountData = createAccountData({ handle, wall, limits, post, others })
      accountRoutes(route, {
        accounts,
        ownAccount,
        sessions,
        proofs,
        profiles,
        accountData,
        verification,
        limits,
        keys: ownKeys,
        applications,
      })
      adminRoutes(route, { admin: createAdmin({ handle, post }) })
    },

    maintenance: [
      () => forgetOldLimits(handle),
      () => forgetOldFlows(handle),
      () => deleteExpired(handle),
      () => forgetKeys(handle),
      () => forgetGrants(owner),
    ],
  }
}

export type { Invitations }

export type AccountsFeature = Awaited<ReturnType<typeof createAccountsFeature>>
