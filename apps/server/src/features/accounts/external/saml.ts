import { type CacheProvider, SAML, ValidateInResponseTo } from '@node-saml/node-saml'
import type { SamlSettings } from '../../../config.ts'
import type { Handle } from '../../../database/handle.ts'
import { authError } from '../errors/auth-error.ts'
import type { Wanted } from '../proofs/mailed-proofs.service.ts'
import type { Origin } from '../sessions/sessions.repository.ts'
import type { External, ExternalPerson } from './external.service.ts'
import { dropSamlRequest, keepSamlRequest, samlRequest } from './identities.repository.ts'

const CLOCK_SKEW_MS = 5_000
const EMAIL_ATTRIBUTES = [
  'email',
  'mail',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
]
const NAME_ATTRIBUTES = ['name', 'displayName', 'cn', 'urn:oid:2.16.840.1.113730.3.1.241']

/** Single sign-on with one SAML identity provider, by configuration. */
export function samlProvider(input: {
  settings: SamlSettings | null
  handle: Handle
  external: External
  base: string
}) {
  const { settings, handle, external, base } = input
  const entity = `${base}/sso/saml/metadata`
  const provider = 'sso:saml'

  /** Requests wait in the database, so that any server may get the answer. */
  const cacheProvider: CacheProvider = {
    saveAsync: async (key, value) =>
      (await keepSamlRequest(handle, key, value)) ? { value, createdAt: Date.now() } : null,
    getAsync: (key) => samlRequest(handle, key),
    removeAsync: async (key) => (key !== null && (await dropSamlRequest(handle, key)) ? key : null),
  }
  const saml = settings
    ? new SAML({
        callbackUrl: `${base}/sso/saml/acs`,
        issuer: entity,
        audience: entity,
        entryPoint: settings.entryPoint,
        idpCert: settings.certificate,
        idpIssuer: settings.issuer,
        wantAuthnResponseSigned: true,
        wantAssertionsSigned: true,
        validateInResponseTo: ValidateInResponseTo.always,
        acceptedClockSkewMs: CLOCK_SKEW_MS,
        disableRequestedAuthnContext: true,
        identifierFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
        signatureAlgorithm: 'sha256',
        cacheProvider,
      })
    : null

  const enabled = () => {
    if (!saml || !settings) throw authError('saml_provider_disabled')
    return { saml, settings }
  }

  return {
    isEnabled: settings !== null,

    metadata: (): string => enabled().saml.generateServiceProviderMetadata(null),

    /** The identity provider's page, for a domain or a provider's id. */
    async begin(given: {
      domain: string | undefined
      providerId: string | undefined
      wanted: Wanted
    }): Promise<string> {
      const { saml, settings } = enabled()
      const known = given.providerId
        ? given.providerId === settings.providerId
        : settings.domains.includes((given.domain ?? '').toLowerCase())
      if (!known) throw authError('sso_provider_not_found')
      const state = await external.begin({ method: 'sso/saml', provider, wanted: given.wanted })
      return saml.getAuthorizeUrlAsync(state, undefined, {})
    },

    /** The signed response that the browser carried here. Answers with the address to go on to. */
    async answer(given: { response: string; relayState: string; origin: Origin }): Promise<string> {
      const { saml, settings } = enabled()
      const flow = await external.take(given.relayState)
      const learn = async (): Promise<ExternalPerson> => {
        const { profile } = await saml
          .validatePostResponseAsync({ SAMLResponse: given.response })
          .catch((cause: unknown) => {
            throw Object.assign(authError('validation_failed', { message: 'SAML assertion is not valid' }), {
              cause,
            })
          })
        if (!profile) throw authError('validation_failed', { message: 'SAML assertion is not valid' })
        const said = new Map(Object.entries(profile))
        const first = (names: readonly string[]) =>
          names.map((name) => said.get(name)).find((value): value is string => typeof value === 'string')
        const email = first(EMAIL_ATTRIBUTES) ?? (profile.nameID.includes('@') ? profile.nameID : undefined)
        if (!email) throw authError('saml_assertion_no_email')
        // The provider speaks for its own domains only.
        const domain = email.toLowerCase().split('@').at(-1) ?? ''
        if (!settings.domains.includes(domain)) throw authError('sso_provider_not_found')
        return {
          provider,
          subject: profile.nameID,
          email,
          emailVerified: true,
          name: first(NAME_ATTRIBUTES) ?? null,
        }
      }
      return external.finish(flow, learn, given.origin)
    },
  }
}

export type Saml = ReturnType<typeof samlProvider>
