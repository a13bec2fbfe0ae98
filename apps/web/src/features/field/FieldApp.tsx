import { lazy, Suspense, useEffect } from 'react'
import { labelCode } from '../../field-store/labels.ts'
import { go, usePath } from './address.tsx'
import { Broken } from './Broken.tsx'
import { Capture } from './Capture.tsx'
import { Device } from './Device.tsx'
import { field, useFieldState } from './field.ts'
import { LabelPage } from './LabelPage.tsx'
import { BehindPin } from './Pin.tsx'
import { Touch } from './parts.tsx'
import { SignIn } from './SignIn.tsx'
import { readSettings } from './settings.ts'
import { TrialGate } from './TrialGate.tsx'
import { TrialPage } from './TrialPage.tsx'
import { Trials } from './Trials.tsx'
import { useTypedLabel } from './use-typed-label.ts'

const TRIAL = /^\/campo\/([0-9a-f-]{36})(?:\/(coleta|conflitos|etiquetas))?\/?$/i
const INVITATION = /^\/campo\/convite\/?$/i
const LABEL = /^\/q\/([0-9a-z]{1,20})\/?$/i

const Conflicts = lazy(async () => ({ default: (await import('./Conflicts.tsx')).Conflicts }))
const Labels = lazy(async () => ({ default: (await import('./Labels.tsx')).Labels }))
const Invitation = lazy(async () => ({ default: (await import('./Invitation.tsx')).Invitation }))
const InvitationOver = lazy(async () => ({ default: (await import('./Invitation.tsx')).InvitationOver }))

/** The phone's application: what may be shown before anything is asked of a network. */
export function FieldApp() {
  const { phase, person, update } = useFieldState()
  const path = usePath()
  useEffect(() => {
    if (phase === 'ready') void readSettings()
  }, [phase])
  const [, id, part] = TRIAL.exec(path) ?? []
  if (phase === 'broken') return <Broken />
  if (phase === 'opening') return <p className="sr-only">Carregando</p>
  return (
    <>
      {update && part !== 'coleta' && (
        <div
          role="status"
          className="flex flex-wrap items-center justify-between gap-2 bg-info-soft px-4 py-2 text-info"
        >
          Nova versão disponível
          <Touch variant="primary" onClick={update}>
            Atualizar
          </Touch>
        </div>
      )}
      {INVITATION.test(path) ? (
        <Suspense fallback={null}>
          <Invitation />
        </Suspense>
      ) : person ? (
        <BehindPin>
          <Pages path={path} id={id} part={part} />
        </BehindPin>
      ) : (
        <SignIn />
      )}
    </>
  )
}

const toLabel = (text: string): boolean => {
  go(`/q/${labelCode(text)}`)
  return true
}

function Pages({ path, id, part }: { path: string; id: string | undefined; part: string | undefined }) {
  const { revoked, person } = useFieldState()
  const code = LABEL.exec(path)?.[1]
  useTypedLabel(part === 'coleta' ? null : toLabel)
  useEffect(() => {
    if (id === undefined && code === undefined) void field.open(null)
  }, [id, code])
  if (revoked && person?.guest)
    return (
      <Suspense fallback={null}>
        <InvitationOver guest={person.guest} />
      </Suspense>
    )
  if (revoked) return <SignIn title="Aparelho revogado" />
  if (code !== undefined) return <LabelPage code={code} />
  if (/^\/campo\/aparelho\/?$/i.test(path)) return <Device />
  if (id === undefined) return <Trials />
  return (
    <TrialGate id={id.toLowerCase()} key={id}>
      {(trial) =>
        part === 'coleta' ? (
          <Capture trial={trial} />
        ) : part === 'conflitos' ? (
          <Suspense fallback={null}>
            <Conflicts trial={trial} />
          </Suspense>
        ) : part === 'etiquetas' ? (
          <Suspense fallback={null}>
            <Labels trial={trial} />
          </Suspense>
        ) : (
          <TrialPage trial={trial} />
        )
      }
    </TrialGate>
  )
}
