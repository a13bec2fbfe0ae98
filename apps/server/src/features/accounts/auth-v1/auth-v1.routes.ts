import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Config } from '../../../config.ts'
import type { Accounts } from '../account/accounts.service.ts'
import type { OwnAccount } from '../account/own-account.service.ts'
import { readEmail, readPkce } from '../credentials/credentials.ts'
import { authError, invalid } from '../errors/auth-error.ts'
import type { External } from '../external/external.service.ts'
import type { Oidc } from '../external/oidc.ts'
import type { Saml } from '../external/saml.ts'
import type { Factors } from '../factors/factors.service.ts'
import type { Limits } from '../limits/limits.ts'
import type { MailedProofs } from '../proofs/mailed-proofs.service.ts'
import type { Verification } from '../proofs/verification.service.ts'
import { originOf, type Sessions, type SignOutScope } from '../sessions/sessions.ts'
import type { SigningKeys } from '../sessions/signing-keys.ts'
import { wireUser } from '../users/wire-user.ts'
import { Asked } from './auth-v1.bodies.ts'
import { BODY_LIMIT, seeOther, speakAuthV1 } from './auth-v1.plugin.ts'
import { externalRoutes } from './external.routes.ts'
import { factorRoutes } from './factors.routes.ts'

const JWKS_LIFE_S = 600
const NOT_CONFIGURED = { google: false, azure: false, github: false, keycloak: false }
const SCOPES: readonly string[] = ['global', 'local', 'others'] satisfies SignOutScope[]
const VERIFY_TYPES = [
  'signup',
  'invite',
  'recovery',
  'magiclink',
  'email',
  'email_change',
  'sms',
  'phone_change',
]
const RESEND_TYPES = ['signup', 'email_change', 'sms', 'phone_change']

const LIMIT = { bodyLimit: BODY_LIMIT }

/** The authentication service, in the dialect that the public clients speak. */
export function authV1(input: {
  config: Config
  accounts: Accounts
  ownAccount: OwnAccount
  sessions: Sessions
  proofs: MailedProofs
  verification: Verification
  limits: Limits
  keys: SigningKeys
  factors: Factors
  external: External
  oidc: Oidc
  saml: Saml
}) {
  const { config, accounts, ownAccount, sessions, proofs, verification, limits, keys } = input

  return async (app: FastifyInstance): Promise<void> => {
    speakAuthV1(app)
    factorRoutes(app, { factors: input.factors, sessions, limits })
    externalRoutes(app, { ...input, sessions, limits, linking: config.auth.linking })

    app.get('/health', async () => ({
      version: '1.0.0',
      name: 'GoTrue',
      description: 'Ensaio: autenticação no dialeto do GoTrue',
    }))

    app.get('/settings', async () => ({
      external: {
        email: true,
        phone: false,
        anonymous_users: false,
        ...NOT_CONFIGURED,
        ...input.oidc.enabled,
      },
      disable_signup: false,
      mailer_autoconfirm: config.auth.autoconfirm,
      phone_autoconfirm: false,
      sms_provider: '',
      saml_enabled: input.saml.isEnabled,
      passkeys_enabled: false,
    }))

    app.get('/.well-known/jwks.json', async (_request, reply) => {
      reply.header('cache-control', `public, max-age=${JWKS_LIFE_S}`)
      return keys.published()
    })

    app.post('/signup', { ...LIMIT, onRequest: limits.first('signup') }, async (request) => {
      const body = Asked.signUp.parse(request.body ?? {})
      if (body.email && body.phone)
        throw invalid('Only an email address or phone number should be provided on signup.')
      if (body.phone) throw authError('phone_provider_disabled')
      if (!body.email && !body.password) throw authError('anonymous_provider_disabled')
      const wanted = { redirectTo: Asked.redirect.parse(request.query).redirect_to, pkce: readPkce(body) }
      return accounts.signUp({ ...body, wanted, origin: originOf(request) })
    })

    // Refreshing is not limited by address: a refusal there signs a whole office out.
    const unlessRefreshing = async (request: FastifyRequest) => {
      if (Asked.token.parse(request.query).grant_type !== 'refresh_token')
        await limits.perAddress('token', request.ip)
    }
    app.post('/token', { ...LIMIT, onRequest: unlessRefreshing }, async (request) => {
      const { grant_type: grant } = Asked.token.parse(request.query)
      const origin = originOf(request)
      switch (grant) {
        case 'password': {
          const body = Asked.password.parse(request.body ?? {})
          if (body.phone) throw authError('phone_provider_disabled', { status: 422 })
          return accounts.signIn({ ...body, origin })
        }
        case 'refresh_token': {
          const body = Asked.refresh.parse(request.body ?? {})
          return sessions.refresh(body.refresh_token ?? '')
        }
        case 'pkce': {
          const body = Asked.pkce.parse(request.body ?? {})
          if (!body.auth_code || !body.code_verifier)
            throw invalid('invalid request: both auth code and code verifier should be non-empty')
          if (!z.uuid().safeParse(body.auth_code).success) throw authError('flow_state_not_found')
          return verification.exchange({ authCode: body.auth_code, verifier: body.code_verifier, origin })
        }
        case 'id_token':
          throw authError('provider_disabled')
        case 'web3':
          throw authError('web3_provider_disabled')
        default:
          throw authError('invalid_credentials', { message: 'unsupported_grant_type' })
      }
    })

    app.post('/recover', { ...LIMIT, onRequest: limits.first('recover') }, async (request) => {
      const body = Asked.recover.parse(request.body ?? {})
      if (!body.email) throw invalid('Password recovery requires an email')
      const wanted = { redirectTo: Asked.redirect.parse(request.query).redirect_to, pkce: readPkce(body) }
      proofs.recover(readEmail(body.email), wanted)
      return {}
    })

    app.post('/resend', { ...LIMIT, onRequest: limits.first('resend') }, async (request) => {
      const body = Asked.resend.parse(request.body ?? {})
      if (!body.type || !RESEND_TYPES.includes(body.type))
        throw invalid(`Missing one of these types: ${RESEND_TYPES.join(', ')}`)
      if (body.type === 'sms' || body.type === 'phone_change') throw authError('phone_provider_disabled')
      if (!body.email || body.phone) throw invalid('Type provided requires an email address')
      const wanted = { redirectTo: Asked.redirect.parse(request.query).redirect_to, pkce: readPkce(body) }
      proofs.resend(body.type === 'signup' ? 'signup' : 'email_change', readEmail(body.email), wanted)
      return {}
    })

    app.post('/verify', { ...LIMIT, onRequest: limits.first('verify') }, async (request) => {
      const { type, token, token_hash: tokenHash, email, phone } = Asked.verify.parse(request.body ?? {})
      if (!type || !VERIFY_TYPES.includes(type)) throw invalid('Verify requires a verification type')
      const origin = originOf(request)
      if (Boolean(token) === Boolean(tokenHash))
        throw invalid('Verify requires either a token or a token hash')
      if (tokenHash) {
        if (email || phone) throw invalid('Only the token_hash and type should be provided')
        return verification.verify({ type, tokenHash, origin })
      }
      if (!email && !phone)
        throw invalid('Only an email address or phone number should be provided on verify')
      if (!email || !token) throw authError('otp_expired')
      return verification.verify({ type, email: readEmail(email), token, origin })
    })

    // HEAD is not answered: a scanner's probe must not use a link up.
    app.get(
      '/verify',
      { exposeHeadRoute: false, onRequest: limits.first('verify') },
      async (request, reply) => {
        const {
          type = '',
          token,
          token_hash: tokenHash,
          redirect_to: redirectTo,
        } = Asked.follow.parse(request.query)
        if (!VERIFY_TYPES.includes(type)) throw invalid('Verify requires a verification type')
        const given = token ?? tokenHash
        if (!given) throw invalid('Verify requires a token or a token hash')
        const address = await verification.follow({
          type,
          token: given,
          redirectTo,
          origin: originOf(request),
        })
        return seeOther(reply, address)
      },
    )

    app.get('/reauthenticate', async (request) => {
      await ownAccount.reauthenticate(await sessions.required(request))
      return {}
    })

    app.get('/user', async (request) => {
      const { user } = await sessions.required(request)
      return wireUser(user)
    })

    app.put('/user', LIMIT, async (request) => {
      const live = await sessions.required(request)
      await limits.perAddress('user', request.ip)
      const body = Asked.user.parse(request.body ?? {})
      if (body.app_metadata !== undefined && body.app_metadata !== null) throw authError('not_admin')
      if (body.phone) throw authError('phone_provider_disabled', { status: 422 })
      return ownAccount.update(live, {
        ...body,
        currentPassword: body.current_password,
        redirectTo: Asked.redirect.parse(request.query).redirect_to,
        pkce: readPkce(body),
        origin: originOf(request),
      })
    })

    app.post('/logout', async (request, reply) => {
      const live = await sessions.required(request)
      const { scope = 'global' } = Asked.logout.parse(request.query)
      if (!isScope(scope)) throw invalid(`Unsupported logout scope "${scope.slice(0, 40)}"`)
      await sessions.signOut(live, scope)
      return reply.code(204).send()
    })
  }
}

const isScope = (scope: string): scope is SignOutScope => SCOPES.includes(scope)
