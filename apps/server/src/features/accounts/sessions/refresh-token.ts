import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { parse as parseUuid, stringify as stringifyUuid } from 'uuid'
import type { ServerSecret } from '../../../secret/server-secret.ts'

/**
 * base64url(0x00 | session id (16) | counter (varint) | HMAC-SHA256 (16) | SHA-256 of what precedes (4)).
 * The newest token can always be made again from the session's counter, so that an answer lost on the way
 * costs nobody the session, and nothing that a database leak shows lets anyone refresh.
 */
const VERSION = 0
const ID_BYTES = 16
const MAC_BYTES = 16
const SUM_BYTES = 4
const SHORTEST = 1 + ID_BYTES + 1 + MAC_BYTES + SUM_BYTES
const LONGEST = SHORTEST + 9

export function writeRefreshToken(secret: ServerSecret, sessionId: string, counter: number): string {
  const payload = Buffer.concat([Buffer.from([VERSION]), parseUuid(sessionId), varint(counter)])
  const signed = Buffer.concat([payload, mac(secret, sessionId, payload)])
  return Buffer.concat([signed, sum(signed)]).toString('base64url')
}

export type ReadRefreshToken =
  | { kind: 'malformed' }
  | { kind: 'forged' }
  | { kind: 'read'; sessionId: string; counter: number }

export function readRefreshToken(secret: ServerSecret, token: string): ReadRefreshToken {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length < SHORTEST || bytes.length > LONGEST || bytes.toString('base64url') !== token)
    return { kind: 'malformed' }
  const signed = bytes.subarray(0, -SUM_BYTES)
  if (bytes[0] !== VERSION || !bytes.subarray(-SUM_BYTES).equals(sum(signed))) return { kind: 'malformed' }
  const payload = signed.subarray(0, -MAC_BYTES)
  const sessionId = stringifyUnchecked(payload.subarray(1, 1 + ID_BYTES))
  const counter = readVarint(payload.subarray(1 + ID_BYTES))
  if (sessionId === null || counter === null) return { kind: 'malformed' }
  if (!timingSafeEqual(signed.subarray(-MAC_BYTES), mac(secret, sessionId, payload)))
    return { kind: 'forged' }
  return { kind: 'read', sessionId, counter }
}

function mac(secret: ServerSecret, sessionId: string, payload: Uint8Array): Buffer {
  const key = secret.derive('refresh-token', parseUuid(sessionId))
  return createHmac('sha256', key).update(payload).digest().subarray(0, MAC_BYTES)
}

const sum = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest().subarray(0, SUM_BYTES)

function stringifyUnchecked(bytes: Uint8Array): string | null {
  try {
    return stringifyUuid(bytes)
  } catch {
    return null
  }
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) + 0x80)
    rest = Math.floor(rest / 0x80)
  }
  return Buffer.from([...bytes, rest])
}

function readVarint(bytes: Uint8Array): number | null {
  let value = 0
  for (const [index, byte] of bytes.entries()) {
    value += (byte & 0x7f) * 0x80 ** index
    if (byte < 0x80) return index === bytes.length - 1 && Number.isSafeInteger(value) ? value : null
  }
  return null
}
