import {
  type JointMaterial,
  type JointQuery,
  jointOf,
  type SynthesisMaterial,
  type SynthesisQuestion,
  synthesisOf,
} from '@ensaio/domain'
import * as statistics from '@ensaio/statistics'
import { answerKernel, type KernelAnswer, type KernelQuestion } from '@ensaio/statistics'

/** What is asked of a thread: the kernel's own questions, and those of many trials, whose texts stay texts on the loop. */
export type Question =
  | KernelQuestion
  | { kind: 'synthesis'; material: string; query: SynthesisQuestion }
  | { kind: 'joint'; material: string; query: JointQuery }

/** Of many trials the answer as JSON; null where there is nothing to join. */
export type Answer<Q extends Question> = Q extends { kind: 'synthesis' | 'joint' }
  ? string | null
  : Q extends KernelQuestion
    ? KernelAnswer<Q>
    : never

export function answerQuestion(question: Question): Answer<Question> {
  switch (question.kind) {
    case 'synthesis':
      return textOf(
        synthesisOf(JSON.parse(question.material) as SynthesisMaterial, question.query, statistics),
      )
    case 'joint':
      return textOf(jointOf(JSON.parse(question.material) as JointMaterial, question.query, statistics))
    default:
      return answerKernel(question)
  }
}

const textOf = (answer: object | null): string | null => (answer ? JSON.stringify(answer) : null)
