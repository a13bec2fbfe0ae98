import { LoaderCircle } from 'lucide-react'
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { classes } from './classes.ts'

type Variant = 'primary' | 'secondary' | 'quiet' | 'danger'
type Size = 'small' | 'medium' | 'large'

const VARIANTS: Record<Variant, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover border-transparent',
  secondary: 'bg-surface text-text border-line-strong/60 hover:bg-sunken',
  quiet: 'bg-transparent text-text border-transparent hover:bg-sunken',
  danger: 'bg-danger text-on-danger border-transparent hover:bg-danger-hover',
}
const SIZES: Record<Size, string> = {
  small: 'min-h-8 px-2.5 text-small gap-1.5',
  medium: 'min-h-10 px-4 gap-2',
  large: 'min-h-12 px-6 gap-2',
}

/** The classes of a button, for links that look like one. */
export const buttonClasses = (variant: Variant = 'secondary', size: Size = 'medium'): string =>
  classes(
    'inline-flex items-center justify-center rounded-md border font-medium no-underline transition-colors',
    'disabled:opacity-55 disabled:cursor-not-allowed whitespace-nowrap select-none',
    VARIANTS[variant],
    SIZES[size],
  )

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  variant?: Variant
  size?: Size
  icon?: ReactNode
  busy?: boolean
  ref?: Ref<HTMLButtonElement>
}

export function Button({
  variant = 'secondary',
  size = 'medium',
  icon,
  busy,
  className,
  children,
  ...rest
}: Props) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || busy}
      aria-busy={busy || undefined}
      className={classes(buttonClasses(variant, size), className)}
    >
      {busy ? <LoaderCircle aria-hidden className="size-4 animate-spin" /> : icon}
      {children}
    </button>
  )
}

type IconButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  /** What the button does, in words; also its tooltip. */
  label: string
  tone?: 'plain' | 'danger'
  ref?: Ref<HTMLButtonElement>
}

/** A square button that shows only an icon; its name is text, so that no field's label is confused with it. */
export function IconButton({ label, tone = 'plain', className, children, title, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={title ?? label}
      {...rest}
      className={classes(
        'relative inline-flex size-9 items-center justify-center rounded-md text-muted transition-colors [&>svg]:size-[18px]',
        'hover:bg-sunken hover:text-text disabled:opacity-40 disabled:cursor-not-allowed',
        tone === 'danger' && 'hover:bg-danger-soft hover:text-danger',
        className,
      )}
    >
      {children}
      <span className="sr-only">{label}</span>
    </button>
  )
}
