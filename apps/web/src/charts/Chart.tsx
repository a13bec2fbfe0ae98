import type { EChartsCoreOption, EChartsType } from 'echarts/core'
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { NotArrived } from '../ui/NotArrived.tsx'
import { Skeleton } from '../ui/Surface.tsx'
import { printing } from '../ui/theme.ts'
import { type Drawing, drawNow, inTurn, takeBack } from './in-turn.ts'
import { type Palette, readPalette } from './palette.ts'

export type ChartHandle = { png: () => Promise<string | null> }

type Props = {
  /** Draws with the theme's colours; made anew when the data change. */
  option: (palette: Palette) => EChartsCoreOption
  height: number
  onPick?: (index: number) => void
  theme: string
  ref?: Ref<ChartHandle>
}

/** A canvas chart that follows its frame's size; its library is fetched when the first one is shown. */
export function Chart({ option, height, onPick, theme, ref }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const pick = useRef(onPick)
  pick.current = onPick
  const [chart, setChart] = useState<EChartsType | null>(null)
  const [failed, setFailed] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const drawing = useRef<Drawing>({ inView: true, draw: () => undefined }).current

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is another start
  useEffect(() => {
    const target = frame.current
    if (!target) return
    let made: EChartsType | undefined
    let gone = false
    const view = new IntersectionObserver(([entry]) => {
      drawing.inView = entry?.isIntersecting ?? true
    })
    view.observe(target)
    setFailed(false)
    import('./engine.ts').then(
      ({ echarts }) => {
        if (gone) return
        made = echarts.init(target, null, { renderer: 'canvas' })
        made.on('click', ({ dataIndex, value }) =>
          // A scatter's points stand in several series; each knows its place.
          pick.current?.(Array.isArray(value) ? Number(value[2]) : dataIndex),
        )
        setChart(made)
      },
      () => setFailed(true),
    )
    return () => {
      gone = true
      view.disconnect()
      takeBack(drawing)
      made?.dispose()
      setChart(null)
    }
  }, [attempt, drawing])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme is another palette
  useEffect(() => {
    const target = frame.current
    if (!chart || !target) return
    const grown = () => target.clientWidth !== chart.getWidth() || target.clientHeight !== chart.getHeight()
    drawing.draw = () => {
      const resized = grown()
      // What is lazy is drawn by the change of size, once.
      chart.setOption(option(readPalette()), { notMerge: true, lazyUpdate: resized })
      if (resized) chart.resize()
    }
    const size = new ResizeObserver(() => {
      if (grown()) inTurn(drawing)
    })
    size.observe(target)
    inTurn(drawing)
    if (printing()) drawNow(drawing)
    return () => size.disconnect()
  }, [option, chart, theme, drawing])

  useImperativeHandle(ref, () => ({
    png: async () => {
      drawNow(drawing)
      return chart?.getDataURL({ type: 'png', pixelRatio: 2, backgroundColor: readPalette().surface }) ?? null
    },
  }))

  return (
    <div className="relative" style={{ height }}>
      {!chart && !failed && <Skeleton className="absolute inset-0" />}
      <div ref={frame} aria-hidden className="drawing absolute inset-0" />
      {failed && (
        <div className="absolute inset-0">
          <NotArrived place="part" onRetry={() => setAttempt(attempt + 1)} />
        </div>
      )}
    </div>
  )
}
