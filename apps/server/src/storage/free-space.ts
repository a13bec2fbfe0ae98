import { statfs } from 'node:fs/promises'

/** What the embedded database needs to work off what it has begun; below it, it would stop in the middle. */
const RESERVE_BYTES = 64 * 2 ** 20
const KNOWN_MS = 1_000

export interface FreeSpace {
  /** Whether so little is left that nothing more should be written. */
  short(): Promise<boolean>
  /** Bytes that may still be written; null for a file system that cannot be asked. */
  left(): Promise<number | null>
}

/** Looks at a folder's file system, at most once a second. */
export function freeSpace(folder: string): FreeSpace {
  let known: { at: number; left: Promise<number | null> } | undefined
  const look = async () => {
    // A file system that cannot be asked is left to say so when it is written to.
    const found = await statfs(folder).catch(() => null)
    return found && found.bavail * found.bsize - RESERVE_BYTES
  }
  const left = () => {
    const now = performance.now()
    if (!known || now - known.at > KNOWN_MS) known = { at: now, left: look() }
    return known.left
  }
  return { left, short: async () => ((await left()) ?? 0) < 0 }
}
