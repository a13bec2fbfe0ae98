import type { FastifyRequest } from 'fastify'
import type { Handle } from '../../../database/handle.ts'
import { subscriber } from '../../../http/client-address.ts'
import type { ServerSecret } from '../../../secret/server-secret.ts'
import { authError } from '../errors/auth-error.ts'
import {
  countGuess,
  familiarAddresses,
  forgetFailures,
  type Patience,
  takeToken,
} from './limits.repository.ts'

const FIVE_MINUTES_S = 300
const MINUTE_S = 60

/** How often one network address may ask, per endpoint: a burst, and how fast it comes back. */
const BUCKETS = {
  token: { capacity: 30, perSecond: 150 / FIVE_MINUTES_S },
  signup: { capacity: 30, perSecond: 30 / FIVE_MINUTES_S },
  verify: { capacity: 30, perSecond: 30 / FIVE_MINUTES_S },
  recover: { capacity: 30, perSecond: 30 / FIVE_MINUTES_S },
  resend: { capacity: 30, perSecond: 30 / FIVE_MINUTES_S },
  user: { capacity: 30, perSecond: 30 / FIVE_MINUTES_S },
  sso: { capacity: 30, perSecond: 30 / FIVE_MINUTES_S },
  field_invitation: { capacity: 30, perSecond: 30 / FIVE_MINUTES_S },
  factor_challenge: { capacity: 15, perSecond: 15 / MINUTE_S },
  application: { capacity: 60, perSecond: 60 / MINUTE_S },
  factor_verify: { capacity: 15, perSecond: 15 / MINUTE_S },
} as const
type Bucket = keyof typeof BUCKETS
/** Per session and generous: a browser that is refused here may sign its person out. */
const REFRESHES = { capacity: 60, perSecond: 1 }

const HOUR_S = 3_600
const DAY_S = 24 * HOUR_S
/** How often one person may do what reaches others, in all of their organisations together. */
const DEEDS = {
  /** Tries a code of an organisation. */
  code: { capacity: 10, perSecond: 10 / HOUR_S },
  /** Lets an application in or refuses it. */
  application: { capacity: 20, perSecond: 20 / HOUR_S },
  /** Has a letter sent to an address that they name. */
  letter: { capacity: 100, perSecond: 100 / DAY_S },
  /** Offers trials to another organisation, to see or to keep. */
  offer: { capacity: 200, perSecond: 200 / DAY_S },
  comment: { capacity: 200, perSecond: 200 / HOUR_S },
} as const
export type Deed = keyof typeof DEEDS

export interface Limits {
  /** @throws AuthError over_request_rate_limit */
  perAddress(bucket: Bucket, ip: string | null): Promise<void>
  /** The same as a hook: a body that is refused is not even read. */
  first(bucket: Bucket): (request: FastifyRequest) => Promise<void>
  /** @throws AuthError with 503, which clients try again later */
  refresh(sessionId: string): Promise<void>
  /**
   * Counts a guess at an account's secret, whether or not there is such an account, before it is looked at. Who
   * guesses wrong waits longer and longer, by account and address: nobody locks another out. All strangers to
   * the account together wait too, but never long; whoever comes from an address that it was used from before is
   * no stranger.
   * @throws AuthError over_request_rate_limit
   */
  guess(kind: string, account: string, ip: string | null): Promise<void>
  /** @throws AuthError over_request_rate_limit */
  perPerson(deed: Deed, personId: string): Promise<void>
  /** The guess was right: it counts no more. */
  rightGuess(kind: string, account: string, ip: string | null): Promise<void>
}

const OWN: Patience = { free: 5, longestS: 900 }
const STRANGERS: Patience = { free: 20, longestS: 60 }

export function createLimits(input: { handle: Handle; secret: ServerSecret; enabled: boolean }): Limits {
  const { handle, secret, enabled } = input
  const keyOf = (kind: string, account: string) =>
    `${kind} ${secret.mac('limits', `${kind}|${account}`).toString('base64url').slice(0, 22)}`
  const perAddress = async (bucket: Bucket, ip: string | null) => {
    if (!enabled) return
    const retryAfterS = await takeToken(handle, { key: keyOf(bucket, subscriber(ip)), ...BUCKETS[bucket] })
    if (retryAfterS > 0) throw authError('over_request_rate_limit', { retryAfterS })
  }
  return {
    perAddress,
    first: (bucket) => (request) => perAddress(bucket, request.ip),
    async refresh(sessionId) {
      if (!enabled) return
      const retryAfterS = await takeToken(handle, { key: `refresh ${sessionId}`, ...REFRESHES })
      if (retryAfterS > 0) throw authError('request_timeout', { retryAfterS })
    },
    async perPerson(deed, personId) {
      if (!enabled) return
      const retryAfterS = await takeToken(handle, { key: `${deed} ${personId}`, ...DEEDS[deed] })
      if (retryAfterS > 0) throw authError('over_request_rate_limit', { retryAfterS })
    },
    async guess(kind, account, ip) {
      if (!enabled) return
      const refuse = (retryAfterS: number) => {
        if (retryAfterS > 0) throw authError('over_request_rate_limit', { retryAfterS })
      }
      refuse(await countGuess(handle, keyOf(kind, `${account}|${subscriber(ip)}`), OWN))
      const familiar = await familiarAddresses(handle, account)
      if (familiar.some((address) => subscriber(address) === subscriber(ip))) return
      refuse(await countGuess(handle, keyOf(kind, account), STRANGERS))
    },
    async rightGuess(kind, account, ip) {
      if (enabled) await forgetFailures(handle, keyOf(kind, `${account}|${subscriber(ip)}`))
    },
  }
}
