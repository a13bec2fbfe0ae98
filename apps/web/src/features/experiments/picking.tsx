import { counted, type ExperimentSummary, PICKED_MOST } from '@ensaio/domain'
import { useMemo, useState } from 'react'
import { useSource } from '../../api/source.ts'
import { useExperimentActions } from '../../shell/experiment-actions.ts'
import { useActingFor, useMay } from '../../shell/organization.tsx'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toast.tsx'
import type { Picking } from './ExperimentRows.tsx'

/** Trials picked over all pages of the list; null where there is no other organisation, or no right to share. */
export function usePicking(): (Picking & { clear: () => void }) | null {
  const { several } = useActingFor()
  const may = useMay()
  const source = useSource()
  const [picked, setPicked] = useState<ReadonlyMap<string, ExperimentSummary>>(new Map())
  const possible = several && source.name !== 'demo' && may('experiment.share').allowed
  return useMemo(() => {
    if (!possible) return null
    const toggle = (experiment: ExperimentSummary) =>
      setPicked((before) => {
        const after = new Map(before)
        if (after.delete(experiment.id)) return after
        if (after.size >= PICKED_MOST) {
          toast.error(`Escolha no máximo ${counted(PICKED_MOST, 'experimento', 'experimentos')}`)
          return before
        }
        return after.set(experiment.id, experiment)
      })
    return { picked, toggle, clear: () => setPicked(new Map()) }
  }, [possible, picked])
}

/** What may be done with those that are picked. */
export function Picked({ picked, clear }: Picking & { clear: () => void }) {
  const actions = useExperimentActions()
  const { papel } = useActingFor()
  if (picked.size === 0) return null
  const experiments = [...picked.values()]
  const [only] = experiments
  return (
    <div
      role="status"
      className="no-print flex flex-wrap items-center gap-2 border-t border-line bg-accent-soft px-5 py-2"
    >
      <span className="figures mr-auto font-medium text-accent">
        {counted(picked.size, 'escolhido', 'escolhidos')}
      </span>
      <Button
        size="small"
        onClick={() =>
          actions.share(
            only && picked.size === 1
              ? { kind: 'experiment', experiment: only }
              : { kind: 'list', experiments },
          )
        }
      >
        Compartilhar
      </Button>
      {papel === 'dono' && (
        <Button size="small" onClick={() => actions.transfer(experiments.map(({ id }) => id))}>
          Transferir
        </Button>
      )}
      <Button size="small" variant="quiet" onClick={clear}>
        Limpar escolha
      </Button>
    </div>
  )
}
