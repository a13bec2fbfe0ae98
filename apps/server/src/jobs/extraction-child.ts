// Entry of a sandboxed process: reads one document at a time, told by its parent over a pipe.
import { type ExtractionErrorCode, extract, isExtractionErrorCode } from '@ensaio/extraction'
import { toParent } from './own-channel.ts'
import type { FromReader, ToReader } from './reader-process.ts'

const channel = toParent((message) => {
  // The parent is trusted.
  void read(message as ToReader)
})
const send = (message: FromReader): void => channel.send(message)

async function read({ base64, ...asked }: ToReader): Promise<void> {
  try {
    const result = await extract(Buffer.from(base64, 'base64'), {
      ...asked,
      onProgress: (progress) => send({ type: 'progress', progress }),
      onFields: (fields) => send({ type: 'fields', fields }),
    })
    send({ type: 'result', result })
  } catch (error) {
    send({
      type: 'error',
      code: codeOf(error),
      detail: (error instanceof Error ? error.message : String(error)).slice(0, 500),
    })
  }
}

send({ type: 'ready' })

function codeOf(error: unknown): ExtractionErrorCode {
  if (error instanceof Error && 'code' in error && isExtractionErrorCode(error.code)) return error.code
  if (error instanceof RangeError || /memory|out of bounds/i.test(String(error)))
    return 'extraction.out_of_memory'
  return 'extraction.failed'
}
