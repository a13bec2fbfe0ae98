import { formatDateTime } from '@ensaio/domain'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useEndpoint } from '../../api/queries.ts'
import { isFromReview, pendingHandoff } from '../../app/handoff.ts'
import { paths } from '../../app/paths.ts'
import { useUser } from '../../app/session.tsx'
import { useTitle } from '../../app/title.ts'
import { Button } from '../../ui/Button.tsx'
import { Banner, Card, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { type Draft, dropDraft, readDraft } from './draft.ts'
import { blankValues, valuesOfExperiment, valuesOfExtraction } from './form-values.ts'
import { WizardForm } from './WizardForm.tsx'

/** Creates an experiment, or edits the one named by `?id=`. */
export function WizardPage() {
  const [search] = useSearchParams()
  const id = search.get('id')
  useTitle(id ? 'Editar experimento' : 'Novo experimento')
  return id ? <EditExperiment key={id} id={id} /> : <NewExperiment />
}

function NewExperiment() {
  const user = useUser()
  const [search] = useSearchParams()
  const [handoff] = useState(() => (isFromReview(search) ? pendingHandoff() : null))
  const [draft, setDraft] = useState<Draft | null>(() => (handoff ? null : readDraft(user.id, null)))
  const [resumed, setResumed] = useState<Draft | null>(null)

  if (draft) {
    return (
      <DraftOffer
        draft={draft}
        onResume={() => {
          setResumed(draft)
          setDraft(null)
        }}
        dropLabel="Começar do zero"
        onDrop={() => {
          dropDraft(user.id, null)
          setDraft(null)
        }}
      />
    )
  }
  return (
    <WizardForm
      initial={resumed?.values ?? (handoff ? valuesOfExtraction(handoff.result.data) : blankValues())}
      editing={null}
      file={handoff?.file ?? null}
      missingFilename={resumed?.filename ?? null}
      evidence={handoff?.result.metadata.fields ?? {}}
      {...(resumed ? { firstStep: resumed.step } : {})}
    />
  )
}

type DraftOfferProps = { draft: Draft; onResume: () => void; onDrop: () => void; dropLabel: string }

function DraftOffer({ draft, onResume, onDrop, dropLabel }: DraftOfferProps) {
  return (
    <div className="page max-w-3xl py-8">
      <Banner
        tone="info"
        title="Você tem um rascunho não salvo"
        action={
          <div className="flex flex-wrap gap-2">
            <Button size="small" variant="primary" onClick={onResume}>
              Continuar rascunho
            </Button>
            <Button size="small" onClick={onDrop}>
              {dropLabel}
            </Button>
          </div>
        }
      >
        {[draft.values.cultura, draft.values.consultoria].filter(Boolean).join(' - ') || 'Sem nome'} ·
        guardado em {formatDateTime(draft.savedAt)}
      </Banner>
    </div>
  )
}

function EditExperiment({ id }: { id: string }) {
  const user = useUser()
  const [draft, setDraft] = useState(() => readDraft(user.id, id))
  const [resumed, setResumed] = useState<Draft | null>(null)
  const experiment = useEndpoint('getExperiment', { params: { id } }, { staleTime: 0 })
  if (experiment.isError) {
    return (
      <div className="page max-w-3xl py-8">
        <Card>
          <ErrorState
            message={
              experiment.error.status === 404 ? 'Experimento não encontrado' : 'Erro ao buscar experimento'
            }
            onRetry={() => experiment.refetch()}
          />
          <p className="pb-8 text-center">
            <Link to={paths.dashboard} className="text-accent underline-offset-4 hover:underline">
              Voltar ao dashboard
            </Link>
          </p>
        </Card>
      </div>
    )
  }
  if (experiment.isPending) {
    return (
      <div className="page max-w-5xl py-8" aria-busy="true">
        <Skeleton className="h-[32rem]" />
      </div>
    )
  }
  if (draft) {
    return (
      <DraftOffer
        draft={draft}
        onResume={() => {
          setResumed(draft)
          setDraft(null)
        }}
        dropLabel="Descartar rascunho"
        onDrop={() => {
          dropDraft(user.id, id)
          setDraft(null)
        }}
      />
    )
  }
  const { experimento } = experiment.data
  return (
    <WizardForm
      initial={resumed?.values ?? valuesOfExperiment(experimento)}
      editing={{ ...experimento, versao: resumed?.versao ?? experimento.versao }}
      file={null}
      missingFilename={resumed?.filename ?? null}
      evidence={{}}
      {...(resumed ? { firstStep: resumed.step } : {})}
    />
  )
}
