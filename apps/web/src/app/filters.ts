import { type ExperimentFilter, FILTER_KEYS } from '@ensaio/domain'
import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { currentSearch, useSetAddress } from './address.ts'

export type FilterKey = (typeof FILTER_KEYS)[number]

/** The filters live in the address, so that a view can be sent to a colleague. */
export function useFilters() {
  const [search] = useSearchParams()
  const write = useSetAddress()
  const filter = useMemo(() => {
    const found: ExperimentFilter = {}
    for (const key of FILTER_KEYS) {
      const value = search.get(key)
      if (value) found[key] = value
    }
    return found
  }, [search])

  const set = useCallback((key: FilterKey, value: string) => write({ [key]: value }), [write])

  /** A second click on the same value takes the filter off. */
  const toggle = useCallback(
    (key: FilterKey, value: string) => set(key, currentSearch().get(key) === value ? '' : value),
    [set],
  )

  const clear = useCallback(() => write(Object.fromEntries(FILTER_KEYS.map((key) => [key, '']))), [write])

  return { filter, set, toggle, clear, active: Object.keys(filter).length > 0 }
}
