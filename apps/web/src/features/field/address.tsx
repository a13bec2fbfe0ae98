import { type AnchorHTMLAttributes, useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
const changed = () => {
  for (const listener of listeners) listener()
}
addEventListener('popstate', changed)

/** Of this entry's few pages; a router of many would weigh more than all of them. */
export const usePath = (): string =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => location.pathname,
  )

export function go(path: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', path)
  else history.pushState(null, '', path)
  scrollTo(0, 0)
  changed()
}

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { to: string }

export function Link({ to, onClick, children, ...rest }: LinkProps) {
  return (
    <a
      {...rest}
      href={to}
      onClick={(event) => {
        onClick?.(event)
        if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0)
          return
        event.preventDefault()
        go(to)
      }}
    >
      {children}
    </a>
  )
}

export const fieldPath = '/campo'
export const devicePath = '/campo/aparelho'
export const trialPath = (id: string, part?: 'coleta' | 'conflitos' | 'etiquetas'): string =>
  `/campo/${id}${part ? `/${part}` : ''}`
