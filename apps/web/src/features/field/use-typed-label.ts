import { useEffect, useRef } from 'react'
import { isLabel } from '../../field-store/labels.ts'

/** Keys of one code follow each other within so much: no hand types as fast. */
const PAUSE_MS = 60
/** Longer than the address of any label: a key that is held down is none. */
const LONGEST = 200

type Typed = HTMLInputElement | HTMLTextAreaElement
interface Burst {
  text: string
  at: number
  /** Where it goes to, and what stood there. */
  field: Typed | null
  before: string
}
const NOTHING: Burst = { text: '', at: 0, field: null, before: '' }

/**
 * A scanner that types sends a label and Enter, wherever the cursor is: what it wrote into a field is taken out again.
 * @param found told of the text; null while somebody else listens
 */
export function useTypedLabel(found: ((text: string) => unknown) | null): void {
  const told = useRef(found)
  told.current = found
  useEffect(() => {
    let burst: Burst = NOTHING
    const listen = (event: KeyboardEvent) => {
      const { key, timeStamp: at } = event
      if (event.ctrlKey || event.altKey || event.metaKey) return
      if (key === 'Enter') {
        const { text, field, before } = burst
        const slow = at - burst.at > PAUSE_MS
        burst = NOTHING
        if (slow || !told.current || !isLabel(text)) return
        event.preventDefault()
        event.stopPropagation()
        if (field) put(field, before)
        told.current(text)
        return
      }
      if (key.length !== 1) return
      if (burst.text === '' || at - burst.at > PAUSE_MS) {
        const { target } = event
        const field =
          target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement ? target : null
        burst = { text: '', at, field, before: field?.value ?? '' }
      }
      burst = { ...burst, text: (burst.text + key).slice(-LONGEST), at }
    }
    document.addEventListener('keydown', listen, true)
    return () => document.removeEventListener('keydown', listen, true)
  }, [])
}

/** As if the person had typed it, so that whoever draws the field hears of it. */
function put(field: Typed, value: string): void {
  const of = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement
  Object.getOwnPropertyDescriptor(of.prototype, 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
