import { Check } from 'lucide-react'
import { type InputHTMLAttributes, type ReactNode, type Ref, useEffect, useId, useRef, useState } from 'react'
import { classes } from './classes.ts'
import { Input } from './Input.tsx'

/** `key` tells apart options of one text. */
export type ComboboxOption<T> = { value: string; item: T; detail?: ReactNode; key?: string }

type Props<T> = Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'onSelect'> & {
  value: string
  options: readonly ComboboxOption<T>[]
  /** What is typed is kept, whether or not it is an option. */
  onText: (text: string) => void
  onChoose: (item: T) => void
  /** Shown in the list while options are being fetched or when there are none. */
  note?: string | undefined
  ref?: Ref<HTMLInputElement>
}

/** Free text with suggestions, after the WAI-ARIA combobox pattern (list autocomplete, manual selection). */
export function Combobox<T>({
  value,
  options,
  onText,
  onChoose,
  note,
  onBlur,
  onKeyDown,
  ...rest
}: Props<T>) {
  const list = useId()
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const frame = useRef<HTMLUListElement>(null)
  const shown = open && (options.length > 0 || Boolean(note))

  useEffect(() => {
    if (active >= 0) frame.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])

  const choose = (index: number) => {
    const option = options[index]
    if (!option) return
    onChoose(option.item)
    setOpen(false)
    setActive(-1)
  }

  return (
    <div className="relative min-w-0">
      <Input
        autoComplete="off"
        {...rest}
        role="combobox"
        aria-expanded={shown}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={shown && active >= 0 ? `${list}-${active}` : undefined}
        value={value}
        onChange={(event) => {
          onText(event.target.value)
          setOpen(true)
          setActive(-1)
        }}
        onFocus={(event) => {
          setOpen(true)
          rest.onFocus?.(event)
        }}
        onBlur={(event) => {
          setOpen(false)
          onBlur?.(event)
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
            event.preventDefault()
            setOpen(true)
            const step = event.key === 'ArrowDown' ? 1 : -1
            setActive(
              (active + step + options.length + (active < 0 && step < 0 ? 1 : 0)) %
                Math.max(1, options.length),
            )
          } else if (event.key === 'Enter' && shown && active >= 0) {
            event.preventDefault()
            choose(active)
          } else if (event.key === 'Escape' && shown) {
            event.stopPropagation()
            setOpen(false)
          }
          onKeyDown?.(event)
        }}
      />
      {shown && (
        <ul
          ref={frame}
          id={list}
          role="listbox"
          // A list that scrolls would be a stop of its own for the Tab key.
          tabIndex={-1}
          aria-label="Sugestões"
          className="absolute z-30 mt-1 max-h-64 w-full min-w-56 overflow-auto rounded-md border border-line bg-surface py-1 shadow-lg"
        >
          {options.map((option, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard works through the input, as the pattern asks
            <li
              key={option.key ?? option.value}
              id={`${list}-${index}`}
              role="option"
              aria-selected={option.value === value}
              tabIndex={-1}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(index)}
              onMouseEnter={() => setActive(index)}
              className={classes(
                'flex cursor-pointer items-center justify-between gap-3 px-3 py-2',
                index === active && 'bg-sunken',
              )}
            >
              <span className="min-w-0 truncate">
                {option.value}
                {option.detail && <span className="text-small text-muted"> {option.detail}</span>}
              </span>
              {option.value === value && <Check aria-hidden className="size-4 shrink-0 text-accent" />}
            </li>
          ))}
          {options.length === 0 && (
            <li role="option" aria-selected={false} aria-disabled className="px-3 py-2 text-small text-muted">
              {note}
            </li>
          )}
        </ul>
      )}
    </div>
  )
}
