import type { FieldPackage, KeptChange } from '@ensaio/domain'
import type { Partial } from '../api/field-client.ts'
import { type Database, keepReserve, keyOf, type Owned, type StoredPackage, writeSafely } from './database.ts'
import { entriesOf } from './entries.ts'
import { openTrial, type Trial } from './trial.ts'

export const SENDING = 'envio'
/** What is typed in a trial and not saved yet. */
export const draftsKey = ({ pessoa, experimento }: Pick<Owned, 'pessoa' | 'experimento'>): string =>
  `rascunhos ${pessoa} ${experimento}`
const partialKey = (owned: Owned) => `parte ${keyOf(owned)}`

const idOf = ({ pessoa, organizacao, experimento }: Owned): [string, string, string] => [
  pessoa,
  organizacao,
  experimento,
]

export const packageOf = (database: Database, owned: Owned) => database.get('pacotes', idOf(owned))

export const packagesOf = async (database: Database, pessoa: string): Promise<StoredPackage[]> =>
  (await database.getAll('pacotes')).filter((one) => one.pessoa === pessoa)

/** What has come of a package whose transfer was cut. */
export async function partialOf(database: Database, owned: Owned): Promise<Partial | null> {
  const kept = (await database.get('chaves', partialKey(owned))) as Partial | undefined
  return kept ?? null
}
export async function keepPartial(database: Database, owned: Owned, partial: Partial | null): Promise<void> {
  if (partial) await database.put('chaves', partial, partialKey(owned))
  else await database.delete('chaves', partialKey(owned))
}

/** In the place of an older one; what came behind that is in it. */
export async function keepPackage(
  database: Database,
  owned: Owned,
  { text, tag, sending }: { text: string; tag: string; sending: number },
): Promise<void> {
  // Its bytes have the hash that the server told.
  const pacote = JSON.parse(text) as FieldPackage
  await writeSafely(database, ['pacotes', 'recebidos', 'chaves'], async (transaction) => {
    void transaction.objectStore('pacotes').put({
      ...{ pessoa: owned.pessoa, organizacao: owned.organizacao, experimento: owned.experimento },
      ...{ marca: tag, pacote, levado_em: Date.now() },
      ...{ cursor: pacote.cursor, recebidos: 0, envio: sending },
    })
    void transaction.objectStore('recebidos').delete(rowsOf(owned))
    void transaction.objectStore('chaves').delete(partialKey(owned))
  })
  await keepReserve(database)
}

export async function dropPackage(database: Database, owned: Owned): Promise<void> {
  const sent = (await entriesOf(database, owned)).filter(({ espera }) => espera === 0)
  await writeSafely(database, ['pacotes', 'recebidos', 'registros', 'chaves'], async (transaction) => {
    void transaction.objectStore('pacotes').delete(idOf(owned))
    void transaction.objectStore('chaves').delete(draftsKey(owned))
    void transaction.objectStore('recebidos').delete(rowsOf(owned))
    for (const { id } of sent) void transaction.objectStore('registros').delete(id)
  })
}

const rowsOf = (owned: Owned) => IDBKeyRange.bound([keyOf(owned), 0], [keyOf(owned), Number.MAX_SAFE_INTEGER])

/** What everybody did behind the package, in the server's order. */
export async function keepSeen(
  database: Database,
  owned: Owned,
  { rows, from, cursor }: { rows: readonly KeptChange[]; from: string; cursor: string },
): Promise<void> {
  await writeSafely(database, ['pacotes', 'recebidos'], async (transaction) => {
    const packages = transaction.objectStore('pacotes')
    const held = await packages.get(idOf(owned))
    // It was taken anew, or another tab was here first.
    if (!held || held.cursor !== from) return
    rows.forEach((registro, at) => {
      void transaction.objectStore('recebidos').put({ chave: keyOf(owned), n: held.recebidos + at, registro })
    })
    void packages.put({ ...held, cursor, recebidos: held.recebidos + rows.length })
  })
}

/** Whether the trial is another at home than it was when it was taken. @returns whether that is news */
export async function noteStructure(
  database: Database,
  owned: Owned,
  estrutura: string | undefined,
): Promise<boolean> {
  if (estrutura === undefined) return false
  return writeSafely(database, ['pacotes'], async (transaction) => {
    const packages = transaction.objectStore('pacotes')
    const held = await packages.get(idOf(owned))
    const mudou = held?.pacote.estrutura !== undefined && held.pacote.estrutura !== estrutura
    if (!held || (held.mudou ?? false) === mudou) return false
    void packages.put({ ...held, mudou })
    return true
  })
}

/** Of a trial, how many conflicts wait for a decision. */
export interface Contested {
  experimento: string
  n: number
}

/** Trials of a person on this phone that have any. */
export async function contestedOf(database: Database, person: string): Promise<Contested[]> {
  const found: Contested[] = []
  for (const owned of await packagesOf(database, person)) {
    const n = (await loadTrial(database, owned, ''))?.conflicts().length ?? 0
    if (n > 0) found.push({ experimento: owned.experimento, n })
  }
  return found
}

/** A trial with all that this phone knows of it; null where it was not taken along. */
export async function loadTrial(database: Database, owned: Owned, me: string): Promise<Trial | null> {
  const held = await packageOf(database, owned)
  if (!held) return null
  const [seen, own] = await Promise.all([
    database.getAll('recebidos', rowsOf(owned)),
    entriesOf(database, owned),
  ])
  return openTrial(
    held,
    seen.map(({ registro }) => registro),
    own,
    me,
  )
}
