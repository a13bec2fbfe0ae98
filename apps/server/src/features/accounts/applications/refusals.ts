import { AuthorizationRequest } from '@ensaio/domain'
import { type ApplicationClients, FIELD_BOOK } from './clients.ts'

export const NOT_ALLOWED = 'Este aplicativo não está autorizado.'
const CHOOSE_THE_CODE =
  'No Field Book, escolha "OAuth2 Authorization Code" em OIDC Flow, ou leia o QR de configuração em Perfil → Aplicativos de campo.'
const UNKNOWN_WAY = 'O aplicativo pediu a entrada de um modo que este servidor não aceita.'
/** BASE64URL of a SHA-256. */
const CHALLENGE = /^[\w-]{43}$/

/**
 * What an application asks in a person's name, or in a sentence why it gets nothing. Nobody is sent anywhere with a
 * refusal: an address is trusted only with the client that it is of, and then a person decides first.
 */
export function readAuthorization(
  query: unknown,
  clients: ApplicationClients,
): { asked: AuthorizationRequest; name: string } | { refusal: string } {
  // Field Book's own default, which it does not tell its user: a token in the address of somebody else's page.
  if (isImplicit(query)) return { refusal: CHOOSE_THE_CODE }
  const { data: asked } = AuthorizationRequest.safeParse(query)
  const client = asked && clients.find(asked.client_id)
  if (!client || !clients.allows(client, asked.redirect_uri)) return { refusal: NOT_ALLOWED }
  const codeWithPkce =
    asked.response_type === 'code' &&
    asked.code_challenge_method === 'S256' &&
    CHALLENGE.test(asked.code_challenge ?? '')
  return codeWithPkce ? { asked, name: client.name } : { refusal: UNKNOWN_WAY }
}

function isImplicit(query: unknown): boolean {
  if (typeof query !== 'object' || query === null) return false
  const { client_id, response_type } = query as Record<string, unknown>
  return client_id === FIELD_BOOK && String(response_type).split(' ').includes('token')
}
