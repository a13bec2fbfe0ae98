import { type ButtonHTMLAttributes, type ReactNode, useEffect, useId, useRef } from 'react'
import { classes } from '../../ui/classes.ts'
import { Link } from './address.tsx'

const VARIANTS = {
  primary: 'border-transparent bg-accent text-on-accent',
  plain: 'border-line-strong bg-surface text-text',
  danger: 'border-transparent bg-danger text-on-danger',
} as const
type Variant = keyof typeof VARIANTS

/** A button or link large enough for a glove. */
export const touchClasses = (variant: Variant = 'plain', className?: string): string =>
  classes(
    'touch inline-flex items-center justify-center gap-2 rounded-md border px-4 text-center font-medium no-underline select-none',
    'disabled:opacity-55 aria-disabled:opacity-55',
    VARIANTS[variant],
    className,
  )

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { variant?: Variant; busy?: boolean }

export function Touch({ variant, busy = false, className, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || busy}
      aria-busy={busy || undefined}
      className={touchClasses(variant, className)}
    />
  )
}

const TONES = {
  info: 'bg-info-soft text-info border-info',
  ok: 'bg-ok-soft text-ok border-ok',
  warn: 'bg-warn-soft text-warn border-warn',
  danger: 'bg-danger-soft text-danger border-danger',
} as const

export function Notice({ tone, children }: { tone: keyof typeof TONES; children: ReactNode }) {
  return (
    <div
      role={tone === 'danger' ? 'alert' : undefined}
      className={classes('rounded-md border px-4 py-3', TONES[tone])}
    >
      {children}
    </div>
  )
}

type SheetProps = { title: string; onClose: () => void; children: ReactNode; footer?: ReactNode }

/** A modal from below: the browser's own, which traps and returns the focus; Esc and the backdrop close it. */
export function Sheet({ title, onClose, children, footer }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && dialog.current.close()}
      onKeyDown={() => undefined}
      className="sheet rounded-t-xl border border-line bg-surface p-0 text-text"
    >
      <div className="flex flex-col gap-4 p-4">
        <h2 id={id} className="text-title font-semibold">
          {title}
        </h2>
        {children}
        <div className="flex flex-wrap justify-end gap-2">
          <Touch onClick={() => dialog.current?.close()}>Fechar</Touch>
          {footer}
        </div>
      </div>
    </dialog>
  )
}

/** A page of its own: where one is, and the way back. */
export function Page({
  title,
  back,
  children,
  status,
}: {
  title: string
  back?: { to: string; label: string }
  children: ReactNode
  status?: ReactNode
}) {
  useEffect(() => {
    document.title = `${title} · Ensaio Campo`
  }, [title])
  return (
    <main className="mx-auto flex w-full max-w-3xl flex-col gap-4 px-4 pt-4 pb-10">
      {back && (
        <nav aria-label="Voltar">
          <Link
            to={back.to}
            className="touch inline-flex items-center text-accent underline underline-offset-4"
          >
            {back.label}
          </Link>
        </nav>
      )}
      <h1 className="text-display font-semibold break-words">{title}</h1>
      {status}
      {children}
    </main>
  )
}

export function Choice<T extends string>({
  label,
  value,
  options,
  onValue,
}: {
  label: string
  value: T
  options: Readonly<Record<T, string>>
  onValue: (value: T) => void
}) {
  const id = useId()
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-small font-medium">
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={(event) => onValue(event.target.value as T)}
        className="touch w-full rounded-md border border-line-strong bg-surface px-3 text-text"
      >
        {(Object.entries(options) as [T, string][]).map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}

export function Tick({
  label,
  checked,
  onChange,
}: {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
}) {
  return (
    <label className="touch flex items-center gap-3">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="size-6 shrink-0 accent-(--accent)"
      />
      <span>{label}</span>
    </label>
  )
}
