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
  staleParts,
  staleView,
  takeTime,
} from './views.repository.ts'

/** Gives those that see much, and have none yet, sums of their own. */
export { addViews } from './views.repository.ts'

/**
 * Makes the sums of organisations anew whose sets have changed, by the difference: sums are exact. Until then they
 * are answered from what is right of them and the narrow rows, for the database shows no sums over anything unseen.
 */
export async function keepViews(owner: Handle): Promise<number> {
  let made = 0
  // Those over all first: with them everything is as fast as before.
  while (await makeOne(owner, nextView)) made += 1
  while (await makeOne(owner, nextPart)) made += 1
  return made
}

const makeOne = (owner: Handle, next: (transaction: Handle) => Promise<StaleView | null>): Promise<boolean> =>
  owner.transaction().execute(async (transaction) => {
    // Nothing is folded meanwhile, and what is seen is looked at again under the lock.
    await foldLock(transaction)
    const stale = await next(transaction)
    if (!stale) return false
    await takeTime(transaction)
    const { before, after } = stale
    const { gone, come } = differenceOf(stale)
    if (gone.length > 0) await addUpSets(transaction, before, { sets: gone, sign: -1 })
    if (come.length > 0) await addUpSets(transaction, after, { sets: come, sign: 1 })
    await setView(transaction, after)
    return true
  })

const nextView = staleView

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

/** Sets to take away and to add; one whose costs are shown or hidden from now on is both. */
function differenceOf({ before, after }: StaleView): { gone: number[]; come: number[] } {
  const costsOf = ({ acervos, com_custos }: View) => {
    const costs = new Set(com_custos)
    return new Map(acervos.map((set) => [set, costs.has(set)]))
  }
  const old = costsOf(before)
  const now = costsOf(after)
  const differs = (set: number) => old.get(set) !== now.get(set)
  return { gone: [...old.keys()].filter(differs), come: [...now.keys()].filter(differs) }
}
