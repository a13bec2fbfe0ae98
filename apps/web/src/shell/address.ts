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
 * Some parameters of the address as they are changed many times a second: shown at once, written there when the
 * changing rests, and taken from there when something else changes them, such as a link or the browser's own buttons.
 * What was written comes back from the address late on a slow machine, when more was typed or even written since:
 * an echo of one's own takes nothing back.
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
  const echoes = useRef<string[]>([])
  useEffect(() => {
    const text = JSON.stringify(there)
    const echo = echoes.current.indexOf(text)
    echoes.current.splice(0, echo + 1)
    if (echo >= 0 || text === own.current) return
    own.current = text
    setValues(there)
  }, [there])
  useEffect(() => {
    const text = JSON.stringify(values)
    if (text === own.current) return
    const timer = setTimeout(() => {
      own.current = text
      echoes.current.push(text)
      write(values)
    }, WRITE_MS)
    return () => clearTimeout(timer)
  }, [values, write])
  const change = useStable((changed: Partial<Record<K, string>>) =>
    setValues((before) => ({ ...before, ...changed })),
  )
  return [values, change] as const
}

/** One text that the address keeps, as it is typed. */
export function useAddressText(key: string) {
  const keys = useMemo(() => [key], [key])
  const [values, change] = useAddressValues(keys)
  const set = useStable((text: string) => change({ [key]: text }))
  return [(values[key] ?? '').slice(0, MAX_LENGTH), set] as const
}
