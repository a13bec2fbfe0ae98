import type { ReactNode } from 'react'
import { Controller, type FieldPath, useFormContext } from 'react-hook-form'
import { Field } from '../../ui/Field.tsx'
import { Input, NumberInput, Select } from '../../ui/Input.tsx'
import { useAdviceAt } from './advice.tsx'
import { useDoubt } from './doubt.ts'
import type { WizardValues } from './form-values.ts'

export type Path = FieldPath<WizardValues>
type Common = {
  name: Path
  label: ReactNode
  help?: ReactNode
  required?: boolean
  className?: string
}

/** The help line of a field, with the doubt about what was read in front. */
function Help({ doubt, children }: { doubt: string | undefined; children: ReactNode }) {
  if (!doubt) return <>{children}</>
  return (
    <>
      <span className="block text-warn">{doubt}</span>
      {children}
    </>
  )
}

function useHelp(name: string, help: ReactNode): ReactNode {
  const doubt = useDoubt(name)
  const advice = useAdviceAt(name)
  if (!doubt && !advice && !help) return undefined
  return (
    <Help doubt={doubt}>
      {advice}
      {help}
    </Help>
  )
}

type TextProps = Common & {
  hiddenLabel?: boolean
  readOnly?: boolean
  placeholder?: string
  list?: readonly string[]
  maxLength?: number
}

export function TextField({
  name,
  label,
  help,
  required = false,
  hiddenLabel = false,
  className,
  list,
  ...input
}: TextProps) {
  const { control, trigger } = useFormContext<WizardValues>()
  const shownHelp = useHelp(name, help)
  const listId = list ? `${name}-sugestoes` : undefined
  return (
    <Controller
      control={control}
      name={name}
      render={({ field, fieldState }) => (
        <Field
          label={label}
          hiddenLabel={hiddenLabel}
          help={shownHelp}
          required={required}
          error={fieldState.error?.message}
          {...(className ? { className } : {})}
        >
          {(attributes) => (
            <>
              <Input
                {...attributes}
                {...input}
                autoComplete="off"
                list={listId}
                name={field.name}
                ref={field.ref}
                value={String(field.value ?? '')}
                onChange={(event) => {
                  field.onChange(event.target.value)
                  // An error goes as soon as it is mended, not when the field is left: that would move the button
                  // from under a click.
                  if (fieldState.error) void trigger(name)
                }}
                onBlur={field.onBlur}
              />
              {list && (
                <datalist id={listId}>
                  {list.map((option) => (
                    <option key={option} value={option} />
                  ))}
                </datalist>
              )}
            </>
          )}
        </Field>
      )}
    />
  )
}

type NumberProps = Common & {
  unit?: string
  grouping?: boolean
  decimals?: number
  money?: boolean
  placeholder?: string
  step?: number
  readOnly?: boolean
  /** Told when somebody types, not when the form is filled. */
  onEntered?: () => void
}

export function NumberField({
  name,
  label,
  help,
  required = false,
  className,
  onEntered,
  ...input
}: NumberProps) {
  const { control, trigger } = useFormContext<WizardValues>()
  const shownHelp = useHelp(name, help)
  return (
    <Controller
      control={control}
      name={name}
      render={({ field, fieldState }) => (
        <Field
          label={label}
          help={shownHelp}
          required={required}
          error={fieldState.error?.message}
          {...(className ? { className } : {})}
        >
          {(attributes) => (
            <NumberInput
              {...attributes}
              {...input}
              name={field.name}
              ref={field.ref}
              value={field.value as number | null}
              onValue={(value) => {
                field.onChange(value === undefined ? Number.NaN : value)
                if (fieldState.error) void trigger(name)
                onEntered?.()
              }}
              onBlur={field.onBlur}
            />
          )}
        </Field>
      )}
    />
  )
}

type SelectProps = Common & {
  options: readonly (string | { value: string; label: string })[]
  placeholder?: string
  /** The value is a number. */
  numeric?: boolean
  onChosen?: (value: string) => void
}

export function SelectField({
  name,
  label,
  help,
  required = false,
  className,
  options,
  placeholder = 'Selecione',
  numeric,
  onChosen,
}: SelectProps) {
  const { control, trigger } = useFormContext<WizardValues>()
  const shownHelp = useHelp(name, help)
  return (
    <Controller
      control={control}
      name={name}
      render={({ field, fieldState }) => {
        const value = field.value === null || field.value === undefined ? '' : String(field.value)
        const known =
          value === '' ||
          options.some((option) => (typeof option === 'string' ? option : option.value) === value)
        return (
          <Field
            label={label}
            help={shownHelp}
            required={required}
            error={fieldState.error?.message}
            {...(className ? { className } : {})}
          >
            {(attributes) => (
              <Select
                {...attributes}
                name={field.name}
                ref={field.ref}
                options={known ? options : [...options, value]}
                placeholder={placeholder}
                value={value}
                onChange={(event) => {
                  const chosen = event.target.value
                  field.onChange(numeric ? (chosen === '' ? null : Number(chosen)) : chosen)
                  if (fieldState.error) void trigger(name)
                  onChosen?.(chosen)
                }}
                onBlur={field.onBlur}
              />
            )}
          </Field>
        )
      }}
    />
  )
}
