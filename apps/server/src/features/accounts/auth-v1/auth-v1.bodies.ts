import { z } from 'zod'
import { data, text } from '../credentials/credentials.ts'

const PkceMembers = z.object({ code_challenge: text, code_challenge_method: text })

/** Everything that auth/v1 reads out of a body or a query, in one place. */
export const Asked = {
  signUp: PkceMembers.extend({ email: text, phone: text, password: text, data }),
  token: z.object({ grant_type: text }),
  redirect: z.object({ redirect_to: text }),
  password: z.object({ email: text, phone: text, password: text }),
  refresh: z.object({ refresh_token: text }),
  pkce: z.object({ auth_code: text, code_verifier: text }),
  recover: PkceMembers.extend({ email: text }),
  resend: PkceMembers.extend({ type: text, email: text, phone: text }),
  verify: z.object({ type: text, token: text, token_hash: text, email: text, phone: text }),
  follow: z.object({ type: text, token: text, token_hash: text, redirect_to: text }),
  user: PkceMembers.extend({
    email: text,
    phone: text,
    password: text,
    current_password: text,
    nonce: text,
    data,
    app_metadata: z.unknown().optional(),
  }),
  logout: z.object({ scope: text }),
  enrol: z.object({ factor_type: text, friendly_name: text, issuer: text, phone: text }),
  factor: z.object({
    challenge_id: text,
    code: text,
    webauthn: z.object({ type: text, credential_response: z.unknown() }).nullish(),
  }),
  authorize: PkceMembers.extend({
    provider: text,
    redirect_to: text,
    scopes: text,
    skip_http_redirect: text,
  }),
  sso: PkceMembers.extend({
    provider_id: text,
    domain: text,
    redirect_to: text,
    skip_http_redirect: z.boolean().nullish(),
  }),
  /** A signed response with its certificates takes some tens of kilobytes. */
  acs: z.object({ SAMLResponse: z.string().max(500_000).optional(), RelayState: text }),
}
