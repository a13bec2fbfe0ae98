import { useSyncExternalStore } from 'react'

export type Theme = 'light' | 'dark'
const KEY = 'theme'
const listeners = new Set<() => void>()
const system = matchMedia('(prefers-color-scheme: dark)')
const changed = () => {
  for (const listener of listeners) listener()
}
system.addEventListener('change', changed)

const current = (): Theme => {
  const chosen = document.documentElement.dataset['theme']
  return chosen === 'light' || chosen === 'dark' ? chosen : system.matches ? 'dark' : 'light'
}

/** The theme in force: the person's choice, else the system's. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, current)
  return [
    theme,
    (next) => {
      document.documentElement.dataset['theme'] = next
      localStorage.setItem(KEY, next)
      changed()
    },
  ]
}
