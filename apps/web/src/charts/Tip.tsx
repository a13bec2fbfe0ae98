import { useLayoutEffect, useRef } from 'react'

const AWAY = 14

type Props = { said: readonly [name: string, ...values: string[]]; x: number; y: number }

/** What is said of what the pointer is on, beside it and within its picture. */
export function Tip({ said: [name, ...values], x, y }: Props) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const own = box.current
    const frame = own?.parentElement
    if (!own || !frame) return
    const right = x + AWAY
    const left = right + own.offsetWidth <= frame.clientWidth ? right : x - AWAY - own.offsetWidth
    own.style.left = `${Math.max(0, left)}px`
    own.style.top = `${Math.max(0, Math.min(y + AWAY, frame.clientHeight - own.offsetHeight))}px`
  })
  return (
    <div
      ref={box}
      className="figures pointer-events-none absolute z-20 w-max max-w-full rounded-md border border-line bg-surface px-3 py-2 text-small shadow-lg"
    >
      <b className="block font-semibold">{name}</b>
      {values.map((value) => (
        <span key={value} className="block">
          {value}
        </span>
      ))}
    </div>
  )
}
