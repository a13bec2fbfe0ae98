import type { ExtractionResult } from '@ensaio/domain'
import { paths } from './paths.ts'

/** What the review hands to the wizard: the confirmed data with their evidence, and the file itself. */
export type Handoff = { result: ExtractionResult; file: File }

/** Where the wizard finds what was handed over. */
export const WIZARD_FROM_REVIEW = `${paths.wizard}?origem=extracao`
export const isFromReview = (search: URLSearchParams): boolean => search.get('origem') === 'extracao'

let waiting: Handoff | null = null

export const leaveForWizard = (handoff: Handoff): void => {
  waiting = handoff
}
/** Null after a reload: then the wizard's own draft holds the data. */
export const pendingHandoff = (): Handoff | null => waiting
export const forgetHandoff = (): void => {
  waiting = null
}

let dropped: File[] = []

/** Several files that were dropped where one is taken, for the list of many. */
export const leaveForInbox = (files: readonly File[]): void => {
  dropped = [...files]
}
/** Once: whoever asks has them. */
export function filesForInbox(): File[] {
  const files = dropped
  dropped = []
  return files
}
