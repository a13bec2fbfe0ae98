import { createStore, entries, promisifyRequest, type UseStore } from 'idb-keyval'

/** Reports of before this are forgotten, whoever they are of. */
const LIFE_MS = 30 * 24 * 3_600_000

/** Of what is kept: another shape is not read. */
const SHAPE = 1

/** `userId`: of whom, and after a dot in which of their organisations. */
type Kept<T> = { shape: number; userId: string; savedAt: number; value: T }

let opened: UseStore | null = null
const store = (): UseStore => {
  opened ??= createStore('ensaio-lote', 'relatorios')
  return opened
}

/** Committed at once: a page that is being left does not live to see a write's end, and the write would be undone. */
const write = (change: (reports: IDBObjectStore) => void): Promise<void> =>
  store()('readwrite', (reports) => {
    change(reports)
    // An older browser has no word for it, and ends the write by itself.
    reports.transaction.commit?.()
    return promisifyRequest(reports.transaction)
  })

/**
 * Reports that a person is at work on, kept in this browser with their files until they are saved or dropped. Where
 * the browser keeps nothing, or no more, nothing throws: what could not be kept is said.
 */
export async function keptReports<T>(...keepers: readonly string[]): Promise<{ id: string; value: T }[]> {
  try {
    const all = await entries<string, Kept<T>>(store())
    const old = all.filter(([, { shape, savedAt }]) => shape !== SHAPE || Date.now() - savedAt > LIFE_MS)
    for (const [id] of old) await dropReport(id)
    return all.flatMap(([id, kept]) =>
      keepers.includes(kept.userId) && !old.some(([gone]) => gone === id) ? [{ id, value: kept.value }] : [],
    )
  } catch {
    return []
  }
}

/** Whether it will be there after the page is closed. */
export async function keepReport<T>(keeper: string, id: string, value: T): Promise<boolean> {
  try {
    const kept = { shape: SHAPE, userId: keeper, savedAt: Date.now(), value } satisfies Kept<T>
    await write((reports) => reports.put(kept, id))
    return true
  } catch {
    return false
  }
}

export async function dropReport(id: string): Promise<void> {
  await write((reports) => reports.delete(id)).catch(() => undefined)
}

/** All of one person's, in any organisation, when the account is erased. */
export async function dropReportsOf(userId: string): Promise<void> {
  const all = await entries<string, Kept<unknown>>(store()).catch(() => [])
  for (const [id, kept] of all) if (kept.userId.split('.')[0] === userId) await dropReport(id)
}

const LOCK = 'ensaio-lote'
const LETS_GO_MS = 3_000

/**
 * Whether this tab may write the list: two tabs would write over one another. It is held until `released`; where the
 * browser has no locks, as on plain HTTP from another machine, every tab may.
 */
export async function holdReports(keeper: string, released: AbortSignal): Promise<boolean> {
  if (!('locks' in navigator)) return true
  // A page that is reloaded lets go of it a moment after the next has begun.
  const waiting = new AbortController()
  const giveUp = setTimeout(() => waiting.abort(), LETS_GO_MS)
  released.addEventListener('abort', () => waiting.abort(), { once: true })
  return await new Promise((answer) => {
    navigator.locks
      .request(`${LOCK}.${keeper}`, { signal: waiting.signal }, async () => {
        clearTimeout(giveUp)
        answer(true)
        if (!released.aborted)
          await new Promise((done) => released.addEventListener('abort', done, { once: true }))
      })
      .catch(() => answer(false))
  })
}
