/**
 * What is plausible of a trial and what is missing: pure rules that run in the browser and on the server alike. Advice
 * with a reason and a source; it refuses nothing and changes no number.
 */
import {
  blockRules,
  controlRules,
  cvClass,
  designWords,
  fewDegrees,
  fewRepetitions,
  openConflicts,
} from './advice-design.ts'
import { ADVICE_WEIGHTS, type AdviceFacts, type AdviceRule, type Finding } from './advice-facts.ts'
import { placeRule } from './advice-location.ts'
import { exchangedPlots, expectedRange, missingValues, outlyingPlots, slippedDigits } from './advice-plots.ts'
import {
  completeness,
  dateOrder,
  doubledProducts,
  entryTimes,
  missingCosts,
  missingDoses,
  returnWithoutCost,
  soilRules,
  unusualDoses,
} from './advice-trial.ts'
import { differingMeans, equalYields, yieldRules } from './advice-yields.ts'

const RULES: readonly AdviceRule[] = [
  ...[yieldRules, equalYields, differingMeans, expectedRange, outlyingPlots, exchangedPlots, slippedDigits],
  ...[cvClass, fewDegrees, fewRepetitions, controlRules, blockRules, designWords, missingValues],
  ...[
    openConflicts,
    entryTimes,
    doubledProducts,
    missingDoses,
    unusualDoses,
    missingCosts,
    returnWithoutCost,
  ],
  ...[soilRules, placeRule, dateOrder, completeness],
]

/** All that the rules find, by weight. */
export const adviseOn = (facts: AdviceFacts): Finding[] =>
  RULES.flatMap((rule) => rule(facts)).sort(
    (a, b) => ADVICE_WEIGHTS.indexOf(a.peso) - ADVICE_WEIGHTS.indexOf(b.peso),
  )

/** Fields whose findings are told under them while a form is filled in. */
export const findingsAt = (findings: readonly Finding[], campo: string): Finding[] =>
  findings.filter(({ onde, peso }) => onde.campo === campo && peso !== 'nota')

export { type AdviceAnswer, answered, openCounts } from './advice-answers.ts'
export {
  ADVICE_CODES,
  type AdviceFacts,
  type Finding,
  placeKey,
  rulesFound,
  type UsualDose,
} from './advice-facts.ts'
export { registrationList } from './advice-registration.ts'
export { qualityOf } from './advice-shown.ts'
export {
  ADVICE_LIMITS,
  ADVICE_SOURCES,
  type AdviceSource,
  agedSource,
  CROP_RANGES,
  type CropRange,
  rulesVersion,
  sourceOf,
} from './advice-table.ts'
export { REGISTRATION_KINDS, type RegistrationKind } from './registration-kinds.ts'
