import { Problem } from '@ensaio/domain'
import { ConfigError, readConfig } from './config.ts'
import { StillInUse } from './database/cluster-lock.ts'
import { joinDatabase } from './database/open.ts'
import { createAdmin } from './features/accounts/admin/admin.service.ts'
import { CommandError, runCommand } from './features/accounts/admin/admin-commands.ts'
import { postOffice } from './features/accounts/letters/post-office.ts'
import { oneTimeCodes } from './features/accounts/proofs/one-time.ts'
import { mailQueue } from './mail/mail-queue.ts'
import { loadServerSecret } from './secret/server-secret.ts'

/** npm run admin: works beside a running server, or on its data folder when there is none. */
async function main(): Promise<void> {
  const config = readConfig(process.env)
  const database = await joinDatabase(config, (message) => console.error(message))
  try {
    const { handle } = database.pool
    const secret = await loadServerSecret(config, handle)
    const queue = mailQueue({
      handle,
      // The running server, or the next one, delivers.
      deliver: () => Promise.reject(new Error('not delivered here')),
      seal: (text) => secret.seal('mail', text),
      open: (sealed) => secret.open('mail', sealed),
      log: console.error,
    })
    const post = { ...postOffice({ queue, testOutbox: false, log: console.error }), wake: () => {} }
    const lines = await runCommand(process.argv.slice(2), {
      handle,
      admin: createAdmin({ handle, post }),
      codes: oneTimeCodes({ secret }),
      secret,
      siteUrl: config.siteUrl,
    })
    for (const line of lines) console.log(line)
    await queue.stop()
  } finally {
    await database.close()
  }
}

main().catch((error: unknown) => {
  const plain = [CommandError, ConfigError, StillInUse, Problem].some((kind) => error instanceof kind)
  console.error(plain && error instanceof Error ? error.message : error)
  process.exitCode = 1
})
