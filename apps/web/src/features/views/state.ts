import type { ViewState } from '@ensaio/domain'
import { ORGANIZATION_PARAM } from '../../api/acting.ts'

/** The view that the address was opened from. */
export const VIEW_PARAM = 'vista'
/** What stands in the address and is no part of a view: dialogs, and in whose name one acts. */
const PASSING: ReadonlySet<string> = new Set([
  ...[VIEW_PARAM, ORGANIZATION_PARAM, 'extrair', 'experimento', 'anexar', 'demo'],
])

/** What the address holds of a view, its parameters in order. */
export function stateOf(search: URLSearchParams): Record<string, string[]> {
  const keys = [...new Set(search.keys())].filter((key) => !PASSING.has(key)).sort()
  return Object.fromEntries(
    keys.flatMap((key) => {
      const values = search.getAll(key).filter((value) => value !== '')
      return values.length > 0 ? [[key, values]] : []
    }),
  )
}

/** The address of a kept state; of what is nested, its parts. */
export function searchOf(state: ViewState, id?: string): URLSearchParams {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(state)) {
    const parts = typeof value === 'object' && !Array.isArray(value) ? value : { [key]: value }
    for (const [name, given] of Object.entries(parts))
      for (const one of [given].flat()) search.append(name, String(one))
  }
  if (id !== undefined) search.set(VIEW_PARAM, id)
  return search
}

export const sameState = (a: ViewState, b: ViewState): boolean =>
  JSON.stringify(stateOf(searchOf(a))) === JSON.stringify(stateOf(searchOf(b)))
