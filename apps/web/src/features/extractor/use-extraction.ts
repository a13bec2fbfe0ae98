import {
  EXTRACTION_TIMEOUT_MS,
  ExtractionProgress,
  ExtractionResult,
  FoundField,
  type GivenTables,
  PROBLEMS,
  type ProblemBody,
} from '@ensaio/domain'
import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiError, open } from '../../api/client.ts'
import { serverEvents } from '../../api/server-events.ts'
import { startReview } from './proposals.ts'
import type { ReviewState } from './review-state.ts'

export type ExtractionState =
  | { phase: 'idle'; error: string | null }
  | {
      phase: 'processing'
      file: File
      startedAt: number
      progress: ExtractionProgress | null
      found: ReadonlyMap<string, FoundField>
    }
  | { phase: 'review'; file: File; result: ExtractionResult; review: ReviewState }

const FAILED = 'Erro ao extrair dados do PDF'

/** Reads one report; the server tells its progress as it goes. */
export function useExtraction(
  onFailure: (sentence: string) => void,
  onDone: (result: ExtractionResult) => void,
) {
  const [state, setState] = useState<ExtractionState>({ phase: 'idle', error: null })
  const running = useRef<AbortController | null>(null)
  const callbacks = useRef({ onFailure, onDone })
  callbacks.current = { onFailure, onDone }
  useEffect(() => () => running.current?.abort(), [])

  const start = useCallback(async (file: File) => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    setState({ phase: 'processing', file, startedAt: Date.now(), progress: null, found: new Map() })
    try {
      const result = await extract(file, controller.signal, {
        onProgress: (progress) =>
          setState((before) => (before.phase === 'processing' ? { ...before, progress } : before)),
        onField: (field) =>
          setState((before) =>
            before.phase === 'processing' ? { ...before, found: withField(before.found, field) } : before,
          ),
      })
      const review = await startReview(result)
      if (controller.signal.aborted) return
      setState({ phase: 'review', file, result, review })
      callbacks.current.onDone(result)
    } catch (error) {
      if (controller.signal.aborted) return
      const timedOut =
        error instanceof ApiError && (error.code === 'extraction.timeout' || error.code === 'timeout')
      const reason = timedOut
        ? PROBLEMS['extraction.timeout'].detail
        : error instanceof ApiError
          ? error.message
          : ''
      setState({ phase: 'idle', error: timedOut || !reason ? reason || FAILED : `${FAILED}. ${reason}` })
      callbacks.current.onFailure(timedOut ? reason : FAILED)
    }
  }, [])

  const reset = useCallback(() => {
    running.current?.abort()
    setState({ phase: 'idle', error: null })
  }, [])

  return { state, start, reset }
}

/** A later value of a field replaces the earlier one; null takes it back. */
export function withField(
  found: ReadonlyMap<string, FoundField>,
  field: FoundField,
): ReadonlyMap<string, FoundField> {
  const next = new Map(found)
  if (field.value === null) next.delete(field.path)
  else next.set(field.path, field)
  return next
}

export async function extract(
  file: File,
  signal: AbortSignal,
  {
    onProgress,
    onField,
    tables,
  }: {
    onProgress?: (progress: ExtractionProgress) => void
    onField?: (field: FoundField) => void
    /** The tables of the treatments, as the person says. */
    tables?: GivenTables
  },
): Promise<ExtractionResult> {
  const form = new FormData()
  if (tables) form.append('tabelas', JSON.stringify(tables))
  form.append('pdf', file, file.name)
  const response = await open(
    'extract',
    {},
    {
      form,
      signal,
      timeoutMs: EXTRACTION_TIMEOUT_MS,
      headers: { accept: 'text/event-stream' },
    },
  )
  for await (const { event, data } of serverEvents(response)) {
    if (event === 'progress') onProgress?.(ExtractionProgress.parse(data))
    if (event === 'field') onField?.(FoundField.parse(data))
    if (event === 'result') return ExtractionResult.parse(data)
    if (event === 'problem') {
      const { detail, status, code } = data as ProblemBody
      throw new ApiError(detail, { status, code })
    }
  }
  throw new ApiError('A leitura foi interrompida', { code: 'interrupted' })
}
