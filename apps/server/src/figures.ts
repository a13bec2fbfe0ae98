import { readConfig } from './config.ts'
import { joinDatabase } from './database/open.ts'
import { rebuildCells } from './features/dashboard/cells.ts'
import { mendEffects } from './features/trials/effects.service.ts'

/** npm run figures: recomputes the trials' effects and the dashboard's kept figures, and says how many were wrong. */
async function main(): Promise<void> {
  const database = await joinDatabase(readConfig(process.env), (message) => console.error(message))
  try {
    const effects = await mendEffects(database.pool.handle)
    console.log(`${effects.trials} ensaios com efeitos conferidos; ${effects.wrong} diferiam.`)
    const { figures, wrong } = await rebuildCells(database.pool.handle)
    console.log(`${figures} figuras recalculadas; ${wrong} diferiam.`)
    if (wrong + effects.wrong > 0) process.exitCode = 1
  } finally {
    await database.close()
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
