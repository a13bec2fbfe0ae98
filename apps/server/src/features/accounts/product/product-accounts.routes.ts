import { Readable } from 'node:stream'
import { contract, problem, type User } from '@ensaio/domain'
import type { FastifyRequest } from 'fastify'
import { subscriber } from '../../../http/client-address.ts'
import type { Asked, Route } from '../../../http/contract-routes.ts'
import { onceClosed } from '../../../http/once-closed.ts'
import { keepReading } from '../../../http/reader-pace.ts'
import { places } from '../../../places.ts'
import type { AccountData } from '../account/account-data.service.ts'
import type { Accounts } from '../account/accounts.service.ts'
import type { OwnAccount } from '../account/own-account.service.ts'
import type { Profiles } from '../account/profiles.service.ts'
import type { Applications } from '../applications/applications.ts'
import { asProduct } from '../errors/auth-problem.ts'
import type { Limits } from '../limits/limits.ts'
import type { MailedProofs } from '../proofs/mailed-proofs.service.ts'
import type { Verification } from '../proofs/verification.service.ts'
import type { ScriptKeys } from '../sessions/script-keys.ts'
import { originOf, type SessionAnswer, type Sessions } from '../sessions/sessions.ts'
import type { WireUser } from '../users/wire-user.ts'

/** Each reads all that somebody ever made. */
const EXPORTS = { atOnce: 4, perPerson: 1, perGroup: 2, inLine: 10, patienceMs: 20_000 }
const REGISTERED = 'Conta criada com sucesso!'
const RECOVERY_SENT = 'Email de recuperação enviado!'
const PASSWORD_RESET = 'Senha redefinida com sucesso!'
const PASSWORD_CHANGED = 'Senha alterada com sucesso!'
const ERASED = 'Sua conta foi apagada.'

/** The product API's own way to the account services. */
export function accountRoutes(
  route: Route,
  services: {
    accounts: Accounts
    ownAccount: OwnAccount
    sessions: Sessions
    proofs: MailedProofs
    profiles: Profiles
    accountData: AccountData
    verification: Verification
    limits: Limits
    keys: ScriptKeys
    applications: Applications
  },
): void {
  const { accounts, ownAccount, sessions, proofs, profiles, accountData, verification, limits, keys } =
    services
  const { applications } = services

  const withUser = async ({ user, access_token, refresh_token, expires_at }: SessionAnswer) => ({
    user: await profiles.get(user.id),
    access_token,
    refresh_token,
    expires_at,
  })

  const limited = (bucket: Parameters<Limits['first']>[0]) => ({
    before: (request: FastifyRequest) => asProduct(limits.perAddress(bucket, request.ip)),
  })

  route(
    contract.login,
    async ({ body, request }) =>
      withUser(await asProduct(accounts.signIn({ ...body, origin: originOf(request) }))),
    limited('token'),
  )

  route(
    contract.register,
    async ({ body, request }) => {
      const { name, email, password, company, requestedRole, convite } = body
      const answer: SessionAnswer | WireUser | { user: User } | null = await asProduct(
        accounts.signUp({
          email,
          password,
          data: { name, ...(company && { company }), requested_role: requestedRole, convite },
          wanted: { redirectTo: undefined, pkce: null },
          origin: originOf(request),
        }),
      ).catch((error: unknown) => {
        // An address that is registered already is treated as success, without a session.
        if (isTaken(error)) return null
        throw error
      })
      return answer && 'access_token' in answer ? withUser(answer) : { message: REGISTERED }
    },
    limited('signup'),
  )

  route(contract.refresh, async ({ body }) => withUser(await asProduct(sessions.refresh(body.refresh_token))))

  route(contract.openOnPhone, async ({ body, request }) =>
    withUser(await asProduct(sessions.openOnPhone(body.refresh_token, originOf(request)))),
  )

  route(contract.logout, async ({ request }) => {
    const live = await asProduct(sessions.required(request))
    await sessions.signOut(live, 'local')
    return undefined
  })

  route(
    contract.forgotPassword,
    async ({ body }) => {
      proofs.recover(body.email, { redirectTo: undefined, pkce: null })
      return { message: RECOVERY_SENT }
    },
    limited('recover'),
  )

  route(
    contract.checkLink,
    async ({ body }) => ({ valid: await verification.isGood(body.type, body.token_hash) }),
    limited('verify'),
  )

  route(
    contract.resetPassword,
    async ({ body, request }) => {
      const origin = originOf(request)
      const tokenHash = body.token_hash ?? (body.email ? undefined : body.token)
      const token = body.otp ?? body.token
      const proof = tokenHash ? { tokenHash } : body.email && token ? { email: body.email, token } : null
      if (!proof) throw problem('auth.link_invalid')
      await asProduct(ownAccount.reset({ ...proof, password: body.password, origin }))
      return { message: PASSWORD_RESET }
    },
    limited('verify'),
  )

  route(contract.getProfile, async ({ actor }) => ({ user: await profiles.get(actor.id) }))

  route(contract.updateProfile, async ({ actor, body }) => asProduct(profiles.update(actor, body)))

  const changePassword = async ({ body, request }: PasswordChange) => {
    const live = await asProduct(sessions.required(request))
    await asProduct(
      ownAccount.update(live, {
        email: undefined,
        password: body.newPassword,
        currentPassword: body.currentPassword,
        nonce: undefined,
        data: {},
        redirectTo: undefined,
        pkce: null,
        origin: originOf(request),
      }),
    )
    return { message: PASSWORD_CHANGED }
  }
  route(contract.changePassword, changePassword)
  route(contract.changePasswordByPost, changePassword)

  route(contract.listSessions, async ({ actor }) => ({
    sessions: await accountData.sessions(actor.id, actor.sessionId),
  }))

  route(contract.revokeSession, async ({ actor, params }) => {
    await accountData.revoke(actor.id, params.id)
    return undefined
  })

  route(contract.listScriptKeys, async ({ actor }) => ({ chaves: await keys.list(actor) }))
  route(contract.createScriptKey, ({ actor, body }) => keys.make(actor, body))
  route(
    contract.removeScriptKey,
    async ({ actor, params }) => {
      await keys.remove(actor, params.id)
      return undefined
    },
    { notFound: 'key.not_found' },
  )

  route(contract.lookAtApplication, async ({ query }) => applications.look(query))
  route(contract.answerApplication, ({ actor, body, request }) =>
    asProduct(applications.answer(actor, body, request.headers['user-agent'] ?? null)),
  )
  route(contract.listApplications, ({ actor }) => applications.list(actor))
  route(
    contract.revokeApplication,
    async ({ actor, params }) => {
      await applications.revoke(actor, params.id)
      return undefined
    },
    { notFound: 'application.not_found' },
  )

  const exporting = places(EXPORTS)
  route(contract.exportAccount, async ({ actor, request, reply }) => {
    onceClosed(reply, await exporting.enter(actor.id, subscriber(request.ip)))
    keepReading(reply, () => exporting.counts().inLine > 0)
    reply.header('content-disposition', 'attachment; filename="minha-conta.json"')
    return reply
      .type('application/json; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(Readable.from(await accountData.export(actor)))
  })

  route(contract.eraseAccount, async ({ actor, body, request }) => {
    const live = await asProduct(sessions.required(request))
    await asProduct(accountData.erase(actor, live, { ...body, ip: request.ip }))
    return { message: ERASED }
  })
}

type PasswordChange = Pick<Asked<typeof contract.changePassword>, 'body' | 'request'>

const isTaken = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'auth.email_taken'
