import { lazy, Suspense, useEffect, useState } from 'react'

const Toaster = lazy(async () => ({ default: (await import('./Toaster.tsx')).Toaster }))

export type Toast = { kind: 'success' | 'error' | 'info'; message: string }

const waiting: Toast[] = []
let deliver = (toast: Toast): void => {
  waiting.push(toast)
  needed()
}
let needed = (): void => undefined

/** A toast confirms; it never carries the only copy of an error. */
export const toast = {
  success: (message: string) => deliver({ kind: 'success', message }),
  error: (message: string) => deliver({ kind: 'error', message }),
  info: (message: string) => deliver({ kind: 'info', message }),
}

/** Where toasts appear; what shows them is fetched for the first one. */
export function Toasts() {
  const [wanted, setWanted] = useState(false)
  useEffect(() => {
    needed = () => setWanted(true)
    if (waiting.length > 0) needed()
  }, [])
  return wanted ? (
    <Suspense>
      <Toaster onReady={becomeReady} />
    </Suspense>
  ) : null
}

function becomeReady(show: (toast: Toast) => void): void {
  deliver = show
  for (const toast of waiting.splice(0)) show(toast)
}
