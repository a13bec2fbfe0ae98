import { type ExperimentFilter, FILTER_KEYS } from '@ensaio/domain'
import { useEffect, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { currentSearch, searchWith, useSetAddress } from './address.ts'
import { useStable } from './stable.ts'

/** Whose trials is asked only where there are several organisations; the others are of the trials themselves. */
const KEYS = [...FILTER_KEYS, 'origem'] as const
export type FilterKey = (typeof KEYS)[number]

function filterOf(search: URLSearchParams): ExperimentFilter {
  const found: ExperimentFilter = {}
  for (const key of KEYS) {
    // The database has no such character, hence no such name.
    const value = search.get(key)?.replaceAll('\0', '')
    if (value) found[key] = value
  }
  return found
}

const followers = new Set<(next: ExperimentFilter) => void>()

/** Hears the next filter as soon as it is chosen, before the page is drawn for it: time to begin to read. */
export function useNextFilter(follow: (next: ExperimentFilter) => void): void {
  useEffect(() => {
    followers.add(follow)
    return () => {
      followers.delete(follow)
    }
  }, [follow])
}

/** The filters live in the address, so that a view can be sent to a colleague. */
export function useFilters() {
  const [search] = useSearchParams()
  const choose = useSetAddress({ replace: false })
  const retype = useSetAddress({ replace: true })
  const chosen = KEYS.map((key) => search.get(key) ?? '').join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rest of the address leaves the filter as it is
  const filter = useMemo(() => filterOf(search), [chosen])

  const change = (values: Record<string, string>, write = choose) => {
    for (const follow of followers) follow(filterOf(searchWith(values)))
    write(values)
  }
  /** Each choice is a step that the browser's Back undoes; a text that goes on being typed is one step. */
  const set = useStable((key: FilterKey, value: string, { typing = false } = {}) =>
    change({ [key]: value }, typing && currentSearch().has(key) ? retype : choose),
  )
  /** A second click on the same value takes the filter off. */
  const toggle = useStable((key: FilterKey, value: string) =>
    change({ [key]: currentSearch().get(key) === value ? '' : value }),
  )
  const clear = useStable(() => change(Object.fromEntries(KEYS.map((key) => [key, '']))))

  return { filter, set, toggle, clear, active: Object.keys(filter).length > 0 }
}
