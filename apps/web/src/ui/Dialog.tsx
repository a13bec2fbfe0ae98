import { X } from 'lucide-react'
import { AlertDialog as Alert, Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { Button, IconButton } from './Button.tsx'
import { classes } from './classes.ts'
import { useReturnFocus } from './return-focus.ts'

const overlay = 'no-print fixed inset-0 z-40 bg-black/45 backdrop-blur-[1px]'
const panel =
  'fixed z-50 flex flex-col border border-line bg-surface shadow-2xl focus:outline-none ' +
  'inset-x-0 bottom-0 max-h-[94dvh] rounded-t-xl sm:inset-auto sm:left-1/2 sm:top-1/2 sm:max-h-[88dvh] ' +
  'sm:w-[calc(100vw-3rem)] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-xl'

type Props = {
  open: boolean
  onClose: () => void
  title: string
  description?: ReactNode
  size?: 'medium' | 'large' | 'full'
  footer?: ReactNode
  children: ReactNode
}

/** A modal: focus is trapped and returns, Esc and the backdrop close it. */
export function Dialog({ open, onClose, title, description, size = 'medium', footer, children }: Props) {
  const returnFocus = useReturnFocus(open)
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={overlay} data-testid="dialog-backdrop" />
        <Radix.Content
          {...(description ? {} : { 'aria-describedby': undefined })}
          onCloseAutoFocus={returnFocus}
          className={classes(
            panel,
            size === 'medium' && 'sm:max-w-xl',
            size === 'large' && 'sm:max-w-4xl',
            size === 'full' && 'sm:max-w-[1360px]',
          )}
        >
          <header className="flex items-start justify-between gap-4 border-b border-line px-5 py-4">
            <div className="min-w-0">
              <Radix.Title className="text-title font-semibold">{title}</Radix.Title>
              {description && (
                <Radix.Description asChild>
                  <div className="mt-0.5 text-small text-muted">{description}</div>
                </Radix.Description>
              )}
            </div>
            <Radix.Close asChild>
              <IconButton label="Voltar à página">
                <X aria-hidden />
              </IconButton>
            </Radix.Close>
          </header>
          <div
            tabIndex={0}
            role="group"
            aria-label={title}
            className="min-h-0 flex-1 overflow-auto px-5 py-5 focus-visible:outline-offset-[-2px]"
          >
            {children}
          </div>
          {footer && (
            <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">
              {footer}
            </footer>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

type ConfirmProps = {
  open: boolean
  onCancel: () => void
  onConfirm: () => void
  title?: string
  message?: string
  /** What will go, named. */
  children?: ReactNode
  confirmLabel?: string
  busy?: boolean
}

/** Asks once before something is lost; the safe choice comes first. */
export function ConfirmDialog({
  open,
  onCancel,
  onConfirm,
  title = 'Confirmar ação',
  message = 'Tem certeza que deseja continuar?',
  children,
  confirmLabel = 'Confirmar',
  busy = false,
}: ConfirmProps) {
  const returnFocus = useReturnFocus(open)
  return (
    <Alert.Root open={open} onOpenChange={(next) => !next && onCancel()}>
      <Alert.Portal>
        <Alert.Overlay className={overlay} />
        <Alert.Content className={classes(panel, 'gap-4 p-5 sm:max-w-md')} onCloseAutoFocus={returnFocus}>
          <Alert.Title className="text-title font-semibold">{title}</Alert.Title>
          <Alert.Description className="text-muted">{message}</Alert.Description>
          {children}
          <div className="flex flex-wrap justify-end gap-2 pt-1">
            <Alert.Cancel asChild>
              <Button>Cancelar</Button>
            </Alert.Cancel>
            <Button variant="danger" busy={busy} onClick={onConfirm}>
              {confirmLabel}
            </Button>
          </div>
        </Alert.Content>
      </Alert.Portal>
    </Alert.Root>
  )
}
