import { Worker } from 'node:worker_threads'
import { problem } from '@ensaio/domain'
import { places } from '../places.ts'
import type { Table, TableFailure, TableLimits } from './table-file.ts'

const LONGEST_MS = 30_000
const MEMORY_MB = 512
const line = places({ atOnce: 2, perPerson: 1, inLine: 40, patienceMs: 20_000 })

/** What is said of a file of plots that is over its limits. */
export const tableTooLarge = () =>
  problem('import.too_large', { status: 413, detail: 'A planilha passa de 5 MB ou de 20.000 linhas' })

/**
 * Reads a spreadsheet in a thread of its own, with bounds of memory and time.
 * @throws import.unreadable, import.too_large, server.busy
 */
export async function tableOf(
  bytes: Buffer,
  { aba, limits, who }: { aba: string | null; limits: TableLimits; who: string },
): Promise<Table> {
  const answer = await line.run(() => read(bytes, aba, limits), who)
  if (answer === 'unreadable') throw problem('import.unreadable')
  if (answer === 'too_large') throw tableTooLarge()
  return answer
}

function read(bytes: Buffer, aba: string | null, limits: TableLimits): Promise<Table | TableFailure> {
  const worker = new Worker(new URL('./table-worker.ts', import.meta.url), {
    workerData: { bytes: new Uint8Array(bytes), aba, limits },
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  })
  return new Promise<Table | TableFailure>((done) => {
    const tooLong = setTimeout(() => done('too_large'), LONGEST_MS)
    const end = (answer: Table | TableFailure) => {
      clearTimeout(tooLong)
      done(answer)
    }
    worker.once('message', end)
    // A thread that dies of its file tells what kind of file that is.
    worker.once('error', (error) =>
      end('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'too_large' : 'unreadable'),
    )
    worker.once('exit', () => end('unreadable'))
  }).finally(() => void worker.terminate())
}
