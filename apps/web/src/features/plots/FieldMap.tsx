import { type Experiment, formatNumber, type Plot } from '@ensaio/domain'
import { useState } from 'react'
import { classes } from '../../ui/classes.ts'
import { Select } from '../../ui/Input.tsx'
import { Card, CardHeader, EmptyState } from '../../ui/Surface.tsx'
import { valueText } from './Grid.tsx'
import { type Column, type Draft, valuesOf } from './sheet-state.ts'

/** Plots in their rows and columns, coloured by value: a trend across the field is seen at once. */
export function FieldMap({
  experiment,
  draft,
  columns,
}: {
  experiment: Experiment
  draft: Draft
  columns: readonly Column[]
}) {
  const [shown, setShown] = useState(0)
  const column = columns[shown] ?? columns[0]
  const placed = placesOf(draft.parcelas)
  if (placed.length === 0) return <EmptyState title="Nenhuma parcela tem linha e coluna, nem bloco." />
  const values = column ? valuesOf(draft, column) : []
  const numbers = draft.parcelas.map((_, at) => {
    const value = values[at]
    return value == null
      ? null
      : Array.isArray(value)
        ? value.reduce((a, b) => a + b, 0) / value.length
        : Number(value)
  })
  const known = numbers.filter((value) => value !== null)
  const mean = known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length)
  const most = Math.max(1e-9, ...known.map((value) => Math.abs(value - mean)))
  const width = Math.max(...placed.map(({ column: at }) => at))
  const height = Math.max(...placed.map(({ row }) => row))
  return (
    <Card>
      <CardHeader
        title="Croqui"
        subtitle={
          column
            ? `${column.title}: cor pelo desvio da média (${formatNumber(mean, 1)})`
            : 'sem valores ainda'
        }
        actions={
          columns.length > 1 && (
            <Select
              aria-label="Variável do croqui"
              className="max-w-60"
              value={String(shown)}
              options={columns.map(({ title }, at) => ({ value: String(at), label: title }))}
              onChange={(event) => setShown(Number(event.target.value))}
            />
          )
        }
      />
      <div
        tabIndex={0}
        role="group"
        aria-label="Croqui do ensaio"
        className="table-frame overflow-auto px-5 pb-5"
      >
        <ol
          className="grid gap-1"
          style={{
            gridTemplateColumns: `repeat(${width}, minmax(4.25rem, 1fr))`,
            gridTemplateRows: `repeat(${height}, minmax(3.25rem, auto))`,
            minWidth: width * 72,
          }}
        >
          {placed.map(({ at, row, column: across }) => {
            const plot = draft.parcelas[at] as Plot
            const value = numbers[at] ?? null
            const off = value === null ? 0 : (value - mean) / most
            const said = `Parcela ${plot.numero}, T${plot.tratamento} ${experiment.tratamentos[plot.tratamento - 1]?.nome ?? ''}${plot.bloco === null ? '' : `, bloco ${plot.bloco}`}: ${value === null ? 'perdida' : valueText(values[at])}`
            return (
              <li
                key={plot.numero}
                title={said}
                style={{
                  gridRow: row,
                  gridColumn: across,
                  backgroundColor:
                    value === null
                      ? undefined
                      : `color-mix(in oklab, var(${off >= 0 ? '--accent' : '--warn'}) ${Math.round(Math.abs(off) * 55)}%, var(--surface))`,
                }}
                className={classes(
                  'data-colour figures flex flex-col justify-center rounded-sm border px-1.5 py-1 text-center text-small',
                  plot.bloco !== null && plot.bloco % 2 === 0 ? 'border-line-strong' : 'border-line',
                  value === null && 'lost-plot text-muted',
                  Math.abs(off) > 0.65 && (off >= 0 ? 'text-on-accent' : 'text-text'),
                )}
              >
                <span aria-hidden className="font-medium">
                  T{plot.tratamento}
                </span>
                <span aria-hidden className="truncate">
                  {value === null ? plot.numero : formatNumber(value, 1)}
                </span>
                <span className="sr-only">{said}</span>
              </li>
            )
          })}
        </ol>
      </div>
    </Card>
  )
}

/** By row and column where they are known; else a block is a line, in the order of the plots' numbers. */
function placesOf(plots: readonly Plot[]): { at: number; row: number; column: number }[] {
  if (plots.every(({ linha, coluna }) => linha !== null && coluna !== null))
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
