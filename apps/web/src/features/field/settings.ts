import { useSyncExternalStore } from 'react'
import { field } from './field.ts'

export interface Settings {
  /** Black on white, large: against the sun. */
  sol: boolean
  tema: 'sistema' | 'claro' | 'escuro'
  canhoto: boolean
  tecladoDoAparelho: boolean
  voz: boolean
}
const KEY = 'ajustes'
let settings: Settings = {
  sol: matchMedia('(prefers-contrast: more)').matches,
  ...{ tema: 'sistema', canhoto: false, tecladoDoAparelho: false, voz: false },
}
const listeners = new Set<() => void>()

function apply() {
  const { dataset } = document.documentElement
  const { sol, tema } = settings
  if (sol) dataset['theme'] = 'sun'
  else if (tema === 'sistema') delete dataset['theme']
  else dataset['theme'] = tema === 'claro' ? 'light' : 'dark'
  for (const listener of listeners) listener()
}

export function changeSettings(change: Partial<Settings>): void {
  settings = { ...settings, ...change }
  apply()
  field.put(KEY, settings).catch(() => undefined)
}

export async function readSettings(): Promise<void> {
  const kept = (await field.get(KEY).catch(() => undefined)) as Partial<Settings> | undefined
  settings = { ...settings, ...kept }
  apply()
}

export const useSettings = (): Settings =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => settings,
  )
