import type { BrapiClient } from '../../../config.ts'

/** An application that may ask a person for access. */
export interface ApplicationClient {
  id: string
  /** As people know it. */
  name: string
  /** Addresses that the answer may go to, to the letter. */
  addresses: readonly string[]
  /** It listens on the person's own machine, on whichever port is free. */
  loopback?: boolean
}

export const FIELD_BOOK = 'fieldbook'
const FIXED: readonly ApplicationClient[] = [
  { id: FIELD_BOOK, name: 'Field Book', addresses: ['fieldbook://app/auth'] },
  { id: 'gridscore', name: 'GridScore', addresses: [], loopback: true },
  { id: 'qbms', name: 'QBMS', addresses: [], loopback: true },
]
/** The port may be any, and nothing else: a longer path is another page of the same machine. */
const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1):[1-9]\d{0,4}\/?$/

/** The applications that every installation knows, and those of the configuration. */
export function applicationClients(more: readonly BrapiClient[]) {
  const own = more.map((client): ApplicationClient => ({ ...client, name: client.id }))
  const known = new Map([...own, ...FIXED].map((client) => [client.id, client]))
  return {
    find: (id: string): ApplicationClient | null => known.get(id) ?? null,
    /** Whether an answer may go to this address. */
    allows: ({ addresses, loopback }: ApplicationClient, address: string): boolean =>
      addresses.includes(address) || (loopback === true && LOOPBACK.test(address)),
  }
}
export type ApplicationClients = ReturnType<typeof applicationClients>
