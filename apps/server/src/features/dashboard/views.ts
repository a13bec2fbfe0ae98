import type { Handle } from '../../database/handle.ts'
import { addUpSets, type View } from './fold.repository.ts'
import { foldLock } from './marks.repository.ts'
import { type StaleView, setView, staleView, takeTime } from './views.repository.ts'

/** Gives those that see much, and have none yet, sums of their own. */
export { addViews } from './views.repository.ts'

/**
 * Makes the sums of organisations anew whose sets have changed, by the difference: sums are exact. Until then they
 * are answered from the narrow rows, for the database shows no sums that are not over exactly what is seen.
 */
export async function keepViews(owner: Handle): Promise<number> {
  let made = 0
  while (await makeOne(owner)) made += 1
  return made
}

const makeOne = (owner: Handle): Promise<boolean> =>
  owner.transaction().execute(async (transaction) => {
    // Nothing is folded meanwhile, and what is seen is looked at again under the lock.
    await foldLock(transaction)
    const stale = await staleView(transaction)
    if (!stale) return false
    await takeTime(transaction)
    const { before, after } = stale
    const { gone, come } = differenceOf(stale)
    if (gone.length > 0) await addUpSets(transaction, before, { sets: gone, sign: -1 })
    if (come.length > 0) await addUpSets(transaction, after, { sets: come, sign: 1 })
    await setView(transaction, after)
    return true
  })

/** Sets to take away and to add; one whose costs are shown or hidden from now on is both. */
export function differenceOf({ before, after }: StaleView): { gone: number[]; come: number[] } {
  const costsOf = ({ acervos, com_custos }: View) => {
    const costs = new Set(com_custos)
    return new Map(acervos.map((set) => [set, costs.has(set)]))
  }
  const old = costsOf(before)
  const now = costsOf(after)
  const differs = (set: number) => old.get(set) !== now.get(set)
  return { gone: [...old.keys()].filter(differs), come: [...now.keys()].filter(differs) }
}
