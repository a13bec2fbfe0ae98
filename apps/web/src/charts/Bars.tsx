import { formatFixed } from '@ensaio/domain'
import { type Ref, useImperativeHandle, useRef, useState } from 'react'
import { classes } from '../ui/classes.ts'
import { BAR_HEIGHT, bars } from './bars.ts'
import type { ChartHandle } from './Chart.tsx'
import { type Axis, type Datum, faded, withUnit } from './data.ts'

const MOST_KEPT = 4

export type BarsPicture = { data: readonly Datum[]; axis: Axis; selected: string | null }

type Props = BarsPicture & { onPick?: (index: number) => void; ref?: Ref<ChartHandle> }

/** Horizontal bars from zero, part of the page itself: read, reached and chosen like any other list. */
export function Bars({ data, axis, selected, onPick, ref }: Props) {
  const frame = useRef<HTMLUListElement>(null)
  // Fewer bars leave some of their room, so that what is below stays near where it is looked at; not all of it.
  const most = useRef(0)
  most.current = Math.min(MOST_KEPT, Math.max(most.current, data.length))
  const [looked, setLooked] = useState<number | null>(null)
  const longest = Math.max(...data.map(({ value }) => value), 0)

  useImperativeHandle(ref, () => ({
    picture: () => ({
      draw: bars(data, axis, selected),
      size: { width: frame.current?.clientWidth ?? 640, height: data.length * BAR_HEIGHT + 16 },
    }),
  }))

  return (
    <ul
      ref={frame}
      className="grid grid-cols-[fit-content(8.5rem)_1fr] content-start gap-x-2 py-1"
      style={{ minHeight: Math.max(most.current, data.length) * BAR_HEIGHT + 8 }}
    >
      {data.map((datum, index) => {
        const share = longest > 0 ? Math.max(0, datum.value) / longest : 0
        const row = (
          <>
            <span className="truncate text-right">{datum.label}</span>{' '}
            <span className="flex min-w-0 items-center gap-1.5">
              <span
                aria-hidden
                className="data-colour h-5.5 shrink-0 rounded-r"
                style={{
                  width: `calc((100% - 4.75rem) * ${share.toFixed(4)})`,
                  backgroundColor: datum.colour ?? 'var(--accent)',
                  opacity: faded(datum, selected),
                }}
              />
              <span className="figures text-muted">{formatFixed(datum.value, axis.decimals)}</span>
            </span>
            {looked === index && (
              <span
                aria-hidden
                className="figures pointer-events-none absolute bottom-full left-1/4 z-20 w-max max-w-72 rounded-md border border-line bg-surface px-3 py-2 text-left shadow-lg"
              >
                <strong className="block">{datum.label}</strong>
                <span className="block">{withUnit(datum.value, axis)}</span>
                {datum.detail && <span className="block">{datum.detail}</span>}
              </span>
            )}
          </>
        )
        const shape =
          'relative col-span-2 grid min-h-9.5 grid-cols-subgrid items-center rounded-sm text-small'
        return (
          <li
            key={datum.key}
            className="contents"
            onPointerEnter={() => setLooked(index)}
            onPointerLeave={() => setLooked(null)}
            onFocus={() => setLooked(index)}
            onBlur={() => setLooked(null)}
          >
            {onPick ? (
              <button
                type="button"
                aria-pressed={selected === datum.key}
                aria-label={[datum.label, withUnit(datum.value, axis), datum.detail]
                  .filter(Boolean)
                  .join(', ')}
                onClick={() => onPick(index)}
                className={classes(shape, 'text-left hover:bg-sunken')}
              >
                {row}
              </button>
            ) : (
              <div className={shape}>{row}</div>
            )}
          </li>
        )
      })}
    </ul>
  )
}
