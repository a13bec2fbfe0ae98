const FIRST_MS = 60_000
const EVERY_MS = 3_600_000

export interface Maintenance {
  stop(): void
}

/** Runs the tasks a minute after the start and then every hour, or as said, one after the other; a failure stops none. */
export function startMaintenance(input: {
  tasks: readonly (() => Promise<unknown>)[]
  everyMs?: number
  log(error: unknown): void
}): Maintenance {
  let running = false
  const run = async () => {
    if (running) return
    running = true
    for (const task of input.tasks) await task().catch(input.log)
    running = false
  }
  const first = setTimeout(run, FIRST_MS)
  const every = setInterval(run, input.everyMs ?? EVERY_MS)
  first.unref()
  every.unref()
  return {
    stop() {
      clearTimeout(first)
      clearInterval(every)
    },
  }
}
