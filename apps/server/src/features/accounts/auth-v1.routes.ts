import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import type { Accounts } from './accounts.service.ts'
import { authError, invalid } from './auth-error.ts'
import { BODY_LIMIT, originOf, speakAuthV1 } from './auth-v1.plugin.ts'
import { data, text } from './credentials.ts'
import type { Sessions, SignOutScope } from './sessions.ts'
import type { SigningKeys } from './signing-keys.ts'
import { wireUser } from './wire-user.ts'

const JWKS_LIFE_S = 600
const SCOPES: readonly string[] = ['global', 'local', 'others'] satisfies SignOutScope[]

const SignUpBody = z.object({ email: text, phone: text, password: text, data })
const TokenQuery = z.object({ grant_type: text })
const PasswordGrant = z.object({ email: text, phone: text, password: text })
const RefreshGrant = z.object({ refresh_token: text })
const UserBody = z.object({
  email: text,
  phone: text,
  password: text,
  data,
  app_metadata: z.unknown().optional(),
})
const LogoutQuery = z.object({ scope: text })

/** The authentication service, in the dialect that the public clients speak. */
export function authV1(input: { config: Config; accounts: Accounts; sessions: Sessions; keys: SigningKeys }) {
  const { config, accounts, sessions, keys } = input

  return async (app: FastifyInstance): Promise<void> => {
    speakAuthV1(app)

    app.get('/health', async () => ({
      version: '1.0.0',
      name: 'GoTrue',
      description: 'Ensaio: autenticação no dialeto do GoTrue',
    }))

    app.get('/settings', async () => ({
      external: { email: true, phone: false, anonymous_users: false },
      disable_signup: false,
      mailer_autoconfirm: config.auth.autoconfirm,
      phone_autoconfirm: false,
      sms_provider: '',
      saml_enabled: false,
      passkeys_enabled: false,
    }))

    app.get('/.well-known/jwks.json', async (_request, reply) => {
      reply.header('cache-control', `public, max-age=${JWKS_LIFE_S}`)
      return keys.published()
    })

    app.post('/signup', { bodyLimit: BODY_LIMIT }, async (request) => {
      const body = SignUpBody.parse(request.body ?? {})
      if (body.email && body.phone)
        throw invalid('Only an email address or phone number should be provided on signup.')
      if (body.phone) throw authError('phone_provider_disabled')
      if (!body.email && !body.password) throw authError('anonymous_provider_disabled')
      return accounts.signUp({ ...body, origin: originOf(request) })
    })

    app.post('/token', { bodyLimit: BODY_LIMIT }, async (request) => {
      const { grant_type: grant } = TokenQuery.parse(request.query)
      switch (grant) {
        case 'password': {
          const body = PasswordGrant.parse(request.body ?? {})
          if (body.phone) throw authError('phone_provider_disabled', { status: 422 })
          return accounts.signIn({ ...body, origin: originOf(request) })
        }
        case 'refresh_token': {
          const body = RefreshGrant.parse(request.body ?? {})
          return sessions.refresh(body.refresh_token ?? '')
        }
        case 'id_token':
          throw authError('provider_disabled')
        case 'web3':
          throw authError('web3_provider_disabled')
        default:
          throw authError('invalid_credentials', { message: 'unsupported_grant_type' })
      }
    })

    app.get('/user', async (request) => {
      const { user } = await sessions.required(request)
      return wireUser(user)
    })

    app.put('/user', { bodyLimit: BODY_LIMIT }, async (request) => {
      const live = await sessions.required(request)
      const body = UserBody.parse(request.body ?? {})
      if (body.app_metadata !== undefined && body.app_metadata !== null) throw authError('not_admin')
      return accounts.update(live, { ...body, origin: originOf(request) })
    })

    app.post('/logout', async (request, reply) => {
      const live = await sessions.required(request)
      const { scope = 'global' } = LogoutQuery.parse(request.query)
      if (!isScope(scope)) throw invalid(`Unsupported logout scope "${scope.slice(0, 40)}"`)
      await sessions.signOut(live, scope)
      return reply.code(204).send()
    })
  }
}

const isScope = (scope: string): scope is SignOutScope => SCOPES.includes(scope)
