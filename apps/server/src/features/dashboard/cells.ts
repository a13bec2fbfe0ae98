import type { Handle } from '../../database/handle.ts'
import { anyDirty, cellContents, markAllDirty, refreshCells } from './cells.repository.ts'

const EVERY_MS = 1_500
/** What a reader waits for at most; a bulk load is left to the background. */
const READERS_PATIENCE_MS = 500
const READERS_BATCH = 50
const BATCH = 500
const REBUILD_BATCH = 2_000

export interface Cells {
  /** Resolves when what was written before the call shows in the cells, or half a second later. */
  fresh(): Promise<void>
  stop(): Promise<void>
}

/** Keeps the dashboard's cells in step with the experiments, off the writers' path. */
export function keepCells({ handle, log }: { handle: Handle; log(error: unknown): void }): Cells {
  let stopped = false
  let background: Promise<unknown> = Promise.resolve()
  const catchUp = async () => {
    while (!stopped && (await anyDirty(handle))) await refreshCells(handle, BATCH)
  }
  const timer = setInterval(() => {
    background = background.then(catchUp).catch(log)
  }, EVERY_MS)
  timer.unref()
  return {
    async fresh() {
      const deadline = Date.now() + READERS_PATIENCE_MS
      while (Date.now() < deadline && (await anyDirty(handle))) await refreshCells(handle, READERS_BATCH)
    },
    async stop() {
      stopped = true
      clearInterval(timer)
      await background
    },
  }
}

/** Recomputes every cell; answers how many were not as they should have been. */
export async function rebuildCells(handle: Handle): Promise<{ cells: number; wrong: number }> {
  const catchUp = async () => {
    while (await anyDirty(handle)) await refreshCells(handle, REBUILD_BATCH)
  }
  await catchUp()
  const before = await cellContents(handle)
  await markAllDirty(handle)
  await catchUp()
  const after = await cellContents(handle)
  const wrong = [...after].filter((cell) => !before.has(cell)).length
  const left = [...before].filter((cell) => !after.has(cell)).length
  return { cells: after.size, wrong: Math.max(wrong, left) }
}
