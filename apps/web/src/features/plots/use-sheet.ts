import { useEffect, useMemo, useRef, useState } from 'react'
import { actingKey } from '../../api/acting.ts'
import { lasting } from '../../storage/browser-storage.ts'
import { begin, type Draft, type State } from './sheet-state.ts'

const PREFIX = 'ensaio.parcelas.'
const SAVE_MS = 800
const LIFE_MS = 60 * 24 * 3_600_000

type Kept = { draft: Draft; at: number }

/** In whose name and of which trial: nobody else at this browser is shown it. */
const keyOf = (experimentId: string) => `${PREFIX}${actingKey()}.${experimentId}`

function keptAt(key: string): Kept | null {
  try {
    const kept = JSON.parse(lasting.getItem(key) ?? 'null') as Kept | null
    if (!kept || Date.now() - kept.at > LIFE_MS) return null
    return Array.isArray(kept.draft.parcelas) && Array.isArray(kept.draft.valores) ? kept : null
  } catch {
    return null
  }
}

/** The sheet being edited, kept in this browser while it is not saved. */
export function useSheet(experimentId: string, stored: Draft) {
  const key = keyOf(experimentId)
  const kept = useMemo(() => keptAt(key), [key])
  const usable = kept !== null && kept.draft.versao === stored.versao
  const [state, setState] = useState<State>(() => begin(usable ? kept.draft : stored))
  const [dirty, setDirty] = useState(usable)
  const [outlasts, setOutlasts] = useState(true)
  const first = useRef(true)
  const { draft } = state

  useEffect(() => {
    if (first.current) {
      first.current = false
      return
    }
    setDirty(true)
    const timer = setTimeout(
      () => setOutlasts(lasting.setItem(key, JSON.stringify({ draft, at: Date.now() } satisfies Kept))),
      SAVE_MS,
    )
    return () => clearTimeout(timer)
  }, [key, draft])

  return {
    state,
    setState,
    dirty,
    /** The browser keeps nothing: what is typed ends with the page. */
    outlasts,
    /** A kept draft of an older version than stands now; it is shown and not written over anything. */
    outdated: kept !== null && !usable ? kept.draft : null,
    resumed: usable,
    /** What was saved is the server's now, as it answered it. */
    saved(next: Draft) {
      lasting.removeItem(key)
      first.current = true
      setState(begin(next))
      setDirty(false)
    },
    discard() {
      lasting.removeItem(key)
      first.current = true
      setState(begin(stored))
      setDirty(false)
    },
  }
}
