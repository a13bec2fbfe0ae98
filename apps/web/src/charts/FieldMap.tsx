import { formatNumber } from '@ensaio/domain'
import { classes } from '../ui/classes.ts'

export type MapPlot = {
  numero: number
  tratamento: number
  bloco: number | null
  linha: number | null
  coluna: number | null
}
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
  const most = Math.max(1e-9, ...values.map((value) => (value === null ? 0 : Math.abs(value - middle))))
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
          const off = value === null ? 0 : (value - middle) / most
          return (
            <li
              key={plot.numero}
              title={said(at)}
              style={{
                gridRow: row,
                gridColumn: column,
                ...(value !== null && {
                  backgroundColor: `color-mix(in oklab, var(${off >= 0 ? '--accent' : '--warn'}) ${Math.round(Math.abs(off) * 45)}%, var(--surface))`,
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

/** Whether anything says where the plots lie. */
export const canMap = (plots: readonly MapPlot[]): boolean => placesOf(plots).length > 0

/** By row and column where they are known; else a block is a line, in the order of the plots' numbers. */
function placesOf(plots: readonly MapPlot[]): { at: number; row: number; column: number }[] {
  if (plots.length > 0 && plots.every(({ linha, coluna }) => linha !== null && coluna !== null))
    return plots.map(({ linha, coluna }, at) => ({ at, row: linha ?? 1, column: coluna ?? 1 }))
  const blocks = [...new Set(plots.map(({ bloco }) => bloco))].sort((a, b) => (a ?? 0) - (b ?? 0))
  if (blocks.length < 2) return []
  return blocks.flatMap((block, line) =>
    plots
      .map((plot, at) => ({ plot, at }))
      .filter(({ plot }) => plot.bloco === block)
      .sort((a, b) => a.plot.numero - b.plot.numero)
      .map(({ at }, across) => ({ at, row: line + 1, column: across + 1 })),
  )
}
