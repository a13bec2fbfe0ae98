import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

type Props<T extends string> = {
  value: T
  onValue: (value: T) => void
  tabs: readonly { value: T; label: string; icon?: ReactNode }[]
  label: string
  children: ReactNode
}

export function Tabs<T extends string>({ value, onValue, tabs, label, children }: Props<T>) {
  return (
    <Radix.Root value={value} onValueChange={(next) => onValue(next as T)}>
      <Radix.List
        aria-label={label}
        className="no-print -mx-4 flex gap-1 overflow-x-auto border-b border-line px-4 sm:mx-0 sm:px-0"
      >
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px inline-flex min-h-11 items-center gap-2 border-b-2 border-transparent px-3 font-medium whitespace-nowrap text-muted hover:text-text focus-visible:outline-offset-[-3px] data-[state=active]:border-accent data-[state=active]:text-text [&>svg]:size-4"
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
