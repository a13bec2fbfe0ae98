import type { Handle } from '../../database/handle.ts'
import {
  addUpAll,
  anyDirty,
  compareAside,
  countOnly,
  dropEmpty,
  fold,
  foldLock,
  ownDirty,
  setAside,
  takeDirty,
  takeNext,
  tellChanged,
} from './fold.repository.ts'

const EVERY_MS = 1_000
/** What a reader waits for at most; a bulk load is left to the background. */
const READERS_PATIENCE_MS = 500
const READERS_BATCH = 50
const BATCH = 500
const REBUILD_BATCH = 20_000
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

export interface Cells {
  /** Resolves when what this person wrote before the call shows in the figures, or half a second later. */
  fresh(userId: string): Promise<void>
  /** Sweeps figures that have come to nothing. */
  sweep(): Promise<void>
  stop(): Promise<void>
}

/** Keeps the dashboard's figures in step with the experiments, off the writers' path. */
export function keepCells({ handle, log }: { handle: Handle; log(error: unknown): void }): Cells {
  let stopped = false
  let background: Promise<unknown> = Promise.resolve()
  const catchUp = async () => {
    if (!(await anyDirty(handle))) return
    // What is written meanwhile waits for the next time: a fold costs nearly the same for one as for many.
    while (!stopped && (await foldDirty(handle, { most: BATCH })) === BATCH);
  }
  const timer = setInterval(() => {
    background = background.then(catchUp).catch(log)
  }, EVERY_MS)
  timer.unref()
  return {
    async fresh(userId) {
      const deadline = Date.now() + READERS_PATIENCE_MS
      try {
        while (Date.now() < deadline && (await ownDirty(handle, userId)))
          await foldDirty(handle, { most: READERS_BATCH, of: userId })
      } catch (error) {
        // Figures cannot be written, with a full disk say: readers get them as they stand.
        log(error)
      }
    },
    sweep: () => dropEmpty(handle),
    async stop() {
      stopped = true
      clearInterval(timer)
      await background
    },
  }
}

/** Answers how many marks were folded in. */
const foldDirty = (handle: Handle, of: { most: number; of?: string }): Promise<number> =>
  handle.transaction().execute(async (transaction) => {
    await foldLock(transaction)
    const taken = await takeDirty(transaction, of)
    if (taken === 0) return 0
    await fold(transaction)
    await tellChanged(transaction)
    return taken
  })

/**
 * Counts everything anew from the base tables; answers how many figures were not as they should have been.
 * Readers see the old figures until it is done.
 */
export async function rebuildCells(handle: Handle): Promise<{ figures: number; wrong: number }> {
  while (await anyDirty(handle)) await foldDirty(handle, { most: BATCH })
  return handle.transaction().execute(async (transaction) => {
    await foldLock(transaction)
    await setAside(transaction)
    for (let after: string | null = FIRST_ID; ; ) {
      after = await takeNext(transaction, { most: REBUILD_BATCH, after })
      if (after === null) break
      await countOnly(transaction)
    }
    await addUpAll(transaction)
    const compared = await compareAside(transaction)
    await tellChanged(transaction)
    return compared
  })
}
