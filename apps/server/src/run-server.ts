import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { readConfig } from './config.ts'
import { openServerDatabase } from './database/open.ts'
import { createExtractionPool } from './jobs/extraction-pool.ts'
import { chooseSandbox, sandboxWarning } from './jobs/sandbox.ts'
import { chooseTransport } from './mail/choose-transport.ts'
import { WrongSecret } from './secret/server-secret.ts'
import { chooseStore } from './storage/choose-store.ts'

const WEB_FOLDER = fileURLToPath(new URL('../../web/dist/', import.meta.url))
const STOP_TIMEOUT_MS = 20_000
const FINISH_TIMEOUT_MS = 8_000

/**
 * Starts every part in order and stops them in the opposite one, on Ctrl-C, SIGTERM or the death of the script
 * that started us. `prepare` runs before the address is open.
 */
export async function runServer(
  prepare: (app: FastifyInstance) => Promise<void> = async () => {},
): Promise<void> {
  const config = readConfig(process.env)
  const stops: (() => Promise<void>)[] = []
  let stopping = false
  const stop = async (exitCode: number) => {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref()
    for (const part of stops.reverse()) await part().catch((error: unknown) => console.error(error))
    process.exit(exitCode)
  }
  const database = await openServerDatabase(config, (message) => console.error(message))
  stops.push(() => database.close())
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(0))
  if (process.channel) process.on('disconnect', () => stop(0))
  try {
    const sandbox = chooseSandbox()
    const extractor = createExtractionPool({ size: config.readers, sandbox })
    stops.push(() => extractor.close())
    const app = await buildApp({
      config,
      pool: database.pool,
      owner: database.owner,
      store: await chooseStore(config),
      extractor,
      deliver: chooseTransport(config),
      webFolder: WEB_FOLDER,
    })
    stops.push(async () => {
      // Requests at work may finish; streams that never do are cut.
      const cut = setTimeout(() => app.server.closeAllConnections(), FINISH_TIMEOUT_MS)
      await app.close()
      clearTimeout(cut)
    })
    await prepare(app)
    await app.listen({ port: config.port, host: config.host })
    console.log(`Ensaio pronto em ${config.siteUrl}`)
    extractor.warm()
    const warning = sandboxWarning(await sandbox)
    if (warning) console.error(warning)
  } catch (error) {
    console.error(explain(error))
    await stop(1)
  }
}

function explain(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
    return 'A porta já está em uso por outro programa. Defina outra em PORT.'
  if (error instanceof WrongSecret) return error.message
  return String(error instanceof Error ? error.stack : error)
}
