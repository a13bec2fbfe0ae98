import type { Worker } from 'node:worker_threads'
import type { KernelQuestion } from '@ensaio/statistics'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Kernel, startKernel } from './kernel.ts'

let kernel: Kernel
let alive: Set<Worker>
const count = (worker: Worker) => {
  alive.add(worker)
  worker.once('exit', () => alive.delete(worker))
}
beforeEach(() => {
  alive = new Set()
  process.on('worker', count)
  kernel = startKernel({ threads: 1 })
})
afterEach(async () => {
  await kernel.stop()
  process.off('worker', count)
})

/** Treatments of four plots each. */
const question = (treatments: number): KernelQuestion => ({
  kind: 'analyse',
  input: {
    delineamento: 'DIC',
    testemunha: 1,
    fatores: [],
    tratamentos: Array.from({ length: treatments }, (_, at) => ({
      ...{ numero: at + 1, codigo: `T${at + 1}`, niveis: null },
    })),
    parcelas: Array.from({ length: treatments * 4 }, (_, at) => ({
      ...{ numero: at + 1, tratamento: (at % treatments) + 1, bloco: null, linha: null, coluna: null },
      ...{ parcela_principal: null, excluida: false },
    })),
    y: Array.from({ length: treatments * 4 }, (_, at) => 100 + ((at * 7919) % 37)),
  },
  options: { alfa: 0.05, maior_melhor: true },
})

test('a question that the kernel fails at leaves no thread behind, and the next is answered', async () => {
  for (let n = 0; n < 4; n += 1) await expect(kernel.ask({} as KernelQuestion, 'ana')).rejects.toThrow()
  expect(await kernel.ask(question(3), 'ana')).toMatchObject({ origem: 'parcelas' })
  await expect.poll(() => alive.size).toBe(1)
})

test('a thread that dies is told as busy, and those in line are answered by another', async () => {
  const first = kernel.ask(question(300), 'ana')
  const next = kernel.ask(question(3), 'bia')
  await expect.poll(() => alive.size).toBe(1)
  const [worker] = alive
  void worker?.terminate()
  await expect(first).rejects.toMatchObject({ code: 'server.busy' })
  expect(await next).toMatchObject({ origem: 'parcelas' })
})
