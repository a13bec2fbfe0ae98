import { FIELD_HEADER, REFRESH_TIMEOUT_MS } from '@ensaio/domain'
import { openDatabase } from './database.ts'
import { CHANNEL, countUnsent } from './entries.ts'
import { currentPerson, isRevoked, noteContact, seal, sessionStorageOf } from './people.ts'
import { wantsWifi } from './photos.ts'
import { sendWaiting } from './sender.ts'

/** Under this the page's own client of `auth/v1` keeps the session. */
const SESSION = 'sessao'
const SPARE_S = 60

interface KeptSession {
  access_token: string
  refresh_token: string
  expires_at: number
}

/**
 * Sends what waits where no page of the field does.
 * @returns whether it is worth asking again: nobody could be asked, or a page was at it
 */
export async function sendClosed(): Promise<boolean> {
  const database = await openDatabase(() => undefined)
  try {
    const person = await currentPerson(database)
    if (!person || (await isRevoked(database, person.id))) return false
    if ((await countUnsent(database, person.id)) === 0) return false
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
    // Pages look again.
    if (round.kind !== 'busy' && 'BroadcastChannel' in globalThis)
      new BroadcastChannel(CHANNEL).postMessage('mudou')
    return round.kind === 'unreached' || round.kind === 'later' || round.kind === 'busy'
  } finally {
    database.close()
  }
}

/** A token of the kept session, renewed where it has run out; null where there is none any more. */
async function sessionToken(
  storage: ReturnType<typeof sessionStorageOf>,
  renew: boolean,
): Promise<string | null | undefined> {
  const text = await storage.getItem(SESSION)
  if (text === null) return null
  const held = JSON.parse(text) as KeptSession
  if (!renew && held.expires_at - SPARE_S > Date.now() / 1000) return held.access_token
  // A page that renews it at the same time is answered as well: the token before the newest one is good.
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
}
