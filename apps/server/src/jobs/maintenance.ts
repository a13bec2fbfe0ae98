const FIRST_MS = 60_000
const EVERY_MS = 3_600_000
/** What is longer at work than this is left to the database, which undoes it. */
const STOPPING_MS = 5_000

export interface Maintenance {
  /** Begins nothing more, and waits a while for what is at work. */
  stop(): Promise<void>
}

/** Runs the tasks a minute after the start and then every hour, or as said, one after the other; a failure stops none. */
export function startMaintenance(input: {
  tasks: readonly (() => Promise<unknown>)[]
  /** A minute, if it is not said. */
  firstMs?: number
  everyMs?: number
  log(error: unknown): void
}): Maintenance {
  let running: Promise<void> | null = null
  let stopped = false
  const runAll = async () => {
    for (const task of input.tasks)
      if (!stopped) await task().catch((error: unknown) => stopped || input.log(error))
    running = null
  }
  const run = () => {
    running ??= runAll()
  }
  const first = setTimeout(run, input.firstMs ?? FIRST_MS)
  const every = setInterval(run, input.everyMs ?? EVERY_MS)
  first.unref()
  every.unref()
  return {
    async stop() {
      stopped = true
      clearTimeout(first)
      clearInterval(every)
      await Promise.race([running, new Promise((done) => setTimeout(done, STOPPING_MS).unref())])
    },
  }
}
