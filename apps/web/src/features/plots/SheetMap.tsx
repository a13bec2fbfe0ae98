import { counted, type Experiment, formatNumber, holdsText, NO_VALUE, NORTH_CHOICES } from '@ensaio/domain'
import { useState } from 'react'
import { ChartCard } from '../../charts/ChartCard.tsx'
import { FieldMap } from '../../charts/FieldMap.tsx'
import { canMap, fieldPicture } from '../../charts/field.ts'
import { Select } from '../../ui/Input.tsx'
import { NorthArrow } from '../../ui/NorthArrow.tsx'
import { EmptyState } from '../../ui/Surface.tsx'
import { type Column, type Draft, valuesOf, valueText } from './sheet-state.ts'

/** The eight ways, and whatever other angle was told. */
const northOptions = (now: number | null | undefined) => [
  { value: '', label: 'Norte não informado' },
  ...(now == null || NORTH_CHOICES.some(({ degrees }) => degrees === now)
    ? []
    : [{ value: String(now), label: `Norte: ${now}°` }]),
  // The arrow beside it says that this is north.
  ...NORTH_CHOICES.map(({ degrees, said }) => ({
    value: String(degrees),
    label: said.replace(/^./, (first) => first.toUpperCase()),
  })),
]

/** Where the plots lie, coloured by a column's values. */
export function SheetMap({
  experiment,
  draft,
  columns: all,
  onNorth,
}: {
  experiment: Experiment
  draft: Draft
  columns: readonly Column[]
  /** Nothing where the sheet may not be changed. */
  onNorth: ((degrees: number | null) => void) | null
}) {
  const [shown, setShown] = useState(0)
  // Words have no colour.
  const columns = all.filter(({ variable }) => !holdsText(variable))
  const column = columns[shown] ?? columns[0]
  const values = column ? valuesOf(draft, column) : []
  const numbers = draft.parcelas.map((_, at) => {
    const value = values[at] ?? null
    return Array.isArray(value) ? value.reduce((sum, one) => sum + one, 0) / value.length : value
  })
  const known = numbers.filter((value) => value !== null)
  const mean = known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length)
  if (!canMap(draft.parcelas)) return <EmptyState title="Nenhuma parcela tem linha e coluna, nem bloco." />
  const said = (at: number) => {
    const plot = draft.parcelas[at]
    const value = numbers[at] ?? null
    if (!plot) return ''
    const name = experiment.tratamentos[plot.tratamento - 1]?.nome ?? ''
    return `Parcela ${plot.numero}, T${plot.tratamento} ${name}${plot.bloco === null ? '' : `, bloco ${plot.bloco}`}: ${value === null ? 'perdida' : valueText(values[at])}`
  }
  const subtitle =
    column && known.length > 0
      ? `${column.title}: cor pelo desvio da média (${formatNumber(mean, 1)})`
      : 'sem valores ainda'
  const { parcelas } = draft
  return (
    <ChartCard
      title="Croqui"
      subtitle={`${subtitle} · ${counted(parcelas.length, 'parcela', 'parcelas')}`}
      level={2}
      controls={
        <>
          {draft.norte != null && <NorthArrow degrees={draft.norte} size={40} />}
          {onNorth && (
            <Select
              aria-label="Norte do croqui"
              className="max-w-60"
              value={String(draft.norte ?? '')}
              options={northOptions(draft.norte)}
              onChange={(event) => onNorth(event.target.value === '' ? null : Number(event.target.value))}
            />
          )}
          {columns.length > 1 && (
            <Select
              aria-label="Variável do croqui"
              className="max-w-60"
              value={String(shown)}
              options={columns.map(({ title }, at) => ({ value: String(at), label: title }))}
              onChange={(event) => setShown(Number(event.target.value))}
            />
          )}
        </>
      }
      picture={{
        element: <FieldMap plots={parcelas} values={numbers} said={said} middle={mean} decimals={1} />,
        drawn: fieldPicture({
          ...{ plots: parcelas, values: numbers, middle: mean, decimals: 1, north: draft.norte ?? null },
        }),
      }}
      table={{
        columns: [
          { name: 'Parcela', numeric: true },
          { name: 'Tratamento' },
          ...['Bloco', 'Linha', 'Coluna', column?.title ?? 'Valor'].map((name) => ({ name, numeric: true })),
        ],
        count: parcelas.length,
        rows: () =>
          parcelas.map(({ numero, tratamento, bloco, linha, coluna }, at) => ({
            key: String(numero),
            cells: [
              ...[
                String(numero),
                `T${tratamento} ${experiment.tratamentos[tratamento - 1]?.nome ?? ''}`.trim(),
              ],
              ...[bloco, linha, coluna].map((one) => (one === null ? NO_VALUE : String(one))),
              numbers[at] == null ? NO_VALUE : valueText(values[at]),
            ],
          })),
      }}
    />
  )
}
