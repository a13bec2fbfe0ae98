import { runServer } from './run-server.ts'

// Whoever read what it says may go away, as a pipe's end does: the server goes on without a reader.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

runServer().catch((error: unknown) => {
  // Written for the person at the terminal: a bad setting, or another server on the data folder.
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
})
