import { FIELD_HEADER, REFRESH_TIMEOUT_MS } from '@ensaio/domain'
import { openDatabase } from './database.ts'
import { currentPerson, isRevoked, noteContact, seal, sessionStorageOf } from './people.ts'
import { wantsWifi } from './photos.ts'
import { sendWaiting } from './sender.ts'

/** Under these the page's own client of `auth/v1` keeps the session, and takes turns with other tabs. */
const SESSION = 'sessao'
const SESSION_LOCK = `lock:${SESSION}`
const SPARE_S = 60

interface KeptSession {
  access_token: string
  refresh_token: string
  expires_at: number
}

/**
 * Sends what waits while no page of the field is open.
 * @returns whether it is worth asking again: nobody could be asked
 */
export async function sendClosed(): Promise<boolean> {
  const database = await openDatabase(() => undefined)
  try {
    const person = await currentPerson(database)
    if (!person || (await isRevoked(database, person.id))) return false
    const session = sessionStorageOf(database)
    const token = async (renew: boolean) =>
      person.guest ? `enc_${person.guest.key}` : await sessionToken(session, renew)
    const round = await sendWaiting(
      {
        ...{ database, person: person.id, token },
        photos: {
          pause: { until: 0, failures: 0 },
          wifiOnly: () => wantsWifi(database),
          changed: async () => undefined,
        },
        ...{ progress: () => undefined, settled: () => undefined },
        ...{ news: () => undefined, stale: () => undefined },
      },
      null,
    )
    if (round.kind === 'revoked' || (round.kind === 'signed-out' && person.guest))
      await seal(database, person.id)
    if (round.kind === 'done') await noteContact(database, person.id)
    return round.kind === 'unreached' || round.kind === 'later'
  } finally {
    database.close()
  }
}

/** A token of the kept session, renewed where it has run out; null where there is none any more. */
async function sessionToken(
  storage: ReturnType<typeof sessionStorageOf>,
  renew: boolean,
): Promise<string | null | undefined> {
  const kept = async () => {
    const text = await storage.getItem(SESSION)
    return text === null ? null : (JSON.parse(text) as KeptSession)
  }
  const before = await kept()
  if (!before) return null
  if (!renew && before.expires_at - SPARE_S > Date.now() / 1000) return before.access_token
  return navigator.locks.request(SESSION_LOCK, async () => {
    const held = await kept()
    if (!held) return null
    // Another has renewed it meanwhile.
    if (held.refresh_token !== before.refresh_token) return held.access_token
    try {
      const answer = await fetch('/auth/v1/token?grant_type=refresh_token', {
        method: 'POST',
        headers: { 'content-type': 'application/json', [FIELD_HEADER]: '1' },
        body: JSON.stringify({ refresh_token: held.refresh_token }),
        redirect: 'error',
        signal: AbortSignal.timeout(REFRESH_TIMEOUT_MS),
      })
      const given = (await answer.json()) as Partial<KeptSession>
      // What the server says of it is looked at by the page, where somebody can sign in again.
      if (!answer.ok || typeof given.access_token !== 'string') return answer.status < 500 ? null : undefined
      await storage.setItem(SESSION, JSON.stringify({ ...held, ...given }))
      return given.access_token
    } catch {
      return undefined
    }
  })
}
