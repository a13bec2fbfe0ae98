import { ofThisTab } from '../storage/browser-storage.ts'

/**
 * The organisation that this tab acts for, where the installation is of several: sent with every call, and the
 * beginning of every key that answers are kept under. Null leaves it to the session.
 */
const KEY = 'ensaio.organization'

interface Acting {
  /** Whose choice it was: the next person in this tab has their own. */
  person: string
  organization: string
}

function stored(): Acting | null {
  const [person = '', organization = ''] = (ofThisTab.getItem(KEY) ?? '').split(' ')
  return person && organization ? { person, organization } : null
}

let acting = stored()

/** For the person's calls; nobody else's choice counts. */
export const actingOrganization = (person: string | undefined): string | null =>
  acting !== null && acting.person === person ? acting.organization : null

/** What answers are kept under. */
export const actingKey = (): string => acting?.organization ?? ''

export function actFor(person: string, organization: string | null): void {
  acting = organization === null ? null : { person, organization }
  if (acting) ofThisTab.setItem(KEY, `${person} ${acting.organization}`)
  else ofThisTab.removeItem(KEY)
}
