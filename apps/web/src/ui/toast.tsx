import { useEffect, useState } from 'react'
import { onFirstTouch } from './first-touch.ts'
import type { Toaster as FetchedToaster, Toast } from './Toaster.tsx'

const PLAIN_MS = 6000
const waiting: Toast[] = []
let deliver = (toast: Toast): void => {
  waiting.push(toast)
  needed()
}
let needed = (): void => undefined

/** A toast confirms; it never carries the only copy of an error. */
export const toast = {
  success: (message: string, undo?: Toast['undo']) => deliver({ kind: 'success', message, undo }),
  error: (message: string, reason?: string) => deliver({ kind: 'error', message, reason }),
  info: (message: string) => deliver({ kind: 'info', message }),
}

/**
 * Where toasts appear. What shows them is fetched at the first touch, ahead of the first toast: the sentence that
 * says the connection is lost must not need one. Where it could not come, the sentences stand plainly.
 */
export function Toasts() {
  const [Toaster, setToaster] = useState<typeof FetchedToaster | null>(null)
  const [plain, setPlain] = useState<string[]>([])
  useEffect(() => {
    needed = () => {
      import('./Toaster.tsx').then(
        (fetched) => setToaster(() => fetched.Toaster),
        () => {
          const missed = waiting
            .splice(0)
            .map(({ message, reason }) => [message, reason].filter(Boolean).join('. '))
          setPlain((before) => [...new Set([...before, ...missed])])
          setTimeout(
            () => setPlain((before) => before.filter((message) => !missed.includes(message))),
            PLAIN_MS,
          )
        },
      )
    }
    if (waiting.length > 0) needed()
    return onFirstTouch(needed)
  }, [])
  return (
    <>
      {Toaster && <Toaster onReady={becomeReady} />}
      <div role="status" className="no-print fixed bottom-4 left-4 z-50 flex flex-col gap-2 empty:hidden">
        {plain.map((message) => (
          <p key={message} className="rounded-md border border-line bg-surface p-4 text-small">
            {message}
          </p>
        ))}
      </div>
    </>
  )
}

function becomeReady(show: (toast: Toast) => void): void {
  deliver = show
  for (const toast of waiting.splice(0)) show(toast)
}
