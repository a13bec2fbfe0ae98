import { useEffect, useRef, useState } from 'react'
import { PIN_OF } from '../../field-store/people.ts'
import { field } from './field.ts'

/** Untouched for as long, the screen is hidden. */
const HIDDEN_AFTER_MS = 5 * 60_000
const TOUCHED = 'toque'
/** The touch is kept no more often than this: it is asked for only where the page begins anew. */
const KEPT_EVERY_MS = 20_000
const ROUNDS = 200_000
/** So many wrong ones are free; each further one is waited for twice as long. */
const FREE = 5
const FIRST_WAIT_MS = 30_000
const LONGEST_WAIT_MS = 15 * 60_000

interface KeptPin {
  sal: Uint8Array
  resumo: Uint8Array
  falhas: number
  /** Not before then is another one looked at. */
  ate: number
}
export const isPin = (text: string): boolean => /^\d{4,8}$/.test(text)
/** It hides, and does not encrypt: a key that the page can use lies beside the data. */
export const pinsWork = (): boolean => 'crypto' in globalThis && crypto.subtle !== undefined

const kept = async (person: string) => (await field.get(PIN_OF(person))) as KeptPin | undefined

async function digest(pin: string, salt: Uint8Array): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(pin), 'PBKDF2', false, [
    'deriveBits',
  ])
  const how = { name: 'PBKDF2', hash: 'SHA-256', salt: salt.slice(), iterations: ROUNDS }
  return new Uint8Array(await crypto.subtle.deriveBits(how, key, 256))
}

export const hasPin = async (person: string): Promise<boolean> => (await kept(person)) !== undefined

export async function setPin(person: string, pin: string): Promise<void> {
  const sal = crypto.getRandomValues(new Uint8Array(16))
  const made: KeptPin = { sal, resumo: await digest(pin, sal), falhas: 0, ate: 0 }
  await field.put(PIN_OF(person), made)
}

export const removePin = (person: string): Promise<void> => field.put(PIN_OF(person), undefined)

/** Whether it is the person's PIN; or for how many seconds none is looked at. */
export async function tryPin(
  person: string,
  pin: string,
): Promise<{ kind: 'right' } | { kind: 'wrong' } | { kind: 'wait'; seconds: number }> {
  const held = await kept(person)
  if (!held) return { kind: 'right' }
  // A clock that was set back does not make it longer than the longest.
  const waitMs = Math.min(held.ate - Date.now(), LONGEST_WAIT_MS)
  if (waitMs > 0) return { kind: 'wait', seconds: Math.ceil(waitMs / 1000) }
  const given = await digest(pin, held.sal)
  if (given.every((byte, at) => byte === held.resumo[at])) {
    // A full phone opens all the same.
    await field.put(PIN_OF(person), { ...held, falhas: 0, ate: 0 }).catch(() => undefined)
    return { kind: 'right' }
  }
  const falhas = held.falhas + 1
  const more = falhas < FREE ? 0 : Math.min(FIRST_WAIT_MS * 2 ** (falhas - FREE), LONGEST_WAIT_MS)
  await field.put(PIN_OF(person), { ...held, falhas, ate: more > 0 ? Date.now() + more : 0 })
  return more > 0 ? { kind: 'wait', seconds: more / 1000 } : { kind: 'wrong' }
}

/** Whether the screen is hidden; null until it is known. */
export function useHidden(person: string | null): { hidden: boolean | null; show: () => void } {
  const [hidden, setHidden] = useState<boolean | null>(person === null ? false : null)
  const asked = useRef(false)
  const use = useRef(() => {})
  const put = (next: boolean) => {
    asked.current = next
    setHidden(next)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the person alone
  useEffect(() => {
    if (person === null) return put(false)
    let [last, written, gone] = [Date.now(), 0, false]
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async () => {
      const rested = Date.now() - last
      // A clock that was set back tells nothing.
      if ((rested >= HIDDEN_AFTER_MS || rested < 0) && (await hasPin(person).catch(() => false)) && !gone)
        put(true)
    }
    const touched = () => {
      // Trying PINs is no use of the page.
      if (asked.current) return
      last = Date.now()
      clearTimeout(timer)
      timer = setTimeout(() => void look(), HIDDEN_AFTER_MS)
      if (Math.abs(last - written) < KEPT_EVERY_MS) return
      written = last
      field.put(TOUCHED, last).catch(() => undefined)
    }
    use.current = touched
    const returned = () => {
      if (document.visibilityState === 'visible') void look()
    }
    const begin = async () => {
      const [pin, before] = await Promise.all([hasPin(person), field.get(TOUCHED)])
      if (gone) return
      const rested = typeof before === 'number' ? Date.now() - before : HIDDEN_AFTER_MS
      put(pin && (rested >= HIDDEN_AFTER_MS || rested < 0))
    }
    begin().catch(() => put(false))
    timer = setTimeout(() => void look(), HIDDEN_AFTER_MS)
    document.addEventListener('pointerdown', touched)
    document.addEventListener('keydown', touched)
    document.addEventListener('visibilitychange', returned)
    return () => {
      gone = true
      clearTimeout(timer)
      document.removeEventListener('pointerdown', touched)
      document.removeEventListener('keydown', touched)
      document.removeEventListener('visibilitychange', returned)
    }
  }, [person])
  const show = () => {
    put(false)
    use.current()
  }
  return { hidden, show }
}
