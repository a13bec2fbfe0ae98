import type { ExperimentSummary } from '@ensaio/domain'
import { Eye, Trash2 } from 'lucide-react'
import { IconButton } from '../ui/Button.tsx'
import { useExperimentActions } from './experiment-actions.ts'

type Props = { experiment: ExperimentSummary }

export function DetailsButton({ experiment }: Props) {
  const actions = useExperimentActions()
  return (
    <IconButton
      label={`Detalhes de ${experiment.nome}`}
      title="Ver detalhes"
      onClick={() => actions.details(experiment.id)}
    >
      <Eye aria-hidden />
    </IconButton>
  )
}

export function DeleteButton({ experiment }: Props) {
  const actions = useExperimentActions()
  const remove = actions.may('experiment.delete', experiment)
  return (
    <IconButton
      label={`Excluir ${experiment.nome}`}
      title={remove.allowed ? 'Excluir' : remove.reason}
      tone="danger"
      disabled={!remove.allowed}
      onClick={() => actions.remove(experiment)}
    >
      <Trash2 aria-hidden />
    </IconButton>
  )
}
