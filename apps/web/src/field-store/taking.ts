import { v7 } from 'uuid'
import { type Taken, takePackage } from '../api/field-client.ts'
import { type Database, type Owned, writeSafely } from './database.ts'
import { DEVICE } from './entries.ts'
import { keepPackage, keepPartial, packageOf, partialOf, SENDING } from './packages.ts'

export type TakeOutcome =
  | { kind: 'taken' | 'cut' | 'signed-out' | 'revoked' }
  | { kind: 'refused'; detail: string }

/** Cuts without a byte in between, after which a person is asked. */
const MOST_IDLE_CUTS = 3
const PAUSE_MS = 500

/**
 * Takes a trial along, or what changed of it: interrupted, it goes on where it stopped, now or when it is asked for
 * again; it is there only when its hash fits.
 */
export async function take({
  database,
  owned,
  token,
  progress,
}: {
  database: Database
  owned: Owned
  token(renew: boolean): Promise<string | null | undefined>
  progress(part: number): void
}): Promise<TakeOutcome> {
  const device = await deviceOf(database)
  const known = (await packageOf(database, owned))?.marca ?? null
  const sent = await database.get('chaves', SENDING)
  const sending = typeof sent === 'number' ? sent : 0
  let partial = await partialOf(database, owned)
  let [idle, renewed] = [0, false]
  for (;;) {
    const held = await token(renewed)
    if (held === null) return { kind: 'signed-out' }
    const before = partial?.bytes.length ?? 0
    const answer: Taken =
      held === undefined
        ? { kind: 'cut', partial }
        : await takePackage(
            {
              ...{ token: held, organization: owned.organizacao === '' ? null : owned.organizacao },
              ...{ id: owned.experimento, device, known, partial },
            },
            progress,
          )
    if (answer.kind === 'same') return { kind: 'taken' }
    if (answer.kind === 'whole') {
      await keepPackage(database, owned, { text: answer.text, tag: answer.tag, sending })
      return { kind: 'taken' }
    }
    if (answer.kind === 'refused') {
      if (answer.status === 401 && !renewed) {
        renewed = true
        continue
      }
      if (answer.status === 401) return { kind: 'signed-out' }
      return answer.code === 'device.revoked'
        ? { kind: 'revoked' }
        : { kind: 'refused', detail: answer.detail }
    }
    partial = answer.partial
    idle = (partial?.bytes.length ?? 0) > before ? 0 : idle + 1
    await keepPartial(database, owned, partial)
    if (idle >= MOST_IDLE_CUTS) return { kind: 'cut' }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

/** The id of this browser profile, made once. */
async function deviceOf(database: Database): Promise<string> {
  return writeSafely(database, ['chaves'], async (transaction) => {
    const store = transaction.objectStore('chaves')
    const held = await store.get(DEVICE)
    if (typeof held === 'string') return held
    const made = v7()
    void store.put(made, DEVICE)
    return made
  })
}
