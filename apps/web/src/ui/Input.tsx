import { parseNumber } from '@ensaio/domain'
import { Eye, EyeOff, Search, X } from 'lucide-react'
import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  useState,
} from 'react'
import { classes } from './classes.ts'

export const controlClasses =
  'w-full min-h-10 rounded-md border border-line-strong/70 bg-surface px-3 text-text transition-colors ' +
  'hover:border-line-strong focus:border-accent aria-invalid:border-danger [&[readonly]]:bg-sunken disabled:bg-sunken disabled:opacity-60'

type InputProps = InputHTMLAttributes<HTMLInputElement> & {
  /** A unit or sign that stands inside the field. */
  unit?: ReactNode
  ref?: Ref<HTMLInputElement>
}

export function Input({ unit, className, ...rest }: InputProps) {
  if (!unit) return <input {...rest} className={classes(controlClasses, className)} />
  return (
    <div className="relative min-w-0">
      <input {...rest} className={classes(controlClasses, 'pr-16', className)} />
      <span className="pointer-events-none absolute inset-y-0 right-3 flex items-center text-small text-faint">
        {unit}
      </span>
    </div>
  )
}

type NumberInputProps = Omit<InputProps, 'value' | 'onChange'> & {
  value: number | null | undefined
  /** `undefined`: what stands in the field is no number. */
  onValue: (value: number | null | undefined) => void
  /** False for coordinates: a lone dot is the decimal sign, and thousands are not parted. */
  grouping?: boolean
  decimals?: number
  /** Cents are written out: what is left of '44,10' is not '44,1'. */
  money?: boolean
}

/** A number typed as Brazilians type it; what was understood is written back when the field is left. */
export function NumberInput({
  value,
  onValue,
  grouping = true,
  decimals = 6,
  money = false,
  onBlur,
  ...rest
}: NumberInputProps) {
  const written = (number: number | null | undefined) =>
    number === null || number === undefined || Number.isNaN(number)
      ? ''
      : number.toLocaleString('pt-BR', {
          minimumFractionDigits: money && !Number.isInteger(number) ? 2 : 0,
          maximumFractionDigits: decimals,
          useGrouping: grouping,
        })
  const [text, setText] = useState(() => written(value))
  const [stood, setStood] = useState(value)
  // A value set from outside rewrites the text at once: the field never shows another number than the page.
  if (!Object.is(stood, value)) {
    setStood(value)
    const typed = parseNumber(text, { grouping }) ?? null
    if (!(Object.is(typed, value ?? null) || Number.isNaN(value))) setText(written(value))
  }
  return (
    <Input
      inputMode="decimal"
      autoComplete="off"
      {...rest}
      className={classes('figures', rest.className)}
      value={text}
      onChange={(event) => {
        setText(event.target.value)
        onValue(parseNumber(event.target.value, { grouping }))
      }}
      onBlur={(event) => {
        const understood = parseNumber(text, { grouping })
        if (typeof understood === 'number') setText(written(understood))
        onBlur?.(event)
      }}
    />
  )
}

type SelectProps = SelectHTMLAttributes<HTMLSelectElement> & {
  options: readonly (string | { value: string; label: string })[]
  placeholder?: string
  ref?: Ref<HTMLSelectElement>
}

export function Select({ options, placeholder, className, ...rest }: SelectProps) {
  return (
    <select
      {...rest}
      className={classes(controlClasses, 'appearance-none bg-no-repeat pr-9 select-arrow', className)}
    >
      {placeholder !== undefined && <option value="">{placeholder}</option>}
      {options.map((option) => {
        const { value, label } = typeof option === 'string' ? { value: option, label: option } : option
        return (
          <option key={value} value={value}>
            {label}
          </option>
        )
      })}
    </select>
  )
}

export function PasswordInput(props: InputProps) {
  const [shown, setShown] = useState(false)
  return (
    <div className="relative">
      <Input {...props} type={shown ? 'text' : 'password'} className="pr-12" />
      <button
        type="button"
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 right-1 my-auto inline-flex size-9 items-center justify-center rounded-md text-muted hover:text-text"
      >
        {shown ? <EyeOff aria-hidden className="size-[18px]" /> : <Eye aria-hidden className="size-[18px]" />}
        <span className="sr-only">{shown ? 'Ocultar senha' : 'Mostrar senha'}</span>
      </button>
    </div>
  )
}

type SearchInputProps = Omit<InputProps, 'value' | 'onChange'> & {
  value: string
  onValue: (value: string) => void
  label: string
}

export function SearchInput({ value, onValue, label, className, ...rest }: SearchInputProps) {
  return (
    <div className={classes('relative', className)}>
      <Search aria-hidden className="pointer-events-none absolute top-3 left-3 size-4 text-faint" />
      <Input
        type="search"
        aria-label={label}
        maxLength={200}
        {...rest}
        value={value}
        onChange={(event) => onValue(event.target.value)}
        className="px-9 [&::-webkit-search-cancel-button]:hidden"
      />
      {value && (
        <button
          type="button"
          onClick={() => onValue('')}
          className="absolute inset-y-0 right-1 my-auto inline-flex size-8 items-center justify-center rounded-md text-muted hover:text-text"
        >
          <X aria-hidden className="size-4" />
          <span className="sr-only">Apagar a busca</span>
        </button>
      )}
    </div>
  )
}

type CheckboxProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> & {
  label: ReactNode
  ref?: Ref<HTMLInputElement>
}

export function Checkbox({ label, className, ...rest }: CheckboxProps) {
  return (
    <label className={classes('flex cursor-pointer items-start gap-2.5 text-small text-text', className)}>
      <input
        {...rest}
        type="checkbox"
        className="mt-px size-[18px] shrink-0 cursor-pointer accent-(--accent)"
      />
      <span>{label}</span>
    </label>
  )
}
