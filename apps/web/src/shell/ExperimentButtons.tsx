import { type ExperimentSummary, formatDay, levelOfKept, lightText } from '@ensaio/domain'
import { CircleAlert, CircleCheck, Eye, Trash2, TriangleAlert } from 'lucide-react'
import { IconButton } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import { Badge } from '../ui/Surface.tsx'
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

/** What the other organisation learns when somebody here opens its report; nothing of one's own. */
export const readingIsTold = ({
  relacao,
  organizacao,
}: Pick<ExperimentSummary, 'relacao' | 'organizacao'>): string | undefined =>
  relacao === 'compartilhada'
    ? `${organizacao.nome} fica sabendo que a sua organização abriu o relatório, e em que dia.`
    : undefined

const DATA_NAMES = { parcelas: 'parcelas', reconstruida: 'reconstruída' } as const

/** What stands behind the means, where it is more than means: plots, or a report's own statistics. */
export const DataMark = ({ dados }: Pick<ExperimentSummary, 'dados'>) =>
  dados === null ? null : (
    <span className="text-small font-normal text-accent" title="O que está por trás das médias">
      {DATA_NAMES[dados]}
    </span>
  )

/** The light of a trial: a word and an icon, never a colour alone. */
export function QualityMark({
  apontamentos: kept,
  className,
}: Pick<ExperimentSummary, 'apontamentos'> & { className?: string }) {
  if (kept === null) return null
  const level = levelOfKept(kept)
  const Icon = LIGHTS[level].icon
  return (
    <span
      className={classes(
        'inline-flex items-center gap-1 text-small font-normal whitespace-nowrap',
        LIGHTS[level].tone,
        className,
      )}
    >
      <Icon aria-hidden className="size-3.5 shrink-0" />
      {lightText(kept)}
    </span>
  )
}
const LIGHTS = {
  sem_apontamentos: { icon: CircleCheck, tone: 'text-muted' },
  conferir: { icon: TriangleAlert, tone: 'text-warn' },
  problema: { icon: CircleAlert, tone: 'text-danger' },
} as const

type StandingProps = {
  experiment: Pick<ExperimentSummary, 'relacao' | 'organizacao' | 'embargo_ate'>
  className?: string
}

/** Whose trial it is, where it is another organisation's, and until when nobody else sees one's own. */
export function Standing({ experiment: { relacao, organizacao, embargo_ate }, className }: StandingProps) {
  if (relacao === 'propria' && !embargo_ate) return null
  return (
    <span className={classes('flex min-w-0 flex-wrap gap-1 font-normal', className)}>
      {relacao === 'compartilhada' && <Badge tone="accent">De {organizacao.nome}</Badge>}
      {embargo_ate && <Badge tone="warn">Em embargo até {formatDay(embargo_ate)}</Badge>}
    </span>
  )
}
