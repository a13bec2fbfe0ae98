import { onLeaving } from '../storage/leaving.ts'
import type { OwnEntry } from './database.ts'

/**
 * The last entries once more, in a store of another kind: read back where the first one cannot be opened. A ring of
 * files, so that each is written by itself and none is ever rewritten whole.
 */
const CACHE = 'ensaio-campo-copia'
const MOST = 200
const COPY_MS = 150
const addressOf = (seq: number) => `/campo/copia/${seq % MOST}`

const waiting: OwnEntry[] = []
let timer: ReturnType<typeof setTimeout> | undefined

/** Behind what the person waits for: the first store has it by now, and a slow phone draws before it copies. */
export function copyLater(entries: readonly OwnEntry[]): void {
  waiting.push(...entries)
  timer ??= setTimeout(copyNow, COPY_MS)
}

/** A page that is put away may never come to its timers. */
if ('document' in globalThis) onLeaving(() => void copyNow())

async function copyNow(): Promise<void> {
  clearTimeout(timer)
  timer = undefined
  const entries = waiting.splice(0)
  if (entries.length === 0 || !('caches' in globalThis)) return
  try {
    const cache = await caches.open(CACHE)
    await Promise.all(
      entries.map((entry) => cache.put(addressOf(entry.seq), new Response(JSON.stringify(entry)))),
    )
  } catch {
    // The first store has them.
  }
}

export async function copiedEntries(): Promise<OwnEntry[]> {
  if (!('caches' in globalThis)) return []
  try {
    const cache = await caches.open(CACHE)
    const found = await Promise.all(
      (await cache.keys()).map(async (request) => (await cache.match(request))?.json() as Promise<OwnEntry>),
    )
    return found.sort((a, b) => a.seq - b.seq)
  } catch {
    return []
  }
}

/** What a revoked or removed device has sent is not kept. */
export async function forgetCopies(gone: (entry: OwnEntry) => boolean): Promise<void> {
  await copyNow()
  for (const entry of await copiedEntries()) {
    if (!gone(entry)) continue
    const cache = await caches.open(CACHE)
    await cache.delete(addressOf(entry.seq))
  }
}
