import { type ExperimentFilter, FILTER_KEYS, MORE_FILTERS, type MoreFilter } from '@ensaio/domain'
import { useEffect, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { currentSearch, searchWith, useSetAddress } from './address.ts'
import { useStable } from './stable.ts'

/** Whose trials is asked only where there are several organisations; the others are of the trials themselves. */
const KEYS = [...FILTER_KEYS, 'origem'] as const
export type FilterKey = (typeof KEYS)[number]
/** What stands in the address once for each of its values. */
const SEVERAL = [...MORE_FILTERS, 'nao'] as const
const ALL = [...KEYS, ...SEVERAL, 'com_roi'] as const

function filterOf(search: URLSearchParams): ExperimentFilter {
  const found: Record<string, string | string[]> = {}
  for (const key of [...KEYS, 'com_roi']) {
    // The database has no such character, hence no such name.
    const value = search.get(key)?.replaceAll('\0', '')
    if (value) found[key] = value
  }
  for (const key of SEVERAL) {
    const values = search.getAll(key).flatMap((value) => value.replaceAll('\0', '') || [])
    if (values.length > 0) found[key] = values
  }
  // Whatever an address says, the server says what it does not know.
  return found as ExperimentFilter
}

/** Whether something is asked of the trials; what is only turned round asks nothing. */
const asksSomething = ({ nao: _, ...filter }: ExperimentFilter) => Object.keys(filter).length > 0

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
  const chosen = ALL.map((key) => search.getAll(key).join('\r')).join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rest of the address leaves the filter as it is
  const filter = useMemo(() => filterOf(search), [chosen])

  const change = (values: Record<string, string | readonly string[]>, write = choose) => {
    for (const follow of followers) follow(filterOf(searchWith(values)))
    // A price is of the crop that it was typed for.
    write('cultura' in values ? { ...values, preco_sc: '', kg_un: '' } : values)
  }
  const turned = () => currentSearch().getAll('nao')
  /** Each choice is a step that the browser's Back undoes; a text that goes on being typed is one step. */
  const set = useStable((key: FilterKey, value: string, { typing = false } = {}) =>
    change(
      { [key]: value, ...(value === '' && { nao: turned().filter((one) => one !== key) }) },
      typing && currentSearch().has(key) ? retype : choose,
    ),
  )
  /** The values of a filter that adds; none takes it off, and its 'não é' with it. */
  const setSeveral = useStable((key: MoreFilter | 'com_roi', values: readonly string[]) =>
    change({ [key]: values, ...(values.length === 0 && { nao: turned().filter((one) => one !== key) }) }),
  )
  /** 'é' to 'não é' and back. */
  const turn = useStable((key: FilterKey | MoreFilter) =>
    change({ nao: turned().includes(key) ? turned().filter((one) => one !== key) : [...turned(), key] }),
  )
  /** A second click on the same value takes the filter off. */
  const toggle = useStable((key: FilterKey, value: string) =>
    change({ [key]: currentSearch().get(key) === value ? '' : value }),
  )
  const clear = useStable(() => change(Object.fromEntries(ALL.map((key) => [key, '']))))

  return { filter, set, setSeveral, turn, toggle, clear, active: asksSomething(filter) }
}
