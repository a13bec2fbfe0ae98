import { Popover as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

type Props = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** What it is called to who does not see it. */
  label: string
  trigger: ReactNode
  align?: 'start' | 'end'
  children: ReactNode
}

/** A small surface beside its button, for what is more than a menu: fields, links and texts. */
export function Popover({ open, onOpenChange, label, trigger, align = 'start', children }: Props) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-h-[min(32rem,var(--radix-popover-content-available-height))] max-w-[calc(100vw-1rem)] min-w-60 overflow-y-auto rounded-md border border-line bg-surface p-1 shadow-lg focus:outline-none"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
