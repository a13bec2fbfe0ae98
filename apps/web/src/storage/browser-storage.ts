/**
 * What this browser keeps for the site, and the one module that touches it (checked by the boundaries): full,
 * blocked or not there at all, it never throws. What the browser does not take lives as long as the page.
 */
type Kept = {
  getItem: (key: string) => string | null
  /** Whether it will outlive the page. */
  setItem: (key: string, value: string) => boolean
  removeItem: (key: string) => void
  keys: () => string[]
}

function kept(area: () => Storage): Kept {
  /** Goes before what the browser has; null where it could not take a key off. */
  const inMemory = new Map<string, string | null>()
  const asked = <T>(ask: (storage: Storage) => T, instead: T): T => {
    try {
      return ask(area())
    } catch {
      return instead
    }
  }
  return {
    getItem: (key) => inMemory.get(key) ?? (inMemory.has(key) ? null : asked((at) => at.getItem(key), null)),
    setItem(key, value) {
      const taken = asked((at) => {
        at.setItem(key, value)
        return true
      }, false)
      if (taken) inMemory.delete(key)
      else inMemory.set(key, value)
      return taken
    },
    removeItem(key) {
      const gone = asked((at) => {
        at.removeItem(key)
        return true
      }, false)
      if (gone) inMemory.delete(key)
      else inMemory.set(key, null)
    },
    keys: () => {
      const there = asked((at) => Array.from({ length: at.length }, (_, place) => at.key(place) ?? ''), [])
      return [...new Set([...there, ...inMemory.keys()])].filter((key) => inMemory.get(key) !== null)
    },
  }
}

/** Outlives the browser. */
export const lasting = kept(() => window.localStorage)
/** Ends with the tab. */
export const ofThisTab = kept(() => window.sessionStorage)

const PROBE = 'ensaio.probe'

/** Whether this browser keeps anything at all for the site. */
export function keepsAnything(): boolean {
  const taken = lasting.setItem(PROBE, '1')
  lasting.removeItem(PROBE)
  return taken
}
