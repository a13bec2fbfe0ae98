import { runServer } from './run-server.ts'

runServer().catch((error: unknown) => {
  // Written for the person at the terminal: a bad setting, or another server on the data folder.
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
})
