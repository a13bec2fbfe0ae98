// One thread of the statistics' kernel: a question comes in, its answer goes out.
import { parentPort } from 'node:worker_threads'
import type { KernelQuestion } from '@ensaio/statistics'
import { answerKernel } from '@ensaio/statistics'
import { answerQuestion, type Question } from './kernel-questions.ts'

const WARM_UP: KernelQuestion = {
  kind: 'rebuild',
  input: {
    delineamento: 'DBC',
    repeticoes: 4,
    medias: [1, 2, 3, 4, 5, 6].map((media) => ({ nivel: `T${media}`, media })),
    testemunha: 'T1',
    cv: 10,
    cv_casas: 1,
  },
  options: { alfa: 0.05 },
}

// The first question of all would take six times as long: its code is warm before anybody asks.
answerKernel(WARM_UP)

parentPort?.on('message', (question: Question) => {
  try {
    parentPort?.postMessage({ answer: answerQuestion(question) })
  } catch (error) {
    parentPort?.postMessage({
      failure: error instanceof Error ? (error.stack ?? error.message) : String(error),
    })
  }
})
