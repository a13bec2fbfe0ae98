// Entry of a sandboxed process: reads one document at a time, told by its parent over IPC.
import { type ExtractionErrorCode, extract, isExtractionErrorCode } from '@ensaio/extraction'
import type { FromReader, ToReader } from './reader-process.ts'

const send = (message: FromReader): void => {
  process.send?.(message)
}

let cancel: AbortController | undefined

process.on('message', async (message: ToReader) => {
  if (message.type === 'cancel') {
    cancel?.abort()
    return
  }
  cancel = new AbortController()
  try {
    const result = await extract(Buffer.from(message.base64, 'base64'), {
      signal: cancel.signal,
      lines: message.lines,
      digitalOnly: message.digitalOnly,
      onProgress: (progress) => send({ type: 'progress', progress }),
      onFields: (fields) => send({ type: 'fields', fields }),
    })
    send({ type: 'result', result })
  } catch (error) {
    send({
      type: 'error',
      code: codeOf(error),
      detail: error instanceof Error ? error.message : String(error),
    })
  }
})

// An orphan must not live on.
process.on('disconnect', () => process.exit(0))

send({ type: 'ready' })

function codeOf(error: unknown): ExtractionErrorCode {
  if (cancel?.signal.aborted) return 'extraction.cancelled'
  if (error instanceof Error && 'code' in error && isExtractionErrorCode(error.code)) return error.code
  if (error instanceof RangeError || /memory|out of bounds/i.test(String(error)))
    return 'extraction.out_of_memory'
  return 'extraction.failed'
}
