import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { useSource } from '../../api/source.ts'
import { searchOf, stateOf } from './state.ts'
import { useViews } from './use-views.ts'

/** Opens the dashboard with the view that the person chose, where the address asks for nothing else. */
export function useDefaultView(): void {
  const [search, setSearch] = useSearchParams()
  const views = useViews()
  const demo = useSource().name === 'demo'
  /** What is cleared later stays clear. */
  const fresh = useRef(true)
  useEffect(() => {
    if (!views.data || demo) return
    const view = fresh.current && views.data.vistas.find(({ id }) => id === views.data.padrao)
    fresh.current = false
    if (view && Object.keys(stateOf(search)).length === 0 && !search.has('vista'))
      setSearch(searchOf(view.estado, view.id), { replace: true })
  }, [views.data, demo, search, setSearch])
}
