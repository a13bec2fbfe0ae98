/** Codes of auth/v1 with their usual status and message; the public clients know them by these words. */
const AUTH_ERRORS = {
  bad_json: [400, 'Could not parse request body as JSON'],
  validation_failed: [400, 'Invalid request'],
  no_authorization: [401, 'This endpoint requires a valid Bearer token'],
  bad_jwt: [403, 'invalid JWT: unable to parse or verify signature, token is invalid or expired'],
  user_not_found: [403, 'User from sub claim in JWT does not exist'],
  session_not_found: [403, 'Session from session_id claim in JWT does not exist'],
  user_banned: [403, 'User is banned'],
  invalid_credentials: [400, 'Invalid login credentials'],
  email_not_confirmed: [400, 'Email not confirmed'],
  user_already_exists: [422, 'User already registered'],
  signup_disabled: [422, 'Signups not allowed for this instance'],
  anonymous_provider_disabled: [422, 'Anonymous sign-ins are disabled'],
  phone_provider_disabled: [400, 'Phone signups are disabled'],
  provider_disabled: [400, 'Provider is not enabled'],
  web3_provider_disabled: [422, 'Web3 provider is disabled'],
  weak_password: [422, 'Password should be at least 6 characters.'],
  same_password: [422, 'New password should be different from the old password.'],
  email_exists: [422, 'A user with this email address has already been registered'],
  reauthentication_needed: [400, 'Password update requires reauthentication'],
  reauthentication_not_valid: [422, 'Nonce has expired or is invalid'],
  current_password_required: [400, 'Current password required when setting new password.'],
  current_password_invalid: [400, 'Current password is invalid'],
  not_admin: [403, 'Updating app_metadata requires admin privileges'],
  user_sso_managed: [422, 'Cannot update email, phone or password of an SSO user'],
  otp_expired: [403, 'Token has expired or is invalid'],
  refresh_token_not_found: [400, 'Invalid Refresh Token: Refresh Token Not Found'],
  refresh_token_already_used: [400, 'Invalid Refresh Token: Already Used'],
  session_expired: [400, 'Invalid Refresh Token: Session Expired'],
  flow_state_not_found: [404, 'invalid flow state, no valid flow state found'],
  flow_state_expired: [422, 'invalid flow state, flow state has expired'],
  flow_state_already_used: [400, 'OAuth state has already been used'],
  bad_code_verifier: [400, 'code challenge does not match previously saved code verifier'],
  bad_oauth_state: [400, 'OAuth state is invalid or has expired'],
  bad_oauth_callback: [400, 'OAuth callback is invalid'],
  manual_linking_disabled: [404, 'Manual linking is disabled'],
  single_identity_not_deletable: [422, 'User must have at least 1 identity after unlinking'],
  identity_not_found: [422, "Identity doesn't exist"],
  identity_already_exists: [422, 'Identity is already linked'],
  saml_provider_disabled: [404, 'SAML 2.0 is disabled'],
  sso_provider_not_found: [404, 'No SSO provider assigned for this domain'],
  saml_assertion_no_email: [400, 'SAML assertion does not contain an email address'],
  saml_relay_state_not_found: [404, 'SAML RelayState does not exist, try logging in again?'],
  mfa_factor_not_found: [404, 'Factor not found'],
  mfa_factor_name_conflict: [422, 'A factor with the friendly name for this user already exists'],
  too_many_enrolled_mfa_factors: [422, 'Maximum number of verified factors reached, unenroll to continue'],
  mfa_phone_enroll_not_enabled: [422, 'MFA enroll is disabled for Phone'],
  mfa_ip_address_mismatch: [422, 'Challenge and verify IP addresses mismatch.'],
  mfa_challenge_expired: [
    422,
    'MFA challenge has expired, verify against another challenge or create a new challenge.',
  ],
  mfa_verification_failed: [422, 'Invalid TOTP code entered'],
  insufficient_aal: [403, 'AAL2 required to complete this action'],
  over_request_rate_limit: [429, 'Request rate limit reached'],
  over_email_send_rate_limit: [429, 'For security purposes, you can only request this after some time.'],
  request_entity_too_large: [413, 'Request body too large'],
  not_found: [404, 'Not found'],
  request_timeout: [503, 'Service is not available right now, please try again'],
  unexpected_failure: [500, 'Unexpected failure, please check server logs for more information'],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type AuthErrorCode = keyof typeof AUTH_ERRORS

export interface AuthErrorExtras {
  message?: string
  status?: number
  reasons?: readonly ('length' | 'characters' | 'pwned')[]
  retryAfterS?: number
}

/** A named failure of auth/v1. The product API shows the same failure as a problem of its own. */
export class AuthError extends Error {
  readonly code: AuthErrorCode
  readonly status: number
  readonly extras: AuthErrorExtras

  constructor(code: AuthErrorCode, extras: AuthErrorExtras) {
    super(extras.message ?? AUTH_ERRORS[code][1])
    this.name = 'AuthError'
    this.code = code
    this.status = extras.status ?? AUTH_ERRORS[code][0]
    this.extras = extras
  }
}

export const authError = (code: AuthErrorCode, extras: AuthErrorExtras = {}): AuthError =>
  new AuthError(code, extras)

export const invalid = (message: string): AuthError => authError('validation_failed', { message })
