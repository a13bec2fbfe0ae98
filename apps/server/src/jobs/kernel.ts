import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { problem } from '@ensaio/domain'
import { places } from '../places.ts'
import type { Answer, Question } from './kernel-questions.ts'

/** The largest trial takes a few seconds; what takes longer is stopped. */
const LONGEST_MS = 30_000
const PATIENCE_MS = 10_000

export interface Kernel {
  /** @throws server.busy when too much is asked at once, one question takes too long, or its thread dies */
  ask<Q extends Question>(question: Q, who: string): Promise<Answer<Q>>
  stop(): Promise<void>
}

interface Thread {
  worker: Worker
  busy: ((message: { answer?: unknown; failure?: string; died?: boolean }) => void) | null
}

/** Threads that compute beside the loop, as many as there are processors to spare; each is made when it is needed. */
export function startKernel({ threads = Math.max(1, availableParallelism() - 1) } = {}): Kernel {
  const line = places({
    atOnce: threads,
    ...(threads > 1 && { perPerson: threads - 1 }),
    inLine: 200,
    perPersonInLine: 20,
    patienceMs: PATIENCE_MS,
  })
  const idle: Thread[] = []
  const all = new Set<Thread>()
  let stopped = false

  const made = (): Thread => {
    const worker = new Worker(new URL('./kernel-worker.ts', import.meta.url))
    const thread: Thread = { worker, busy: null }
    all.add(thread)
    worker.on('message', (message) => thread.busy?.(message))
    worker.on('error', (error) => thread.busy?.({ failure: String(error), died: true }))
    worker.on('exit', () => {
      all.delete(thread)
      const at = idle.indexOf(thread)
      if (at >= 0) idle.splice(at, 1)
      thread.busy?.({ failure: 'the thread ended', died: true })
    })
    worker.unref()
    return thread
  }

  const compute = (question: Question): Promise<unknown> => {
    const thread = idle.pop() ?? made()
    return new Promise((done, fail) => {
      const end = (work: () => void) => {
        clearTimeout(tooLong)
        thread.busy = null
        work()
      }
      const tooLong = setTimeout(
        () =>
          end(() => {
            void thread.worker.terminate()
            fail(problem('server.busy'))
          }),
        LONGEST_MS,
      )
      thread.busy = ({ answer, failure, died }) =>
        end(() => {
          if (answer === undefined) {
            // Whatever state it is in: another is made when it is needed.
            void thread.worker.terminate()
            const cause = new Error(failure ?? 'no answer of the kernel')
            return fail(died ? problem('server.busy', { cause }) : cause)
          }
          if (!stopped) idle.push(thread)
          done(answer)
        })
      thread.worker.postMessage(question)
    })
  }

  return {
    // What a thread answers is of the kind that it was asked (kernel-worker.ts).
    ask: <Q extends Question>(question: Q, who: string) =>
      line.run(() => compute(question) as Promise<Answer<Q>>, who),
    async stop() {
      stopped = true
      await Promise.all([...all].map(({ worker }) => worker.terminate()))
    },
  }
}
