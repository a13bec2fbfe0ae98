import { CircleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { classes } from './classes.ts'

/** What a control needs to belong to its label, help and error. */
export type ControlProps = {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
  'aria-required': true | undefined
}

type Props = {
  label: ReactNode
  help?: ReactNode
  error?: string | undefined
  required?: boolean
  /** The label is there for screen readers only, as in a grid whose columns have heads. */
  hiddenLabel?: boolean
  id?: string
  className?: string
  children: (control: ControlProps) => ReactNode
}

/** Label above, help below, the error in its place. */
export function Field({ label, help, error, required, hiddenLabel, id, className, children }: Props) {
  const generated = useId()
  const control = id ?? generated
  const helpId = `${control}-help`
  const errorId = `${control}-error`
  const described = [error ? errorId : null, help ? helpId : null].filter(Boolean).join(' ')
  return (
    <div className={classes('flex min-w-0 flex-col gap-1.5', className)}>
      <div className={classes('text-small font-medium text-text', hiddenLabel && 'sr-only')}>
        <label htmlFor={control}>{label}</label>
        {/* Beside the label, not in it: the field is called by its name alone. */}
        {required && (
          <span aria-hidden className="text-danger">
            {' '}
            *
          </span>
        )}
      </div>
      {children({
        id: control,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? true : undefined,
        'aria-required': required ? true : undefined,
      })}
      <FieldError id={errorId} message={error} />
      {help && (
        <p id={helpId} className="text-small text-muted">
          {help}
        </p>
      )}
    </div>
  )
}

export function FieldError({ id, message }: { id?: string; message: string | undefined }) {
  if (!message) return null
  return (
    <p id={id} role="alert" className="flex items-start gap-1.5 text-small text-danger">
      <CircleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
      {message}
    </p>
  )
}
