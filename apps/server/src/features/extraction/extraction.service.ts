import { createHash } from 'node:crypto'
import {
  type ExtractionProgress,
  ExtractionResult,
  FIELD_KEYS,
  type FieldKey,
  type FoundField,
  type GivenTables,
  PROBLEMS,
  type ProblemCode,
  problem,
} from '@ensaio/domain'
import { changedFields, ENGINE_VERSION, type ExtractOptions } from '@ensaio/extraction'
import type { Handle } from '../../database/handle.ts'
import type { Reader, Wall } from '../../database/wall.ts'
import type { Template } from '../../jobs/template.ts'
import { shareOf } from '../../places.ts'
import { keepLayout, layoutLike } from './layouts.repository.ts'
import { keepReading, knownReading, type Reading } from './readings.repository.ts'
import type { SecondOpinion, TextLine } from './second-opinion.ts'

/** What reads a report: the pool of sandboxed processes. */
export interface Extractor {
  extract(
    bytes: Uint8Array,
    options: Pick<ExtractOptions, 'lines' | 'tables' | 'template' | 'learn'> & {
      /** Whose document it is. */
      who?: string
      signal?: AbortSignal
      onProgress?: (progress: ExtractionProgress) => void
      onFields?: (fields: FoundField[]) => void
    },
  ): Promise<ExtractionResult & { lines?: TextLine[] | undefined; learnt?: Template | undefined }>
}

export interface Extraction {
  /** @throws Problem with the reason for the person */
  extract(
    reader: Reader,
    pdf: Uint8Array,
    options: Options & {
      /** The tables that hold the treatments, as a person says. */
      tables?: GivenTables
    },
  ): Promise<ExtractionResult>
  /**
   * Learns the layout of a report that a person put right and keeps it under the id that it answers.
   * @throws Problem with the reason for the person
   */
  remember(
    reader: Reader,
    pdf: Uint8Array,
    corrected: { tables?: GivenTables; fields: Readonly<Partial<Record<FieldKey, string | number>>> },
  ): Promise<string>
}

interface Options {
  signal?: AbortSignal
  onProgress?: (progress: ExtractionProgress) => void
  /** Values as they are found; those of the result are all told before it. */
  onFields?: (fields: FoundField[]) => void
}

/** Two of a list, one read again, one that teaches its layout, one more. */
const AT_ONCE_PER_USER = 5

/** Without what was asked for besides. */
const plain = ({ data, metadata }: ExtractionResult): ExtractionResult => ({ data, metadata })

/** What a layout gives, and those fields that were known without it. */
function completed(read: ExtractionResult, own: ExtractionResult, template: string): ExtractionResult {
  const { data, metadata } = read
  if (!metadata.learnt) return own
  const missing = FIELD_KEYS.filter((field) => data[field] === null && own.data[field] !== null)
  const of = <T>(values: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(values).filter(([field]) => missing.some((key) => key === field)))
  return {
    data: { ...data, ...of(own.data) },
    metadata: {
      ...metadata,
      extracted_fields: [...metadata.extracted_fields, ...missing],
      fields: { ...metadata.fields, ...of(own.metadata.fields) },
      template,
    },
  }
}

export function createExtraction({
  wall,
  extractor,
  secondOpinion,
}: {
  wall: Wall
  extractor: Extractor
  /** Null: what the engine doubts stays in doubt. */
  secondOpinion: SecondOpinion | null
}): Extraction {
  const engine = secondOpinion ? `${ENGINE_VERSION}+${secondOpinion.model}` : ENGINE_VERSION
  const running = new Map<string, number>()

  /** One person may not fill the whole line. @throws Problem */
  const inTurn = async <T>(userId: string, work: () => Promise<T>): Promise<T> => {
    const mine = running.get(userId) ?? 0
    if (mine >= AT_ONCE_PER_USER) throw problem('extraction.busy')
    running.set(userId, mine + 1)
    try {
      return await work()
    } catch (error) {
      throw asProblem(error)
    } finally {
      const left = (running.get(userId) ?? 1) - 1
      if (left > 0) running.set(userId, left)
      else running.delete(userId)
    }
  }

  /** What was read of these bytes before, else what `read` gives, kept for the next time. */
  const keptOr = async (
    handle: Handle,
    reading: Reading,
    { onFields }: Pick<Options, 'onFields'>,
    read: () => Promise<{ result: ExtractionResult; keep: boolean }>,
  ): Promise<ExtractionResult> => {
    const known = ExtractionResult.safeParse(await knownReading(handle, reading))
    if (known.success) {
      onFields?.(changedFields(null, known.data))
      return known.data
    }
    const { result, keep } = await read()
    if (keep) await keepReading(handle, reading, result)
    return result
  }

  const readPlain = async (
    who: string,
    pdf: Uint8Array,
    options: Options,
  ): Promise<{ result: ExtractionResult; keep: boolean }> => {
    const asked = { ...options, who, lines: secondOpinion !== null }
    const { lines = [], ...read } = await extractor.extract(pdf, asked)
    const result = plain(read)
    if (!secondOpinion) return { result, keep: true }
    const reviewed = await secondOpinion.review({ result, lines, signal: options.signal })
    if (reviewed) options.onFields?.(changedFields(result, reviewed))
    // Without an answer nothing is kept, so that the next reading asks again.
    return { result: reviewed ?? result, keep: reviewed !== null }
  }

  return {
    async extract(reader, pdf, { tables, ...options }) {
      const userId = reader.id
      const handle = wall.for(reader)
      return await inTurn(userId, async () => {
        if (tables) {
          return plain(await extractor.extract(pdf, { ...options, who: shareOf(reader), tables }))
        }
        const sha256 = createHash('sha256').update(pdf).digest('hex')
        const own = await keptOr(handle, { sha256, engine }, options, () =>
          readPlain(shareOf(reader), pdf, options),
        )
        const like = await layoutLike(handle, { print: own.metadata.layout ?? [], userId })
        if (!like) return own
        // What a kept layout makes of it is kept beside, under the layout's id: a new one reads anew.
        const learnt = { sha256, engine: `${engine}+${like.id}` }
        return await keptOr(handle, learnt, options, async () => {
          const { template } = like
          const result = await extractor.extract(pdf, { ...options, who: shareOf(reader), template })
          return { result: completed(plain(result), own, like.id), keep: true }
        }).catch((error: unknown) => {
          // What was read without it is not lost.
          if (options.signal?.aborted) throw error
          return own
        })
      })
    },
    async remember(reader, pdf, { tables, fields }) {
      const userId = reader.id
      return await inTurn(userId, async () => {
        const { metadata, learnt } = await extractor.extract(pdf, {
          who: shareOf(reader),
          tables,
          learn: fields,
        })
        const print = metadata.layout
        if (!learnt || !print?.length || learnt.tables.length + learnt.fields.length === 0)
          throw problem('layout.nothing_learnt')
        return await keepLayout(wall.for(reader), { print, template: learnt, userId })
      })
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
