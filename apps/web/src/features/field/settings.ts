import { useSyncExternalStore } from 'react'
import { SETTINGS } from '../../field-store/photos.ts'
import { field } from './field.ts'

export interface Settings {
  /** Black on white, large: against the sun. */
  sol: boolean
  tema: 'sistema' | 'claro' | 'escuro'
  canhoto: boolean
  tecladoDoAparelho: boolean
  voz: boolean
  /** Where each plot was visited, once a plot. */
  posicao: boolean
  /** Pictures of 3,000 instead of 1,600 pixels. */
  fotoGrande: boolean
  fotosSoWifi: boolean
}
let settings: Settings = {
  sol: matchMedia('(prefers-contrast: more)').matches,
  ...{ tema: 'sistema', canhoto: false, tecladoDoAparelho: false, voz: false },
  ...{ posicao: false, fotoGrande: false, fotosSoWifi: false },
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
  field.put(SETTINGS, settings).catch(() => undefined)
}

export async function readSettings(): Promise<void> {
  const kept = (await field.get(SETTINGS).catch(() => undefined)) as Partial<Settings> | undefined
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
