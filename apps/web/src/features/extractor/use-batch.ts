import type { ExtractionProgress, ExtractionResult, FoundField } from '@ensaio/domain'
import { useCallback, useEffect, useReducer, useRef } from 'react'
import { ApiError } from '../../api/client.ts'
import { createRequestKey } from '../../api/request-key.ts'
import { extract, withField } from './use-extraction.ts'

export const BATCH_MAX_FILES = 50
/** The server reads few reports at once; more requests would only wait there. */
const AT_ONCE = 2

export type BatchItem = {
  id: number
  file: File
  /** Of the request that saves it: the same as long as the same is sent. */
  keyFor: (payload: string) => string
  state:
    | { phase: 'waiting' }
    | { phase: 'reading'; progress: ExtractionProgress | null; found: number }
    | { phase: 'ready'; result: ExtractionResult }
    | { phase: 'failed'; message: string }
    | { phase: 'saved'; experimentId: string }
    | { phase: 'skipped' }
}
type Change =
  | { type: 'add'; items: BatchItem[] }
  | { type: 'set'; id: number; state: BatchItem['state'] }
  | { type: 'clear' }

function reduce(items: BatchItem[], change: Change): BatchItem[] {
  if (change.type === 'clear') return []
  if (change.type === 'add') return [...items, ...change.items]
  return items.map((item) => (item.id === change.id ? { ...item, state: change.state } : item))
}

/** A queue of reports: a few are read at once, the others wait; each fails or succeeds by itself. */
export function useBatch() {
  const [items, dispatch] = useReducer(reduce, [])
  const nextId = useRef(1)
  const running = useRef(new Map<number, AbortController>())

  const set = useCallback((id: number, state: BatchItem['state']) => dispatch({ type: 'set', id, state }), [])

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
        .then((result) => ({ phase: 'ready', result }) as const)
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

  const stopAll = useCallback(() => {
    for (const stop of running.current.values()) stop.abort()
    running.current.clear()
  }, [])
  useEffect(() => stopAll, [stopAll])

  return {
    items,
    add: (files: readonly File[]) =>
      dispatch({
        type: 'add',
        items: files.map((file) => ({
          id: nextId.current++,
          file,
          keyFor: createRequestKey(),
          state: { phase: 'waiting' },
        })),
      }),
    set,
    clear: () => {
      stopAll()
      dispatch({ type: 'clear' })
    },
  }
}
