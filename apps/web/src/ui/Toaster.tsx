import { TOAST_LIMIT } from '@ensaio/domain'
import { useEffect } from 'react'
import { Toaster as Sonner, toast as show } from 'sonner'
import type { Toast } from './toast.tsx'

/** Where toasts appear; `onReady` gets the way to show one. */
export function Toaster({ onReady }: { onReady: (deliver: (toast: Toast) => void) => void }) {
  useEffect(
    () => onReady(({ kind, message, reason }) => show[kind](message, { description: reason })),
    [onReady],
  )
  return (
    <Sonner
      visibleToasts={TOAST_LIMIT}
      position="bottom-left"
      containerAriaLabel="Avisos"
      toastOptions={{
        duration: 6000,
        classNames: {
          toast: '!bg-surface !text-text !border-line !font-sans !text-small !rounded-md',
          success: '[&_[data-icon]]:!text-ok',
          error: '[&_[data-icon]]:!text-danger',
        },
      }}
    />
  )
}
