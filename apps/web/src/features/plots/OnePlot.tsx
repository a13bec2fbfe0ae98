import { counted, type Experiment, holdsText } from '@ensaio/domain'
import { ArrowLeft, ArrowRight } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { Card } from '../../ui/Surface.tsx'
import { type Change, type Column, cellKey, complaintOf, type State, textsOf } from './sheet-state.ts'

/** On a phone: one plot at a time, in walking order, with a big field for each of its values. */
export function OnePlot({
  experiment,
  state: { draft, wrong },
  columns,
  rows,
  at,
  readOnly,
  onAt,
  onType,
}: {
  experiment: Experiment
  state: State
  columns: readonly Column[]
  rows: readonly number[]
  at: number
  readOnly: boolean
  onAt: (row: number) => void
  onType: (changes: readonly Change[]) => void
}) {
  const row = Math.min(at, rows.length - 1)
  const place = rows[row]
  const plot = place === undefined ? undefined : draft.parcelas[place]
  if (place === undefined || !plot) return null
  return (
    <Card className="flex flex-col gap-4 p-4">
      <div className="flex items-center justify-between gap-3">
        <div className="min-w-0">
          <p className="figures text-title font-semibold">Parcela {plot.numero}</p>
          <p className="text-small text-muted">
            T{plot.tratamento} {experiment.tratamentos[plot.tratamento - 1]?.nome}
            {plot.bloco !== null && ` · bloco ${plot.bloco}`}
          </p>
        </div>
        <p className="figures shrink-0 text-small text-muted">
          {row + 1} de {counted(rows.length, 'parcela', 'parcelas')}
        </p>
      </div>
      {columns.map((column) => (
        <PlotField
          key={`${column.title} ${plot.numero}`}
          column={column}
          text={wrong[cellKey(column, place)] ?? textsOf(draft, column)[place] ?? ''}
          error={wrong[cellKey(column, place)]}
          readOnly={readOnly || column.derived}
          onText={(text) => onType([{ row: place, column, text }])}
        />
      ))}
      <div className="grid grid-cols-2 gap-3">
        <Button
          size="large"
          icon={<ArrowLeft aria-hidden className="size-4" />}
          disabled={row === 0}
          onClick={() => onAt(row - 1)}
        >
          Anterior
        </Button>
        <Button
          size="large"
          variant="primary"
          icon={<ArrowRight aria-hidden className="size-4" />}
          disabled={row === rows.length - 1}
          onClick={() => onAt(row + 1)}
        >
          Próxima parcela
        </Button>
      </div>
    </Card>
  )
}

function PlotField({
  column,
  text,
  error,
  readOnly,
  onText,
}: {
  column: Column
  text: string
  error: string | undefined
  readOnly: boolean
  onText: (text: string) => void
}) {
  const [typed, setTyped] = useState<string | null>(null)
  const done = () => {
    if (typed !== null && typed !== text) onText(typed)
    setTyped(null)
  }
  return (
    <Field label={column.title} error={error === undefined ? undefined : complaintOf(column, error)}>
      {(control) => (
        <Input
          {...control}
          inputMode={holdsText(column.variable) ? 'text' : 'decimal'}
          maxLength={1000}
          readOnly={readOnly}
          value={typed ?? text}
          className="min-h-14 text-title font-semibold"
          onChange={(event) => setTyped(event.target.value)}
          onBlur={done}
          onKeyDown={(event) => event.key === 'Enter' && done()}
        />
      )}
    </Field>
  )
}
