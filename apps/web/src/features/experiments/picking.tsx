import { counted, type ExperimentSummary, PICKED_MOST } from '@ensaio/domain'
import { type ReactNode, useMemo, useState } from 'react'
import { useSource } from '../../api/source.ts'
import { useExperimentActions } from '../../shell/experiment-actions.ts'
import { useActingFor, useMay } from '../../shell/organization.tsx'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toast.tsx'
import type { Picking } from './ExperimentRows.tsx'

/**
 * Trials picked over all pages of the list, to be shared or reported on: from the start where there is an
 * organisation to share with, elsewhere while it is asked for. Null while nothing can be picked.
 */
export function usePicking(): {
  picking: (Picking & { clear: () => void }) | null
  /** Null where it need not be asked for, or cannot. */
  asking: { on: boolean; set: (on: boolean) => void } | null
} {
  const { several } = useActingFor()
  const may = useMay()
  const source = useSource()
  const [asked, setAsked] = useState(false)
  const [picked, setPicked] = useState<ReadonlyMap<string, ExperimentSummary>>(new Map())
  const possible = source.name !== 'demo'
  const always = possible && several && may('experiment.share').allowed
  const asking = useMemo(
    () =>
      possible && !always
        ? {
            on: asked,
            set: (on: boolean) => {
              setAsked(on)
              setPicked(new Map())
            },
          }
        : null,
    [possible, always, asked],
  )
  const on = always || asking?.on === true
  const picking = useMemo(() => {
    if (!on) return null
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
  }, [on, picked])
  return { picking, asking }
}

/** What may be done with those that are picked. */
export function Picked({
  picked,
  clear,
  report,
}: Picking & {
  clear: () => void
  /** A report of these trials, a feature of its own. */
  report: (ids: string[]) => ReactNode
}) {
  const actions = useExperimentActions()
  const { papel, several } = useActingFor()
  const share = useMay()('experiment.share')
  const experiments = [...picked.values()]
  const [only] = experiments
  const received = experiments.some(({ relacao }) => relacao !== 'propria')
  const whose = received ? { disabled: true, title: 'Só os ensaios da própria organização' } : {}
  if (experiments.length === 0 && several && share.allowed) return null
  return (
    <div
      role="status"
      className="no-print flex flex-wrap items-center gap-2 border-t border-line bg-accent-soft px-5 py-2"
    >
      <span className="figures mr-auto font-medium text-accent">
        {experiments.length === 0
          ? 'Marque os ensaios na lista'
          : counted(experiments.length, 'escolhido', 'escolhidos')}
      </span>
      {experiments.length > 0 && (
        <>
          {several && share.allowed && (
            <Button
              size="small"
              {...whose}
              onClick={() =>
                actions.share(
                  only && experiments.length === 1
                    ? { kind: 'experiment', experiment: only }
                    : { kind: 'list', experiments },
                )
              }
            >
              Compartilhar
            </Button>
          )}
          {several && papel === 'dono' && (
            <Button size="small" {...whose} onClick={() => actions.transfer(experiments.map(({ id }) => id))}>
              Transferir
            </Button>
          )}
          {report(experiments.map(({ id }) => id))}
        </>
      )}
      <Button size="small" variant="quiet" disabled={experiments.length === 0} onClick={clear}>
        Limpar escolha
      </Button>
    </div>
  )
}
