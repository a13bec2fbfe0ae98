export { isAbsent, isSummaryRow, nearName, textOf } from './cells.ts'
export {
  addToProfile,
  type ColumnProfile,
  columnLetter,
  formOf,
  type GuessedColumn,
  guessColumns,
  isNumeric,
  isUnitRow,
  joinedSheet,
  newProfile,
  titleRowOf,
  titlesNamed,
} from './columns.ts'
export { type DraftPlot, nowhere, problemAt, type TrialDraft } from './draft.ts'
export { draftOf } from './drafting.ts'
export { isField } from './fields.ts'
export { changesOf, contentOf, type FinishedTrial, finishTrial, saysOnly, standardProblem } from './finish.ts'
export { grouper } from './groups.ts'
export { FULL_COLUMNS, type LongColumn, longRows, TREATMENT_COLUMNS, TRIAL_COLUMNS } from './long-form.ts'
export { type Choices, columnOf, type LookedSheet, type MadePlan, makePlan } from './making.ts'
export * from './plan.ts'
export { readTitle } from './titles.ts'
export { conversionOf, factorOf } from './units.ts'
