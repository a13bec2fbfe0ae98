import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Pool } from '../database/pool.ts'
import { fingerprintOf, type RootSecret } from '../secret/server-secret.ts'
import { type DocumentStore, MissingDocument } from '../storage/document-store.ts'
import { BackupError } from './backup-error.ts'
import { type HeadOf, writeEntry } from './entries.ts'
import { type FrameWriter, frameWriter } from './frames.ts'
import { inSnapshot, isNamed, type Snapshot } from './tables.repository.ts'

export interface BackupReport {
  tables: number
  rows: number
  documents: number
  bytes: number
  /** Stored names of documents whose file was missing or damaged. */
  lost: string[]
}

/** One file with everything: the rows of one moment and the documents that they name. */
export async function makeBackup(input: {
  pool: Pool
  store: DocumentStore
  root: RootSecret
  out: string
  passphrase: string | null
}): Promise<BackupReport> {
  const { pool, store, root, out, passphrase } = input
  if (existsSync(out)) throw new BackupError(`O arquivo ${out} já existe.`)
  const draft = `${out}.parcial`
  const file = await create(draft)
  try {
    const writer = await frameWriter(file, passphrase)
    const end = await inSnapshot(pool, async (snapshot) => {
      const { migrations: migracoes, sequences: sequencias } = snapshot
      await writeEntry(writer, { tipo: 'início', migracoes, sequencias })
      await writeEntry(writer, {
        tipo: 'segredo',
        valor: root.origin === 'environment' ? null : root.bytes.toString('base64'),
        impressao: fingerprintOf(root.bytes),
      })
      const linhas = await writeTables(writer, snapshot)
      return { tipo: 'fim' as const, linhas, ...(await writeDocuments(writer, snapshot, { pool, store })) }
    })
    await writeEntry(writer, end)
    const { bytes } = await writer.end()
    await file.close()
    await rename(draft, out)
    await syncFolderOf(out)
    const rows = Object.values(end.linhas).reduce((sum, count) => sum + count, 0)
    const tables = Object.keys(end.linhas).length
    return { tables, rows, documents: end.documentos, bytes, lost: end.perdidos }
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(draft, { force: true })
    throw error
  }
}

async function writeTables(writer: FrameWriter, snapshot: Snapshot): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of snapshot.tables) {
    const { stream, rows } = snapshot.copy(table)
    await writeEntry(writer, { tipo: 'tabela', ...table }, stream)
    counts[table.nome] = rows()
  }
  return counts
}

async function writeDocuments(
  writer: FrameWriter,
  snapshot: Snapshot,
  { pool, store }: { pool: Pool; store: DocumentStore },
): Promise<Pick<HeadOf<'fim'>, 'documentos' | 'apagados' | 'perdidos'>> {
  const found = { documentos: 0, apagados: [] as string[], perdidos: [] as string[] }
  for await (const { armazenado, sha256 } of snapshot.documents()) {
    const content = await store.read(armazenado).catch((error: unknown) => {
      if (error instanceof MissingDocument) return null
      throw error
    })
    if (!content) {
      // Somebody deleted it since the snapshot, or it is really gone.
      const list = (await isNamed(pool, armazenado)) ? found.perdidos : found.apagados
      list.push(armazenado)
      continue
    }
    const hash = createHash('sha256')
    await writeEntry(
      writer,
      { tipo: 'documento', nome: armazenado },
      (async function* () {
        for await (const piece of content) {
          hash.update(piece as Buffer)
          yield piece as Buffer
        }
      })(),
    )
    found.documentos += 1
    if (hash.digest('hex') !== sha256) found.perdidos.push(armazenado)
  }
  return found
}

function create(path: string): Promise<FileHandle> {
  return open(path, 'w', 0o600).catch((cause: unknown) => {
    throw new BackupError(`O arquivo ${path} não pode ser criado.`, { cause })
  })
}

async function syncFolderOf(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
