// One thread of the statistics' kernel: a question comes in, its answer goes out.
import { parentPort } from 'node:worker_threads'
import { answerKernel, type KernelQuestion } from '@ensaio/statistics'

parentPort?.on('message', (question: KernelQuestion) => {
  try {
    parentPort?.postMessage({ answer: answerKernel(question) })
  } catch (error) {
    parentPort?.postMessage({
      failure: error instanceof Error ? (error.stack ?? error.message) : String(error),
    })
  }
})
