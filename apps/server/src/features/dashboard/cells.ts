import { setTimeout as sleep } from 'node:timers/promises'
import { apart } from '../../database/apart.ts'
import type { Handle } from '../../database/handle.ts'
import { places } from '../../places.ts'
import {
  addUpAll,
  countOnly,
  dropEmpty,
  fold,
  type Marks,
  named,
  narrowTo,
  takeDirty,
  takeNext,
  tellChanged,
} from './fold.repository.ts'
import {
  anyDirty,
  foldLock,
  ownDirty,
  setMarksAside,
  someDirty,
  tellAllChanged,
  tryAgain,
} from './marks.repository.ts'
import { compareAside, setAside } from './rebuild.repository.ts'

const EVERY_MS = 1_000
/** What a reader waits for at most; a bulk load is left to the background. */
const READERS_PATIENCE_MS = 500
const READERS_BATCH = 50
/** Readers' folds of this process: one at work, so that those that wait hold no connection. */
const READERS = { atOnce: 1, inLine: 1_000 }
/** What a tightening waits for: longer than folding a hundred thousand takes. */
const SETTLING_MS = 60_000
const BATCH = 500
const REBUILD_BATCH = 20_000
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

export interface Cells {
  /** Resolves when what this person wrote before the call shows in the figures, or half a second later. */
  fresh(userId: string): Promise<void>
  /** Resolves when everything that was written before the call shows in the figures. */
  settled(): Promise<void>
  /** Sweeps figures that have come to nothing, and tries again what could not be folded. */
  sweep(): Promise<void>
  stop(): Promise<void>
}

type Log = (error: unknown) => void

/** Keeps the dashboard's figures in step with the experiments, off the writers' path. */
export function keepCells({ handle, log }: { handle: Handle; log: Log }): Cells {
  let stopped = false
  let background: Promise<unknown> = Promise.resolve()
  const catchUp = async () => {
    if (!(await anyDirty(handle))) return
    // What is written meanwhile waits for the next time: a fold costs nearly the same for one as for many.
    while (!stopped && (await foldBatch(handle, log, 0)) === BATCH);
  }
  const timer = setInterval(() => {
    background = background.then(catchUp).catch(log)
  }, EVERY_MS)
  timer.unref()
  const { run: oneAtATime } = places(READERS)
  const foldOwn = (userId: string, deadline: number) =>
    oneAtATime(async () => {
      for (let left = deadline - Date.now(); left > 0; left = deadline - Date.now()) {
        const taken = await foldDirty(handle, { most: READERS_BATCH, of: userId }, left)
        // Less than a batch was all of theirs; none, that somebody else had them, or has the lock.
        if (taken > 0 && taken < READERS_BATCH) return
        if (!(await ownDirty(handle, userId))) return
      }
    })
  return {
    async fresh(userId) {
      if (!(await ownDirty(handle, userId))) return
      // Whoever folds meanwhile may take long, as when all is counted anew; figures that cannot be written, with
      // a full disk say, are read as they stand.
      const folded = foldOwn(userId, Date.now() + READERS_PATIENCE_MS).catch((error: unknown) => {
        if (!isLockTimeout(error)) log(error)
      })
      await Promise.race([folded, sleep(READERS_PATIENCE_MS, undefined, { ref: false })])
    },
    async settled() {
      const deadline = Date.now() + SETTLING_MS
      while (Date.now() < deadline && (await anyDirty(handle)))
        await foldBatch(handle, log, deadline - Date.now())
    },
    async sweep() {
      await dropEmpty(handle)
      await tryAgain(handle)
    },
    async stop() {
      stopped = true
      clearInterval(timer)
      await background
    },
  }
}

/** Answers how many marks were folded in; none when another folds for longer than `patienceMs`. */
const foldDirty = (handle: Handle, marks: Marks, patienceMs?: number): Promise<number> =>
  handle.transaction().execute(async (transaction) => {
    if (!(await foldLock(transaction, patienceMs))) return 0
    const taken = await takeDirty(transaction, marks)
    if (taken === 0) return 0
    await fold(transaction)
    await tellChanged(transaction)
    return taken
  })

/** Folds a batch; where one experiment makes it fail, that one is set aside and told, and the rest goes on. */
async function foldBatch(handle: Handle, log: Log, patienceMs?: number): Promise<number> {
  try {
    return await foldDirty(handle, { most: BATCH }, patienceMs)
  } catch (error) {
    if (faultOfData(error) === null) throw error
    log(error)
  }
  for (const experiment of await someDirty(handle, BATCH))
    await foldDirty(handle, { experiment }, patienceMs).catch(async (error: unknown) => {
      const reason = faultOfData(error)
      if (reason === null) throw error
      log(new Error(`The figures leave out experiment ${experiment} (${reason}).`))
      await setMarksAside(handle, experiment, reason)
    })
  return BATCH
}

/** The database's code where it refuses what it was given, whoever asks; null where it was only not to be had. */
function faultOfData(error: unknown): string | null {
  const code = codeOf(error)
  // Data, constraints, limits of the program, what our own functions raise, and what takes longer than a statement may.
  return /^(22|23|54|P0|57014)/.test(code) ? code : null
}

const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03'

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/**
 * Counts everything anew from the base tables; answers how many figures were not as they should have been.
 * Readers see the old figures until it is done. An experiment that cannot be counted is left out and told.
 */
export async function rebuildCells(
  handle: Handle,
  log: Log = console.error,
): Promise<{ figures: number; wrong: number }> {
  while (await anyDirty(handle)) await foldBatch(handle, log)
  return handle.transaction().execute(async (transaction) => {
    await foldLock(transaction)
    await setAside(transaction)
    for (let after: string | null = FIRST_ID; ; ) {
      after = await takeNext(transaction, { most: REBUILD_BATCH, after })
      if (after === null) break
      await countNamed(transaction, log)
    }
    await addUpAll(transaction)
    const compared = await compareAside(transaction)
    await tellAllChanged(transaction)
    return compared
  })
}

/** Counts the named experiments; where that fails, halves them until those that fail are alone. */
async function countNamed(transaction: Handle, log: Log): Promise<void> {
  const counting = await saved(transaction, () => countOnly(transaction))
  if (counting === null) return
  const experiments = await named(transaction)
  const [only] = experiments
  if (only === undefined) return
  if (experiments.length === 1) {
    log(new Error(`The figures leave out experiment ${only} (${counting}).`))
    await setMarksAside(transaction, only, counting)
    return
  }
  const half = Math.ceil(experiments.length / 2)
  for (const part of [experiments.slice(0, half), experiments.slice(half)]) {
    await narrowTo(transaction, part)
    await countNamed(transaction, log)
  }
}

/** Does it or leaves no trace of it; answers the reason where the data are at fault. */
async function saved(transaction: Handle, work: () => Promise<void>): Promise<string | null> {
  try {
    await apart(transaction, work)
    return null
  } catch (error) {
    const reason = faultOfData(error)
    if (reason === null) throw error
    return reason
  }
}
