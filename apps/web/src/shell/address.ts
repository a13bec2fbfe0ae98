import { useEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useStable } from './stable.ts'

const WRITE_MS = 400
/** The longest text that a search takes. */
const MAX_LENGTH = 200

/** Of several values a parameter stands once for each. */
type Values = Readonly<Record<string, string | readonly string[]>>

/** The address as it stands now: two changes may come before the page is drawn again. */
export const currentSearch = () => new URLSearchParams(window.location.search)

/** The same with some parameters changed; an empty value takes one off. */
export function searchWith(values: Values): URLSearchParams {
  const after = currentSearch()
  for (const [key, value] of Object.entries(values)) {
    after.delete(key)
    for (const one of [value].flat()) if (one) after.append(key, one)
  }
  return after
}

/** Changes some parameters of the address and leaves the page where it is scrolled to. */
export function useSetAddress({ replace }: { replace: boolean }) {
  const [, setSearch] = useSearchParams()
  return useStable((values: Values) => setSearch(searchWith(values), { replace, preventScrollReset: true }))
}

/**
 * A text that the address keeps: shown as it is typed, written there when the typing rests, and taken from there
 * when something else changes it, such as a link or the browser's own buttons.
 */
export function useAddressText(key: string) {
  const [search] = useSearchParams()
  const write = useSetAddress({ replace: true })
  const there = (search.get(key) ?? '').slice(0, MAX_LENGTH)
  const [text, setText] = useState(there)
  const own = useRef(there)
  useEffect(() => {
    if (there === own.current) return
    own.current = there
    setText(there)
  }, [there])
  useEffect(() => {
    if (text === own.current) return
    const timer = setTimeout(() => {
      own.current = text
      write({ [key]: text })
    }, WRITE_MS)
    return () => clearTimeout(timer)
  }, [key, text, write])
  return [text, setText] as const
}

/**
 * Some parameters of the address as they are changed many times a second: shown at once, written there when the
 * changing rests, and taken from there when something else changes them.
 */
export function useAddressValues<K extends string>(keys: readonly K[]) {
  const [search] = useSearchParams()
  const write = useSetAddress({ replace: true })
  const there = useMemo(
    () => Object.fromEntries(keys.map((key) => [key, search.get(key) ?? ''])) as Record<K, string>,
    [keys, search],
  )
  const [values, setValues] = useState(there)
  const own = useRef(JSON.stringify(there))
  useEffect(() => {
    const text = JSON.stringify(there)
    if (text === own.current) return
    own.current = text
    setValues(there)
  }, [there])
  useEffect(() => {
    const text = JSON.stringify(values)
    if (text === own.current) return
    const timer = setTimeout(() => {
      own.current = text
      write(values)
    }, WRITE_MS)
    return () => clearTimeout(timer)
  }, [values, write])
  const change = useStable((changed: Partial<Record<K, string>>) =>
    setValues((before) => ({ ...before, ...changed })),
  )
  return [values, change] as const
}
