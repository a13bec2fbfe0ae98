import { createHash, randomBytes } from 'node:crypto'
import { type AuthorizationRequest, deviceName } from '@ensaio/domain'
import OAuth2Server from '@node-oauth/oauth2-server'
import { validate as isUuid, v7 as uuid } from 'uuid'
import type { Reader, Wall } from '../../../database/wall.ts'
import type { ApplicationClients } from './clients.ts'
import type { Granted, GrantTokens } from './grant-tokens.ts'
import { beginGrant, endByCode, insertGrant, takeCode } from './grants.repository.ts'

const CODE_LIFE_S = 60
/** In whose name it is taken stands before what nobody can guess. */
const CODE = /^([0-9a-f-]{36})\.([0-9a-f-]{36})\.[\w-]{43}$/

const hashOf = (code: string): Buffer => createHash('sha256').update(code).digest()

/** What a code stands for, on its way through the library. */
interface Consenting extends Reader {
  device: string
  nonce: string | null
  grant: string
}

/** Authorization code with PKCE over our accounts; the protocol is the library's. */
export function authorizationServer({
  wall,
  clients,
  tokens,
  tokenHours,
}: {
  wall: Wall
  clients: ApplicationClients
  tokens: GrantTokens
  tokenHours: number
}) {
  const grantedBy = (user: OAuth2Server.User, client: OAuth2Server.Client): Granted => {
    const { id: person, organization, device, grant } = user as Consenting
    return { grant, person, organization, client: client.id, device }
  }
  const clientOf = (id: string): OAuth2Server.Client | null => {
    const known = clients.find(id)
    // The library wants one address that it never gets to use: each is asked of `validateRedirectUri`.
    return known && { id: known.id, grants: ['authorization_code'], redirectUris: ['none:'] }
  }

  const model: OAuth2Server.AuthorizationCodeModel = {
    getClient: async (id) => clientOf(id),
    validateRedirectUri: async (address, { id }) => {
      const known = clients.find(id)
      return known !== null && clients.allows(known, address)
    },
    validateScope: async (_user, _client, scope) => (scope ?? []).filter((one) => one === 'openid'),
    generateAuthorizationCode: async (_client, user) =>
      `${user.id}.${user.organization}.${randomBytes(32).toString('base64url')}`,

    async saveAuthorizationCode(code, client, user) {
      const { id: person, organization, device, nonce, grant } = user as Consenting
      await insertGrant(wall.for(user as Consenting), {
        ...{ id: grant, person, organization, client: client.id, device, nonce },
        ...{ redirectUri: code.redirectUri, scope: (code.scope ?? []).join(' ') },
        ...{ codeHash: hashOf(code.authorizationCode), challenge: code.codeChallenge ?? '' },
        codeUntil: code.expiresAt,
      })
      return { ...code, client, user }
    },

    async getAuthorizationCode(text) {
      const [, id, organization] = CODE.exec(text) ?? []
      if (!isUuid(id) || !isUuid(organization)) return null
      const handle = wall.for({ id, organization } as Reader)
      const taken = await takeCode(handle, hashOf(text))
      if (!taken) {
        await endByCode(handle, hashOf(text))
        return null
      }
      const client = clientOf(taken.client_id)
      const { device, nonce, id: grant } = taken
      return (
        client && {
          ...{
            authorizationCode: text,
            expiresAt: taken.code_until,
            redirectUri: taken.redirect_uri,
            client,
          },
          ...{ scope: taken.scope === '' ? [] : taken.scope.split(' ') },
          ...{ codeChallenge: taken.code_challenge, codeChallengeMethod: 'S256' },
          user: { id, organization, device, nonce, grant },
        }
      )
    },
    // Taking it was its end already.
    revokeAuthorizationCode: async () => true,

    generateAccessToken: (client, user) => tokens.access(grantedBy(user, client), until()),
    async saveToken({ accessToken, scope = [] }, client, user) {
      const end = until()
      const granted = grantedBy(user, client)
      if (!(await beginGrant(wall.for(user as Consenting), granted.grant, end)))
        throw new OAuth2Server.InvalidGrantError('The code is over.')
      return {
        ...{ accessToken, accessTokenExpiresAt: end, client, user },
        ...(scope.length > 0 && {
          scope,
          id_token: await tokens.identity(granted, { nonce: (user as Consenting).nonce, until: end }),
        }),
      }
    },
    // What a token opens is looked at where it is shown.
    getAccessToken: async () => null,
  }
  const until = (): Date => new Date(Date.now() + tokenHours * 3_600_000)
  const server = new OAuth2Server({ model })

  return {
    /** Where the browser goes with a code, or with the word that the person refused. */
    async answer(
      asked: AuthorizationRequest,
      { reader, allowed, userAgent }: { reader: Reader; allowed: boolean; userAgent: string | null },
    ): Promise<string> {
      const { prompt: _, nonce = null, ...query } = asked
      const user: Consenting = {
        ...{ id: reader.id, organization: reader.organization, nonce },
        ...{ device: deviceName(userAgent), grant: uuid() },
      }
      const request = new OAuth2Server.Request({
        ...{
          headers: {},
          method: 'GET',
          query: { ...query, allowed: String(allowed) } as Record<string, string>,
        },
      })
      const response = new OAuth2Server.Response()
      try {
        await server.authorize(request, response, {
          ...{ authenticateHandler: { handle: () => user }, authorizationCodeLifetime: CODE_LIFE_S },
          allowEmptyState: true,
        })
      } catch (error) {
        // What is no refusal of theirs is a fault of ours, and goes nowhere.
        if (allowed || response.headers?.location === undefined) throw error
      }
      return String(response.headers?.location)
    },

    /** A code for its token: status and body are the protocol's own. */
    async exchange(headers: Record<string, string>, body: Record<string, string>) {
      const request = new OAuth2Server.Request({ headers, method: 'POST', query: {}, body })
      const response = new OAuth2Server.Response()
      try {
        await server.token(request, response, {
          ...{ accessTokenLifetime: tokenHours * 3600, allowExtendedTokenAttributes: true },
          requireClientAuthentication: { authorization_code: false },
        })
      } catch (error) {
        if (!(error instanceof OAuth2Server.OAuthError) || error.code >= 500) throw error
      }
      return { status: response.status ?? 200, body: response.body as Record<string, unknown> }
    },
  }
}
export type AuthorizationServer = ReturnType<typeof authorizationServer>
