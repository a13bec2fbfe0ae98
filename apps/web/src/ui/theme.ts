import { useSyncExternalStore } from 'react'
import { lasting } from '../storage/browser-storage.ts'

export type Theme = 'light' | 'dark'
const KEY = 'theme'
const listeners = new Set<() => void>()
const system = matchMedia('(prefers-color-scheme: dark)')
const changed = () => {
  for (const listener of listeners) listener()
}
system.addEventListener('change', changed)

let onPaper: { chosen: string | undefined } | null = null
addEventListener('beforeprint', () => {
  const { dataset } = document.documentElement
  onPaper ??= { chosen: dataset['theme'] }
  dataset['theme'] = 'light'
  changed()
})
addEventListener('afterprint', () => {
  if (!onPaper) return
  const { dataset } = document.documentElement
  if (onPaper.chosen === undefined) delete dataset['theme']
  else dataset['theme'] = onPaper.chosen
  onPaper = null
  changed()
})

/** Whether the page is being put on paper, which is light and waits for nothing. */
export const printing = (): boolean => onPaper !== null

const current = (): Theme => {
  const chosen = document.documentElement.dataset['theme']
  return chosen === 'light' || chosen === 'dark' ? chosen : system.matches ? 'dark' : 'light'
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const usePrinting = (): boolean => useSyncExternalStore(subscribe, printing)

/** The theme in force: the person's choice, else the system's; light on paper. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore(subscribe, current)
  return [
    theme,
    (next) => {
      // Chosen on the screen: nothing is being printed, whatever the browser has told.
      onPaper = null
      document.documentElement.dataset['theme'] = next
      lasting.setItem(KEY, next)
      changed()
    },
  ]
}
