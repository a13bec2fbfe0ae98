import { analyse } from './analyse.ts'
import { effectInput } from './effects.ts'
import { packEffects, type StoredEffects } from './effects-stored.ts'
import { isRefusal } from './prepare.ts'
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
  /** Effects of variables of one trial, to be kept. */
  | { kind: 'effects'; inputs: TrialInput[] }

/** Of each variable what is kept; null where its analysis refuses or is too large to be kept. */
export type KernelAnswer<Q extends KernelQuestion> = Q extends { kind: 'effects' }
  ? (KeptEffects | null)[]
  : Analysis | Refusal

export interface KeptEffects {
  dados: StoredEffects
  /** %; null with several errors, or without any. */
  cv: number | null
}

/** Pairs that one group of means tells one by one: those of 150 treatments. */
const MOST_PAIRS = 11_175

export function answerKernel<Q extends KernelQuestion>(question: Q): KernelAnswer<Q>
export function answerKernel(question: KernelQuestion): Analysis | Refusal | (KeptEffects | null)[] {
  if (question.kind === 'effects') return question.inputs.map(keptEffects)
  const answer = answerTo(question)
  return 'problema' in answer ? answer : withoutTooManyPairs(answer)
}

function keptEffects(trial: TrialInput): KeptEffects | null {
  const input = effectInput(trial)
  if (isRefusal(input)) return null
  const dados = packEffects(input)
  return dados && { dados, cv: input.cv ?? null }
}

/** With hundreds of means the pairs are a hundred times the rest of the answer, and nobody reads them. */
const withoutTooManyPairs = (analysis: Analysis): Analysis => ({
  ...analysis,
  grupos: analysis.grupos.map((group) => {
    const count = group.pares?.length ?? 0
    return count > MOST_PAIRS ? { ...group, pares: [], pares_omitidos: count } : group
  }),
})

function answerTo(question: Exclude<KernelQuestion, { kind: 'effects' }>): Analysis | Refusal {
  if (question.kind === 'rebuild') return rebuild(question.input, question.options)
  const { input, options, curva } = question
  if (!curva) return analyse(input, options)
  const progress = progressPerPlot(curva.dias, curva.valores)
  if (!progress) return { problema: 'analysis.too_few', detalhes: [] }
  const { y, ...progresso } = progress
  return analyse({ ...input, y, progresso }, options)
}
