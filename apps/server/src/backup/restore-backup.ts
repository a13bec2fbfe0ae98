import { migrate, migrationNames } from '../database/migrate.ts'
import type { Pool } from '../database/pool.ts'
import { fingerprintOf } from '../secret/server-secret.ts'
import type { DocumentStore } from '../storage/document-store.ts'
import { BackupError } from './backup-error.ts'
import { type Entry, type HeadOf, readEntries } from './entries.ts'
import type { BackupFile } from './frames.ts'
import { load, migrateTo, targetState } from './tables.repository.ts'

export interface RestoreReport {
  tables: number
  rows: number
  documents: number
  lost: string[]
  /** Tables of another program in the database that was copied; they were left out. */
  foreign: string[]
}

/** Where the server that will run on the target has its root secret. */
export interface TargetSecret {
  /** AUTH_SECRET, when it is set. */
  fixed: Buffer | null
  /** Whether the secret goes to a row of the database; else to the file. */
  inDatabase: boolean
  /** Puts it into the data folder's file. @returns how to take that back */
  replaceFile(bytes: Buffer): () => void
}

/** A backup that was read to its end and found whole. */
export interface CheckedBackup {
  start: HeadOf<'início'>
  root: HeadOf<'segredo'>
  tables: string[]
  /** All of it once more, checked again. */
  entries(): AsyncGenerator<Entry>
}

/** Reads the whole file without touching anything. @throws BackupError */
export async function checkBackup(file: BackupFile, passphrase: string | null): Promise<CheckedBackup> {
  const entries = () => readEntries(file.frames(passphrase))
  let start: HeadOf<'início'> | undefined
  let root: HeadOf<'segredo'> | undefined
  const tables: string[] = []
  for await (const { head } of entries()) {
    if (head.tipo === 'início') start = head
    if (head.tipo === 'segredo') root = head
    if (head.tipo === 'tabela') tables.push(head.nome)
  }
  if (!start || !root) throw new BackupError('O arquivo não traz uma cópia inteira. Nada foi restaurado.')
  refuseOtherVersion(start)
  return { start, root, tables, entries }
}

/** Fills an empty database and an empty store from a backup; if anything fails, they are left empty. */
export async function restoreBackup(input: {
  backup: CheckedBackup
  pool: Pool
  store: DocumentStore
  secret: TargetSecret
}): Promise<RestoreReport> {
  const { backup, pool, store, secret } = input
  const { start, root } = backup
  refuseOtherSecret(root, secret)
  await refuseUsedTarget(pool, store, start)

  await migrateTo(pool.handle, start.migracoes)
  let takeSecretBack = () => {}
  try {
    const report = await load(pool, backup.tables, async (loading) => {
      const linhas: Record<string, number> = {}
      const foreign: string[] = []
      let documents = 0
      let end: HeadOf<'fim'> | undefined
      for await (const { head, content } of backup.entries()) {
        if (head.tipo === 'tabela' && loading.knows(head))
          linhas[head.nome] = await loading.fill(head, content)
        else if (head.tipo === 'tabela') foreign.push(head.nome)
        if (head.tipo === 'documento') {
          await store.put(head.nome, await gather(content))
          documents += 1
        }
        if (head.tipo === 'fim') end = head
      }
      if (!end || documents !== end.documentos || !sameCounts(linhas, end.linhas, foreign))
        throw new BackupError('O que foi lido não confere com o que a cópia diz conter. Nada foi restaurado.')
      await loading.dropDocuments(end.apagados)
      await loading.continueSequences(start.sequencias)
      const bytes = root.valor === null ? null : Buffer.from(root.valor, 'base64')
      if (bytes && secret.inDatabase) await loading.keepRoot(bytes)
      if (bytes && !secret.inDatabase) takeSecretBack = secret.replaceFile(bytes)
      const rows = Object.values(linhas).reduce((sum, count) => sum + count, 0)
      return { tables: Object.keys(linhas).length, rows, documents, lost: end.perdidos, foreign }
    })
    await migrate(pool.handle)
    return report
  } catch (error) {
    takeSecretBack()
    for await (const { name } of store.entries()) await store.remove(name).catch(() => undefined)
    throw error
  }
}

function refuseOtherVersion({ migracoes }: HeadOf<'início'>): void {
  const known = new Set(migrationNames())
  if (migracoes.some((name) => !known.has(name)))
    throw new BackupError(
      'A cópia foi feita por uma versão mais nova do Ensaio. Atualize antes de restaurar.',
    )
}

function refuseOtherSecret(root: HeadOf<'segredo'>, { fixed }: TargetSecret): void {
  if (fixed && fingerprintOf(fixed) !== root.impressao)
    throw new BackupError(
      root.valor === null
        ? 'AUTH_SECRET não é o do servidor que fez a cópia. Defina o mesmo valor.'
        : 'A cópia traz o segredo do servidor que a fez. Restaure sem AUTH_SECRET.',
    )
  if (!fixed && root.valor === null)
    throw new BackupError('O servidor que fez a cópia usava AUTH_SECRET. Defina o mesmo valor.')
}

async function refuseUsedTarget(
  pool: Pool,
  store: DocumentStore,
  { migracoes }: HeadOf<'início'>,
): Promise<void> {
  const target = await targetState(pool)
  if (target.used)
    throw new BackupError('O banco de destino já tem dados. Restaure em um banco ou uma pasta vazia.')
  for await (const _ of store.entries())
    throw new BackupError('O destino já tem documentos. Restaure em uma pasta ou um bucket vazio.')
  if (target.others > 0)
    throw new BackupError('Há um Ensaio usando o banco de destino. Pare-o antes de restaurar.')
  const ahead = target.migrations.filter((name) => !migracoes.includes(name))
  if (ahead.length > 0)
    throw new BackupError(
      'O banco de destino já foi preparado por uma versão mais nova que a da cópia. Use um banco vazio.',
    )
}

async function gather(content: Entry['content']): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of content) pieces.push(piece)
  return Buffer.concat(pieces)
}

const sameCounts = (some: Record<string, number>, all: Record<string, number>, without: readonly string[]) =>
  Object.keys(some).length + without.length === Object.keys(all).length &&
  Object.entries(some).every(([name, count]) => all[name] === count)
