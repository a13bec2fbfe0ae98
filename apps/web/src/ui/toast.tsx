import { TOAST_LIMIT } from '@ensaio/domain'
import { Toaster as Sonner, toast as show } from 'sonner'

/** A toast confirms; it never carries the only copy of an error. */
export const toast = {
  success: (message: string) => show.success(message),
  error: (message: string) => show.error(message),
  info: (message: string) => show.info(message),
}

export function Toaster() {
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
