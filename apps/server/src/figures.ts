import { readConfig } from './config.ts'
import { joinDatabase } from './database/open.ts'
import { rebuildCells } from './features/dashboard/cells.ts'

/** npm run figures: recomputes the dashboard's kept figures and says how many were wrong. */
async function main(): Promise<void> {
  const database = await joinDatabase(readConfig(process.env), (message) => console.error(message))
  try {
    const { figures, wrong } = await rebuildCells(database.pool.handle)
    console.log(`${figures} figuras recalculadas; ${wrong} diferiam.`)
    if (wrong > 0) process.exitCode = 1
  } finally {
    await database.close()
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
