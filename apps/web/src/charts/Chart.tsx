import type { EChartsCoreOption, EChartsType } from 'echarts/core'
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { NotArrived } from '../ui/NotArrived.tsx'
import { Skeleton } from '../ui/Surface.tsx'
import { inTurn } from './in-turn.ts'
import { type Palette, readPalette } from './palette.ts'

export type ChartHandle = { png: () => string | null }

type Props = {
  /** Draws with the theme's colours; made anew when the data change. */
  option: (palette: Palette) => EChartsCoreOption
  /** What the picture shows, for those who do not see it. */
  label: string
  height: number
  onPick?: (index: number) => void
  theme: string
  ref?: Ref<ChartHandle>
}

/** A canvas chart that follows its frame's size; its library is fetched when the first one is shown. */
export function Chart({ option, label, height, onPick, theme, ref }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const chart = useRef<EChartsType | null>(null)
  const pick = useRef(onPick)
  pick.current = onPick
  const [ready, setReady] = useState(false)
  const [failed, setFailed] = useState(false)
  const [attempt, setAttempt] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is another start
  useEffect(() => {
    const target = frame.current
    if (!target) return
    let gone = false
    let observer: ResizeObserver | undefined
    setFailed(false)
    import('./engine.ts').then(
      ({ echarts }) => {
        if (gone) return
        const made = echarts.init(target, null, { renderer: 'canvas' })
        chart.current = made
        made.on('click', ({ dataIndex }: { dataIndex: number }) => pick.current?.(dataIndex))
        observer = new ResizeObserver(() => made.resize())
        observer.observe(target)
        setReady(true)
      },
      () => setFailed(true),
    )
    return () => {
      gone = true
      observer?.disconnect()
      chart.current?.dispose()
      chart.current = null
    }
  }, [attempt])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme is another palette
  useEffect(() => {
    if (!ready) return
    return inTurn(() => chart.current?.setOption(option(readPalette()), { notMerge: true }))
  }, [option, ready, theme])

  useImperativeHandle(ref, () => ({
    png: () =>
      chart.current?.getDataURL({ type: 'png', pixelRatio: 2, backgroundColor: readPalette().surface }) ??
      null,
  }))

  return (
    <div className="relative" style={{ height }}>
      {!ready && !failed && <Skeleton className="absolute inset-0" />}
      <div
        ref={frame}
        role="img"
        aria-label="Gráfico"
        aria-description={label}
        className="absolute inset-0"
      />
      {failed && (
        <div className="absolute inset-0">
          <NotArrived place="part" onRetry={() => setAttempt(attempt + 1)} />
        </div>
      )}
    </div>
  )
}
