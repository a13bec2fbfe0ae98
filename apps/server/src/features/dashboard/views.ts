import type { Handle } from '../../database/handle.ts'
import { addUpSets, type View } from './fold.repository.ts'
import { foldLock } from './marks.repository.ts'
import { nextStep } from './parts.ts'
import {
  addPart,
  partsOf,
  type StaleView,
  setsSeenBy,
  setView,
  sizesOf,
  staleParts,
  staleView,
  takeTime,
  tidyFigures,
} from './views.repository.ts'

/** Gives those that see much, and have none yet, sums of their own. */
export { addViews } from './views.repository.ts'

/**
 * Trials that are added or taken away at a time, unless one set holds more: nothing is folded meanwhile, and whoever
 * tightens waits for that.
 */
const AT_A_TIME = 50_000
/** So many trials leave the figures' tables with as many old rows, through which every reader would have to go. */
const WORN_TRIALS = 10_000

/**
 * Makes the sums of organisations anew whose sets have changed, by the difference: sums are exact. Until then they
 * are answered from what is right of them and the narrow rows, for the database shows no sums over anything unseen.
 * Answers how many steps it took; `steps` is the most.
 */
export async function keepViews(
  owner: Handle,
  { atATime = AT_A_TIME, steps = Number.POSITIVE_INFINITY } = {},
): Promise<number> {
  let made = 0
  // Those over all first: with them everything is as fast as before.
  for (const next of [staleView, nextPart]) {
    let moved = 0
    while (made < steps) {
      const trials = await makeSome(owner, next, atATime)
      if (trials === null) break
      moved += trials
      made += 1
    }
    if (moved >= WORN_TRIALS) await tidyFigures(owner)
  }
  return made
}

/** One step; answers how many trials it added or took away, null when nothing is left to be done. */
const makeSome = (
  owner: Handle,
  next: (transaction: Handle) => Promise<StaleView | null>,
  most: number,
): Promise<number | null> =>
  owner.transaction().execute(async (transaction) => {
    // Nothing is folded meanwhile, and what is seen is looked at again under the lock.
    await foldLock(transaction)
    const stale = await next(transaction)
    if (!stale) return null
    await takeTime(transaction)
    const { before } = stale
    const { gone, come, trials } = await someOf(transaction, differenceOf(stale), most)
    const after = changed(stale, { gone, come })
    if (gone.length > 0) await addUpSets(transaction, before, { sets: gone, sign: -1 })
    if (come.length > 0) await addUpSets(transaction, after, { sets: come, sign: 1 })
    await setView(transaction, after)
    return trials
  })

async function nextPart(transaction: Handle): Promise<StaleView | null> {
  const organization = await staleParts(transaction)
  if (organization === null) return null
  const step = nextStep(await partsOf(transaction, organization), await setsSeenBy(transaction, organization))
  const before = step && (step.part ?? (await addPart(transaction, organization)))
  if (!before) return null
  const sets = step.sets.toSorted((a, b) => a.id - b.id)
  return {
    before,
    after: {
      ...before,
      acervos: sets.map(({ id }) => id),
      com_custos: sets.flatMap(({ id, costs }) => (costs ? [id] : [])),
    },
  }
}

interface Difference {
  gone: number[]
  come: number[]
}

/** As much of a difference as is made at a time: what goes before what comes, and nothing half. */
async function someOf(
  transaction: Handle,
  { gone, come }: Difference,
  most: number,
): Promise<Difference & { trials: number }> {
  const sets = gone.length > 0 ? gone : come
  const sizes = await sizesOf(transaction, sets)
  let room = most
  const some = new Set(
    sets.filter((set, index) => {
      room -= sizes.get(set) ?? 0
      return index === 0 || room >= 0
    }),
  )
  const taken = (set: number) => some.has(set)
  const trials = sets.filter(taken).reduce((sum, set) => sum + (sizes.get(set) ?? 0), 0)
  return { gone: gone.filter(taken), come: come.filter(taken), trials }
}

/** The view once these sets are gone and come; the costs of others stand as they are. */
function changed({ before, after }: StaleView, { gone, come }: Difference): View {
  const next = (old: readonly number[], added: readonly number[]) =>
    [...old.filter((set) => !gone.includes(set)), ...added].sort((a, b) => a - b)
  const costs = new Set(after.com_custos)
  return {
    ...before,
    acervos: next(before.acervos, come),
    com_custos: next(
      before.com_custos,
      come.filter((set) => costs.has(set)),
    ),
  }
}

/** Sets to take away and to add; one whose costs are shown or hidden from now on is both. */
function differenceOf({ before, after }: StaleView): Difference {
  const costsOf = ({ acervos, com_custos }: View) => {
    const costs = new Set(com_custos)
    return new Map(acervos.map((set) => [set, costs.has(set)]))
  }
  const old = costsOf(before)
  const now = costsOf(after)
  const differs = (set: number) => old.get(set) !== now.get(set)
  return { gone: [...old.keys()].filter(differs), come: [...now.keys()].filter(differs) }
}
