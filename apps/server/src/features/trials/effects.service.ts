import { setTimeout as sleep } from 'node:timers/promises'
import { type EffectRow, effectRows, measuredVariables } from '@ensaio/domain'
import {
  answerKernel,
  ENGINE,
  effectInputOfReport,
  type KeptEffects,
  packEffects,
  type TrialInput,
} from '@ensaio/statistics'
import type { Handle } from '../../database/handle.ts'
import type { Kernel } from '../../jobs/kernel.ts'
import {
  effectsOfTrial,
  nextPending,
  noteAttempt,
  putEffects,
  reportOf,
  setEffectsAside,
  withEffects,
} from './effects.repository.ts'
import { sheetOf } from './sheets.repository.ts'
import { plainSheet } from './yields.ts'

/** What is computed on the loop, in about a millisecond: values of plots, treatments. */
const SMALL = { values: 400, treatments: 30 }
/** A save waits no longer; the rest is done beside it. */
const PATIENCE_MS = 2_000
const BACKGROUND_PATIENCE_MS = 40_000
const MOST_ATTEMPTS = 5
const PAGE = 500

type Compute = (inputs: TrialInput[]) => Promise<(KeptEffects | null)[] | null>

/**
 * Effects of trials as syntheses read them (table `efeitos`), computed with what they rest on and in its transaction.
 * Where that takes too long the trial waits for `settle`, and counts as without an error meanwhile.
 */
export function createEffects({
  kernel,
  owner,
}: {
  kernel: Kernel
  /** Of the tables' owner, for what nobody asks for. */
  owner: Handle
}) {
  const within =
    (patienceMs: number): Compute =>
    async (inputs) => {
      if (isSmall(inputs)) return answerKernel({ kind: 'effects', inputs })
      const asked = kernel.ask({ kind: 'effects', inputs }, 'effects').catch(() => null)
      return Promise.race([asked, sleep(patienceMs, null, { ref: false })])
    }

  const atOnce: Compute = async (inputs) =>
    isSmall(inputs) ? answerKernel({ kind: 'effects', inputs }) : null

  const keepWithin = async (handle: Handle, id: string, patienceMs: number): Promise<boolean> => {
    const rows = await rowsOf(handle, id, within(patienceMs))
    if (rows) await putEffects(handle, id, rows)
    return rows !== null
  }

  return {
    /** After a change of a trial's sheet, means or report, in its transaction. */
    async keep(handle: Handle, id: string): Promise<void> {
      if (!(await keepWithin(handle, id, PATIENCE_MS))) await setEffectsAside(handle, id)
    },

    /** The same after single values: whoever sends them waits for none but a small trial. */
    async keepSoon(handle: Handle, id: string, values: number): Promise<void> {
      const rows = values > SMALL.values ? null : await rowsOf(handle, id, atOnce)
      if (rows) await putEffects(handle, id, rows)
      else await setEffectsAside(handle, id)
    },

    /** Computes what waits, one trial after the other. */
    async settle(): Promise<void> {
      for (let left = true; left; )
        left = await owner.transaction().execute(async (transaction) => {
          const id = await nextPending(transaction, MOST_ATTEMPTS)
          if (id === null) return false
          if (!(await keepWithin(transaction, id, BACKGROUND_PATIENCE_MS))) await noteAttempt(transaction, id)
          return true
        })
    },
  }
}
export type Effects = ReturnType<typeof createEffects>

/** Computes the effects of all trials anew, mends those that differ, and says how many did. */
export async function mendEffects(handle: Handle): Promise<{ trials: number; wrong: number }> {
  let [trials, wrong] = [0, 0]
  const here: Compute = async (inputs) => answerKernel({ kind: 'effects', inputs })
  for (let after: string | null = null; ; ) {
    const page: string[] = await withEffects(handle, after, PAGE)
    for (const id of page) {
      trials += 1
      const rows = (await rowsOf(handle, id, here)) ?? []
      if (JSON.stringify(rows) === JSON.stringify(await effectsOfTrial(handle, id))) continue
      wrong += 1
      await handle.transaction().execute((transaction) => putEffects(transaction, id, rows))
    }
    after = page.at(-1) ?? null
    if (after === null) return { trials, wrong }
  }
}

const isSmall = (inputs: readonly TrialInput[]): boolean =>
  inputs.every(
    ({ delineamento, tratamentos }) =>
      tratamentos.length <= SMALL.treatments && delineamento !== 'PSUB' && delineamento !== 'FAIXAS',
  ) && inputs.reduce((sum, { y }) => sum + y.length, 0) <= SMALL.values

/** What is to be kept of a trial, by its variables' keys; null where it could not be computed in time. */
async function rowsOf(handle: Handle, id: string, compute: Compute): Promise<EffectRow[] | null> {
  const report = await reportOf(handle, id)
  if (!report) return []
  const stored = await sheetOf(handle, id)
  const source = { ...report, ficha: stored && plainSheet(stored), informadas: stored?.informadas ?? {} }
  const measured = measuredVariables(source)
  const kept = measured.length > 0 ? await compute(measured.map(({ input }) => input)) : []
  return kept && effectRows(source, { measured, kept, kernel: { effectInputOfReport, packEffects, ENGINE } })
}
