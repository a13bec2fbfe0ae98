import { sessionToken } from '../api/field-session.ts'
import { openDatabase } from './database.ts'
import { countUnsent, tellPages } from './entries.ts'
import { currentPerson, isRevoked, noteContact, seal, sessionStorageOf } from './people.ts'
import { wantsWifi } from './photos.ts'
import { sendWaiting } from './sender.ts'

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
    if (round.kind !== 'busy') tellPages()
    return round.kind === 'unreached' || round.kind === 'later' || round.kind === 'busy'
  } finally {
    database.close()
  }
}
