import { analyse } from './analyse.ts'
import { progressPerPlot, progressSummary } from './progress.ts'
import { type RebuildInput, rebuild } from './rebuilt.ts'
import type { Analysis, AnalysisOptions, Refusal, TrialInput } from './result.ts'

/** Version of the kernel: an answer is told with the one that computed it. */
export const ENGINE = '1.0.0'

/** What is asked of the kernel, as data that travels to a thread and back. */
export type KernelQuestion =
  | {
      kind: 'analyse'
      input: TrialInput
      options: AnalysisOptions
      /** Values by date, in the order of the days: what is analysed is the area under each plot's curve. */
      curva?: { dias: number[]; valores: (number | null)[][] }
    }
  | { kind: 'rebuild'; input: RebuildInput }

export function answerKernel(question: KernelQuestion): Analysis | Refusal {
  if (question.kind === 'rebuild') return rebuild(question.input)
  const { input, options, curva } = question
  if (!curva) return analyse(input, options)
  const y = progressPerPlot(curva.dias, curva.valores)
  const answer = analyse({ ...input, y }, options)
  return 'problema' in answer ? answer : { ...answer, aacpd: progressSummary(answer, curva.dias, input.testemunha) }
}
