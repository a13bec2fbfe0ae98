export { analyse } from './analyse.ts'
export { compareMeans, type MeansInput } from './comparisons.ts'
export {
  chiSquareQuantile,
  chiSquareUpper,
  fQuantile,
  fUpper,
  normalCdf,
  normalQuantile,
  normalUpper,
  studentQuantile,
  studentTwoSided,
  studentUpper,
} from './distributions.ts'
export { type DunnettTail, dunnett } from './dunnett.ts'
export { compactLetters } from './letters.ts'
export { noncentralFUpper, noncentralStudentUpper } from './noncentral.ts'
export { detectableDifference, type PowerInput, type PowerRow, type PowerTable, powerTable } from './power.ts'
export { progressPerPlot } from './progress.ts'
export { friedman, kruskalWallis } from './ranks.ts'
export { type RebuiltInput, rebuild } from './rebuilt.ts'
export type * from './result.ts'
export type { Tail } from './scale-mixture.ts'
export { scottKnott } from './scott-knott.ts'
export { shapiroWilk } from './shapiro.ts'
export {
  studentizedRange,
  studentizedRangeQuantile,
  studentizedRanges,
  studentizedRangeUpper,
} from './studentized-range.ts'
export { bartlett, brownForsythe } from './variances.ts'
export { welchTest } from './welch.ts'
