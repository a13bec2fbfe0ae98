import { DropdownMenu as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

export function Menu({
  trigger,
  label,
  align = 'end',
  children,
}: {
  trigger: ReactNode
  label: string
  align?: 'start' | 'end'
  children: ReactNode
}) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-h-(--radix-dropdown-menu-content-available-height) max-w-[calc(100vw-1rem)] min-w-60 overflow-y-auto rounded-md border border-line bg-surface p-1 shadow-lg"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

export function MenuItem({
  onSelect,
  icon,
  children,
}: {
  onSelect: () => void
  icon?: ReactNode
  children: ReactNode
}) {
  return (
    <Radix.Item
      onSelect={onSelect}
      className="flex min-h-10 cursor-pointer items-center gap-2.5 rounded-md px-3 outline-none data-[highlighted]:bg-sunken [&>svg]:size-4 [&>svg]:text-muted"
    >
      {icon}
      {children}
    </Radix.Item>
  )
}

export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <Radix.Label className="px-3 py-2 text-small">{children}</Radix.Label>
)
export const MenuSeparator = () => <Radix.Separator className="my-1 h-px bg-line" />
