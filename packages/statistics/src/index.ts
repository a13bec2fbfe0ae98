export type {
  Crossing,
  Dominance,
  EconomicInput,
  EconomicLine,
  Economics,
  MarginLine,
} from './economics.ts'
export {
  duplicatesOf,
  type EffectInput,
  type EffectMeasure,
  type ErrorSource,
  effectInput,
  effectInputOfMeans,
  effectInputOfReport,
  effectOf,
  type Registered,
  type TrialEffect,
} from './effects.ts'
export { packEffects, type StoredEffects, unpackEffects } from './effects-stored.ts'
export { type Joint, type JointOptions, type JointTrial, joint } from './joint.ts'
export { type MetaRegression, metaRegression, type Subgroups, subgroups } from './moderators.ts'
export { commonTreatments, plainName } from './names.ts'
export { powerTable } from './power.ts'
export { type Proportion, wilson } from './proportion.ts'
export {
  answerKernel,
  ENGINE,
  type KeptEffects,
  type KernelAnswer,
  type KernelQuestion,
} from './question.ts'
export type { RebuiltInput } from './rebuilt.ts'
export type * from './result.ts'
export type { StabilityRow } from './stability.ts'
export { type RandomEffects, type Synthesis, type SynthesisWarning, synthesis } from './synthesis.ts'
