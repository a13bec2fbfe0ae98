import { useSyncExternalStore } from 'react'

const queries = new Map<string, MediaQueryList>()

function widthBelow(width: string): MediaQueryList {
  const known = queries.get(width) ?? matchMedia(`(width < ${width})`)
  queries.set(width, known)
  return known
}

/** Whether the window is as narrow as a phone, or than `below`: what is a table elsewhere is a list of cards there. */
export function useNarrow(below = '40rem'): boolean {
  const narrow = widthBelow(below)
  return useSyncExternalStore(
    (listener) => {
      narrow.addEventListener('change', listener)
      return () => narrow.removeEventListener('change', listener)
    },
    () => narrow.matches,
  )
}
