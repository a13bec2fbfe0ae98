import { useSyncExternalStore } from 'react'
import { lasting, ofThisTab } from '../storage/browser-storage.ts'

/**
 * The organisation that this tab acts for, where a person has several: sent with every call, and the beginning of
 * every key that answers are kept under. Null leaves it to the session. A new tab begins with the last choice of this
 * browser (boot.js reads both too).
 */
const KEY = 'ensaio.organization'

export interface Acting {
  /** Whose choice it was: the next person in this tab has their own. */
  person: string
  organization: string
}

function stored(): Acting | null {
  const [person = '', organization = ''] = (ofThisTab.getItem(KEY) ?? lasting.getItem(KEY) ?? '').split(' ')
  return person && organization ? { person, organization } : null
}

let acting = stored()
const listeners = new Set<() => void>()

/** For the person's calls; nobody else's choice counts. */
export const actingOrganization = (person: string | undefined): string | null =>
  acting !== null && acting.person === person ? acting.organization : null

/** Both at this moment. */
export const actingNow = (): Acting | null => acting

/** What answers are kept under. */
export const actingKey = (): string => acting?.organization ?? ''

/** The same, drawn again when another one is chosen. */
export const useActingKey = (): string =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, actingKey)

export function actFor(person: string, organization: string | null): void {
  if (actingOrganization(person) === organization && (organization !== null || acting === null)) return
  acting = organization === null ? null : { person, organization }
  if (acting) {
    ofThisTab.setItem(KEY, `${person} ${acting.organization}`)
    lasting.setItem(KEY, `${person} ${acting.organization}`)
  } else {
    ofThisTab.removeItem(KEY)
    lasting.removeItem(KEY)
  }
  for (const listener of listeners) listener()
}

/** The person is in it no longer, or never was: from here on the session's own counts. */
export function notIn(person: string, organization: string): void {
  if (actingOrganization(person) === organization) actFor(person, null)
}

/** Where an address names the organisation that it is of. */
export const ORGANIZATION_PARAM = 'org'
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

let addressed = ''
/** Before a page asks anything: a copied address acts for the organisation that it names. */
export function actAsAddressed(person: string): void {
  if (addressed === person) return
  addressed = person
  const named = new URLSearchParams(location.search).get(ORGANIZATION_PARAM)
  actFor(person, named && ID.test(named) ? named : actingOrganization(person))
}
