import { PHOTO_PART_BYTES, type PhotoProgress } from '@ensaio/domain'
import { type Asked, type FieldAnswer, putPart } from '../api/field-client.ts'
import type { Database, OwnPhoto } from './database.ts'
import { countWaiting, nextPhoto } from './entries.ts'

/** What one round of sending pictures came to; 'values' came meanwhile, and go first. */
export type PhotoRound = 'done' | 'values' | 'unreached' | 'signed-out' | { afterS: number }

/** Answers that bring it no further, and times that it is begun anew, before it is given up. */
const MOST_IDLE = 3
const MOST_RESTARTS = 2
const DAMAGED = 'A foto chegou danificada ao servidor'
const UNREADABLE = 'Este aparelho não consegue mais ler a foto'
/** What a phone's connection tells of itself, where it does. */
type Connection = { type?: string }

/** Whether pictures may go out now: over a network that costs nothing, where the person wants that and the phone tells. */
export function mayGoOut(wifiOnly: boolean): boolean {
  const { connection } = navigator as { connection?: Connection }
  return !wifiOnly || connection?.type === undefined || ['wifi', 'ethernet'].includes(connection.type)
}

/**
 * Sends the pictures of a person, one at a time, in parts that go on where they stopped. One is forgotten here when the
 * server's hash is its own, and not before.
 */
export async function sendPhotos(
  database: Database,
  person: string,
  ask: (
    organization: string,
    work: (how: Asked) => Promise<FieldAnswer<PhotoProgress>>,
  ) => Promise<FieldAnswer<PhotoProgress> | { kind: 'signed-out' }>,
): Promise<PhotoRound> {
  for (let after = 0; ; ) {
    const photo = await nextPhoto(database, person, after)
    if (!photo) return 'done'
    after = photo.seq
    if ((await database.get('registros', photo.id))?.espera === 1) continue
    let [idle, restarts, from] = [0, 0, photo.enviado]
    const refuse = (razao: string) => keep(database, { ...photo, espera: 0, razao })
    for (;;) {
      if ((await countWaiting(database, person)) > 0) return 'values'
      const part = await readable(photo.blob.slice(from, from + PHOTO_PART_BYTES))
      if (!part) {
        await refuse(UNREADABLE)
        break
      }
      const answer = await ask(photo.organizacao, (how) =>
        putPart({ ...how, id: photo.experimento, photo: photo.id }, from, part),
      )
      if (answer.kind === 'signed-out') return 'signed-out'
      if (answer.kind === 'none') return 'unreached'
      if (answer.kind === 'refused') {
        if (answer.retryAfterS !== null) return { afterS: answer.retryAfterS }
        if (answer.status >= 500 || answer.status === 408) return 'unreached'
        await refuse(answer.detail)
        break
      }
      const { recebido, pronto, sha256 } = answer.body
      if (pronto && sha256 === photo.sha256) {
        await database.delete('fotos', photo.id)
        break
      }
      idle = recebido > from ? 0 : idle + 1
      if (recebido < from) restarts += 1
      from = recebido
      if (restarts > MOST_RESTARTS) {
        await refuse(DAMAGED)
        break
      }
      if (idle > MOST_IDLE) return 'unreached'
      await keep(database, { ...photo, enviado: from })
    }
  }
}

/** Its bytes, which a damaged store may not have any more: then no network is to blame. */
const readable = (part: Blob): Promise<Blob | null> =>
  part.arrayBuffer().then(
    (bytes) => new Blob([bytes]),
    () => null,
  )

/** It may have been taken away meanwhile, and is not brought back. */
async function keep(database: Database, photo: OwnPhoto): Promise<void> {
  const transaction = database.transaction('fotos', 'readwrite')
  if (await transaction.store.getKey(photo.id)) await transaction.store.put(photo)
  await transaction.done
}
