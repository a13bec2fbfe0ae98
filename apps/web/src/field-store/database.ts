import type { FieldChange, FieldPackage, KeptChange } from '@ensaio/domain'
import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from 'idb'

/** Whose package or entry it is: a person, the organisation in whose name it was taken, and the trial. */
export interface Owned {
  pessoa: string
  /** Empty where there is one organisation for everybody. */
  organizacao: string
  experimento: string
}
export interface StoredPackage extends Owned {
  marca: string
  pacote: FieldPackage
  levado_em: number
  /** Of the changes that came behind the package, and how many they are. */
  cursor: string
  recebidos: number
  /** The last sending that it holds the entries of. */
  envio: number
  /** Its plots, variables or dates are others at home by now. */
  mudou?: boolean
}
export interface OwnEntry extends Owned {
  id: string
  seq: number
  /** 1: it is not on the server yet. */
  espera: 0 | 1
  estado: 'espera' | 'aplicado' | 'igual' | 'conflito' | 'guardado' | 'recusado'
  razao: string | null
  /** In a copy: the name of who made it. */
  de?: string
  /** It waited on the server for a decision, and one was taken. */
  decidido?: boolean
  registro: FieldChange
  /** In which sending it went out, counted on this phone. */
  envio: number
  /** What it undoes, so that the next undoing goes on before it. */
  desfaz: string | null
}
/** A picture that is not on the server yet; its entry goes ahead of it. */
export interface OwnPhoto extends Owned {
  /** Its entry's. */
  id: string
  seq: number
  /** 1: it waits; 0: it was refused; 2: the person gave it up, and its bytes are gone. */
  espera: 0 | 1 | 2
  blob: Blob
  sha256: string
  /** Its plot and time as the person saw them: '101'. */
  parcela: string | null
  quando: string
  /** Why the server does not take it, for good. */
  razao: string | null
}
export interface SeenChange {
  chave: string
  n: number
  registro: KeptChange
}
interface Schema extends DBSchema {
  chaves: { key: string; value: unknown }
  pacotes: { key: [string, string, string]; value: StoredPackage }
  registros: {
    key: string
    value: OwnEntry
    indexes: { espera: [string, number, number]; ensaio: [string, string, string, number] }
  }
  recebidos: { key: [string, number]; value: SeenChange }
  fotos: { key: string; value: OwnPhoto; indexes: { espera: [string, number, number] } }
}
export type Database = IDBPDatabase<Schema>
export type Store = StoreNames<Schema>

const NAME = 'ensaio-campo'
/** It only grows: what an older application wrote is read by every newer one. */
const VERSION = 2

export const openDatabase = (lost: () => void): Promise<Database> =>
  openDB<Schema>(NAME, VERSION, {
    upgrade(database, before) {
      if (before < 1) {
        database.createObjectStore('chaves')
        database.createObjectStore('pacotes', { keyPath: ['pessoa', 'organizacao', 'experimento'] })
        const entries = database.createObjectStore('registros', { keyPath: 'id' })
        entries.createIndex('espera', ['pessoa', 'espera', 'seq'])
        entries.createIndex('ensaio', ['pessoa', 'organizacao', 'experimento', 'seq'])
        database.createObjectStore('recebidos', { keyPath: ['chave', 'n'] })
      }
      const photos = database.createObjectStore('fotos', { keyPath: 'id' })
      photos.createIndex('espera', ['pessoa', 'espera', 'seq'])
    },
    // A newer application wants to grow the store: its page was asked for by the person.
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
    terminated: lost,
  })

export const keyOf = ({ pessoa, organizacao, experimento }: Owned): string =>
  `${pessoa} ${organizacao} ${experimento}`

const RESERVE = 'reserva'
const RESERVE_BYTES = 2_000_000

/** Room that a full phone gives back when a value has to be kept. */
export async function keepReserve(database: Database): Promise<void> {
  if ((await database.getKey('chaves', RESERVE)) !== undefined) return
  const bytes = new Uint8Array(RESERVE_BYTES)
  for (let at = 0; at < bytes.length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536))
  await database.put('chaves', bytes, RESERVE)
}

/**
 * Writes what must not be lost: done only when the browser says that it is on the disk. A full phone gives its
 * reserve back and tries once more, but for pictures, which would take it from values. @throws what the store throws
 */
export async function writeSafely<S extends Store, T>(
  database: Database,
  stores: S[],
  work: (transaction: IDBPTransaction<Schema, S[], 'readwrite'>) => Promise<T>,
): Promise<T> {
  const once = async () => {
    const transaction = database.transaction(stores, 'readwrite', { durability: 'strict' })
    try {
      const result = await work(transaction)
      await transaction.done
      return result
    } catch (error) {
      transaction.done.catch(() => undefined)
      const reason = transaction.error ?? error
      try {
        transaction.abort()
      } catch {
        // It has ended by itself already.
      }
      throw reason
    }
  }
  try {
    return await once()
  } catch (error) {
    if (!isFull(error) || stores.some((store) => store === 'fotos')) throw error
    await database.delete('chaves', RESERVE)
    return once()
  }
}

export const isFull = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'QuotaExceededError'
