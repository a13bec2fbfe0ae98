import { useEffect, useMemo, useRef, useState } from 'react'
import { actingKey } from '../../api/acting.ts'
import { lasting } from '../../storage/browser-storage.ts'
import { begin, type Draft, type State } from './sheet-state.ts'

const PREFIX = 'ensaio.parcelas.'
const SAVE_MS = 800
const LIFE_MS = 60 * 24 * 3_600_000

type Kept = { draft: Draft; base: Draft; at: number }

/** In whose name and of which trial: nobody else at this browser is shown it. */
const keyOf = (experimentId: string) => `${PREFIX}${actingKey()}.${experimentId}`

function keptAt(key: string): Kept | null {
  try {
    const kept = JSON.parse(lasting.getItem(key) ?? 'null') as Kept | null
    if (!kept || Date.now() - kept.at > LIFE_MS) return null
    const whole = [kept.draft, kept.base].every(
      (one) => Array.isArray(one?.parcelas) && Array.isArray(one?.valores),
    )
    return whole ? kept : null
  } catch {
    return null
  }
}

/** The sheet being edited, kept in this browser while it is not saved. */
export function useSheet(experimentId: string, stored: Draft) {
  const key = keyOf(experimentId)
  const kept = useMemo(() => keptAt(key), [key])
  const [state, setState] = useState<State>(() => begin(kept?.draft ?? stored))
  /** What the draft was made of: the sheet as it was read then. */
  const [base, setBase] = useState<Draft>(() =>
    kept?.draft.versao === stored.versao ? stored : (kept?.base ?? stored),
  )
  const [outlasts, setOutlasts] = useState(true)
  const { draft } = state
  const clean = useRef<Draft | null>(kept ? null : draft)
  const dirty = draft !== clean.current

  // What others saved, or an import, is shown at once where nothing was typed over it.
  useEffect(() => {
    if (dirty || draft.versao === stored.versao) return
    const next = begin(stored)
    clean.current = next.draft
    setState(next)
    setBase(stored)
  }, [stored, dirty, draft.versao])

  useEffect(() => {
    if (!dirty) return
    const timer = setTimeout(
      () => setOutlasts(lasting.setItem(key, JSON.stringify({ draft, base, at: Date.now() } satisfies Kept))),
      SAVE_MS,
    )
    return () => clearTimeout(timer)
  }, [key, draft, base, dirty])

  const settle = (next: Draft) => {
    lasting.removeItem(key)
    const fresh = begin(next)
    clean.current = fresh.draft
    setState(fresh)
    setBase(next)
  }
  return {
    state,
    setState,
    dirty,
    base,
    /** The browser keeps nothing: what is typed ends with the page. */
    outlasts,
    /** Somebody saved another version since the draft was begun. */
    outdated: dirty && base.versao !== stored.versao,
    resumed: kept !== null,
    /** What was saved is the server's now, as it answered it. */
    saved: settle,
    /** The same, but for the words, which go out after it. */
    savedButWords(next: Draft) {
      setState(begin({ ...next, textos: draft.textos }))
      clean.current = null
      setBase(next)
    },
    discard: () => settle(stored),
  }
}
