import { type ExperimentFilter, FILTER_KEYS } from '@ensaio/domain'
import { ArrowLeftRight, Share2 } from 'lucide-react'
import { useSource } from '../../api/source.ts'
import { useExperimentActions } from '../../shell/experiment-actions.ts'
import { useActingFor, useMay } from '../../shell/organization.tsx'
import { Button } from '../../ui/Button.tsx'

/** All that a filter lets through, opened or handed to another organisation; only where there are several. */
export function FilterActions({ filter: { origem, ...filter } }: { filter: ExperimentFilter }) {
  const { several, papel } = useActingFor()
  const may = useMay()
  const actions = useExperimentActions()
  const source = useSource()
  // What was received is not passed on, and a filter that asks nothing is 'everything', which has its own place.
  const own = origem === undefined || origem === 'proprios'
  if (!several || source.name === 'demo' || !own || Object.keys(filter).length === 0) return null
  // What a collection cannot keep it would share.
  if (!Object.keys(filter).every((key) => FILTER_KEYS.some((kept) => kept === key))) return null
  const share = may('experiment.share')
  return (
    <span className="no-print flex flex-wrap gap-1">
      <Button
        size="small"
        variant="quiet"
        icon={<Share2 aria-hidden className="size-4" />}
        disabled={!share.allowed}
        title={share.allowed ? undefined : share.reason}
        onClick={() => actions.share({ kind: 'filter', filter })}
      >
        Compartilhar este filtro
      </Button>
      {papel === 'dono' && (
        <Button
          size="small"
          variant="quiet"
          icon={<ArrowLeftRight aria-hidden className="size-4" />}
          disabled={!share.allowed}
          title={share.allowed ? undefined : share.reason}
          onClick={() => actions.transfer(filter)}
        >
          Transferir
        </Button>
      )}
    </span>
  )
}
