/** What other features may ask of the names that experiments share. */
export { type ExperimentKeys, type ExperimentNames, keysOf, knownKeys } from './names.repository.ts'
