import { PHOTO_PART_BYTES, type PhotoProgress } from '@ensaio/domain'
import { type Asked, type FieldAnswer, putPart } from '../api/field-client.ts'
import { waitAfter } from './clock.ts'
import type { Database, OwnPhoto } from './database.ts'
import { countWaiting, nextPhoto } from './entries.ts'

/** After which the round begins anew, so that values of others are heard of between pictures. */
const ROUND_MS = 60_000
/** Answers that bring one no further, and times that it is begun anew, before the next one's turn has come. */
const MOST_IDLE = 3
const MOST_RESTARTS = 2
const DAMAGED = 'A foto chegou danificada ao servidor'
const UNREADABLE = 'Este aparelho não consegue mais ler a foto'
/** What says of a picture that it will never be taken; anything else may pass. */
const FOR_GOOD: ReadonlySet<string> = new Set([
  ...['photo.invalid', 'photo.too_large', 'photo.plot_full', 'photo.wrong_part', 'photo.too_many_pixels'],
  'photo.taken_back',
])

/** Where the person's settings are kept. */
export const SETTINGS = 'ajustes'
export const wantsWifi = async (database: Database): Promise<boolean> =>
  ((await database.get('chaves', SETTINGS)) as { fotosSoWifi?: boolean } | undefined)?.fotosSoWifi === true

/** Pictures wait by themselves: what holds them never holds a value. */
export interface PhotoPause {
  until: number
  failures: number
}
interface Needs {
  database: Database
  person: string
  ask(
    organization: string,
    work: (how: Asked) => Promise<FieldAnswer<PhotoProgress>>,
  ): Promise<FieldAnswer<PhotoProgress> | { kind: 'signed-out' }>
  pause: PhotoPause
  /** Only over a network that costs nothing, where the phone tells of it. */
  wifiOnly(): Promise<boolean>
  progress(at: number, of: number): void
  /** One is not here any more, or was refused. */
  changed(): Promise<void>
}
type Outcome =
  | 'sent'
  | 'refused'
  | 'skipped'
  | 'values'
  | 'held'
  | 'unreached'
  | 'signed-out'
  | { afterS: number }

/**
 * Sends the pictures of a person, one at a time, behind all values; 'values' where some came meanwhile, or it is time to
 * hear of others.
 */
export async function sendPhotos(needs: Needs): Promise<'done' | 'values' | 'signed-out'> {
  const { database, person, pause } = needs
  const again = (afterS: number | null) => {
    pause.failures += 1
    pause.until = performance.now() + (afterS ?? waitAfter(pause.failures)) * 1000
  }
  if (performance.now() < pause.until) return 'done'
  const began = performance.now()
  const of = await database.countFromIndex(
    'fotos',
    'espera',
    IDBKeyRange.bound([person, 1, 0], [person, 1, Number.MAX_SAFE_INTEGER]),
  )
  let [at, after, skipped] = [0, 0, false]
  for (;;) {
    const photo = await nextPhoto(database, person, after)
    if (!photo) break
    after = photo.seq
    at += 1
    needs.progress(Math.min(at, of), of)
    const outcome = await sendOne(needs, photo)
    if (outcome === 'values' || outcome === 'signed-out') return outcome
    if (outcome === 'held') return 'done'
    if (outcome === 'unreached' || typeof outcome === 'object') {
      again(outcome === 'unreached' ? null : outcome.afterS)
      return 'done'
    }
    if (outcome === 'skipped') skipped = true
    else await needs.changed()
    if (performance.now() - began > ROUND_MS) return 'values'
  }
  if (skipped) again(null)
  else pause.failures = 0
  return 'done'
}

/** One picture, in parts that go on where they stopped; it is forgotten here when the server's hash is its own. */
async function sendOne({ database, person, ask, wifiOnly }: Needs, photo: OwnPhoto): Promise<Outcome> {
  if ((await database.get('registros', photo.id))?.espera === 1) return 'skipped'
  const refuse = async (razao: string): Promise<Outcome> => {
    await keep(database, { ...photo, espera: 0, razao })
    return 'refused'
  }
  let [idle, restarts, from] = [0, 0, 0]
  // The first part is empty: the answer says how much has come before.
  for (let length = 0; ; length = PHOTO_PART_BYTES) {
    if ((await countWaiting(database, person)) > 0) return 'values'
    if (!mayGoOut(await wifiOnly())) return 'held'
    const part = await readable(photo.blob.slice(from, from + length))
    if (!part) return refuse(UNREADABLE)
    const answer = await ask(photo.organizacao, (how) =>
      putPart({ ...how, id: photo.experimento, photo: photo.id }, from, part),
    )
    if (answer.kind === 'signed-out') return 'signed-out'
    if (answer.kind === 'none') return 'unreached'
    if (answer.kind === 'refused') {
      if (FOR_GOOD.has(answer.code)) return refuse(answer.detail)
      return answer.retryAfterS === null ? 'skipped' : { afterS: answer.retryAfterS }
    }
    const { recebido, pronto, sha256 } = answer.body
    if (pronto && sha256 === photo.sha256) {
      await database.delete('fotos', photo.id)
      return 'sent'
    }
    if (length > 0) idle = recebido > from ? 0 : idle + 1
    if (recebido < from) restarts += 1
    from = recebido
    if (restarts > MOST_RESTARTS) return refuse(DAMAGED)
    if (idle > MOST_IDLE) return 'skipped'
  }
}

function mayGoOut(wifiOnly: boolean): boolean {
  const { connection } = navigator as { connection?: { type?: string } }
  return !wifiOnly || connection?.type === undefined || ['wifi', 'ethernet'].includes(connection.type)
}

/** Its bytes, which a damaged store may not have any more: then no network is to blame. */
const readable = (part: Blob): Promise<Blob | null> =>
  part.arrayBuffer().then(
    (bytes) => new Blob([bytes]),
    () => null,
  )

/** It may have been taken away meanwhile, and is not brought back; on a full phone it is tried again instead. */
async function keep(database: Database, photo: OwnPhoto): Promise<void> {
  try {
    const transaction = database.transaction('fotos', 'readwrite')
    // What was given up meanwhile stays given up.
    if ((await transaction.store.get(photo.id))?.espera === 1) await transaction.store.put(photo)
    await transaction.done
  } catch {
    // It waits on, and is refused again.
  }
}
