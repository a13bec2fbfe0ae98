import { allowsSeveral, mayBeNegative, severalOf, shownValue, toggled, variableLabel } from '@ensaio/domain'
import { type Ref, useId } from 'react'
import type { FieldVariable } from '../../field-store/trial.ts'
import { ScaleFigure } from '../../ui/ScaleFigure.tsx'
import { Touch } from './parts.tsx'

type Props = {
  variable: FieldVariable
  text: string
  onText: (text: string) => void
  onSave: () => void
  invalid: string | undefined
  ownKeypad: boolean
  input: Ref<HTMLInputElement>
}

/** What a variable is entered with; the keypad, where there is one, lies below. */
export function EntryInput({ variable, text, onText, onSave, invalid, ownKeypad, input }: Props) {
  const id = useId()
  const label = variableLabel(variable)
  if (variable.tipo === 'nota' && variable.categorias && variable.categorias.length > 0)
    return <Categories variable={variable} categories={variable.categorias} text={text} onText={onText} />
  const described = { 'aria-invalid': invalid ? true : undefined, 'aria-describedby': invalid } as const
  const classes =
    'touch figures w-full rounded-md border-2 border-line-strong bg-surface px-3 text-display font-semibold text-text focus:border-accent aria-invalid:border-danger'
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-title font-semibold">
        {label}
      </label>
      {variable.tipo === 'texto' ? (
        <textarea
          {...described}
          id={id}
          value={text}
          rows={3}
          maxLength={500}
          onChange={(event) => onText(event.target.value)}
          className="w-full rounded-md border-2 border-line-strong bg-surface p-3 text-text aria-invalid:border-danger"
        />
      ) : variable.tipo === 'data' ? (
        <input
          {...described}
          id={id}
          type="date"
          value={text}
          onChange={(event) => onText(event.target.value)}
          className={classes}
        />
      ) : (
        <input
          {...described}
          ref={input}
          id={id}
          inputMode={ownKeypad ? 'none' : 'decimal'}
          autoComplete="off"
          enterKeyHint="next"
          value={text}
          // A scanner may type the address of a label here.
          maxLength={200}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            onSave()
          }}
          className={classes}
        />
      )}
    </div>
  )
}

type CategoriesProps = Pick<Props, 'variable' | 'text' | 'onText'> & {
  categories: NonNullable<FieldVariable['categorias']>
}

/** One large button a category; several are ticked where the variable allows it. */
function Categories({ variable, categories, text, onText }: CategoriesProps) {
  const name = useId()
  const several = allowsSeveral(variable)
  const chosen = several ? (severalOf(text) ?? []) : []
  const typed = (value: number) => String(value).replace('.', ',')
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-title font-semibold">{variableLabel(variable)}</legend>
      {several && <p className="text-small text-muted">Marque todas as que há na parcela.</p>}
      {categories.map(({ valor, rotulo, figura }) => (
        <label
          key={valor}
          className="touch flex items-center gap-3 rounded-md border border-line-strong bg-surface px-4 has-checked:border-accent has-checked:bg-accent-soft"
        >
          <input
            type={several ? 'checkbox' : 'radio'}
            name={name}
            checked={several ? chosen.includes(valor) : text === typed(valor)}
            onChange={() => onText(several ? toggled(text, valor) : typed(valor))}
            className="size-6 accent-(--accent)"
          />
          <span className="figures text-title font-semibold">{shownValue(variable, valor)}</span>
          <span className="min-w-0 flex-1">{rotulo}</span>
          <ScaleFigure figura={figura} />
        </label>
      ))}
    </fieldset>
  )
}

const KEYS = ['7', '8', '9', 'Apagar', '4', '5', '6', ',', '1', '2', '3', '0'] as const

/** Keys as large as a gloved thumb, in its reach. */
export function Keypad({
  variable,
  text,
  onText,
  leftHanded,
}: {
  variable: FieldVariable
  text: string
  onText: (text: string) => void
  leftHanded: boolean
}) {
  const press = (key: (typeof KEYS)[number] | '±') => {
    if (key === 'Apagar') onText(text.slice(0, -1))
    else if (key === '±') onText(text.startsWith('-') ? text.slice(1) : `-${text}`)
    else if (key === ',') onText(text.includes(',') ? text : `${text === '' ? '0' : text},`)
    else if (text.length < 15) onText(text + key)
  }
  const whole = variable.tipo === 'contagem' || variable.casas === 0
  return (
    <div className="grid grid-cols-[1fr_1fr_1fr_1.35fr] gap-2" dir={leftHanded ? 'rtl' : 'ltr'}>
      {KEYS.map((key) => (
        <Touch
          key={key}
          disabled={key === ',' && whole}
          onClick={() => press(key)}
          className={key === 'Apagar' ? 'px-1' : 'figures px-1 text-title'}
        >
          {key}
        </Touch>
      ))}
      {mayBeNegative(variable) && (
        <Touch onClick={() => press('±')} className="col-span-4 text-title">
          ±
        </Touch>
      )}
    </div>
  )
}

const DAY_MS = 86_400_000
const local = (instant: number) =>
  new Date(instant - new Date(instant).getTimezoneOffset() * 60_000).toISOString().slice(0, 10)

/** 'Hoje', a day back or forward. */
export function DayKeys({ text, onText }: { text: string; onText: (text: string) => void }) {
  const move = (days: number) => {
    const [year = 0, month = 1, day = 1] = (text || local(Date.now())).split('-').map(Number)
    onText(local(new Date(year, month - 1, day, 12).getTime() + days * DAY_MS))
  }
  return (
    <div className="grid grid-cols-3 gap-2">
      <Touch onClick={() => move(-1)}>Um dia antes</Touch>
      <Touch onClick={() => onText(local(Date.now()))}>Hoje</Touch>
      <Touch onClick={() => move(1)}>Um dia depois</Touch>
    </div>
  )
}

/** Counted by taps; each is kept, so that a battery that ends at 147 shows 147. */
export function CountKeys({
  text,
  onText,
  onKeypad,
}: {
  text: string
  onText: (text: string) => void
  /** Where there is another way to enter it. */
  onKeypad: (() => void) | null
}) {
  const move = (by: number) => {
    navigator.vibrate?.(15)
    onText(String(Math.max(0, (Number(text) || 0) + by)))
  }
  return (
    <div className="flex flex-col gap-2">
      <Touch variant="primary" className="min-h-[40dvh] text-title" onClick={() => move(1)}>
        Contar mais um
      </Touch>
      <div className="flex gap-2">
        <Touch className="flex-1" onClick={() => move(-1)}>
          Contar menos um
        </Touch>
        {onKeypad && (
          <Touch className="flex-1" onClick={onKeypad}>
            Digitar o número
          </Touch>
        )}
      </div>
    </div>
  )
}
