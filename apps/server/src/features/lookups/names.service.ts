/** What other features may ask of the names that experiments share. */
export { type ExperimentKeys, keysOf } from './names.repository.ts'
