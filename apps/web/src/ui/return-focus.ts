import { useRef } from 'react'

/**
 * Gives the focus back to what had it when a dialog opened. What opened it may be gone with what the dialog did:
 * then the part of the page that it stood in takes the focus, so that the keyboard goes on from there.
 */
export function useReturnFocus(open: boolean) {
  const opener = useRef<Opener | null>(null)
  const was = useRef(false)
  if (open && !was.current) opener.current = found(document.activeElement)
  was.current = open
  return (event: Event) => {
    event.preventDefault()
    const { element = null, around = null } = opener.current ?? {}
    if (element instanceof HTMLElement || element instanceof SVGElement)
      element.focus({ preventScroll: true })
    keep(element, around)
  }
}

type Opener = { element: Element | null; around: HTMLElement | null }

const found = (element: Element | null): Opener => ({
  element: element === document.body ? null : element,
  around: element?.closest<HTMLElement>('section, main') ?? document.querySelector<HTMLElement>('main'),
})

/** How long what the dialog did may take to show. */
const WATCH_MS = 3_000

/** While the opener is being taken off the page, the focus falls: caught here. */
function keep(element: Element | null, around: HTMLElement | null): void {
  const rescue = () => {
    if (document.activeElement !== document.body && document.activeElement !== null) return
    const target = around?.isConnected ? around : document.querySelector<HTMLElement>('main')
    target?.setAttribute('tabindex', '-1')
    target?.focus({ preventScroll: true })
  }
  if (!element?.isConnected) {
    rescue()
    return
  }
  const watch = new MutationObserver(() => {
    if (element.isConnected) return
    watch.disconnect()
    rescue()
  })
  watch.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => watch.disconnect(), WATCH_MS)
}
