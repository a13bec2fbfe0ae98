import { problem } from '@ensaio/domain'
import type { FastifyRequest } from 'fastify'

const LONGEST_KEY = 200

/** The header of a request that may be sent again; null without it. */
export function readKey({ headers }: FastifyRequest): string | null {
  const key = headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key !== 'string' || key === '' || key.length > LONGEST_KEY) throw problem('request.invalid')
  return key
}
