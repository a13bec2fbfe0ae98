import { NAME_MAX } from '@ensaio/domain'
import { invalid } from '../errors/auth-error.ts'

/** Tokens carry it in a header of at most 16 KB. */
const LONGEST_JSON = 4096
const NAMES = ['name', 'full_name', 'company']

/** Merges what a person writes about themselves; null deletes a key. Names are shown in mails: they are cleaned. */
export function mergeMetadata(
  current: Record<string, unknown>,
  change: Record<string, unknown>,
): Record<string, unknown> {
  const merged = { ...current }
  for (const [key, value] of Object.entries(change)) {
    // Said by the server alone.
    if (key === 'email_verified' || key === 'phone_verified') continue
    if (value === null) delete merged[key]
    else merged[key] = NAMES.includes(key) && typeof value === 'string' ? cleanName(value) : value
  }
  if (Buffer.byteLength(JSON.stringify(merged)) > LONGEST_JSON)
    throw invalid('User metadata must not exceed 4 KB')
  return merged
}

const cleanName = (name: string) =>
  [...name.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').trim()].slice(0, NAME_MAX).join('')
