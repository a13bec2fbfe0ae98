import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { HTMLAttributes, ReactNode, Ref } from 'react'
import { Button } from './Button.tsx'
import { classes } from './classes.ts'

export function Card({ className, ...rest }: HTMLAttributes<HTMLElement> & { ref?: Ref<HTMLElement> }) {
  return (
    <section {...rest} className={classes('min-w-0 rounded-md border border-line bg-surface', className)} />
  )
}

type CardHeaderProps = {
  title: ReactNode
  subtitle?: ReactNode
  actions?: ReactNode
  level?: 2 | 3
  /** The title keeps its line: actions that have no room beside it stand below. */
  whole?: boolean
}

export function CardHeader({ title, subtitle, actions, level = 2, whole }: CardHeaderProps) {
  const Heading = `h${level}` as const
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-5 pt-4 pb-3">
      <div className={classes('min-w-0 flex-1', whole ? 'basis-auto' : 'basis-40')}>
        <Heading className="font-semibold">{title}</Heading>
        {subtitle && <p className="figures text-small text-muted">{subtitle}</p>}
      </div>
      {actions && (
        <div className="no-print flex max-w-full shrink-0 flex-wrap items-center gap-1">{actions}</div>
      )}
    </header>
  )
}

type BadgeProps = { children: ReactNode; tone?: 'plain' | 'accent' | 'warn' | 'danger' | 'ok'; dot?: string }

const BADGES = {
  plain: 'bg-sunken text-muted',
  accent: 'bg-accent-soft text-accent',
  warn: 'bg-warn-soft text-warn',
  danger: 'bg-danger-soft text-danger',
  ok: 'bg-ok-soft text-ok',
} as const

/** A short label; `dot` puts a point of that colour before the text, so that colour never stands alone. */
export function Badge({ children, tone = 'plain', dot }: BadgeProps) {
  return (
    <span
      className={classes(
        'inline-flex max-w-full items-center gap-1.5 rounded-full px-2.5 py-0.5 text-small font-medium whitespace-nowrap',
        BADGES[tone],
      )}
    >
      {dot && (
        <span
          aria-hidden
          className="data-colour size-2 shrink-0 rounded-full"
          style={{ backgroundColor: dot }}
        />
      )}
      <span className="truncate">{children}</span>
    </span>
  )
}

const BANNERS = {
  info: { icon: Info, classes: 'bg-info-soft text-info' },
  ok: { icon: CircleCheck, classes: 'bg-ok-soft text-ok' },
  warn: { icon: TriangleAlert, classes: 'bg-warn-soft text-warn' },
  danger: { icon: CircleAlert, classes: 'bg-danger-soft text-danger' },
} as const

type BannerProps = {
  tone: keyof typeof BANNERS
  title?: ReactNode
  children?: ReactNode
  action?: ReactNode
  className?: string
}

export function Banner({ tone, title, children, action, className }: BannerProps) {
  const { icon: Icon, classes: colours } = BANNERS[tone]
  const beside = action && !children
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className={classes(
        'flex gap-3 rounded-md px-4 py-3 text-small',
        beside ? 'items-center' : 'items-start',
        colours,
        className,
      )}
    >
      <Icon aria-hidden className={classes('size-4 shrink-0', !beside && 'mt-0.5')} />
      <div className="min-w-0 flex-1">
        {title && <p className="font-semibold">{title}</p>}
        {children && <div>{children}</div>}
      </div>
      {action}
    </div>
  )
}

export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={classes('animate-pulse rounded-md bg-sunken', className)} />
}

type StateProps = {
  title: string
  children?: ReactNode
  action?: ReactNode
  icon?: ReactNode
  className?: string
}

/** Nothing to show: says what to do next. */
export function EmptyState({ title, children, action, icon, className }: StateProps) {
  return (
    <div
      className={classes('flex flex-col items-center justify-center gap-2 px-6 py-12 text-center', className)}
    >
      {icon && <div className="mb-1 text-faint [&>svg]:size-8">{icon}</div>}
      <p className="font-semibold">{title}</p>
      {children && <div className="max-w-md text-small text-muted">{children}</div>}
      {action && <div className="mt-2">{action}</div>}
    </div>
  )
}

/** Something failed: says what happened and offers to try again. */
export function ErrorState({
  message,
  onRetry,
  className,
}: {
  message: string
  onRetry?: () => void
  className?: string
}) {
  return (
    <div
      role="alert"
      className={classes('flex flex-col items-center gap-3 px-6 py-12 text-center', className)}
    >
      <CircleAlert aria-hidden className="size-7 text-danger" />
      <p className="max-w-md">{message}</p>
      {onRetry && <Button onClick={onRetry}>Tentar novamente</Button>}
    </div>
  )
}
