import { useEffect } from 'react'
import type { Trial } from '../../field-store/trial.ts'
import { trialPath } from './address.tsx'
import { useAwake } from './awake.ts'
import { CaptureStep } from './CaptureStep.tsx'
import { useFieldState } from './field.ts'
import { Notice, Page } from './parts.tsx'
import { usePlan } from './plan.ts'
import { QueueLine } from './QueueLine.tsx'
import { usePlace } from './use-place.ts'

/** One plot after another, through everything that may happen to the phone. */
export function Capture({ trial }: { trial: Trial }) {
  useFieldState()
  useAwake()
  const planned = usePlan(trial)
  const place = usePlace(trial, planned)
  useEffect(() => {
    document.title = `Coleta · ${trial.pack.nome}`
  }, [trial.pack.nome])
  if (!planned || place.at === null) return <p className="sr-only">Carregando</p>
  if (planned.steps.length === 0)
    return (
      <Page
        title="Coleta"
        back={{ to: trialPath(trial.experimento), label: 'Ensaio' }}
        status={<QueueLine />}
      >
        <Notice tone="warn">
          Este ensaio não tem variáveis para coletar. Inclua-as nas parcelas do experimento.
        </Notice>
      </Page>
    )
  const at = Math.min(place.at, planned.steps.length - 1)
  return <CaptureStep trial={trial} planned={planned} place={{ ...place, at }} />
}
