import { type Evidence, formatNumber } from '@ensaio/domain'
import { CircleAlert, MapPin, Sparkles } from 'lucide-react'
import type { ReactNode } from 'react'
import { AdviceNote, type Finding } from '../../shell/advice.tsx'
import { classes } from '../../ui/classes.ts'
import { Field } from '../../ui/Field.tsx'
import { Input, NumberInput, Select } from '../../ui/Input.tsx'
import type { ReviewField } from './review-fields.ts'

type Value = string | number | null

export type RowState = {
  value: Value
  evidence: Evidence | undefined
  doubtful: boolean
  corrected: boolean
  proposed: boolean
  active: boolean
  error: string | undefined
  /** What the rules find in it. */
  advice: Finding | undefined
}
type Props = RowState & {
  field: ReviewField
  readOnly?: boolean
  className?: string
  onChange: (value: Value) => void
  onShow: () => void
}

/** A value of a report with the place that it came from. */
export function ReviewRow(props: Props) {
  const { field, value, doubtful, active, error, advice, readOnly = false, onChange, onShow } = props
  return (
    <div
      data-path={field.path}
      className={classes(
        '-m-1.5 rounded-md p-1.5',
        active && 'bg-accent-soft',
        doubtful && !active && 'bg-warn-soft',
        props.className,
      )}
    >
      <Field
        label={field.label}
        required={field.required ?? false}
        error={error}
        help={
          <>
            {advice && <AdviceNote finding={advice} />}
            <Origin {...props} />
          </>
        }
      >
        {(control) =>
          field.options ? (
            <Select
              {...control}
              name={field.path}
              placeholder="–"
              options={withCurrent(field.options, value)}
              value={value === null ? '' : String(value)}
              onFocus={onFocusShow(onShow)}
              onChange={(event) => {
                const chosen = event.target.value
                onChange(chosen === '' ? null : field.kind === 'number' ? Number(chosen) : chosen)
              }}
            />
          ) : field.kind === 'text' ? (
            <Input
              {...control}
              name={field.path}
              readOnly={readOnly}
              value={value === null ? '' : String(value)}
              onFocus={onFocusShow(onShow)}
              onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
            />
          ) : (
            <NumberInput
              {...control}
              name={field.path}
              {...(field.unit ? { unit: field.unit } : {})}
              grouping={field.kind !== 'coordinate'}
              value={typeof value === 'number' ? value : null}
              onFocus={onFocusShow(onShow)}
              onValue={(next) => next !== undefined && onChange(next)}
            />
          )
        }
      </Field>
    </div>
  )
}

/** Where the value is from, in the line below it. */
function Origin({ field, value, evidence, doubtful, corrected, proposed, onShow }: Props) {
  const line = (children: ReactNode) => (
    <span className="figures flex flex-wrap items-center gap-x-2">{children}</span>
  )
  if (corrected) return line('Corrigido por você')
  if (proposed)
    return line(
      <span className="inline-flex items-center gap-1">
        <Sparkles aria-hidden className="size-3.5" />
        Proposto a partir da cidade
      </span>,
    )
  if (evidence)
    return line(
      <>
        <button
          type="button"
          onClick={onShow}
          className="inline-flex items-center gap-1 underline underline-offset-4 hover:text-text"
        >
          <MapPin aria-hidden className="size-3.5" />
          página {evidence.page}
        </button>
        <span>{formatNumber(evidence.confidence * 100, 0)}%</span>
        {doubtful && (
          <span className="inline-flex items-center gap-1 font-medium text-warn">
            <CircleAlert aria-hidden className="size-3.5" />
            Confira este valor
          </span>
        )}
      </>,
    )
  return value === null && field.told !== false ? line('não consta no relatório') : null
}

/** Beside the page, a field in focus shows its place; on a phone that would hide the field. */
const onFocusShow = (show: () => void) => () => {
  if (matchMedia('(min-width: 1024px)').matches) show()
}

const withCurrent = (options: NonNullable<ReviewField['options']>, value: Value) =>
  value === null || options.some((option) => option.value === String(value))
    ? options
    : [...options, { value: String(value), label: String(value) }]
