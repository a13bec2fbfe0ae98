import { analyse } from './analyse.ts'
import { progressPerPlot } from './progress.ts'
import { type RebuiltInput, rebuild } from './rebuilt.ts'
import type { Analysis, AnalysisOptions, Refusal, TrialInput } from './result.ts'

/** Version of the kernel: an answer is told with the one that computed it. */
export const ENGINE = '1.0.1'

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

/** Pairs that one group of means tells one by one: those of 150 treatments. */
const MOST_PAIRS = 11_175

export function answerKernel(question: KernelQuestion): Analysis | Refusal {
  const answer = answerTo(question)
  return 'problema' in answer ? answer : withoutTooManyPairs(answer)
}

/** With hundreds of means the pairs are a hundred times the rest of the answer, and nobody reads them. */
const withoutTooManyPairs = (analysis: Analysis): Analysis => ({
  ...analysis,
  grupos: analysis.grupos.map((group) => {
    const count = group.pares?.length ?? 0
    return count > MOST_PAIRS ? { ...group, pares: [], pares_omitidos: count } : group
  }),
})

function answerTo(question: KernelQuestion): Analysis | Refusal {
  if (question.kind === 'rebuild') return rebuild(question.input, question.options)
  const { input, options, curva } = question
  if (!curva) return analyse(input, options)
  const progress = progressPerPlot(curva.dias, curva.valores)
  if (!progress) return { problema: 'analysis.too_few', detalhes: [] }
  const { y, ...progresso } = progress
  return analyse({ ...input, y, progresso }, options)
}
