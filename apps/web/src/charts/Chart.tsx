import { type PointerEvent, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { printing } from '../ui/theme.ts'
import type { Drawn } from './data.ts'
import type { Picture } from './framed.ts'
import { type Drawing, drawNow, inTurn, takeBack } from './in-turn.ts'
import { readPalette } from './palette.ts'
import { measure, paint, type Scene } from './scene.ts'
import { Tip } from './Tip.tsx'

export type ChartHandle = { picture: () => Picture }

type Props = {
  /** Made anew when the data change. */
  draw: Drawn
  height: number
  onPick?: (index: number) => void
  theme: string
  ref?: Ref<ChartHandle>
}

/** A chart on a canvas that follows its frame's size. */
export function Chart({ draw, height, onPick, theme, ref }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const scene = useRef<Scene>(null)
  const [looked, setLooked] = useState<{ index: number; x: number; y: number } | null>(null)
  const drawing = useRef<Drawing>({ inView: true, draw: () => undefined }).current

  useEffect(() => {
    const target = frame.current
    if (!target) return
    const view = new IntersectionObserver(([entry]) => {
      drawing.inView = entry?.isIntersecting ?? true
    })
    view.observe(target)
    return () => {
      view.disconnect()
      takeBack(drawing)
    }
  }, [drawing])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme is another palette
  useEffect(() => {
    const target = frame.current
    if (!target) return
    let width = 0
    drawing.draw = () => {
      const on = canvas.current
      width = target.clientWidth
      if (!on || width === 0) return
      scene.current = draw(readPalette(), { width, height }, measure)
      paint(on, scene.current, { width, height }, window.devicePixelRatio)
    }
    const size = new ResizeObserver(() => {
      if (target.clientWidth !== width) inTurn(drawing)
    })
    size.observe(target)
    setLooked(null)
    inTurn(drawing)
    if (printing()) drawNow(drawing)
    // Widths of texts are other ones once the letters have come.
    let shown = true
    if (document.fonts.status === 'loading') document.fonts.ready.then(() => shown && inTurn(drawing))
    return () => {
      shown = false
      size.disconnect()
    }
  }, [draw, height, theme, drawing])

  useImperativeHandle(ref, () => ({
    picture: () => ({ draw, size: { width: frame.current?.clientWidth ?? 640, height } }),
  }))

  const under = ({ nativeEvent: { offsetX: x, offsetY: y } }: { nativeEvent: MouseEvent }) => {
    const index = scene.current?.at(x, y) ?? null
    return index === null ? null : { index, x, y }
  }
  const look = (event: PointerEvent) => setLooked(under(event))
  return (
    <div ref={frame} aria-hidden className="drawing relative" style={{ height }}>
      <canvas
        ref={canvas}
        className={`absolute inset-0 size-full ${looked && onPick ? 'cursor-pointer' : ''}`}
        onPointerMove={look}
        onPointerDown={look}
        onPointerLeave={() => setLooked(null)}
        onClick={(event) => {
          const at = under(event)
          if (at) onPick?.(at.index)
        }}
      />
      {looked && scene.current && <Tip said={scene.current.tip(looked.index)} x={looked.x} y={looked.y} />}
    </div>
  )
}
