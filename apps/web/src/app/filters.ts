import { type ExperimentFilter, FILTER_KEYS } from '@ensaio/domain'
import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'

export type FilterKey = (typeof FILTER_KEYS)[number]

/** The address as it stands now: two changes may come before the page is drawn again. */
const current = () => new URLSearchParams(window.location.search)

/** The filters live in the address, so that a view can be sent to a colleague. */
export function useFilters() {
  const [search, setSearch] = useSearchParams()
  const filter = useMemo(() => {
    const found: ExperimentFilter = {}
    for (const key of FILTER_KEYS) {
      const value = search.get(key)
      if (value) found[key] = value
    }
    return found
  }, [search])

  const set = useCallback(
    (key: FilterKey, value: string) =>
      setSearch(
        () => {
          const after = current()
          if (value) after.set(key, value)
          else after.delete(key)
          return after
        },
        { replace: true, preventScrollReset: true },
      ),
    [setSearch],
  )

  /** A second click on the same value takes the filter off. */
  const toggle = useCallback(
    (key: FilterKey, value: string) => set(key, current().get(key) === value ? '' : value),
    [set],
  )

  const clear = useCallback(
    () =>
      setSearch(
        () => {
          const after = current()
          for (const key of FILTER_KEYS) after.delete(key)
          return after
        },
        { replace: true, preventScrollReset: true },
      ),
    [setSearch],
  )

  return { filter, set, toggle, clear, active: Object.keys(filter).length > 0 }
}
