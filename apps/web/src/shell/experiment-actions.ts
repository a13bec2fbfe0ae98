import type { Action, Decision, ExperimentFilter, ExperimentSummary } from '@ensaio/domain'
import { createContext, useContext } from 'react'
import type { ShareTarget } from './share-target.ts'

type Subject = Pick<
  ExperimentSummary,
  'id' | 'nome' | 'pdf_filename' | 'created_by' | 'organizacao' | 'relacao'
>

/** What can be done with an experiment from any list. */
export type ExperimentActions = {
  details: (id: string) => void
  edit: (id: string) => void
  remove: (experiment: Subject) => void
  view: (experiment: Subject) => void
  download: (experiment: Subject) => void
  /** Opens trials to another organisation, or hands them over. */
  share: (target: ShareTarget) => void
  transfer: (experiments: readonly string[] | ExperimentFilter) => void
  /** Whether the person may, and why not. */
  may: (action: Action, experiment: Subject) => Decision
}

export const ExperimentActionsContext = createContext<ExperimentActions | null>(null)

export function useExperimentActions(): ExperimentActions {
  const actions = useContext(ExperimentActionsContext)
  if (!actions) throw new Error('useExperimentActions outside of its provider')
  return actions
}
