import { useRef } from 'react'

/** The field that opens over a cell. */
export function CellInput({
  text,
  words,
  label,
  onText,
  onDone,
  onCancel,
}: {
  text: string
  /** No numbers: the phone shows all of its keys. */
  words: boolean
  label: string
  onText: (text: string) => void
  onDone: (key: 'Enter' | 'Tab' | 'blur', back: boolean) => void
  onCancel: () => void
}) {
  const over = useRef(false)
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: the person has just begun to type into this cell
      autoFocus
      aria-label={label}
      inputMode={words ? 'text' : 'decimal'}
      value={text}
      maxLength={1000}
      onChange={(event) => onText(event.target.value)}
      onPointerDown={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Escape') {
          over.current = true
          onCancel()
        }
        if (event.key === 'Enter' || event.key === 'Tab') {
          event.preventDefault()
          over.current = true
          onDone(event.key, event.shiftKey)
        }
      }}
      onBlur={() => !over.current && onDone('blur', false)}
      className="absolute inset-0 w-full bg-surface px-2 text-right outline-none"
    />
  )
}
