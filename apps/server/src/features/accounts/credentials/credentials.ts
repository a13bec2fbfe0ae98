import { PASSWORD_MAX, PASSWORD_MIN } from '@ensaio/domain'
import { z } from 'zod'
import { authError, invalid } from '../errors/auth-error.ts'
import { isCommonPassword } from './common-passwords.ts'

/** Free of blanks and control characters, one at sign, a domain with a dot. */
const EMAIL =
  /^[^\s@\p{Cc}<>"(),:;[\]\\]+@[^\s@\p{Cc}<>"(),:;[\]\\][^\s@.\p{Cc}<>"(),:;[\]\\]*\.[^\s@\p{Cc}<>"(),:;[\]\\]+$/u
const LONGEST_EMAIL = 255

/** The address as it is stored. @throws AuthError validation_failed */
export function readEmail(value: unknown): string {
  const email = typeof value === 'string' ? value.trim().toLowerCase() : ''
  if (email.length > LONGEST_EMAIL || !EMAIL.test(email))
    throw invalid('Unable to validate email address: invalid format')
  return email
}

/** @throws AuthError weak_password or validation_failed */
export function checkPassword(password: string): void {
  if ([...password].length < PASSWORD_MIN)
    throw authError('weak_password', {
      message: `Password should be at least ${PASSWORD_MIN} characters.`,
      reasons: ['length'],
    })
  if ([...password].length > PASSWORD_MAX)
    throw invalid(`Password cannot be longer than ${PASSWORD_MAX} characters`)
  if (isCommonPassword(password))
    throw authError('weak_password', {
      message: 'Password is known to be weak and easy to guess, please choose a different one.',
      reasons: ['pwned'],
    })
}

const CHALLENGE = /^[A-Za-z0-9._~-]{43,128}$/

export interface Pkce {
  challenge: string
}

/** The pair of members that ask for a code instead of tokens; both or neither, S256 only. */
export function readPkce(body: {
  code_challenge?: string | undefined
  code_challenge_method?: string | undefined
}): Pkce | null {
  const challenge = body.code_challenge || undefined
  const method = body.code_challenge_method || undefined
  if (challenge === undefined && method === undefined) return null
  if (challenge === undefined || method === undefined)
    throw invalid('PKCE flow requires code_challenge_method and code_challenge')
  if (method.toLowerCase() !== 's256') throw invalid('code_challenge_method must be s256')
  if (!CHALLENGE.test(challenge)) throw invalid('code_challenge must be 43 to 128 characters of base64url')
  return { challenge }
}

/** A member of a body: text or absent; null means absent, any other type is refused. */
export const text = z
  .string()
  .max(4096)
  .nullish()
  .transform((value) => value ?? undefined)

export const data = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((value) => value ?? {})
