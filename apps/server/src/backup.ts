import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { BackupError } from './backup/backup-error.ts'
import { makeBackup } from './backup/make-backup.ts'
import { askNewPassphrase, passphraseFrom, refuseShort } from './backup/passphrase.ts'
import { readConfig } from './config.ts'
import { joinDatabase } from './database/open.ts'
import { loadRootSecret } from './secret/server-secret.ts'
import { chooseStore } from './storage/choose-store.ts'

const USAGE = 'Uso: npm run backup -- --out ARQUIVO [--passphrase | --passphrase-env NOME]'

/** npm run backup: everything in one file, beside a running server or without one. */
async function main(): Promise<void> {
  const { out, passphrase } = await readArguments()
  const config = readConfig(process.env)
  const database = await joinDatabase(config, (message) => console.error(message))
  try {
    const report = await makeBackup({
      pool: database.pool,
      store: await chooseStore(config),
      root: await loadRootSecret(config, database.pool.handle),
      out,
      passphrase,
    })
    const megabytes = (report.bytes / 1e6).toLocaleString('pt-BR', { maximumFractionDigits: 1 })
    console.log(
      `Cópia gravada em ${out}: ${report.tables} tabelas, ${report.rows} linhas, ${report.documents} documentos, ${megabytes} MB.`,
    )
    if (passphrase === null)
      console.log('O arquivo não está cifrado e traz os segredos do servidor: guarde-o como uma senha.')
    for (const name of report.lost)
      console.error(`O documento ${name} não está no armazenamento, ou não é mais o que foi enviado.`)
    if (report.lost.length > 0) process.exitCode = 2
  } finally {
    await database.close()
  }
}

async function readArguments(): Promise<{ out: string; passphrase: string | null }> {
  const { out, passphrase, ...rest } = parse()
  if (!out) throw new BackupError(USAGE)
  if (passphrase) return { out: resolve(out), passphrase: refuseShort(await askNewPassphrase()) }
  const name = rest['passphrase-env']
  return { out: resolve(out), passphrase: name ? refuseShort(passphraseFrom(name)) : null }
}

function parse() {
  try {
    return parseArgs({
      options: {
        out: { type: 'string' },
        passphrase: { type: 'boolean' },
        'passphrase-env': { type: 'string' },
      },
    }).values
  } catch {
    throw new BackupError(USAGE)
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
