import type { Action, Decision, ExperimentSummary } from '@ensaio/domain'
import { createContext, useContext } from 'react'

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
  /** Whether the person may, and why not. */
  may: (action: Action, experiment: Subject) => Decision
}

export const ExperimentActionsContext = createContext<ExperimentActions | null>(null)

export function useExperimentActions(): ExperimentActions {
  const actions = useContext(ExperimentActionsContext)
  if (!actions) throw new Error('useExperimentActions outside of its provider')
  return actions
}
