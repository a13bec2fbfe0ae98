/** Markers of a map are one stop for the Tab key; the arrows go to the nearest one in their direction. */
export function roveByArrows(frame: HTMLElement, selector: string): () => void {
  const stops = () => [...frame.querySelectorAll<HTMLElement | SVGElement>(selector)]
  const hold = (held: Element | undefined) => {
    for (const stop of stops()) stop.setAttribute('tabindex', stop === held ? '0' : '-1')
  }
  const focused = (event: FocusEvent) => {
    if (event.target instanceof Element && event.target.matches(selector)) hold(event.target)
  }
  const moved = (event: KeyboardEvent) => {
    const way = WAYS[event.key]
    const from = event.target
    if (!way || !(from instanceof Element) || !from.matches(selector)) return
    event.preventDefault()
    event.stopPropagation()
    nearest(from, stops(), way)?.focus()
  }
  const drawn = new MutationObserver(() => {
    const all = stops()
    if (all.filter((stop) => stop.getAttribute('tabindex') === '0').length !== 1)
      hold(all.find((stop) => stop === document.activeElement) ?? all[0])
  })
  frame.addEventListener('focusin', focused)
  frame.addEventListener('keydown', moved, { capture: true })
  drawn.observe(frame, { childList: true, subtree: true })
  return () => {
    drawn.disconnect()
    frame.removeEventListener('focusin', focused)
    frame.removeEventListener('keydown', moved, { capture: true })
  }
}

const WAYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
}

/** Closer than this they are one spot, whose popup leads to each. */
const SAME_SPOT_PX = 12

function nearest<T extends Element>(
  from: Element,
  stops: readonly T[],
  [x, y]: readonly [number, number],
): T | null {
  const middle = (of: Element) => {
    const { left, top, width, height } = of.getBoundingClientRect()
    return { x: left + width / 2, y: top + height / 2 }
  }
  const here = middle(from)
  let found: T | null = null
  let least = Number.POSITIVE_INFINITY
  for (const stop of stops) {
    const there = middle(stop)
    const [dx, dy] = [there.x - here.x, there.y - here.y]
    const along = dx * x + dy * y
    const aside = Math.abs(dx * y) + Math.abs(dy * x)
    const far = Math.hypot(dx, dy)
    if (far < SAME_SPOT_PX || along <= 0 || aside > along * 1.2) continue
    if (far < least) [found, least] = [stop, far]
  }
  return found
}
