import { formatNumber } from '@ensaio/domain'
import { classes } from '../ui/classes.ts'
import { deviation, type MapPlot, MOST_COLOUR, placesOf } from './field.ts'

type Props = {
  plots: readonly MapPlot[]
  /** Aligned with the plots; null: lost. */
  values: readonly (number | null)[]
  /** What is said of a plot: its treatment, block and value. */
  said: (at: number) => string
  /** The value that has no colour: the mean, or zero of residuals. */
  middle: number
  decimals: number
}

/** Plots in their rows and columns, coloured by how far they lie from the middle: a trend is seen at once. */
export function FieldMap({ plots, values, said, middle, decimals }: Props) {
  const placed = placesOf(plots)
  const off = deviation(values, middle)
  const width = Math.max(...placed.map(({ column }) => column))
  const height = Math.max(...placed.map(({ row }) => row))
  return (
    <section tabIndex={0} aria-label="Croqui do ensaio" className="table-frame relative overflow-auto">
      <ol
        className="grid gap-1"
        style={{
          gridTemplateColumns: `repeat(${width}, minmax(4.25rem, 1fr))`,
          gridTemplateRows: `repeat(${height}, minmax(3.25rem, auto))`,
          minWidth: width * 72,
        }}
      >
        {placed.map(({ at, row, column }) => {
          const plot = plots[at]
          const value = values[at] ?? null
          if (!plot) return null
          const share = off(value)
          return (
            <li
              key={plot.numero}
              title={said(at)}
              style={{
                gridRow: row,
                gridColumn: column,
                ...(value !== null && {
                  backgroundColor: `color-mix(in oklab, var(${share >= 0 ? '--accent' : '--warn'}) ${Math.round(Math.abs(share) * MOST_COLOUR)}%, var(--surface))`,
                }),
              }}
              className={classes(
                'data-colour figures flex flex-col justify-center rounded-sm border px-1.5 py-1 text-center text-small',
                plot.bloco !== null && plot.bloco % 2 === 0 ? 'border-line-strong' : 'border-line',
                value === null && 'lost-plot text-muted',
              )}
            >
              <span aria-hidden className="font-medium">
                T{plot.tratamento}
              </span>
              <span aria-hidden className="truncate">
                {value === null ? plot.numero : formatNumber(value, decimals)}
              </span>
              <span className="sr-only">{said(at)}</span>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
