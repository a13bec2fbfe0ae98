import { PASSWORD_MIN, type ProblemCode, problem } from '@ensaio/domain'
import { AuthError, type AuthErrorCode } from './auth-error.ts'

const PROBLEM_OF: Partial<Record<AuthErrorCode, ProblemCode>> = {
  invalid_credentials: 'auth.wrong_login',
  email_not_confirmed: 'auth.email_not_confirmed',
  user_already_exists: 'auth.email_taken',
  email_exists: 'auth.email_taken',
  user_banned: 'auth.blocked',
  same_password: 'auth.same_password',
  current_password_invalid: 'auth.wrong_password',
  current_password_required: 'auth.wrong_password',
  insufficient_aal: 'auth.mfa_required',
  otp_expired: 'auth.link_invalid',
  no_authorization: 'auth.required',
  bad_jwt: 'auth.required',
  user_not_found: 'auth.required',
  session_not_found: 'auth.required',
  session_expired: 'auth.required',
  refresh_token_not_found: 'auth.required',
  refresh_token_already_used: 'auth.required',
  validation_failed: 'request.invalid',
}

/** The product API's word for a failure that auth/v1 names in its own way. */
export function asProblem(error: unknown): unknown {
  if (!(error instanceof AuthError)) return error
  const { retryAfterS: retryAfter } = error.extras
  if (error.status === 429) return problem('request.too_many', { retryAfter, cause: error })
  if (error.code === 'weak_password') {
    const short = error.extras.reasons?.includes('length')
    const message = short
      ? `A senha deve ter pelo menos ${PASSWORD_MIN} caracteres`
      : 'Esta senha é fácil de adivinhar. Escolha outra.'
    return problem('auth.weak_password', { fields: [{ path: 'password', message }], cause: error })
  }
  return problem(PROBLEM_OF[error.code] ?? 'server.fault', { cause: error })
}

/** Runs a call of the account services for the product API. */
export async function asProduct<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw asProblem(error)
  }
}
