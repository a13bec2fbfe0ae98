import { Tabs as Radix } from 'radix-ui'
import { type ReactNode, useEffect, useRef } from 'react'

type Props<T extends string> = {
  value: T
  onValue: (value: T) => void
  tabs: readonly { value: T; label: string; icon?: ReactNode }[]
  label: string
  children: ReactNode
}

export function Tabs<T extends string>({ value, onValue, tabs, label, children }: Props<T>) {
  const list = useRef<HTMLDivElement>(null)
  // On a phone the open tab may stand beyond the edge of the row.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab has been opened
  useEffect(() => {
    const open = list.current?.querySelector<HTMLElement>('[data-state=active]')
    if (open) list.current?.scrollTo({ left: open.offsetLeft - 16 })
  }, [value])
  return (
    <Radix.Root value={value} onValueChange={(next) => onValue(next as T)}>
      <Radix.List
        ref={list}
        aria-label={label}
        // The way of the focus among tabs looks like the keyboard's to the browser, even after a click.
        onPointerDown={(event) => event.currentTarget.setAttribute('data-pointer', '')}
        onKeyDown={(event) => event.currentTarget.removeAttribute('data-pointer')}
        className="no-print relative -mx-4 flex gap-1 overflow-x-auto border-b border-line px-4 sm:mx-0 sm:px-0"
      >
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px inline-flex min-h-11 items-center gap-2 border-b-2 border-transparent px-2 sm:px-3 font-medium whitespace-nowrap text-muted hover:text-text focus-visible:outline-offset-[-3px] in-data-pointer:outline-none data-[state=active]:border-accent data-[state=active]:text-text [&>svg]:hidden [&>svg]:size-4 sm:[&>svg]:block"
          >
            {tab.icon}
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {children}
    </Radix.Root>
  )
}

export const TabPanel = Radix.Content
