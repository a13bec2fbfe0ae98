import { analyse } from './analyse.ts'
import { progressPerPlot } from './progress.ts'
import { type RebuiltInput, rebuild } from './rebuilt.ts'
import type { Analysis, AnalysisOptions, Refusal, TrialInput } from './result.ts'

/** Version of the kernel: an answer is told with the one that computed it. */
export const ENGINE = '1.0.0'

/** What is asked of the kernel, as data that travels to a thread and back. */
export type KernelQuestion =
  | {
      kind: 'analyse'
      input: TrialInput
      options: AnalysisOptions
      /** Values by date: what is analysed is the area under each plot's curve. */
      curva?: { dias: number[]; valores: (number | null)[][] }
    }
  | { kind: 'rebuild'; input: RebuiltInput; options: { alfa: number } }

export function answerKernel(question: KernelQuestion): Analysis | Refusal {
  if (question.kind === 'rebuild') return rebuild(question.input, question.options)
  const { input, options, curva } = question
  if (!curva) return analyse(input, options)
  const progress = progressPerPlot(curva.dias, curva.valores)
  if (!progress) return { problema: 'analysis.too_few', detalhes: [] }
  const { y, ...progresso } = progress
  return analyse({ ...input, y, progresso }, options)
}
