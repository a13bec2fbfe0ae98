import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { BackupError } from './backup/backup-error.ts'
import { readFrames } from './backup/frames.ts'
import { askPassphrase, passphraseFrom } from './backup/passphrase.ts'
import { checkBackup, restoreBackup } from './backup/restore-backup.ts'
import { readConfig } from './config.ts'
import { openDatabase } from './database/open.ts'
import { replaceSecretFile } from './secret/server-secret.ts'
import { chooseStore } from './storage/choose-store.ts'

const USAGE = 'Uso: npm run restore -- ARQUIVO [--passphrase-env NOME]'

/** npm run restore: fills the empty database and store that the configuration names from a backup. */
async function main(): Promise<void> {
  const { path, passphraseName } = readArguments()
  const file = await readFrames(path)
  const backup = await checkBackup(file, await passphraseFor(file.encrypted, passphraseName))
  const config = readConfig(process.env)
  const database = await openDatabase(
    config,
    (message) => console.error(message),
    async () => {},
  )
  try {
    const report = await restoreBackup({
      backup,
      pool: database.pool,
      store: await chooseStore(config),
      secret: {
        fixed: config.auth.secret === null ? null : Buffer.from(config.auth.secret),
        inDatabase: config.databaseUrl !== null,
        replaceFile: (bytes) => replaceSecretFile(config.dataDir, bytes),
      },
    })
    console.log(
      `Restaurado de ${path}, de ${file.createdAt}: ${report.tables} tabelas, ${report.rows} linhas, ${report.documents} documentos.`,
    )
    for (const name of report.foreign) console.error(`A tabela ${name} não é do Ensaio e ficou de fora.`)
    for (const name of report.lost) console.error(`O documento ${name} já faltava quando a cópia foi feita.`)
  } finally {
    await database.close()
  }
}

function readArguments(): { path: string; passphraseName: string | undefined } {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { 'passphrase-env': { type: 'string' } },
    })
    const [path] = positionals
    if (path && positionals.length === 1)
      return { path: resolve(path), passphraseName: values['passphrase-env'] }
  } catch {
    // An option that there is not.
  }
  throw new BackupError(USAGE)
}

async function passphraseFor(encrypted: boolean, name: string | undefined): Promise<string | null> {
  if (!encrypted) return null
  return name ? passphraseFrom(name) : askPassphrase('Senha da cópia: ')
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
