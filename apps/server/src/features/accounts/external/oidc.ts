import * as client from 'openid-client'
import type { OidcProvider } from '../../../config.ts'
import { authError } from '../errors/auth-error.ts'
import type { Wanted } from '../proofs/mailed-proofs.service.ts'
import type { Origin } from '../sessions/sessions.repository.ts'
import type { External, ExternalPerson } from './external.service.ts'

const SCOPES = 'openid email profile'
/** Set by us; a client may add others, such as `prompt`. */
const RESERVED: ReadonlySet<string> = new Set([
  'provider',
  'redirect_to',
  'scopes',
  'skip_http_redirect',
  'client_id',
  'client_secret',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'nonce',
  'request',
  'request_uri',
  'code_challenge',
  'code_challenge_method',
  'code_verifier',
])
const HTTP_TIMEOUT_S = 10

/** OpenID Connect providers by configuration; only their issuers are ever asked. */
export function oidcProviders(input: {
  providers: readonly OidcProvider[]
  external: External
  callback: string
}) {
  const { providers, external, callback } = input
  const discovered = new Map<string, Promise<client.Configuration>>()

  const configurationOf = (provider: OidcProvider): Promise<client.Configuration> => {
    const known = discovered.get(provider.name)
    if (known) return known
    const issuer = new URL(provider.issuer)
    // Plain HTTP is for a provider on this machine, as in tests; the configuration refuses it elsewhere.
    const execute = issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []
    const found = client.discovery(issuer, provider.clientId, provider.clientSecret, undefined, {
      execute,
      timeout: HTTP_TIMEOUT_S,
    })
    discovered.set(provider.name, found)
    found.catch(() => discovered.delete(provider.name))
    return found
  }

  const named = (name: string | undefined): OidcProvider => {
    const provider = providers.find((candidate) => candidate.name === name)
    if (!provider)
      throw authError('validation_failed', {
        message: `Unsupported provider: Provider ${JSON.stringify((name ?? '').slice(0, 40))} could not be found or is not enabled`,
      })
    return provider
  }

  return {
    enabled: Object.fromEntries(providers.map(({ name }) => [name, true])),

    /** The provider's page to send the browser to. */
    async authorize(given: {
      provider: string | undefined
      scopes: string | undefined
      wanted: Wanted
      extra: Readonly<Record<string, unknown>>
      linkingUserId?: string
    }): Promise<string> {
      const provider = named(given.provider)
      const configuration = await configurationOf(provider)
      const verifier = client.randomPKCECodeVerifier()
      const nonce = client.randomNonce()
      const state = await external.begin({
        method: 'oauth',
        provider: provider.name,
        wanted: given.wanted,
        verifier,
        nonce,
        ...(given.linkingUserId !== undefined && { linkingUserId: given.linkingUserId }),
      })
      const extra = Object.entries(given.extra).filter(
        (entry): entry is [string, string] => !RESERVED.has(entry[0]) && typeof entry[1] === 'string',
      )
      const scope = [...new Set(`${SCOPES} ${given.scopes ?? ''}`.trim().split(/[\s,]+/))].join(' ')
      return client.buildAuthorizationUrl(configuration, {
        ...Object.fromEntries(extra),
        redirect_uri: callback,
        scope,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).href
    },

    /** What the provider sent the browser back with. Answers with the address to go on to. */
    async callback(query: URLSearchParams, origin: Origin): Promise<string> {
      const state = query.get('state') ?? ''
      const flow = await external.take(state)
      const learn = async (): Promise<ExternalPerson> => {
        if (query.has('error'))
          throw authError('bad_oauth_callback', {
            status: 403,
            message: query.get('error_description') ?? query.get('error') ?? '',
          })
        const provider = named(flow.provider ?? undefined)
        return personOf(provider, await configurationOf(provider), {
          url: new URL(`${callback}?${query}`),
          verifier: flow.provider_verifier ?? '',
          nonce: flow.nonce ?? '',
          state,
        })
      }
      return external.finish(flow, learn, origin)
    },
  }
}

export type Oidc = ReturnType<typeof oidcProviders>

async function personOf(
  provider: OidcProvider,
  configuration: client.Configuration,
  answer: { url: URL; verifier: string; nonce: string; state: string },
): Promise<ExternalPerson> {
  try {
    const tokens = await client.authorizationCodeGrant(configuration, answer.url, {
      pkceCodeVerifier: answer.verifier,
      expectedNonce: answer.nonce,
      expectedState: answer.state,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) throw authError('bad_oauth_callback')
    const more =
      claims.email === undefined && configuration.serverMetadata().userinfo_endpoint
        ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : {}
    const said: Record<string, unknown> = { ...more, ...claims }
    return {
      provider: provider.name,
      subject: claims.sub,
      email: typeof said.email === 'string' ? said.email : null,
      emailVerified: said.email_verified === true,
      name: typeof said.name === 'string' ? said.name : null,
      providerToken: tokens.access_token,
    }
  } catch (cause) {
    throw Object.assign(authError('bad_oauth_callback', { message: 'Unable to exchange external code' }), {
      cause,
    })
  }
}
