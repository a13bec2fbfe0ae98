import { createHash } from 'node:crypto'
import {
  type ExtractionProgress,
  ExtractionResult,
  type FoundField,
  PROBLEMS,
  type ProblemCode,
  problem,
} from '@ensaio/domain'
import { changedFields, ENGINE_VERSION } from '@ensaio/extraction'
import type { Handle } from '../../database/handle.ts'
import { keepReading, knownReading } from './readings.repository.ts'
import type { SecondOpinion, TextLine } from './second-opinion.ts'

/** What reads a report: the pool of sandboxed processes. */
export interface Extractor {
  extract(
    bytes: Uint8Array,
    options: {
      /** Whose document it is. */
      who?: string
      signal?: AbortSignal
      onProgress?: (progress: ExtractionProgress) => void
      onFields?: (fields: FoundField[]) => void
      /** Give the lines of the text besides the result. */
      lines?: boolean
    },
  ): Promise<ExtractionResult & { lines?: TextLine[] | undefined }>
}

export interface Extraction {
  /** @throws Problem with the reason for the person */
  extract(
    userId: string,
    pdf: Uint8Array,
    options: {
      signal?: AbortSignal
      onProgress?: (progress: ExtractionProgress) => void
      /** Values as they are found; those of the result are all told before it. */
      onFields?: (fields: FoundField[]) => void
    },
  ): Promise<ExtractionResult>
}

/** One person may not fill the whole line. */
const AT_ONCE_PER_USER = 3

export function createExtraction({
  handle,
  extractor,
  secondOpinion,
}: {
  handle: Handle
  extractor: Extractor
  /** Null: what the engine doubts stays in doubt. */
  secondOpinion: SecondOpinion | null
}): Extraction {
  const engine = secondOpinion ? `${ENGINE_VERSION}+${secondOpinion.model}` : ENGINE_VERSION
  const running = new Map<string, number>()
  return {
    async extract(userId, pdf, options) {
      const mine = running.get(userId) ?? 0
      if (mine >= AT_ONCE_PER_USER) throw problem('extraction.busy')
      running.set(userId, mine + 1)
      try {
        const reading = { sha256: createHash('sha256').update(pdf).digest('hex'), engine }
        const known = ExtractionResult.safeParse(await knownReading(handle, reading))
        if (known.success) {
          options.onFields?.(changedFields(null, known.data))
          return known.data
        }
        const { lines = [], ...result } = await extractor.extract(pdf, {
          ...options,
          who: userId,
          lines: secondOpinion !== null,
        })
        if (!secondOpinion) {
          await keepReading(handle, reading, result)
          return result
        }
        const reviewed = await secondOpinion.review({ result, lines, signal: options.signal })
        // Without an answer nothing is kept, so that the next reading asks again.
        if (reviewed) {
          options.onFields?.(changedFields(result, reviewed))
          await keepReading(handle, reading, reviewed)
        }
        return reviewed ?? result
      } catch (error) {
        throw asProblem(error)
      } finally {
        const left = (running.get(userId) ?? 1) - 1
        if (left > 0) running.set(userId, left)
        else running.delete(userId)
      }
    },
  }
}

/** The engine's reasons that the person is told in other words. */
const OTHER_WORDS: Readonly<Record<string, ProblemCode>> = {
  'extraction.not_pdf': 'document.invalid',
  'extraction.damaged': 'document.invalid',
  'extraction.too_large': 'document.too_large',
}

function asProblem(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (!code.startsWith('extraction.')) return error
  const known = code in PROBLEMS ? (code as ProblemCode) : OTHER_WORDS[code]
  return problem(known ?? 'extraction.failed', { cause: error })
}
