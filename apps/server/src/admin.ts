import { Problem } from '@ensaio/domain'
import { ConfigError, readConfig } from './config.ts'
import { StillInUse } from './database/cluster-lock.ts'
import { joinDatabase } from './database/open.ts'
import { CommandError, runCommand } from './features/accounts/admin/admin-commands.ts'
import { loadServerSecret } from './secret/server-secret.ts'

/** npm run admin: works beside a running server, or on its data folder when there is none. */
async function main(): Promise<void> {
  const config = readConfig(process.env)
  const database = await joinDatabase(config, (message) => console.error(message))
  try {
    const { handle } = database.pool
    const lines = await runCommand(process.argv.slice(2), {
      handle,
      secret: await loadServerSecret(config, handle),
      siteUrl: config.siteUrl,
      tokenHours: config.brapiTokenHours,
    })
    for (const line of lines) console.log(line)
  } finally {
    await database.close()
  }
}

main().catch((error: unknown) => {
  const plain = [CommandError, ConfigError, StillInUse, Problem].some((kind) => error instanceof kind)
  console.error(plain && error instanceof Error ? error.message : error)
  process.exitCode = 1
})
