/** What other features may ask of the names that experiments share. */
export { addMissingNames, type ExperimentNames, keysOf } from './names.repository.ts'
