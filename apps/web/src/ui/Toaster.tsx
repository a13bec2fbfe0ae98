import { TOAST_LIMIT } from '@ensaio/domain'
import { useEffect } from 'react'
import { Toaster as Sonner, toast as show } from 'sonner'
import { useNarrow } from './narrow.ts'

export type Toast = {
  kind: 'success' | 'error' | 'info'
  message: string
  reason?: string | undefined
  /** A way back, for as long as the toast stands. */
  undo?: { label: string; run: () => void; forMs: number } | undefined
}

const STANDS_MS = 6000
/** Long enough to read a reason. */
const REASON_STANDS_MS = 12_000

function deliver({ kind, message, reason, undo }: Toast): void {
  show[kind](message, {
    description: reason,
    duration: undo?.forMs ?? (reason ? REASON_STANDS_MS : STANDS_MS),
    ...(undo ? { action: { label: undo.label, onClick: undo.run } } : {}),
  })
}

/** Where toasts appear; `onReady` gets the way to show one. */
export function Toaster({ onReady }: { onReady: (deliver: (toast: Toast) => void) => void }) {
  const narrow = useNarrow()
  useEffect(() => onReady(deliver), [onReady])
  return (
    <Sonner
      visibleToasts={TOAST_LIMIT}
      // At the foot of a narrow screen stand the buttons that lead on.
      position={narrow ? 'top-center' : 'bottom-left'}
      mobileOffset={{ top: 64 }}
      containerAriaLabel="Avisos"
      toastOptions={{
        classNames: {
          toast: '!bg-surface !text-text !border-line !font-sans !text-small !rounded-md',
          success: '[&_[data-icon]]:!text-ok',
          error: '[&_[data-icon]]:!text-danger',
          description: '!text-muted',
          actionButton: '!h-8 !bg-accent !px-3 !font-medium !text-on-accent',
        },
      }}
    />
  )
}
