import { type ChildProcess, execFile, fork } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  ExtractionError,
  type ExtractionErrorCode,
  type ExtractionResult,
  type ExtractOptions,
  type FoundField,
} from '@ensaio/extraction'

type Progress = Parameters<NonNullable<ExtractOptions['onProgress']>>[0]

export type ToChild = { type: 'extract'; bytes: Uint8Array; lines: boolean } | { type: 'cancel' }
export type FromChild =
  | { type: 'ready' }
  | { type: 'progress'; progress: Progress }
  | { type: 'fields'; fields: FoundField[] }
  | { type: 'result'; result: ExtractionResult }
  | { type: 'error'; code: ExtractionErrorCode; detail: string }

export interface ExtractionPool {
  /** Reads a document in a process of its own kind; rejects with ExtractionError. */
  extract(
    bytes: Uint8Array,
    options?: {
      signal?: AbortSignal
      onProgress?: (progress: Progress) => void
      onFields?: (fields: FoundField[]) => void
      deadlineMs?: number
      /** Give the lines of the text besides the result. */
      lines?: boolean
    },
  ): Promise<ExtractionResult>
  /** Starts the processes ahead of the first document. */
  warm(): void
  close(): Promise<void>
}

export interface ExtractionPoolOptions {
  /** Processes at work at once. */
  size?: number
  /** Resident memory above which a process is killed. */
  memoryMb?: number
  deadlineMs?: number
  /** Documents that may wait; beyond them a document is refused at once. */
  queueLimit?: number
  /** Documents after which a process is replaced. */
  documentsPerProcess?: number
}

interface Job {
  bytes: Uint8Array
  lines: boolean
  deadlineMs: number
  onProgress?: ((progress: Progress) => void) | undefined
  onFields?: ((fields: FoundField[]) => void) | undefined
  resolve(result: ExtractionResult): void
  reject(error: Error): void
  settled: boolean
}

interface Worker {
  process: ChildProcess
  job: Job | null
  deadline: NodeJS.Timeout | null
  documents: number
  ready: boolean
}

const CHILD = fileURLToPath(new URL('./extraction-child.ts', import.meta.url))
const BUILT_CHILD = fileURLToPath(new URL('./extraction-child.js', import.meta.url))
const WATCH_MS = 60
const MOST_FAILED_STARTS = 3
const LINUX_STATUS = existsSync('/proc/self/status')

/**
 * A pool of warm processes that read documents under limits of memory and time. Whatever a document does to
 * its process, the caller gets an error with a name, the process is replaced, and nothing else notices.
 */
export function createExtractionPool(options: ExtractionPoolOptions = {}): ExtractionPool {
  const {
    size = 1,
    memoryMb = 1200,
    deadlineMs = 180_000,
    queueLimit = 100,
    documentsPerProcess = 100,
  } = options
  const workers = new Set<Worker>()
  const queue: Job[] = []
  let closed = false
  let failedStarts = 0
  let watchdog: NodeJS.Timeout | null = null

  const start = (): Worker => {
    const child = fork(existsSync(CHILD) ? CHILD : BUILT_CHILD, [], {
      env: { PATH: process.env.PATH ?? '', NODE_ENV: process.env.NODE_ENV ?? 'production' },
      execArgv: [`--max-old-space-size=${Math.round(memoryMb / 2)}`, '--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    })
    const worker: Worker = { process: child, job: null, deadline: null, documents: 0, ready: false }
    workers.add(worker)
    child.on('message', (message: FromChild) => receive(worker, message))
    child.on('exit', () => lose(worker, 'extraction.out_of_memory'))
    child.on('error', () => lose(worker, 'extraction.failed'))
    if (child.pid !== undefined) limitMemory(child.pid, memoryMb)
    return worker
  }

  const receive = (worker: Worker, message: FromChild): void => {
    if (message.type === 'ready') {
      worker.ready = true
      failedStarts = 0
      dispatch()
      return
    }
    const { job } = worker
    if (!job) return
    if (message.type === 'progress') {
      job.onProgress?.(message.progress)
      return
    }
    if (message.type === 'fields') {
      job.onFields?.(message.fields)
      return
    }
    release(worker)
    if (message.type === 'result') {
      settle(job, () => job.resolve(message.result))
      // A process that has read many documents is replaced; one that has just failed, at once.
      if (++worker.documents >= documentsPerProcess) retire(worker)
    } else {
      settle(job, () => job.reject(new ExtractionError(message.code, message.detail)))
      if (!HARMLESS.has(message.code)) retire(worker)
    }
    dispatch()
  }

  const settle = (job: Job, act: () => void): void => {
    if (job.settled) return
    job.settled = true
    act()
  }

  const release = (worker: Worker): void => {
    if (worker.deadline) clearTimeout(worker.deadline)
    worker.deadline = null
    worker.job = null
    if (watchdog && ![...workers].some((w) => w.job)) {
      clearInterval(watchdog)
      watchdog = null
    }
  }

  const retire = (worker: Worker): void => {
    workers.delete(worker)
    worker.process.removeAllListeners()
    worker.process.on('error', () => {})
    worker.process.kill('SIGKILL')
  }

  /** The process is gone, or must go: its document fails with the reason, the next one gets a fresh process. */
  const lose = (worker: Worker, code: ExtractionErrorCode): void => {
    if (!workers.has(worker)) return
    const { job } = worker
    if (!worker.ready) failedStarts++
    release(worker)
    retire(worker)
    if (job) settle(job, () => job.reject(new ExtractionError(code)))
    if (failedStarts >= MOST_FAILED_STARTS) {
      failedStarts = 0
      for (const waiting of queue.splice(0))
        settle(waiting, () => waiting.reject(new ExtractionError('extraction.failed', 'no process starts')))
      return
    }
    if (worker.ready && !closed && workers.size < size) start()
    dispatch()
  }

  const dispatch = (): void => {
    if (closed) return
    while (queue.length > 0) {
      const idle = [...workers].find((worker) => worker.ready && !worker.job)
      if (!idle) {
        const starting = [...workers].filter((worker) => !worker.ready).length
        if (workers.size < size && starting < queue.length) start()
        return
      }
      const job = queue.shift()
      if (job) run(idle, job)
    }
  }

  const run = (worker: Worker, job: Job): void => {
    worker.job = job
    worker.deadline = setTimeout(() => lose(worker, 'extraction.timeout'), job.deadlineMs)
    watchdog ??= setInterval(watch, WATCH_MS)
    worker.process.send(
      { type: 'extract', bytes: job.bytes, lines: job.lines } satisfies ToChild,
      (error) => {
        if (error) lose(worker, 'extraction.failed')
      },
    )
  }

  const watch = (): void => {
    for (const worker of workers) {
      const { pid } = worker.process
      if (!worker.job || pid === undefined) continue
      if ((residentMb(pid) ?? 0) > memoryMb) lose(worker, 'extraction.out_of_memory')
    }
  }

  return {
    extract(bytes, { signal, onProgress, onFields, deadlineMs: own = deadlineMs, lines = false } = {}) {
      if (closed) return Promise.reject(new ExtractionError('extraction.failed', 'pool closed'))
      if (signal?.aborted) return Promise.reject(new ExtractionError('extraction.cancelled'))
      if (queue.length >= queueLimit) return Promise.reject(new ExtractionError('extraction.busy'))
      return new Promise<ExtractionResult>((resolve, reject) => {
        const job: Job = {
          bytes,
          lines,
          deadlineMs: own,
          onProgress,
          onFields,
          resolve,
          reject,
          settled: false,
        }
        const abort = (): void => {
          const at = queue.indexOf(job)
          if (at >= 0) queue.splice(at, 1)
          const worker = [...workers].find((w) => w.job === job)
          settle(job, () => reject(new ExtractionError('extraction.cancelled')))
          // Killing is the only stop that a hostile document cannot put off.
          if (worker) lose(worker, 'extraction.cancelled')
        }
        signal?.addEventListener('abort', abort, { once: true })
        queue.push(job)
        dispatch()
      })
    },
    warm() {
      while (!closed && workers.size < size) start()
    },
    async close() {
      closed = true
      for (const job of queue.splice(0))
        settle(job, () => job.reject(new ExtractionError('extraction.cancelled')))
      for (const worker of workers) {
        const { job } = worker
        release(worker)
        if (job) settle(job, () => job.reject(new ExtractionError('extraction.cancelled')))
        retire(worker)
      }
    },
  }
}

/** Errors that say something about the document and nothing about the process. */
const HARMLESS = new Set<ExtractionErrorCode>([
  'extraction.not_pdf',
  'extraction.encrypted',
  'extraction.damaged',
  'extraction.too_large',
  'extraction.too_many_pages',
  'extraction.no_text',
])

/** A hard limit on data memory where the system has prlimit; the watchdog covers the rest. */
function limitMemory(pid: number, memoryMb: number): void {
  if (process.platform !== 'linux') return
  // Address space reserved by WebAssembly is not data; what is written is.
  const bytes = (memoryMb + 600) * 1024 * 1024
  execFile('prlimit', ['--pid', String(pid), `--data=${bytes}:${bytes}`], () => {})
}

function residentMb(pid: number): number | null {
  if (!LINUX_STATUS) return null
  try {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes ? Number(kilobytes) / 1024 : null
  } catch {
    return null
  }
}
