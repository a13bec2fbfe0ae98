import { ExtractionError, type ExtractionErrorCode, type FoundField } from '@ensaio/extraction'
import { fairLine } from '../fair-line.ts'
import {
  type Asked,
  type FromReader,
  type Progress,
  type ReaderProcess,
  type Reading,
  startReader,
} from './reader-process.ts'
import { chooseSandbox, type Sandbox } from './sandbox.ts'

/** How far a document is: what its reading tells, or how many come before it. */
export type PoolProgress = Progress | { stage: 'queued'; ahead: number }

export interface ExtractionPool {
  /** Reads a document in a process of its own kind; rejects with ExtractionError. */
  extract(
    bytes: Uint8Array,
    options?: Asked & {
      /** Whose document it is: people take turns, one document of each is read at a time. */
      who?: string
      signal?: AbortSignal
      onProgress?: (progress: PoolProgress) => void
      onFields?: (fields: FoundField[]) => void
      deadlineMs?: number
    },
  ): Promise<Reading>
  /** Starts a process ahead of the first document. */
  warm(): void
  close(): Promise<void>
}

export interface ExtractionPoolOptions {
  /** Documents read at once in each lane: those that are text, and those with pictures. */
  size?: number
  /** Resident memory above which a process is killed. */
  memoryMb?: number
  deadlineMs?: number
  /** Documents that may wait; beyond them a document is refused at once. */
  queueLimit?: number
  /** Documents of one person after which a process is replaced; no process ever reads for a second person. */
  documentsPerProcess?: number
  sandbox?: Promise<Sandbox>
}

type Lane = 'digital' | 'pictures'

interface Job {
  who: string
  bytes: Uint8Array
  asked: Asked
  lane: Lane
  deadlineMs: number
  /** What its place in the line was last told to be. */
  told: number
  onProgress?: ((progress: PoolProgress) => void) | undefined
  onFields?: ((fields: FoundField[]) => void) | undefined
  resolve(result: Reading): void
  reject(error: Error): void
}

interface Worker {
  lane: Lane
  process: ReaderProcess
  /** Whose documents it has read; null while it is fresh. */
  owner: string | null
  job: Job | null
  deadline: NodeJS.Timeout | null
  documents: number
  ready: boolean
}

/** Whoever waits for a page goes before whoever waits for a report, and a text before pictures. */
const NICE: Record<Lane, number> = { digital: 2, pictures: 6 }
/** Processes of people whose next text may come, kept beside those at work. */
const KEPT_FOR_OWNERS = 2
const WATCH_MS = 100
const MOST_FAILED_STARTS = 3
/** A process that says nothing for so long will never read: those in line wait for another. */
const START_MS = 60_000
/** A text that takes longer is no longer waited for by everybody: it goes on among the pictures. */
const DIGITAL_MS = 10_000
/** A process that has read for somebody and has nothing to do for so long ends. */
const IDLE_MS = 60_000

/**
 * Processes that read documents under limits of memory and time. Whatever a document does to its process, the
 * caller gets an error with a name, the process is replaced, and nothing else notices. Two lanes: every document
 * begins among those that are text; one with pictures to recognise goes on in the other, so that it delays nobody
 * whose report is text. In each lane people take turns.
 */
export function createExtractionPool(options: ExtractionPoolOptions = {}): ExtractionPool {
  const {
    size = 1,
    memoryMb = 1200,
    deadlineMs = 180_000,
    queueLimit = 100,
    documentsPerProcess = 20,
    sandbox: choosing = chooseSandbox(),
  } = options
  const workers = new Set<Worker>()
  const line = fairLine<Job>()
  const atWork = new Map<Job, Worker>()
  let sandbox: Sandbox | null = null
  let closed = false
  let failedStarts = 0
  let watchdog: NodeJS.Timeout | null = null
  let warmed = false

  choosing.then(
    (found) => {
      sandbox = found
      if (warmed) keepSpare('digital')
      dispatch()
    },
    () => refuseAll('no sandbox'),
  )

  const start = (lane: Lane): void => {
    if (!sandbox || closed) return
    const worker: Worker = {
      lane,
      process: startReader({
        sandbox,
        memoryMb,
        nice: NICE[lane],
        onMessage: (message) => receive(worker, message),
        onGone: (reason) =>
          lose(worker, reason === 'ended' ? 'extraction.out_of_memory' : 'extraction.failed'),
      }),
      owner: null,
      job: null,
      deadline: null,
      documents: 0,
      ready: false,
    }
    workers.add(worker)
    worker.deadline = setTimeout(() => lose(worker, 'extraction.failed'), START_MS)
    worker.deadline.unref()
    watchdog ??= setInterval(watch, WATCH_MS)
    watchdog.unref()
  }

  const inLane = (lane: Lane) => [...workers].filter((worker) => worker.lane === lane)
  const busyIn = (lane: Lane) => inLane(lane).filter(({ job }) => job).length
  /** One process that nobody has used yet, so that the next person's document need not wait for a start. */
  const keepSpare = (lane: Lane): void => {
    if (!inLane(lane).some(({ owner }) => owner === null)) start(lane)
  }

  const receive = (worker: Worker, message: FromReader): void => {
    if (!workers.has(worker)) return
    if (message.type === 'ready') {
      // Once: said again in the middle of a document, it must not lift that one's deadline.
      if (!worker.ready && worker.deadline) {
        clearTimeout(worker.deadline)
        worker.deadline = null
      }
      worker.ready = true
      failedStarts = 0
      dispatch()
      return
    }
    const { job } = worker
    if (!job) return
    if (message.type === 'progress') job.onProgress?.(message.progress)
    else if (message.type === 'fields') job.onFields?.(message.fields)
    else if (message.type === 'result') {
      release(worker)
      job.resolve(message.result)
      if (++worker.documents >= documentsPerProcess) retire(worker)
      dispatch()
    } else if (message.code === 'extraction.pictures' && worker.lane === 'digital') {
      release(worker)
      changeLane(job)
    } else {
      release(worker)
      // A process that has just failed is replaced.
      if (!HARMLESS.has(message.code)) retire(worker)
      job.reject(new ExtractionError(message.code, message.detail))
      dispatch()
    }
  }

  const changeLane = (job: Job): void => {
    job.lane = 'pictures'
    job.told = -1
    line.join(job.who, job)
    dispatch()
  }

  const release = (worker: Worker): void => {
    if (worker.deadline) clearTimeout(worker.deadline)
    worker.deadline = null
    if (worker.job) atWork.delete(worker.job)
    worker.job = null
    worker.deadline = setTimeout(() => retire(worker), IDLE_MS)
    worker.deadline.unref()
  }

  const retire = (worker: Worker): void => {
    if (worker.deadline) clearTimeout(worker.deadline)
    workers.delete(worker)
    worker.process.kill()
    if (workers.size > 0 || !watchdog) return
    clearInterval(watchdog)
    watchdog = null
  }

  /** The process is gone, or must go: its document fails with the reason, the next one gets a fresh process. */
  const lose = (worker: Worker, code: ExtractionErrorCode): void => {
    if (!workers.has(worker)) return
    const { job } = worker
    if (!worker.ready) failedStarts++
    release(worker)
    retire(worker)
    job?.reject(new ExtractionError(code))
    if (failedStarts >= MOST_FAILED_STARTS) {
      failedStarts = 0
      refuseAll('no process starts')
      return
    }
    dispatch()
  }

  const refuseAll = (reason: string): void => {
    for (let next = line.take(() => true); next; next = line.take(() => true))
      next.work.reject(new ExtractionError('extraction.failed', reason))
  }

  const dispatch = (): void => {
    if (closed || !sandbox) return
    const reading = new Set([...atWork.keys()].map(({ who }) => who))
    for (const lane of ['digital', 'pictures'] as const) {
      while (busyIn(lane) < size) {
        let chosen: Worker | undefined
        let starting = false
        const next = line.take((who, job) => {
          if (starting || job.lane !== lane || reading.has(who)) return false
          const idle = inLane(lane).filter((worker) => worker.ready && !worker.job)
          chosen = idle.find(({ owner }) => owner === who) ?? idle.find(({ owner }) => owner === null)
          if (chosen) return true
          // It is this one's turn: those behind wait too, for the moment that a process takes to start.
          starting = true
          keepSpare(lane)
          return false
        })
        if (!next || !chosen) break
        reading.add(next.who)
        run(chosen, next.work)
      }
    }
    tellPlaces()
  }

  const run = (worker: Worker, job: Job): void => {
    // The longest unused processes of others give way.
    const idle = inLane(worker.lane).filter((other) => other !== worker && !other.job && other.owner !== null)
    const kept = worker.lane === 'digital' ? KEPT_FOR_OWNERS : 0
    for (const other of idle.slice(0, Math.max(0, idle.length - kept))) retire(other)
    // Last used, last in the set.
    workers.delete(worker)
    workers.add(worker)
    if (worker.deadline) clearTimeout(worker.deadline)
    worker.owner = job.who
    worker.job = job
    atWork.set(job, worker)
    const digital = worker.lane === 'digital'
    worker.deadline = setTimeout(
      () =>
        digital && job.deadlineMs > DIGITAL_MS ? demote(worker, job) : lose(worker, 'extraction.timeout'),
      digital ? Math.min(DIGITAL_MS, job.deadlineMs) : job.deadlineMs,
    )
    worker.process.read(job.bytes, { ...job.asked, digitalOnly: digital })
    if (digital) keepSpare('digital')
  }

  const demote = (worker: Worker, job: Job): void => {
    release(worker)
    retire(worker)
    changeLane(job)
  }

  const tellPlaces = (): void => {
    for (const job of line) {
      const ahead = line.ahead(job)
      if (ahead === job.told) continue
      job.told = ahead
      job.onProgress?.({ stage: 'queued', ahead })
    }
  }

  const watch = (): void => {
    // Those that have nothing to do too: what took one over goes on.
    for (const worker of workers)
      if ((worker.process.residentMb() ?? 0) > memoryMb) lose(worker, 'extraction.out_of_memory')
  }

  return {
    extract(bytes, { who = '', signal, onProgress, onFields, deadlineMs: own = deadlineMs, ...asked } = {}) {
      if (closed) return Promise.reject(new ExtractionError('extraction.failed', 'pool closed'))
      if (signal?.aborted) return Promise.reject(new ExtractionError('extraction.cancelled'))
      if (line.length >= queueLimit) return Promise.reject(new ExtractionError('extraction.busy'))
      return new Promise<Reading>((resolve, reject) => {
        const job: Job = {
          who,
          bytes,
          asked,
          lane: 'digital',
          deadlineMs: own,
          told: -1,
          onProgress,
          onFields,
          resolve,
          reject,
        }
        const abort = (): void => {
          const worker = atWork.get(job)
          reject(new ExtractionError('extraction.cancelled'))
          // Killing is the only stop that a hostile document cannot put off.
          if (worker) lose(worker, 'extraction.cancelled')
          else if (line.leave(job)) dispatch()
        }
        signal?.addEventListener('abort', abort, { once: true })
        line.join(who, job)
        dispatch()
      })
    },
    warm() {
      warmed = true
      keepSpare('digital')
    },
    async close() {
      closed = true
      for (let next = line.take(() => true); next; next = line.take(() => true))
        next.work.reject(new ExtractionError('extraction.cancelled'))
      for (const worker of workers) {
        const { job } = worker
        release(worker)
        job?.reject(new ExtractionError('extraction.cancelled'))
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
