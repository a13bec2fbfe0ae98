import {
  completenessOf,
  type ExtractionProgress,
  type ExtractionResult,
  type FoundField,
  REVIEW_CONFIDENCE,
} from '@ensaio/domain'
import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { ApiError } from '../../api/client.ts'
import { dropReport, keepReport, keptReports } from '../../storage/kept-reports.ts'
import { startReview } from './proposals.ts'
import { allFields } from './review-fields.ts'
import { isDoubtful, type ReviewState } from './review-state.ts'
import type { Refusal } from './save-reading.ts'
import { findTwins } from './twins.ts'
import { extract, withField } from './use-extraction.ts'

export const BATCH_MAX_FILES = 50
/** The server reads few reports at once; more requests would only wait there. */
const AT_ONCE = 2
const KEEP_AFTER_MS = 400

export type InReview = {
  result: ExtractionResult
  review: ReviewState
  /** What is stored already and looks like it. */
  twins: readonly string[]
  refusal?: Refusal
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

export type Group = 'ready' | 'incomplete' | 'check' | 'saved' | 'skipped' | 'reading'

/** Where an item of the inbox stands. */
export function groupOf({ state }: BatchItem): Group {
  switch (state.phase) {
    case 'ready': {
      const { result, review, twins, refusal } = state
      if (result.metadata.held && review.data.tratamentos.length === 0) return 'check'
      if (completenessOf(review.data).problems.length > 0) return 'incomplete'
      const doubtful = doubtsOf(review) > 0 || result.metadata.confidence < REVIEW_CONFIDENCE
      return (doubtful && review.corrected.length === 0) ||
        doubtsOf(review) > 0 ||
        twins.length > 0 ||
        refusal
        ? 'check'
        : 'ready'
    }
    case 'saved':
    case 'skipped':
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
export function useBatch(userId: string) {
  const [items, dispatch] = useReducer(reduce, [])
  const [lasts, setLasts] = useState(true)
  const [loaded, setLoaded] = useState(false)
  const running = useRef(new Map<string, AbortController>())
  const written = useRef(new Map<string, BatchItem['state']>())

  const set = useCallback(
    (id: string, state: BatchItem['state'] | ((before: BatchItem['state']) => BatchItem['state'])) =>
      dispatch({ type: 'set', id, state: typeof state === 'function' ? state : () => state }),
    [],
  )

  useEffect(() => {
    let gone = false
    void keptReports<Omit<BatchItem, 'id'>>(userId).then((kept) => {
      if (gone) return
      const known = kept
        .map(({ id, value }): BatchItem => ({ ...value, id }))
        .sort((a, b) => a.addedAt - b.addedAt)
      for (const { id, state } of known) written.current.set(id, state)
      dispatch({ type: 'add', items: known })
      setLoaded(true)
    })
    return () => {
      gone = true
    }
  }, [userId])

  useEffect(() => {
    if (!loaded) return
    const keep = () => {
      for (const [id] of written.current)
        if (!items.some((item) => item.id === id)) {
          written.current.delete(id)
          void dropReport(id)
        }
      for (const { id, file, addedAt, state } of items) {
        // A reading begins anew.
        const lasting = state.phase === 'reading' ? WAITING : state
        if (written.current.get(id) === lasting) continue
        written.current.set(id, lasting)
        void keepReport(userId, id, { file, addedAt, state: lasting }).then(setLasts)
      }
    }
    const timer = setTimeout(keep, KEEP_AFTER_MS)
    addEventListener('pagehide', keep)
    return () => {
      clearTimeout(timer)
      removeEventListener('pagehide', keep)
      keep()
    }
  }, [items, loaded, userId])

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
        .catch((error: unknown) => ({
          phase: 'failed' as const,
          message: error instanceof ApiError ? error.message : 'Erro ao extrair dados do PDF',
        }))
        .then((state) => {
          running.current.delete(id)
          if (!stop.signal.aborted) set(id, state)
        })
    }
  }, [items, set])

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
    lasts,
    loaded,
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
