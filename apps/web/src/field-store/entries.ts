import type { FieldChange } from '@ensaio/domain'
import { v7 } from 'uuid'
import { copyLater } from './copies.ts'
import { type Database, type OwnEntry, type Owned, type OwnPhoto, writeSafely } from './database.ts'

/** Tabs tell each other on it that something changed. */
export const CHANNEL = 'ensaio-campo'

/** Pages of the field look again. */
export function tellPages(): void {
  if (!('BroadcastChannel' in globalThis)) return
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage('mudou')
  channel.close()
}
export const DEVICE = 'aparelho'
const SEQ = 'seq'
export const SKEW = 'desvio'

/** What is recorded; the store adds its id, its number, the device and the time. */
export type Draft = Pick<FieldChange, 'tipo' | 'parcela' | 'valor' | 'rotulos'> &
  Partial<
    Pick<
      FieldChange,
      'variavel' | 'avaliacao' | 'amostra' | 'motivo' | 'base' | 'decide' | 'confirmado' | 'posicao'
    >
  > & { desfaz?: string; foto?: { blob: Blob; sha256: string } }

/** The phone's clock with its zone: '2026-03-12T09:30:00.000-03:00'. */
export function localInstant(now = new Date()): string {
  const zone = -now.getTimezoneOffset()
  const local = new Date(now.getTime() + zone * 60_000).toISOString().slice(0, -1)
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0')
  return `${local}${zone < 0 ? '-' : '+'}${two(Math.abs(zone) / 60)}:${two(Math.abs(zone) % 60)}`
}

/**
 * Keeps entries for good, all of them or none: done when they are on the disk. Their numbers are given in the same
 * transaction, so that two tabs never give one twice. @throws what the store throws
 */
export async function record(
  database: Database,
  owned: Owned,
  { pacote, drafts }: { pacote: number; drafts: readonly Draft[] },
): Promise<OwnEntry[]> {
  const pictures = drafts.some(({ tipo }) => tipo === 'foto')
  const stores: ('chaves' | 'registros' | 'fotos')[] = ['chaves', 'registros']
  const made = await writeSafely(database, pictures ? [...stores, 'fotos'] : stores, async (transaction) => {
    const keys = transaction.objectStore('chaves')
    const [device, last, skew] = await Promise.all([keys.get(DEVICE), keys.get(SEQ), keys.get(SKEW)])
    const aparelho = typeof device === 'string' ? device : v7()
    if (aparelho !== device) void keys.put(aparelho, DEVICE)
    let seq = typeof last === 'number' ? last : 0
    const entries = drafts.map(({ desfaz, foto, ...draft }): OwnEntry => {
      seq += 1
      const registro: FieldChange = {
        ...{ v: 1, id: v7(), aparelho, seq, nome: null, experimento: owned.experimento, pacote },
        ...{ variavel: null, avaliacao: null, amostra: null, motivo: null, base: null, decide: null },
        ...{ confirmado: false, posicao: null },
        arquivo: foto ? { sha256: foto.sha256, tamanho: foto.blob.size } : null,
        ...draft,
        quando: localInstant(),
        desvio_ms: typeof skew === 'number' ? skew : null,
      }
      const of = { pessoa: owned.pessoa, organizacao: owned.organizacao, experimento: owned.experimento }
      if (foto)
        void transaction.objectStore('fotos').add({
          ...{ ...of, id: registro.id, seq, espera: 1, razao: null },
          ...{ parcela: registro.rotulos.parcela, quando: registro.quando },
          ...foto,
        })
      return {
        ...{ ...of, id: registro.id, seq, espera: 1, estado: 'espera', razao: null, registro },
        ...{ envio: 0, desfaz: desfaz ?? null },
      }
    })
    const store = transaction.objectStore('registros')
    for (const entry of entries) void store.add(entry)
    void keys.put(seq, SEQ)
    // A picture that is taken back goes at once, wherever it was going.
    for (const { tipo, desfaz } of drafts)
      if (tipo === 'foto' && desfaz) await forgetPicture(transaction.objectStore('fotos'), desfaz)
    return entries
  })
  copyLater(made)
  return made
}

interface Pictures {
  get(id: string): Promise<OwnPhoto | undefined>
  put(photo: OwnPhoto): Promise<unknown>
}
/** Its bytes go; that it was here stays known. */
async function forgetPicture(pictures: Pictures, id: string): Promise<void> {
  const held = await pictures.get(id)
  if (held) await pictures.put({ ...held, espera: 2, blob: new Blob() })
}

/**
 * Waiting entries that another device made become this one's, with its next numbers. False: they are its own.
 */
export async function adopt(database: Database, entries: readonly OwnEntry[]): Promise<boolean> {
  return writeSafely(database, ['chaves', 'registros'], async (transaction) => {
    const keys = transaction.objectStore('chaves')
    const [device, last] = await Promise.all([keys.get(DEVICE), keys.get(SEQ)])
    const aparelho = typeof device === 'string' ? device : v7()
    if (entries.every(({ registro }) => registro.aparelho === aparelho)) return false
    if (aparelho !== device) void keys.put(aparelho, DEVICE)
    let seq = typeof last === 'number' ? last : 0
    for (const entry of entries) {
      seq += 1
      const registro = { ...entry.registro, aparelho, seq }
      void transaction.objectStore('registros').put({ ...entry, seq, registro })
    }
    void keys.put(seq, SEQ)
    return true
  })
}

const ALL = (parts: readonly (string | number)[]) =>
  IDBKeyRange.bound([...parts, 0], [...parts, Number.MAX_SAFE_INTEGER])

/** Pictures of a person that are here still, in the order in which they were taken: what waits, was refused or given up. */
export const photosHere = (database: Database, pessoa: string) =>
  database.getAllFromIndex(
    'fotos',
    'espera',
    IDBKeyRange.bound([pessoa, 0, 0], [pessoa, 2, Number.MAX_SAFE_INTEGER]),
  )
/** The first that waits, behind one. */
export const nextPhoto = async (database: Database, pessoa: string, after: number) =>
  (
    await database.getAllFromIndex(
      'fotos',
      'espera',
      IDBKeyRange.bound([pessoa, 1, after], [pessoa, 1, Number.MAX_SAFE_INTEGER], true),
      1,
    )
  )[0]

/** Entries and pictures that are not on the server; a picture whose entry waits counts with it. */
export async function countUnsent(database: Database, pessoa: string): Promise<number> {
  const [entries, photos] = await Promise.all([
    countWaiting(database, pessoa),
    database.getAllKeysFromIndex('fotos', 'espera', ALL([pessoa, 1])),
  ])
  const announced = await Promise.all(photos.map((id) => database.get('registros', id)))
  // One that is not here any more was sent.
  return entries + announced.filter((entry) => entry?.espera !== 1).length
}

/** What waits of a person, in the order in which it was recorded. */
export const waitingOf = (database: Database, pessoa: string, most = Number.MAX_SAFE_INTEGER) =>
  database.getAllFromIndex('registros', 'espera', ALL([pessoa, 1]), Math.min(most, 0xffffffff))

export const countWaiting = (database: Database, pessoa: string): Promise<number> =>
  database.countFromIndex('registros', 'espera', ALL([pessoa, 1]))

export const entriesOf = (database: Database, { pessoa, organizacao, experimento }: Owned) =>
  database.getAllFromIndex('registros', 'ensaio', ALL([pessoa, organizacao, experimento]))
