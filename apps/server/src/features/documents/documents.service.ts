import { createHash } from 'node:crypto'
import {
  can,
  codesInName,
  DOCUMENTS_PER_EXPERIMENT,
  type Document,
  LOOSE_DOCUMENTS,
  type MatchedTrial,
  problem,
} from '@ensaio/domain'
import { v7 as uuid } from 'uuid'
import type { Handle } from '../../database/handle.ts'
import type { Reader, Wall } from '../../database/wall.ts'
import type { Actor } from '../../http/contract-routes.ts'
import { type DocumentStore, MissingDocument } from '../../storage/document-store.ts'
import {
  bytesOf,
  countDocuments,
  type DocumentRow,
  deleteDocument,
  documentById,
  documentsOf,
  insertDocument,
  lockLoose,
  looseOf,
  namedAmong,
  ownDocuments,
  presentDocument,
  sameDocument,
  trialsWithCodes,
} from './documents.repository.ts'

/** A file that is safely stored and waits for the row that names it. */
export interface StoredFile {
  armazenado: string
  filename: string
  sha256: string
  tamanho: number
}

export interface Named {
  document: Document
  /** False when the same bytes were there already. */
  isNew: boolean
}

/** Files younger than this may belong to a request that is still at work. */
const SWEEP_AFTER_MS = 3_600_000
const SWEEP_BATCH = 500
const OWN_PAGE = 200
/** Longer than any request takes. */
const CERTAIN_AFTER_MS = 1_800_000

export function createDocuments(input: {
  wall: Wall
  /** Of the tables' owner, for what nobody asks for. */
  owner: Handle
  store: DocumentStore
}) {
  const { wall, owner, store } = input
  /** Files that a sweep found without a row, and when, by a clock that only goes forward. */
  const nameless = new Map<string, number>()

  /**
   * Gives a kept file its row; the caller holds the lock of the place. The same bytes are never twice in one
   * place: then the file goes and the row that was there is the answer. A place holds only so many.
   */
  const name = async (
    handle: Handle,
    file: StoredFile,
    // One that takes another's place needs none of its own.
    { replaces = false, ...place }: { experimentId: string | null; userId: string; replaces?: boolean },
  ): Promise<Named> => {
    const same = await sameDocument(handle, { ...place, sha256: file.sha256 })
    if (same) {
      await store.remove(file.armazenado)
      return { document: presentDocument(same), isNew: false }
    }
    const loose = place.experimentId === null
    const most = loose ? LOOSE_DOCUMENTS : DOCUMENTS_PER_EXPERIMENT
    if (!replaces && (await countDocuments(handle, place)) >= most)
      throw problem(loose ? 'document.loose_full' : 'document.experiment_full')
    const row = await insertDocument(handle, {
      ...file,
      id: uuid(),
      experimento_id: place.experimentId,
      created_by: place.userId,
    })
    return { document: presentDocument(row), isNew: true }
  }

  return {
    /** Stores the bytes first; the row follows in the caller's transaction, else the sweep takes the file. */
    async keep({ filename, bytes }: { filename: string; bytes: Uint8Array }): Promise<StoredFile> {
      const armazenado = `${uuid()}.pdf`
      await store.put(armazenado, bytes)
      return {
        armazenado,
        filename,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        tamanho: bytes.length,
      }
    },

    name,

    /** A document without an experiment. */
    nameLoose: (file: StoredFile, reader: Reader): Promise<Named> =>
      wall
        .for(reader)
        .transaction()
        .execute(async (transaction) => {
          await lockLoose(transaction, reader.id)
          return name(transaction, file, { experimentId: null, userId: reader.id })
        }),

    /** Whether a person's documents take as much room as is left for everybody; `left` in bytes. */
    fillsShare: async (userId: string, left: number): Promise<boolean> =>
      (await bytesOf(owner, userId)) > left,

    /** Removes a kept file whose row did not come to be. */
    async discard(file: StoredFile): Promise<void> {
      await store.remove(file.armazenado)
    },

    /** Of each file name the own trial of the longest code in it. */
    async match(actor: Actor, names: readonly string[]): Promise<(MatchedTrial | null)[]> {
      const codes = names.map(codesInName)
      const found = await trialsWithCodes(wall.for(actor), [...new Set(codes.flat())])
      const byCode = new Map(found.map((trial) => [trial.codigo_busca, trial]))
      return codes.map((inName) => {
        const code = inName.find((one) => byCode.has(one))
        const trial = code === undefined ? undefined : byCode.get(code)
        if (!trial) return null
        const { id, nome, codigo, tem_relatorio } = trial
        const subject = { owner: trial.created_by, organization: trial.organizacao_id }
        return { id, nome, codigo, tem_relatorio, permitido: can(actor, 'experiment.edit', subject).allowed }
      })
    },

    async list(
      reader: Reader,
      find: { experimentId: string | undefined; sha256: string | undefined; limit: number },
    ): Promise<Document[]> {
      return (await documentsOf(wall.for(reader), { ...find, userId: reader.id })).map(presentDocument)
    },

    /** One without a trial is its uploader's; where there is one organisation, an administrator's too. */
    async find(id: string, reader: Reader & { role: string; several: boolean }): Promise<DocumentRow> {
      const document = await documentById(wall.for(reader), id)
      const free = document !== null && document.experimento_id === null
      const theirs = document?.created_by === reader.id || (reader.role === 'admin' && !reader.several)
      if (!document || (free && !theirs)) throw problem('document.not_found')
      return document
    },

    open: (document: DocumentRow, range?: { start: number; end: number }) =>
      store.read(document.armazenado, range).catch((cause: unknown) => {
        throw cause instanceof MissingDocument ? problem('document.not_found', { cause }) : cause
      }),

    /** Every document of the acting organisation's own trials, one after the other. */
    async *ownedBy(reader: Reader): AsyncGenerator<DocumentRow> {
      for (let after: string | null = null; ; ) {
        const rows = await ownDocuments(wall.for(reader), after, OWN_PAGE)
        yield* rows
        after = rows.at(-1)?.id ?? null
        if (rows.length < OWN_PAGE) return
      }
    },

    /** Removes the row in the caller's transaction; call the answer once that is committed. */
    async remove(handle: Handle, id: string): Promise<() => Promise<void>> {
      const armazenado = await deleteDocument(handle, id)
      if (armazenado === null) throw problem('document.not_found')
      return () => store.remove(armazenado)
    },

    /** A person's documents without an experiment, for the export of their account. */
    looseOf: async (reader: Reader): Promise<Document[]> =>
      (await looseOf(wall.for(reader), reader.id)).map(presentDocument),

    /** Removes them in the caller's transaction; call the answer once that is committed. */
    async removeLoose(handle: Handle, userId: string): Promise<() => Promise<void>> {
      // An upload that is about to name its file comes before, or finds its person gone.
      await lockLoose(handle, userId)
      const rows = await looseOf(handle, userId, { gone: true })
      return async () => {
        for (const { armazenado } of rows) await store.remove(armazenado)
      }
    },

    /**
     * Removes files that no row names: those of requests that died between file and row. A file's age is told
     * by clocks that may jump or differ, so a file is only removed when an earlier sweep found it nameless too.
     */
    async sweep({ now = Date.now(), uptimeMs = performance.now() } = {}): Promise<number> {
      let swept = 0
      let batch: string[] = []
      const flush = async () => {
        const named = await namedAmong(owner, batch)
        for (const name of batch.filter((candidate) => !named.has(candidate))) {
          const since = nameless.get(name) ?? uptimeMs
          nameless.set(name, since)
          if (uptimeMs - since < CERTAIN_AFTER_MS) continue
          await store.remove(name)
          nameless.delete(name)
          swept += 1
        }
        for (const name of named) nameless.delete(name)
        batch = []
      }
      for await (const { name, modifiedAt } of store.entries()) {
        if (now - modifiedAt.getTime() < SWEEP_AFTER_MS) continue
        batch.push(name)
        if (batch.length >= SWEEP_BATCH) await flush()
      }
      await flush()
      return swept
    },
  }
}

export type Documents = ReturnType<typeof createDocuments>
