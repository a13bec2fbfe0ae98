import { maskedEmail } from '@ensaio/domain'
import { v7 } from 'uuid'
import type { FieldPerson } from '../api/field-auth.ts'
import { forgetCopies } from './copies.ts'
import { type Database, type OwnEntry, writeSafely } from './database.ts'
import { countUnsent, DEVICE, waitingOf } from './entries.ts'
import { dropPackage, packagesOf } from './packages.ts'

const PERSON = 'pessoa'
const KNOWN = 'pessoas'
/** The PIN that a person hides the screen behind. */
export const PIN_OF = (person: string) => `pin ${person}`
/** The person asked to leave the field: who is signed in on the pages is not taken in unasked. */
const LEFT = 'saiu'
const LOCKED_AFTER_MS = 30 * 86_400_000
const revokedKey = (person: string) => `revogado ${person}`
const contactKey = (person: string) => `contato ${person}`

/** The session of auth-js, beside the entries. */
export const sessionStorageOf = (database: Database) => ({
  getItem: async (key: string) => {
    const value = await database.get('chaves', `auth ${key}`)
    return typeof value === 'string' ? value : null
  },
  setItem: async (key: string, value: string) => {
    await writeSafely(database, ['chaves'], (transaction) =>
      transaction.objectStore('chaves').put(value, `auth ${key}`),
    )
  },
  removeItem: (key: string) => database.delete('chaves', `auth ${key}`),
})

/** Who works on this phone; not told any more 30 days after the server last heard of it. */
export async function currentPerson(database: Database): Promise<FieldPerson | null> {
  const person = (await database.get('chaves', PERSON)) as FieldPerson | undefined
  if (!person) return null
  // Nobody can sign in again by an invitation: its day ends it.
  if (person.guest) return person
  const contact = await database.get('chaves', contactKey(person.id))
  const locked = typeof contact === 'number' && Date.now() - contact > LOCKED_AFTER_MS
  return locked ? null : person
}

export const noteContact = async (database: Database, person: string): Promise<void> => {
  await database.put('chaves', Date.now(), contactKey(person))
}

export const hasLeft = async (database: Database): Promise<boolean> =>
  (await database.get('chaves', LEFT)) === true
export const noteLeft = async (database: Database): Promise<void> => {
  await database.put('chaves', true, LEFT)
}

export const isRevoked = async (database: Database, person: string): Promise<boolean> =>
  (await database.get('chaves', revokedKey(person))) === true

const knownPeople = async (database: Database): Promise<FieldPerson[]> =>
  ((await database.get('chaves', KNOWN)) as FieldPerson[] | undefined) ?? []

/** After a sign-in: what a revoked device had sealed goes out under a new one. */
export async function welcome(database: Database, person: FieldPerson): Promise<void> {
  const known = (await knownPeople(database)).filter(({ id }) => id !== person.id)
  const revoked = await isRevoked(database, person.id)
  const sealed = revoked ? await waitingOf(database, person.id) : []
  const device = v7()
  await writeSafely(database, ['chaves', 'registros'], async (transaction) => {
    const keys = transaction.objectStore('chaves')
    void keys.put(person, PERSON)
    void keys.delete(LEFT)
    // What an invitation opens is kept once.
    const { guest, withPages: _, ...named } = person
    void keys.put([...known, guest ? { ...named, email: person.name } : named], KNOWN)
    void keys.put(Date.now(), contactKey(person.id))
    if (!revoked) return
    void keys.delete(revokedKey(person.id))
    void keys.put(device, DEVICE)
    for (const entry of sealed) {
      const next: OwnEntry = { ...entry, registro: { ...entry.registro, aparelho: device } }
      void transaction.objectStore('registros').put(next)
    }
  })
}

/** Packages and what was sent go; what was not sent stays sealed. */
export async function forgetSent(database: Database, person: string): Promise<void> {
  for (const owned of await packagesOf(database, person)) await dropPackage(database, owned)
  const waiting = new Set((await waitingOf(database, person)).map(({ id }) => id))
  await forgetCopies(({ id, pessoa }) => pessoa === person && !waiting.has(id))
}

export async function seal(database: Database, person: string): Promise<void> {
  await forgetSent(database, person)
  await database.put('chaves', true, revokedKey(person))
}

/** On this phone nothing is left to be read; unsent entries wait for the same account. */
export async function leave(database: Database, { id, guest }: FieldPerson): Promise<void> {
  await forgetSent(database, id)
  await database.delete('chaves', PERSON)
  await database.delete('chaves', PIN_OF(id))
  // The device is the invitation's: whoever comes next is another one.
  if (guest) await database.delete('chaves', DEVICE)
}

const JOINING = 'convite'

/** The key that this phone takes an invitation with: the same where the answer was lost, whatever has happened since. */
export async function keyFor(database: Database, codigo: string): Promise<string> {
  return writeSafely(database, ['chaves'], async (transaction) => {
    const store = transaction.objectStore('chaves')
    const held = (await store.get(JOINING)) as { codigo: string; chave: string } | undefined
    if (held?.codigo === codigo) return held.chave
    const chave = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '')
    void store.put({ codigo, chave }, JOINING)
    return chave
  })
}

/** From now on this phone is the invitation's. */
export async function join(database: Database, guest: FieldPerson, device: string): Promise<void> {
  await welcome(database, guest)
  await writeSafely(database, ['chaves'], async (transaction) => {
    const keys = transaction.objectStore('chaves')
    void keys.put(device, DEVICE)
    void keys.delete(JOINING)
  })
}

/** What others have not sent from this phone. */
export async function othersWaiting(
  database: Database,
  me: string | null,
): Promise<{ email: string; waiting: number }[]> {
  const others: { email: string; waiting: number }[] = []
  for (const { id, email } of await knownPeople(database)) {
    const waiting = id === me ? 0 : await countUnsent(database, id)
    if (waiting > 0) others.push({ email: email.includes('@') ? maskedEmail(email) : email, waiting })
  }
  return others
}
