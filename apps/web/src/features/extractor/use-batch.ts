import {
  completenessOf,
  type ExtractionProgress,
  type ExtractionResult,
  type FoundField,
  REVIEW_CONFIDENCE,
} from '@ensaio/domain'
import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { ApiError } from '../../api/client.ts'
import { useStable } from '../../shell/stable.ts'
import { dropReport, holdReports, keepReport, keptReports } from '../../storage/kept-reports.ts'
import { onLeaving } from '../../storage/leaving.ts'
import { startReview } from './proposals.ts'
import { allFields } from './review-fields.ts'
import { isDoubtful, isLookedAt, type ReviewState } from './review-state.ts'
import type { Refusal } from './save-reading.ts'
import { findTwins, type Twins } from './twins.ts'
import { extract, withField } from './use-extraction.ts'

export const BATCH_MAX_FILES = 50
/** The server reads few reports at once; more requests would only wait there. */
const AT_ONCE = 2
const KEEP_AFTER_MS = 400
const BUSY_MS = 2_000

const rest = (ms: number, stop: AbortSignal): Promise<void> =>
  new Promise((done) => {
    setTimeout(done, ms)
    stop.addEventListener('abort', () => done(), { once: true })
  })

export type InReview = {
  result: ExtractionResult
  review: ReviewState
  /** What is stored already and looks like it. */
  twins: Twins
  refusal?: Refusal | undefined
  /** Its saving has been asked for before: the answer may have been lost, and is the same when asked again. */
  sent?: boolean
}
export type BatchItem = {
  id: string
  file: File
  addedAt: number
  state:
    | { phase: 'waiting' }
    | { phase: 'reading'; progress: ExtractionProgress | null; found: number }
    | ({ phase: 'ready' } & InReview)
    | { phase: 'failed'; message: string }
    | { phase: 'saved'; experimentId: string }
    | ({ phase: 'skipped' } & InReview)
}
export type Ready = BatchItem & { state: { phase: 'ready' } }
export const isReady = (item: BatchItem): item is Ready => item.state.phase === 'ready'

export type Group = 'ready' | 'incomplete' | 'check' | 'saved' | 'skipped' | 'failed' | 'reading'

/** Where an item of the inbox stands. */
export function groupOf({ state }: BatchItem): Group {
  switch (state.phase) {
    case 'ready': {
      const { result, review, twins, refusal } = state
      if (result.metadata.held && review.data.tratamentos.length === 0) return 'check'
      if (completenessOf(review.data).problems.length > 0) return 'incomplete'
      const unsure = result.metadata.confidence < REVIEW_CONFIDENCE && !isLookedAt(review)
      const refused = refusal !== undefined && Object.keys(refusal.errors).length > 0
      return unsure || refused || doubtsOf(review) > 0 || twins.file.length > 0 ? 'check' : 'ready'
    }
    case 'saved':
    case 'skipped':
    case 'failed':
      return state.phase
    default:
      return 'reading'
  }
}

export const doubtsOf = (review: ReviewState): number =>
  allFields(review.data).filter(({ path }) => isDoubtful(review, path)).length

/** Of the request that saves it: the same as long as the same is sent, also after a reload. */
export const keyOf = (item: BatchItem) => (payload: string) => {
  let hash = 0
  for (let i = 0; i < payload.length; i++) hash = (Math.imul(hash, 31) + payload.charCodeAt(i)) | 0
  return `${item.id}-${(hash >>> 0).toString(16)}`
}

type Change =
  | { type: 'add'; items: readonly BatchItem[] }
  | { type: 'set'; id: string; state: (before: BatchItem['state']) => BatchItem['state'] }
  | { type: 'remove'; ids: readonly string[] }

function reduce(items: readonly BatchItem[], change: Change): readonly BatchItem[] {
  if (change.type === 'add') {
    const known = new Set(items.map(({ id }) => id))
    return [...items, ...change.items.filter(({ id }) => !known.has(id))]
  }
  if (change.type === 'remove') return items.filter(({ id }) => !change.ids.includes(id))
  return items.map((item) => (item.id === change.id ? { ...item, state: change.state(item.state) } : item))
}

const newId = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** A queue of reports, kept in this browser: a few are read at once; each fails or succeeds by itself. */
export function useBatch(keeper: string, formerKeeper: string | null) {
  const [items, dispatch] = useReducer(reduce, [])
  const [lasts, setLasts] = useState(true)
  const [loaded, setLoaded] = useState(false)
  /** False: the list is open in another tab, which writes it. */
  const [mine, setMine] = useState(true)
  const unkept = useRef(new Set<string>())
  const running = useRef(new Map<string, AbortController>())
  const written = useRef(new Map<string, BatchItem['state']>())

  const set = useCallback(
    (id: string, state: BatchItem['state'] | ((before: BatchItem['state']) => BatchItem['state'])) =>
      dispatch({ type: 'set', id, state: typeof state === 'function' ? state : () => state }),
    [],
  )

  useEffect(() => {
    let gone = false
    const leaving = new AbortController()
    void holdReports(keeper, leaving.signal).then(async (held) => {
      const kept = held ? await keptReports<Omit<BatchItem, 'id'>>(keeper, formerKeeper ?? keeper) : []
      if (gone) return
      setMine(held)
      const known = kept
        .map(({ id, value }): BatchItem => ({ ...value, id }))
        .sort((a, b) => a.addedAt - b.addedAt)
      for (const { id, state } of known) written.current.set(id, state)
      dispatch({ type: 'add', items: known })
      setLoaded(true)
    })
    return () => {
      gone = true
      leaving.abort()
    }
  }, [keeper, formerKeeper])

  const keep = useStable(() => {
    if (!loaded || !mine) return
    for (const [id] of written.current)
      if (!items.some((item) => item.id === id)) {
        written.current.delete(id)
        unkept.current.delete(id)
        void dropReport(id)
      }
    for (const { id, file, addedAt, state } of items) {
      // A reading begins anew.
      const lasting = state.phase === 'reading' ? WAITING : state
      if (written.current.get(id) === lasting) continue
      written.current.set(id, lasting)
      // What is saved has its file on the server.
      const own = lasting.phase === 'saved' ? new File([], file.name) : file
      void keepReport(keeper, id, { file: own, addedAt, state: lasting }).then((taken) => {
        if (taken) unkept.current.delete(id)
        else {
          unkept.current.add(id)
          if (written.current.get(id) === lasting) written.current.delete(id)
        }
        setLasts(unkept.current.size === 0)
      })
    }
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: something has changed
  useEffect(() => {
    // What was saved, read or taken out is kept at once; what is being typed, when it rests.
    const turned = items.some(({ id, state }) => written.current.get(id)?.phase !== keptPhase(state))
    if (turned || items.length < written.current.size) {
      keep()
      return
    }
    const timer = setTimeout(keep, KEEP_AFTER_MS)
    return () => clearTimeout(timer)
  }, [items, loaded, mine, keep])
  useEffect(() => {
    const stay = onLeaving(keep)
    return () => {
      stay()
      keep()
    }
  }, [keep])

  useEffect(() => {
    const free = AT_ONCE - running.current.size
    const waiting = items.filter(({ id, state }) => state.phase === 'waiting' && !running.current.has(id))
    for (const { id, file } of waiting.slice(0, Math.max(0, free))) {
      const stop = new AbortController()
      running.current.set(id, stop)
      let progress: ExtractionProgress | null = null
      let found: ReadonlyMap<string, FoundField> = new Map()
      const show = () => set(id, { phase: 'reading', progress, found: found.size })
      show()
      extract(file, stop.signal, {
        onProgress: (now) => {
          progress = now
          show()
        },
        onField: (field) => {
          found = withField(found, field)
          show()
        },
      })
        .then(async (result) => {
          const [review, twins] = await Promise.all([startReview(result), findTwins(file, result.data)])
          return { phase: 'ready', result, review, twins } as const
        })
        .catch(async (error: unknown) => {
          // Others of the same person are being read: it waits for its turn.
          if (error instanceof ApiError && error.code === 'extraction.busy') {
            await rest(BUSY_MS, stop.signal)
            return WAITING
          }
          const message = error instanceof ApiError ? error.message : 'Erro ao extrair dados do PDF'
          return { phase: 'failed' as const, message }
        })
        .then((state) => {
          running.current.delete(id)
          if (stop.signal.aborted) return
          set(id, (before) => (before.phase === 'reading' ? state : before))
        })
    }
  }, [items, set])

  const current = useStable((id: string) => items.find((item) => item.id === id))
  const stop = useCallback((ids: readonly string[]) => {
    for (const id of ids) {
      running.current.get(id)?.abort()
      running.current.delete(id)
    }
  }, [])
  useEffect(() => () => stop([...running.current.keys()]), [stop])

  return {
    items,
    /** Whether the list will be there after the page is closed. */
    lasts: lasts && mine,
    mine,
    loaded,
    /** As it is now, whatever it was when somebody looked. */
    current,
    add: (files: readonly File[]) =>
      dispatch({
        type: 'add',
        items: files.map((file) => ({ id: newId(), file, addedAt: Date.now(), state: WAITING })),
      }),
    /** Back into the list, as it was. */
    put: (item: BatchItem) => dispatch({ type: 'add', items: [item] }),
    set,
    remove: (ids: readonly string[]) => {
      stop(ids)
      dispatch({ type: 'remove', ids })
    },
  }
}

const WAITING = { phase: 'waiting' } as const
/** A reading begins anew. */
const keptPhase = ({ phase }: BatchItem['state']) => (phase === 'reading' ? WAITING.phase : phase)
