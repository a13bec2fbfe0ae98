import { type ChangeResult, DECIDED, MOST_SENT, SENT_BYTES } from '@ensaio/domain'
import { type Asked, askField, type FieldAnswer } from '../api/field-client.ts'
import { type Database, type OwnEntry, type Owned, writeSafely } from './database.ts'
import { adopt, countWaiting, DEVICE, entriesOf, SKEW, waitingOf } from './entries.ts'
import { keepSeen, noteStructure, packageOf, packagesOf, SENDING } from './packages.ts'
import { type PhotoPause, sendPhotos } from './photos.ts'

const LOCK = 'ensaio-campo-envio'
const NOT_FROM_THERE: ReadonlySet<string | null> = new Set(['device.revoked', 'permission.denied'])

/** What one round of sending came to. */
export type Round =
  /** Idle: there was nothing to ask the server for, so that it was not heard of. */
  | { kind: 'done' | 'idle' | 'unreached' | 'busy' | 'signed-out' | 'revoked' }
  | { kind: 'later'; afterS: number }

/** Of which trial others' work is asked for besides those that something is sent of: of the open one, or of all. */
type Active = Owned | 'all' | null

interface Needs {
  database: Database
  person: string
  /** Null: the session has ended; undefined: nobody could be asked. */
  token(renew: boolean): Promise<string | null | undefined>
  progress(at: number, of: number): void
  photos: { pause: PhotoPause; wifiOnly(): Promise<boolean>; changed(): Promise<void> }
  /** What became of entries, as it is kept now. */
  settled(entries: readonly OwnEntry[]): void
  /** Something came that is not simply this phone's own entry as it was made. */
  news(): void
  /** A decision came: which conflicts it ended is in a new package. */
  stale(owned: Owned): void
}

/**
 * Sends all that waits of a person, one sender at a time in this browser. What has no answer of ours stays as it is
 * and is sent again: the server counts each entry once.
 */
export function sendWaiting(needs: Needs, active: Active): Promise<Round> {
  const run = () => sendAll(needs, active)
  if (!('locks' in navigator)) return run()
  return navigator.locks.request(
    LOCK,
    { ifAvailable: true },
    (lock): Promise<Round> => (lock ? run() : Promise.resolve({ kind: 'busy' })),
  )
}

async function sendAll(needs: Needs, active: Active): Promise<Round> {
  const { database, person } = needs
  const touched = new Map<string, Owned>()
  const heard = active === 'all' ? await packagesOf(database, person) : active ? [active] : []
  for (const owned of heard) if (owned.pessoa === person) touched.set(owned.experimento, owned)
  const of = await countWaiting(database, person)
  let [at, most] = [0, MOST_SENT]
  for (;;) {
    const batch = batchOf(await waitingOf(database, person, MOST_SENT), most)
    const [first] = batch
    if (!first) break
    needs.progress(Math.min(of, at + batch.length), of)
    const body = {
      aparelho: first.registro.aparelho,
      registros: batch.map(({ registro }) => registro),
      pendentes: Math.max(0, (await countWaiting(database, person)) - batch.length),
    }
    const asked = Date.now()
    const answer = await withToken(needs, first.organizacao, (how) =>
      askField('sendFieldChanges', { body }, how, (given) => answersAll(given, batch)),
    )
    if (answer.kind === 'signed-out') return answer
    if (answer.kind === 'none') return { kind: 'unreached' }
    if (answer.kind === 'refused') {
      // What came in a copy of another device goes out as this one's, where the other may send nothing any more.
      if (NOT_FROM_THERE.has(answer.code) && (await adopt(database, batch))) continue
      if (answer.code === 'device.revoked') return { kind: 'revoked' }
      if (answer.status === 413 && batch.length > 1) {
        most = Math.ceil(batch.length / 2)
        continue
      }
      return answer.retryAfterS === null
        ? { kind: 'unreached' }
        : { kind: 'later', afterS: answer.retryAfterS }
    }
    const { resultados, hora_servidor, aparelho_novo } = answer.body
    const skew = Date.parse(hora_servidor) - (asked + Date.now()) / 2
    needs.settled(await keepResults(database, batch, resultados, { skew, device: aparelho_novo ?? null }))
    for (const entry of batch) touched.set(entry.experimento, entry)
    at += batch.length
  }
  let unheard: Round | null = null
  for (const owned of touched.values()) {
    const round = await pull(needs, owned)
    if (round?.kind === 'revoked' || round?.kind === 'signed-out') return round
    // One that cannot be heard of keeps neither the others nor photos back.
    unheard ??= round
  }
  for (const owned of touched.values()) if (isDue(owned)) await askAgain(needs, owned).catch(() => undefined)
  const photos = await sendPhotos({
    ...{ database, person, ...needs.photos, progress: needs.progress },
    ask: (organization, work) => withToken(needs, organization, work),
  })
  if (photos === 'values') return sendAll(needs, active)
  if (photos !== 'done') return { kind: photos }
  return unheard ?? { kind: touched.size > 0 ? 'done' : 'idle' }
}

/** Entries of a trial that are asked about again at once, and how often they are. */
const MOST_ASKED_AGAIN = 20
const ASK_AGAIN_MS = 10 * 60_000
const askedAgain = new Map<string, { at: number; seq: number }>()
function isDue({ experimento }: Owned): boolean {
  const last = askedAgain.get(experimento)
  return last === undefined || performance.now() - last.at > ASK_AGAIN_MS
}

/** Whether what waits on the server for a decision has one by now: the same entries have the same answers, and that. */
async function askAgain(needs: Needs, owned: Owned): Promise<void> {
  const { database, person } = needs
  const open = (await entriesOf(database, owned)).filter(
    ({ estado, decidido }) => (estado === 'guardado' || estado === 'conflito') && !decidido,
  )
  // Round and round, so that all have their turn.
  const from = askedAgain.get(owned.experimento)?.seq ?? 0
  const behind = open.filter(({ seq }) => seq > from)
  const batch = batchOf(behind.length > 0 ? behind : open, MOST_ASKED_AGAIN)
  const [first] = batch
  askedAgain.set(owned.experimento, { at: performance.now(), seq: batch.at(-1)?.seq ?? 0 })
  if (!first) return
  const body = {
    aparelho: first.registro.aparelho,
    registros: batch.map(({ registro }) => registro),
    pendentes: await countWaiting(database, person),
  }
  const answer = await withToken(needs, first.organizacao, (how) =>
    askField('sendFieldChanges', { body }, how, (given) => answersAll(given, batch)),
  )
  if (answer.kind !== 'ok') return
  const told = batch.filter((_, n) => answer.body.resultados[n]?.motivo === DECIDED)
  if (told.length === 0) return
  const decided = await writeSafely(database, ['registros'], async (transaction) => {
    const store = transaction.objectStore('registros')
    const found: OwnEntry[] = []
    // One that went with its trial meanwhile stays away.
    for (const { id } of told) {
      const held = await store.get(id)
      if (held) found.push({ ...held, decidido: true, razao: DECIDED })
    }
    for (const entry of found) void store.put(entry)
    return found
  })
  needs.settled(decided)
  needs.news()
}

const UTF_8 = new TextEncoder()

/** One trial's organisation and one device's entries, as many as fit in a request. */
function batchOf(waiting: readonly OwnEntry[], most: number): OwnEntry[] {
  const [first] = waiting
  if (!first) return []
  const batch: OwnEntry[] = []
  let bytes = 0
  for (const entry of waiting) {
    if (entry.organizacao !== first.organizacao || entry.registro.aparelho !== first.registro.aparelho) break
    bytes += UTF_8.encode(JSON.stringify(entry.registro)).length + 1
    if (batch.length > 0 && (bytes > SENT_BYTES || batch.length >= most)) break
    batch.push(entry)
  }
  return batch
}

/** One result each, in order. */
function answersAll(given: unknown, batch: readonly OwnEntry[]): boolean {
  const { resultados, hora_servidor } = (given ?? {}) as { resultados?: unknown; hora_servidor?: unknown }
  return (
    typeof hora_servidor === 'string' &&
    Array.isArray(resultados) &&
    resultados.length === batch.length &&
    resultados.every((one: { id?: unknown }, n) => one.id === batch[n]?.id || one.id === null)
  )
}

async function keepResults(
  database: Database,
  batch: readonly OwnEntry[],
  results: readonly ChangeResult[],
  { skew, device }: { skew: number; device: string | null },
): Promise<OwnEntry[]> {
  return writeSafely(database, ['registros', 'chaves'], async (transaction) => {
    const keys = transaction.objectStore('chaves')
    const before = await keys.get(SENDING)
    const envio = (typeof before === 'number' ? before : 0) + 1
    void keys.put(envio, SENDING)
    void keys.put(Math.round(skew), SKEW)
    if (device !== null) void keys.put(device, DEVICE)
    const settled = batch.flatMap((entry, n): OwnEntry[] => {
      const result = results[n]
      return result
        ? [{ ...entry, espera: 0, estado: result.estado, razao: result.motivo, envio, decidido: false }]
        : []
    })
    for (const entry of settled) void transaction.objectStore('registros').put(entry)
    return settled
  })
}

/** What all did in a trial since this phone last heard of it. */
async function pull(needs: Needs, owned: Owned): Promise<Round | null> {
  for (;;) {
    const held = await packageOf(needs.database, owned)
    if (!held) return null
    const answer = await withToken(needs, owned.organizacao, (how) =>
      askField(
        'fieldChanges',
        { params: { id: owned.experimento }, query: { after: held.cursor } },
        how,
        (given) => Array.isArray((given as { registros?: unknown } | null)?.registros),
      ),
    )
    if (answer.kind === 'signed-out') return answer
    if (answer.kind === 'none') return { kind: 'unreached' }
    // Nothing waited, and the device is somebody's no more all the same.
    if (answer.kind === 'refused' && answer.code === 'device.revoked') return { kind: 'revoked' }
    // The right was withdrawn, or the trial is gone: what was recorded is kept there all the same.
    if (answer.kind === 'refused') return null
    const { registros, cursor, mais, estrutura } = answer.body
    if (await noteStructure(needs.database, owned, estrutura)) needs.news()
    if (registros.length === 0) return null
    await keepSeen(needs.database, owned, { rows: registros, from: held.cursor, cursor })
    const device = await needs.database.get('chaves', DEVICE)
    const plain = registros.every(
      ({ aparelho, estado }) => aparelho === device && (estado === 'aplicado' || estado === 'igual'),
    )
    if (!plain) needs.news()
    if (registros.some(({ tipo }) => tipo === 'decisao')) needs.stale(owned)
    if (!mais) return null
  }
}

/** Asks with a token; one that the server does not take is renewed once. */
async function withToken<T>(
  { token }: Needs,
  organization: string,
  ask: (how: Asked) => Promise<FieldAnswer<T>>,
): Promise<FieldAnswer<T> | { kind: 'signed-out' }> {
  for (const renew of [false, true]) {
    const held = await token(renew)
    if (held === undefined) return { kind: 'none' }
    if (held === null) return { kind: 'signed-out' }
    let answer = await ask({ token: held, organization: organization === '' ? null : organization })
    // No member of it any more: in nobody's name, the server keeps what was recorded before.
    if (answer.kind === 'refused' && answer.code === 'organization.not_found' && organization !== '')
      answer = await ask({ token: held, organization: null })
    if (answer.kind !== 'refused' || answer.status !== 401) return answer
  }
  return { kind: 'signed-out' }
}
