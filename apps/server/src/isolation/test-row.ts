import type { EndpointName } from '@ensaio/domain'
import type { Canary } from './test-canaries.ts'
import { CALLERS, type Caller, type World } from './test-world.ts'

/** How one caller asks; what is not said is taken from the endpoint. */
export interface Ask {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  headers?: Record<string, string>
  /** Another session of the same person, for calls that end it. */
  token?: string
  method?: string
  /** Where no endpoint of the contract says it. */
  path?: string
  /** It has no end: the status is what counts. */
  stream?: boolean
}

export interface Row {
  /** Of the contract, or as the server registers it: 'GET /rest/v1/{table}'. */
  endpoint: EndpointName | `${string} /${string}`
  what: string
  /** Expected of each caller: one, or any of some where nothing is given away by either. */
  status: Record<Caller, number[]>
  ask: (world: World, caller: Caller) => Ask | Promise<Ask>
  /** What this answer is there to tell although it is a secret elsewhere. */
  tells: (canary: Canary, caller: Caller) => boolean
  /** Callers whose answer is known to be wrong, each with what it is. */
  faults: Partial<Record<Caller, string>>
}

/** '200 200 403 403 404 403|404 404 404 401', in the order of the callers. */
function statuses(line: string): Record<Caller, number[]> {
  const given = line.trim().split(/\s+/)
  if (given.length !== CALLERS.length) throw new Error(`${CALLERS.length} statuses are wanted: ${line}`)
  return Object.fromEntries(CALLERS.map((caller, i) => [caller, given[i]?.split('|').map(Number)])) as Record<
    Caller,
    number[]
  >
}

export const row = (
  endpoint: Row['endpoint'],
  what: string,
  status: string,
  ask: Row['ask'] | Ask = {},
  more: Partial<Pick<Row, 'tells' | 'faults'>> = {},
): Row => ({
  ...{ endpoint, what, status: statuses(status), ask: typeof ask === 'function' ? ask : () => ask },
  ...{ tells: () => false, faults: {}, ...more },
})

/** What stands in the table more than once: everybody with a session, in the order D G P L S T O A V. */
export const ALL = '200 200 200 200 200 200 200 200 401'
export const OPEN = '200 200 200 200 200 200 200 200 200'
/** Of the owner alone. */
export const MEMBERS = '200 200 200 200 404 404 404 404 401'
export const ADMIN = '403 403 403 403 403 403 403 200 401'
/** What nobody has. */
export const NOBODYS = '404 404 404 404 404 404 404 404 401'
