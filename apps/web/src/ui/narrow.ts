import { useSyncExternalStore } from 'react'

const narrow = matchMedia('(width < 40rem)')

/** Whether the window is as narrow as a phone: what is a table elsewhere is a list of cards there. */
export const useNarrow = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      narrow.addEventListener('change', listener)
      return () => narrow.removeEventListener('change', listener)
    },
    () => narrow.matches,
  )
