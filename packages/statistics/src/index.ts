export { powerTable } from './power.ts'
export { answerKernel, ENGINE, type KernelQuestion } from './question.ts'
export type { RebuiltInput } from './rebuilt.ts'
export type * from './result.ts'
